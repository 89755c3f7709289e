package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/vec"
)

// vectors are those of a segment's chunks: one row of int8 a chunk, one float32
// scale a row (0: the chunk has no vector), and the embedder's name. They lie in
// the segment itself where they were made with it, else in a file of their own.
type vectors struct {
	*Segment
	dims     int
	embedder string
}

// openVectors reads the vectors in a segment for as many chunks, nil where it has
// none.
func openVectors(seg *Segment, chunks int) *vectors {
	if len(seg.sec[secVecName]) == 0 {
		return nil
	}
	n := len(seg.sec[secVecScales]) / 4
	if n != chunks || n > 0 && len(seg.sec[secVecs])%n != 0 {
		panic(seg.corrupt("its vectors do not fit"))
	}
	v := &vectors{Segment: seg, embedder: string(seg.at(secVecName, 0, len(seg.sec[secVecName])))}
	if n > 0 {
		v.dims = len(seg.sec[secVecs]) / n
	}
	return v
}

// A vecTable gathers the vectors of a segment's chunks.
type vecTable struct {
	embedder string
	dims     int
	rows     []byte
	scales   []byte
}

// add appends the vectors of a document whose chunks are numbered from first on.
func (t *vecTable) add(d *Doc, first int) {
	n := len(d.Chunks)
	if d.Embedder == "" || n == 0 || len(d.Vectors)%n != 0 || t.embedder != "" && (t.embedder != d.Embedder || t.dims != len(d.Vectors)/n) {
		return
	}
	t.embedder, t.dims = d.Embedder, len(d.Vectors)/n
	t.pad(first)
	for i := range n {
		var scale float32
		t.rows, scale = vec.Quantise(t.rows, d.Vectors[i*t.dims:(i+1)*t.dims])
		t.scales = le.AppendUint32(t.scales, math.Float32bits(scale))
	}
}

// pad gives the chunks before n that have no vector none.
func (t *vecTable) pad(n int) {
	if missing := n - len(t.scales)/4; missing > 0 {
		t.rows = append(t.rows, make([]byte, missing*t.dims)...)
		t.scales = append(t.scales, make([]byte, 4*missing)...)
	}
}

// carry appends the vector of a chunk as another segment has it.
func (t *vecTable) carry(v *vectors, chunk uint32) {
	if t.embedder == "" {
		return
	}
	t.rows = append(t.rows, v.at(secVecs, int(chunk)*v.dims, v.dims)...)
	t.scales = append(t.scales, v.at(secVecScales, int(chunk)*4, 4)...)
}

func (t *vecTable) write(s *segWriter, chunks int) {
	if t.embedder != "" {
		t.pad(chunks)
	}
	s.section(secVecs, t.rows)
	s.section(secVecScales, t.scales)
	s.section(secVecName, []byte(t.embedder))
}

// loadVectors finds the vectors of each segment of p. A file that cannot be read
// is as if it were not there: vectors are made again from their texts.
func (x *Index) loadVectors(p *Snapshot, rows []segRow) {
	p.vecs, p.own = make([]*vectors, len(p.segs)), make([]*vectors, len(p.segs))
	for i, s := range p.segs {
		_ = safely(func() { p.own[i] = openVectors(s.Segment, int(s.Chunks)) })
	}
	for _, r := range rows {
		if r.kind != kindVectors {
			continue
		}
		for i, s := range p.segs {
			if s.Name != r.of {
				continue
			}
			if seg, err := x.mapped(r); err == nil {
				_ = safely(func() { p.vecs[i] = openVectors(seg, int(s.Chunks)) })
			}
		}
	}
}

// by returns the vectors of segment i that an embedder made, or nil.
func (p *Snapshot) by(i int, embedder string) *vectors {
	for _, v := range []*vectors{p.own[i], p.vecs[i]} {
		if v != nil && v.embedder == embedder {
			return v
		}
	}
	return nil
}

// Unembedded returns the chunks of the segments of p that have no vectors by an
// embedder, a segment at a time.
func (p *Snapshot) Unembedded(embedder string) (segments []int, chunks int) {
	for i, s := range p.segs {
		if s.Name == "" || s.Chunks == 0 || p.by(i, embedder) != nil || p.far != nil && p.far.embedded(embedder) {
			continue
		}
		segments = append(segments, i)
		chunks += int(s.Chunks)
	}
	return segments, chunks
}

