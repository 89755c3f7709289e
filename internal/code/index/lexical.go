package index

import (
	"context"
	"encoding/binary"
	"math/bits"
	"sync"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
)

// A Filter says which documents a query is about; nil means all.
type Filter func(DocInfo) bool

// An acc gathers what the postings say of one chunk.
type acc struct {
	score                       float32
	terms, named, whole, scoped uint32
	folder, stem, file          uint32
}

// scratch is the working memory of a query, kept between queries: zeros, but while it is used.
type scratch struct {
	acc []acc
	hit bitmap // the chunks that have a score
}

// LexicalBeside returns up to n candidates for the terms of a query, any of which may
// match: those with the best scores, best first, and with each document among
// them at most perDoc times. Equal scores are in the order of paths. If documents with
// any of some flags are among the candidates, there are up to n of other documents
// beside them.
func (p *Snapshot) LexicalBeside(ctx context.Context, terms []corpus.Term, n, perDoc int, f Filter, flags corpus.Flags) ([]corpus.Candidate, error) {
	if n <= 0 || perDoc <= 0 {
		return nil, ctx.Err()
	}
	if len(terms) > corpus.MaxTerms {
		terms = terms[:corpus.MaxTerms]
	}
	if err := p.fetch(ctx, terms); err != nil {
		return nil, err
	}
	var out []corpus.Candidate
	err := p.safely(func() {
		found, weights := p.lookup(terms)
		h := newPair(n, p, flags)
		for i, s := range p.segs {
			if ctx.Err() != nil {
				return
			}
			p.scan(s, uint32(i), found[i], weights, perDoc, f, &h)
		}
		out = h.sorted()
	})
	if err == nil {
		err = ctx.Err()
	}
	return out, err
}

// lookup finds the terms in every segment, and their weights: the query's times
// the idf over the live chunks of the whole snapshot.
func (p *Snapshot) lookup(terms []corpus.Term) ([][]postings, []float32) {
	found := make([][]postings, len(p.segs))
	for i := range found {
		found[i] = make([]postings, len(terms))
	}
	weights := make([]float32, len(terms))
	for j, t := range terms {
		k := p.termOf(t)
		for i, ps := range k.found {
			found[i][j] = ps
		}
		df, chunks := p.count(t.Text, k.df)
		weights[j] = t.Weight * float32(bm25.IDF(chunks, df))
	}
	return found, weights
}

