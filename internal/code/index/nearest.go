package index

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/vec"
)

// To find the nearest, the signs of all vectors are read, and the vectors themselves only of
// the chunks whose signs are nearest: at least so many, and so many for each that is wanted.
// Of Go's sources, 90,000 chunks, and of 890,000 of other projects, they have 995 of 1,000
// among the first 100, and 98 of 100 among the first 256 (eval/nearest). Which they are depends
// on the live chunks alone, not on how an index came to hold them.
const (
	compared   = 1 << 12
	comparedOf = 16
)

// Nearest returns up to n candidates whose vectors by an embedder are nearest to
// a unit vector, nearest first. Chunks without a vector are not among them.
func (p *Snapshot) Nearest(ctx context.Context, embedder string, unit []float32, n int, f Filter) ([]corpus.Candidate, error) {
	return p.NearestBeside(ctx, embedder, unit, n, f, 0)
}

// NearestBeside is Nearest, and if documents with any of some flags are among those, there are
// up to n of other documents beside them.
func (p *Snapshot) NearestBeside(ctx context.Context, embedder string, unit []float32, n int, f Filter, flags corpus.Flags) ([]corpus.Candidate, error) {
	if n <= 0 {
		return nil, ctx.Err()
	}
	h, err := p.survey(ctx, embedder, unit, f, flags).nearest(n)
	if err == nil && p.far != nil {
		if e := p.safely(func() { err = p.nearestFar(ctx, embedder, unit, f, h) }); e != nil {
			err = e
		}
	}
	var out []corpus.Candidate
	if err == nil {
		err = p.safely(func() { out = h.sorted() })
	}
	return out, cmp.Or(err, ctx.Err())
}

// nearestFar offers what is nearest elsewhere, which is asked once more where documents with
// flags may have taken the place of others.
func (p *Snapshot) nearestFar(ctx context.Context, embedder string, unit []float32, f Filter, h *pair) error {
	cands, err := p.far.nearest(ctx, p, embedder, unit, h.all.n, f)
	for _, c := range cands {
		h.all.offer(c.Cosine, c)
	}
	if err == nil && h.flagged(cands) {
		cands, err = p.far.nearest(ctx, p, embedder, unit, h.rest.n, func(d DocInfo) bool { return d.Flags&h.flags == 0 && (f == nil || f(d)) })
	}
	for _, c := range cands {
		if c.Flags&h.flags == 0 {
			h.rest.offer(c.Cosine, c)
		}
	}
	return err
}

// nearest is Nearest without what lies elsewhere.
func (s *survey) nearest(n int) (*pair, error) {
	reach, err := s.reach(n)
	found := [workers]pair{newPair(n, s.p, s.flags), newPair(n, s.p, s.flags)}
	if err == nil {
		err = s.each(func(i, who int) { s.compare(i, reach, &found[who]) })
	}
	return &found[0], errors.Join(err, s.p.safely(func() { found[0].join(&found[1]) }))
}

// A survey looks for the chunks that are near to a query.
type survey struct {
	p      *Snapshot
	ctx    context.Context
	query  vec.Query
	sketch vec.Sketch
	filter Filter
	flags  corpus.Flags // of documents that do not count
	parts  []surveyed   // by segment
	least  int          // so many are compared even for a few that are wanted

	none      []uint64 // the signs of a chunk without a vector
	noneApart [1]uint16
}

func (p *Snapshot) survey(ctx context.Context, embedder string, unit []float32, f Filter, flags corpus.Flags) *survey {
	q := vec.NewQuery(unit)
	s := &survey{p: p, ctx: ctx, query: q, sketch: q.Sketch(), filter: f, flags: flags, parts: make([]surveyed, len(p.segs)), least: compared}
	s.none = make([]uint64, vec.SignBytes(len(unit))/8)
	s.sketch.Apart(s.noneApart[:], s.none)
	for i := range p.segs {
		if v := p.by(i, embedder); v != nil && v.dims == len(unit) {
			s.parts[i].vectors = v
		}
	}
	return s
}

// A surveyed is a segment in a survey.
type surveyed struct {
	vectors *vectors // nil: none to compare with
	apart   []uint16 // by chunk: how far its signs are from the query's
	passes  []uint8  // by document: what the filter says of it
}

const (
	unasked = iota
	filterPasses
	filterFails
)

// never is further apart than what lives can be.
const never = math.MaxUint16

// workers divide the segments among them: beside them others find words.
const workers = 2

// each calls do for each segment with vectors, and says which of the workers does.
func (s *survey) each(do func(i, who int)) error {
	var errs [workers]error
	var next atomic.Int64
	var group sync.WaitGroup
	for who := range min(workers, max(1, len(s.parts))) {
		group.Go(func() {
			errs[who] = s.p.safely(func() {
				for i := int(next.Add(1)) - 1; i < len(s.parts) && s.ctx.Err() == nil; i = int(next.Add(1)) - 1 {
					if s.parts[i].vectors != nil {
						do(i, who)
					}
				}
			})
		})
	}
	group.Wait()
	return errors.Join(errs[:]...)
}