// LiveChunks returns a reference to each chunk of segment i whose document lives.
func (p *Snapshot) LiveChunks(i int) (refs []corpus.Ref, err error) {
	err = p.safely(func() {
		s := p.segs[i]
		next := uint32(0)
		for d := range s.Docs {
			lo, hi := s.docChunksFrom(d, next)
			next = hi
			if s.dead.has(d) {
				continue
			}
			for c := lo; c < hi; c++ {
				refs = append(refs, corpus.Ref{Segment: uint32(i), Chunk: c})
			}
		}
	})
	return refs, err
}

// PutVectors writes the vectors of segment i of p; vecs[c] is the unit vector of
// chunk c, nil where it has none.
func (w *Writer) PutVectors(ctx context.Context, p *Snapshot, i int, embedder string, dims int, vecs [][]float32) error {
	s := p.segs[i]
	if len(vecs) != int(s.Chunks) {
		return fmt.Errorf("%d vectors for %d chunks", len(vecs), s.Chunks)
	}
	rows, scales := make([]byte, 0, len(vecs)*dims), make([]byte, 0, 4*len(vecs))
	for _, v := range vecs {
		var scale float32
		rows, scale = appendRow(rows, v, dims)
		scales = le.AppendUint32(scales, math.Float32bits(scale))
	}
	name, size, sum, err := w.x.create(kindVectors, func(out io.Writer) (int64, uint32, error) {
		sw := newSegWriter(out, w.x.id)
		sw.section(secVecs, rows)
		sw.section(secVecScales, scales)
		sw.section(secVecName, []byte(embedder))
		return sw.close()
	})
	if err == nil {
		err = w.keep(&Built{name: name})
	}
	if err != nil {
		return err
	}
	return w.commit(ctx, func(tx *sql.Tx, st *State) error {
		var have int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM seg WHERE name = ?", s.Name).Scan(&have); err != nil {
			return err
		}
		if have == 0 {
			return nil // merged away meanwhile; the file is collected later
		}
		if err := st.dropSegs(ctx, tx, "kind = ? AND of = ?", kindVectors, s.Name); err != nil {
			return err
		}
		st.Embedder = embedder
		return st.putSeg(ctx, tx, segRow{name: name, kind: kindVectors, of: s.Name, bytes: size, sum: sum, lo: s.lo, hi: s.lo + int64(s.Chunks)})
	})
}

// appendRow appends the row of a chunk, and returns its scale; a vector that is not of
// so many dimensions is none.
func appendRow(dst []byte, v []float32, dims int) ([]byte, float32) {
	if len(v) != dims {
		return append(dst, make([]byte, dims)...), 0
	}
	return vec.Quantise(dst, v)
}

// Nearest returns up to n candidates whose vectors by an embedder are nearest to
// a unit vector, nearest first. Chunks without a vector are not among them.
func (p *Snapshot) Nearest(ctx context.Context, embedder string, unit []float32, n int, f Filter) ([]corpus.Candidate, error) {
	if n <= 0 {
		return nil, ctx.Err()
	}
	h, err := p.nearestHere(ctx, embedder, unit, n, f)
	if err == nil && p.far != nil {
		var cands []corpus.Candidate
		cands, err = p.far.nearest(ctx, p, embedder, unit, n, f)
		for _, c := range cands {
			h.offer(c.Cosine, c)
		}
	}
	if err == nil {
		err = ctx.Err()
	}
	return h.sorted(), err
}

// nearestHere is Nearest without what lies elsewhere. The segments are divided among two: beside
// them others find words.
func (p *Snapshot) nearestHere(ctx context.Context, embedder string, unit []float32, n int, f Filter) (*top, error) {
	q := vec.NewQuery(unit)
	var found [2]top
	var errs [len(found) + 1]error
	var next atomic.Int64
	var group sync.WaitGroup
	for k := range min(len(found), max(1, len(p.segs))) {
		found[k] = top{n: n, p: p}
		group.Go(func() {
			errs[k] = p.safely(func() {
				for i := int(next.Add(1)) - 1; i < len(p.segs) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
					if v := p.by(i, embedder); v != nil && v.dims == len(unit) {
						p.nearest(uint32(i), p.segs[i], v, q, f, &found[k])
					}
				}
			})
		})
	}
	group.Wait()
	errs[len(found)] = p.safely(func() {
		for _, r := range found[1].heap {
			found[0].offer(r.key, r.c)
		}
	})
	return &found[0], errors.Join(errs[:]...)
}