// DF returns in how many live chunks each term occurs, and how many there are.
func (p *Snapshot) DF(terms []corpus.Term) (df []int, chunks int, err error) {
	df = make([]int, len(terms))
	if err := p.fetch(context.Background(), terms); err != nil {
		return nil, 0, err
	}
	err = p.safely(func() {
		for j, t := range terms {
			df[j], _ = p.count(t.Text, p.termOf(t).df)
		}
	})
	return df, int(p.chunks) + p.beyond.chunks, err
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// scan scores the chunks of one segment term by term and offers the best to h.
func (p *Snapshot) scan(s *segment, no uint32, found []postings, weights []float32, perDoc int, f Filter, h *pair) {
	total := 0
	for _, ps := range found {
		total += ps.df
	}
	if total == 0 {
		return
	}
	sc := scratches.Get().(*scratch) // lost where the segment is damaged
	if len(sc.acc) < int(s.Chunks) {
		sc.acc, sc.hit = make([]acc, s.Chunks), make(bitmap, s.Chunks/64+1)
	}
	accs, hit := sc.acc, sc.hit
	norm := p.norm(s)
	k1 := float32(params().K1 + 1)
	for j, ps := range found {
		if ps.df == 0 {
			continue
		}
		w, bit := weights[j]*k1, uint32(1)<<j
		ps.each(s.Segment, func(chunk uint32, b uint8) {
			a := &accs[chunk]
			hit[chunk>>6] |= 1 << (chunk & 63)
			tf := tfTable[b]
			a.score += w * tf / (tf + norm.of(chunk))
			a.terms |= bit
			if b >= 1<<defShift {
				a.place(b, bit)
			}
		})
	}
	p.collect(s, no, sc, perDoc, f, h)
	scratches.Put(sc)
}

// place notes which names and which parts of the path a term is in.
func (a *acc) place(b uint8, bit uint32) {
	switch b >> defShift & defMask {
	case 3:
		a.whole |= bit
		a.named |= bit
	case 2:
		a.named |= bit
	case 1:
		a.scoped |= bit
	}
	switch b >> pathHave {
	case 3:
		a.file |= bit
		a.stem |= bit
	case 2:
		a.stem |= bit
	case 1:
		a.folder |= bit
	}
}

// each calls yield for each posting in ascending order of chunks.
func (ps postings) each(s *Segment, yield func(chunk uint32, b uint8)) {
	blocks := (ps.df + postBlock - 1) / postBlock
	data := ps.data
	if blocks > 1 {
		s.refuse(len(data) < headSize*blocks, "postings are corrupt")
		data = data[headSize*blocks:]
	}
	var chunks [postBlock]uint32
	prev, left, begun := uint32(0), ps.df, false
	for left > 0 {
		n := min(left, postBlock)
		left -= n
		at := 0
		for i := range n {
			s.refuse(at >= len(data), "postings are corrupt")
			gap := uint32(data[at])
			at++
			if gap >= 0x80 {
				v, size := binary.Uvarint(data[at-1:])
				s.refuse(size <= 0, "postings are corrupt")
				gap = uint32(v)
				at += size - 1
			}
			chunk := prev + gap
			s.refuse(chunk >= s.Chunks || chunk < prev || gap == 0 && begun, "postings are corrupt")
			prev, begun = chunk, true
			chunks[i] = chunk
		}
		s.refuse(len(data)-at < n, "postings are corrupt")
		for i, b := range data[at : at+n] {
			yield(chunks[i], b)
		}
		data = data[at+n:]
	}
}

// next returns the first number of the set that is not below i.
func (b bitmap) next(i uint32) (uint32, bool) {
	w := int(i >> 6)
	if w >= len(b) {
		return 0, false
	}
	for rest := b[w] &^ (1<<(i&63) - 1); ; rest = b[w] {
		if rest != 0 {
			return uint32(w<<6 + bits.TrailingZeros64(rest)), true
		}
		if w++; w == len(b) {
			return 0, false
		}
	}
}

// collect finds the documents of the chunks of a segment that scored, sums what these did, and
// offers the chunks of those documents that live and pass the filter. It leaves zeros.
func (p *Snapshot) collect(s *segment, no uint32, sc *scratch, perDoc int, f Filter, h *pair) {
	defer func() {
		for i, ok := sc.hit.next(0); ok; i, ok = sc.hit.next(i + 1) {
			sc.acc[i] = acc{}
		}
		clear(sc.hit)
	}()
	accs := sc.acc
	best := make([]uint32, 0, 16)
	docs := s.ordered()
	for i, ok := sc.hit.next(0); ok; {
		d, lo, hi := docs.with(i)
		best = best[:0]
		var c corpus.Candidate
		for ; ok && i < hi; i, ok = sc.hit.next(i + 1) {
			a := &accs[i]
			if a.score == 0 {
				continue
			}
			c.DocTerms |= a.terms
			c.DocScore += a.score
			c.DocBest = max(c.DocBest, a.score)
			c.DocHits++
			best = append(best, i)
		}
		if len(best) == 0 || s.dead.has(d) {
			continue
		}
		c.Ref, c.Doc, c.Flags = corpus.Ref{Segment: no, Chunk: lo}, d, docs.flags(d)
		// A document whose best chunk would not be kept may still matter by its sum,
		// but never by less than a third of the least kept. Its best chunk stands for
		// it.
		into := h.wants(max(c.DocBest, c.DocScore/3), &c)
		if into == 0 || f != nil && !f(s.doc(d)) {
			continue
		}
		best = s.standing(best, accs, perDoc, c.Flags)
		c.Chunks = uint16(min(hi-lo, 0xffff))
		boosted := false
		for _, i := range best {
			a := &accs[i]
			c.Ref = corpus.Ref{Segment: no, Chunk: i}
			c.Score, c.Terms, c.Named, c.Whole, c.Scoped = a.score, a.terms, a.named, a.whole, a.scoped
			c.Folder, c.Stem, c.File = a.folder, a.stem, a.file
			c.Words, c.First, c.Flags = s.words(i), i == lo, docs.flags(d)|s.testFlag(i)
			key := a.score
			if key == c.DocBest && !boosted {
				key, boosted = max(key, c.DocScore/3), true
			}
			h.offer(into, key, c)
		}
	}
}

// standing returns the n chunks that stand for their document: the highest, but no more than half of them
// tests where there is other code that matched, because tests repeat the words of the code.
func (s *Segment) standing(chunks []uint32, accs []acc, n int, flags corpus.Flags) []uint32 {
	if len(chunks) <= n || flags&corpus.Test != 0 {
		return highest(chunks, accs, n)
	}
	var code, tests []uint32
	for _, c := range chunks {
		if s.testFlag(c) != 0 {
			tests = append(tests, c)
		} else {
			code = append(code, c)
		}
	}
	tests = highest(tests, accs, max(n/2, n-len(code)))
	return append(highest(code, accs, n-len(tests)), tests...)
}

// highest keeps the n chunks of the highest scores, these first, where there are more: of equal
// ones those before. A large file has hundreds, of which a sort would order all.
func highest(chunks []uint32, accs []acc, n int) []uint32 {
	if len(chunks) <= n {
		return chunks
	}
	if n == 0 {
		return nil
	}
	kept := chunks[:0]
	for _, c := range chunks {
		if len(kept) < n {
			kept = append(kept, c)
		} else if accs[c].score > accs[kept[n-1]].score {
			kept[n-1] = c
		} else {
			continue
		}
		for k := len(kept) - 1; k > 0 && accs[kept[k]].score > accs[kept[k-1]].score; k-- {
			kept[k], kept[k-1] = kept[k-1], kept[k]
		}
	}
	return kept
}

func (s *Segment) words(c uint32) uint16 { return le.Uint16(s.at(secWords, int(c)*2, 2)) }

// A norm is BM25's length norm of the chunks of a segment in this snapshot.
type norm struct {
	base, slope float64
	words       []byte
}

func (p *Snapshot) norm(s *segment) norm {
	pr := params()
	avg := 1.0
	if p.chunks > 0 {
		avg = float64(p.words) / float64(p.chunks)
	}
	return norm{pr.K1 * (1 - pr.B), pr.K1 * pr.B / max(avg, 1), s.at(secWords, 0, len(s.sec[secWords]))}
}

func (n *norm) of(chunk uint32) float32 {
	return float32(n.base + n.slope*float64(le.Uint16(n.words[2*chunk:])))
}

// A bitmap is a set of small numbers; numbers past its end are not in it.
type bitmap []uint64

func (b bitmap) has(i uint32) bool { return int(i>>6) < len(b) && b[i>>6]>>(i&63)&1 != 0 }

func (b *bitmap) set(i uint32) {
	for int(i>>6) >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

// last returns the largest number in the set, -1 where that is empty.
func (b bitmap) last() int {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] != 0 {
			return i*64 + bits.Len64(b[i]) - 1
		}
	}
	return -1
}

func (b bitmap) count() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}