// blank reports whether a chunk has the signs of one without a vector. Such a chunk does not
// count, or many would take the place of the nearest to a query of negatives. A vector without
// a positive number looks the same: it does not count either, and is found if others reach it.
// To tell them apart would mean to read rows that the signs are there to spare.
func (s *survey) blank(apart uint16, signs []uint64, c int) bool {
	n := len(s.none)
	return apart == s.noneApart[0] && slices.Equal(signs[c*n:(c+1)*n], s.none)
}

// measure finds how far apart the live chunks of a segment are, and counts them.
func (s *survey) measure(i int, t *tally) {
	seg, part := s.p.segs[i], &s.parts[i]
	part.apart = make([]uint16, seg.Chunks)
	signs := part.vectors.signs()
	s.sketch.Apart(part.apart, signs)
	for _, g := range seg.gone {
		for c := g[0]; c < g[1]; c++ {
			part.apart[c] = never
		}
	}
	for c, d := range part.apart {
		if int(d) < t.reach && !s.blank(d, signs, c) {
			t.add(d)
		}
	}
}

// reach returns the least distance within which there are as many chunks that count as are
// compared if n are wanted.
func (s *survey) reach(n int) (int, error) {
	want := max(s.least, comparedOf*n)
	if s.filter == nil && s.flags == 0 {
		t, err := s.count(want, s.measure)
		return t.reach, err
	}
	all, err := s.count(math.MaxInt, s.measure)
	for more := want; err == nil; more *= 4 {
		reach := all.within(more)
		var t tally
		t, err = s.count(want, func(i int, t *tally) { s.pass(i, reach, t) })
		if reach == len(all.counts) || t.held >= want {
			return min(t.reach, reach), err
		}
	}
	return 0, err
}

// count has each worker count the chunks of its segments as by says, as far as so many reach.
func (s *survey) count(want int, by func(i int, t *tally)) (tally, error) {
	var of [workers]tally
	for who := range of {
		of[who] = newTally(s.sketch, want)
	}
	err := s.each(func(i, who int) { by(i, &of[who]) })
	of[0].join(&of[1])
	return of[0], err
}

// pass counts the chunks of a segment that are within reach, of documents that count.
func (s *survey) pass(i, reach int, t *tally) {
	seg, part := s.p.segs[i], &s.parts[i]
	if s.filter != nil && part.passes == nil {
		part.passes = make([]uint8, seg.Docs)
	}
	docs, signs := seg.ordered(), part.vectors.signs()
	for c, apart := range part.apart {
		if int(apart) >= reach {
			continue
		}
		d, _, _ := docs.with(uint32(c))
		if s.filter != nil && part.passes[d] == unasked {
			part.passes[d] = filterFails
			if s.filter(seg.doc(d)) {
				part.passes[d] = filterPasses
			}
		}
		if (s.filter == nil || part.passes[d] == filterPasses) && docs.flags(d)&s.flags == 0 && !s.blank(apart, signs, c) {
			t.add(apart)
		}
	}
}

// compare offers the chunks of a segment that are within reach, those of dead documents never
// are. A row is a page to read and a checksum to compute: of documents that do not pass none is
// read. A blank chunk is looked at, because it may have a vector without a positive number.
func (s *survey) compare(i, reach int, h *pair) {
	seg, part := s.p.segs[i], &s.parts[i]
	docs := seg.ordered()
	for c, apart := range part.apart {
		if int(apart) >= reach {
			continue
		}
		d, lo, hi := docs.with(uint32(c))
		if part.passes != nil && part.passes[d] != filterPasses {
			continue
		}
		row, scale := part.vectors.row(c)
		cos := s.query.Dot(row, scale)
		if scale == 0 || cos < h.least() {
			continue
		}
		at := corpus.Candidate{Ref: corpus.Ref{Segment: uint32(i), Chunk: uint32(c)}, Doc: d, Flags: docs.flags(d) | seg.testFlag(uint32(c))}
		into := h.wants(cos, &at)
		if into == 0 {
			continue
		}
		at.Cosine, at.Words, at.Chunks, at.First = cos, seg.words(uint32(c)), uint16(min(hi-lo, 0xffff)), uint32(c) == lo
		h.offer(into, cos, at)
	}
}

// An ordered finds the documents of chunks that are asked for in their order.
type ordered struct {
	s       *Segment
	records []byte
	at      uint32 // the document found last
}

func (s *Segment) ordered() *ordered {
	return &ordered{s: s, records: s.at(secDocs, 0, len(s.sec[secDocs]))}
}

func (o *ordered) first(d uint32) uint32 { return le.Uint32(o.records[int(d)*docSize+16:]) }

func (o *ordered) flags(d uint32) corpus.Flags {
	return corpus.Flags(le.Uint16(o.records[int(d)*docSize+28:]))
}

// with returns the document that has chunk c, and its chunks.
func (o *ordered) with(c uint32) (d, lo, hi uint32) {
	step := uint32(1)
	for o.at+step < o.s.Docs && o.first(o.at+step) <= c {
		o.at += step
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if o.at+step < o.s.Docs && o.first(o.at+step) <= c {
			o.at += step
		}
	}
	if o.at < o.s.Docs {
		lo, hi = o.s.docChunks(o.at)
	}
	o.s.refuse(c < lo || c >= hi, "a chunk without a document")
	return o.at, lo, hi
}