func (p *Snapshot) nearest(no uint32, s *segment, v *vectors, q vec.Query, f Filter, h *top) {
	scales := v.at(secVecScales, 0, len(v.sec[secVecScales]))
	next := uint32(0)
	var dots []int32
	for d := range s.Docs {
		lo, hi := s.docChunksFrom(d, next)
		next = hi
		if s.dead.has(d) {
			continue
		}
		passed := f == nil
		dots = slices.Grow(dots[:0], int(hi-lo))[:hi-lo]
		// A document at a time: what the checksum has just read is still near.
		q.Dots(dots, vec.Signed(v.at(secVecs, int(lo)*v.dims, int(hi-lo)*v.dims)))
		for c := lo; c < hi; c++ {
			scale := v.scale(scales[4*c:])
			cos := q.Scaled(dots[c-lo], scale)
			if cos < h.least() {
				continue
			}
			at := corpus.Candidate{Ref: corpus.Ref{Segment: no, Chunk: c}, Doc: d}
			if scale == 0 || !h.wants(cos, &at) {
				continue
			}
			if !passed {
				if !f(s.doc(d)) {
					break
				}
				passed = true
			}
			h.offer(cos, corpus.Candidate{Ref: at.Ref, Doc: d, Cosine: cos,
				Flags: s.docFlags(d), Words: s.words(c), Chunks: uint16(min(hi-lo, 0xffff)), First: c == lo})
		}
	}
}

// CachedVector returns the vector kept for a text by an embedder, or nil.
func (x *Index) CachedVector(ctx context.Context, hash corpus.Hash, embedder string) ([]float32, error) {
	if x.db == nil {
		return nil, nil
	}
	var raw []byte
	var sum int64
	err := x.db.QueryRowContext(ctx, "SELECT vec, row_sum FROM vectors WHERE hash = ? AND embedder = ?", hash[:], embedder).Scan(&raw, &sum)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, store.Classify(err)
	}
	if sum != vectorSum(hash[:], embedder, raw) {
		return nil, nil // as good as none: it is made again and takes its place
	}
	v := make([]float32, len(raw)/4)
	for i := range v {
		v[i] = math.Float32frombits(le.Uint32(raw[4*i:]))
	}
	return v, nil
}

// CacheVectors keeps vectors so that a text is not embedded twice.
func (w *Writer) CacheVectors(ctx context.Context, embedder string, vecs map[corpus.Hash][]float32) error {
	tx, err := w.x.db.BeginTx(ctx, nil)
	if err != nil {
		return store.Classify(err)
	}
	defer tx.Rollback()
	for h, v := range vecs {
		raw := make([]byte, 0, 4*len(v))
		for _, f := range v {
			raw = le.AppendUint32(raw, math.Float32bits(f))
		}
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO vectors SELECT ?, ?, epoch, ?, ? FROM meta", h[:], embedder, raw, vectorSum(h[:], embedder, raw)); err != nil {
			return store.Classify(err)
		}
	}
	return store.Classify(tx.Commit())
}

// FillCosine gives each candidate the similarity of its vector by an embedder to
// a unit vector, where it has one.
func (p *Snapshot) FillCosine(embedder string, unit []float32, cands []corpus.Candidate) error {
	q := vec.NewQuery(unit)
	err := p.safely(func() {
		for i := range cands {
			c := &cands[i]
			v := p.by(int(c.Segment), embedder)
			if v == nil || v.dims != len(unit) {
				continue
			}
			scale := v.scale(v.at(secVecScales, int(c.Chunk)*4, 4))
			c.Cosine = q.Dot(vec.Signed(v.at(secVecs, int(c.Chunk)*v.dims, v.dims)), scale)
		}
	})
	if err == nil && p.far != nil {
		err = p.far.fillCosine(context.Background(), p, embedder, unit, cands)
	}
	return err
}

// SegmentChunks returns how many chunks segment i has, dead ones included.
func (p *Snapshot) SegmentChunks(i int) int { return int(p.segs[i].Chunks) }
