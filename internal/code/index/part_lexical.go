package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// maxArena is how many bytes of postings are kept room for.
const maxArena = 8 << 20

// A partScan adds up what chunks are worth, a block at a time: what it writes to stays in
// the processor's cache, and does not grow with the part.
type partScan struct {
	arena []byte // postings of all terms
	worth []float32
	found []int32 // chunks of the block that have a term
	far   []uint16
}

// A scored is a chunk of a part and what it is worth.
type scored struct {
	at    int
	score float32
}

// Lexical is the Reader's. Of a candidate it says the chunk and the score.
func (r *PartReader) Lexical(ctx context.Context, terms []corpus.Term, n, perDoc int, f Filter) ([]corpus.Candidate, error) {
	if n <= 0 || perDoc <= 0 {
		return nil, ctx.Err()
	}
	found, _, err := r.lexical(terms, n, perDoc, f, nil)
	if err == nil {
		err = ctx.Err()
	}
	return found, err
}

// LexicalWith is Lexical for the whole part, and appends those of also, in order, that are
// not among the best, with what they are worth. There is none where no chunk has a term.
func (r *PartReader) LexicalWith(terms []corpus.Term, n int, also []uint32) ([]corpus.Candidate, error) {
	found, others, err := r.lexical(terms, n, n, nil, also)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	for _, c := range others {
		if !slices.ContainsFunc(found, func(o corpus.Candidate) bool { return o.Chunk == c.Chunk }) {
			found = append(found, c)
		}
	}
	return found, nil
}

func (r *PartReader) lexical(terms []corpus.Term, n, perDoc int, f Filter, also []uint32) (best, others []corpus.Candidate, err error) {
	terms = terms[:min(len(terms), corpus.MaxTerms)]
	type weighted struct {
		stretch
		weight float32
	}
	lists := make([][]weighted, len(r.segs)) // by segment, in the order of the terms
	for _, t := range terms {
		k, err := r.seek(t, true)
		if err != nil {
			return nil, nil, err
		}
		weight := float32(r.idf(t, k) * (r.f.layout.K1 + 1))
		for _, x := range k.at {
			lists[x.seg] = append(lists[x.seg], weighted{x, weight})
		}
	}
	keep := keeper{n: n, ties: r.f.edited}
	s := r.scan
	var all []scored // where a filter is to choose among them
	for i, v := range r.segs {
		for b := range v.starts {
			codes := v.block(b)
			if len(s.worth) < len(codes) {
				s.worth = make([]float32, len(codes))
			}
			for _, x := range lists[i] {
				if x.block == b && !s.add(s.arena[x.start:x.end], codes, r, x.weight) {
					s.clear()
					return nil, nil, r.damaged("postings")
				}
			}
			base := v.first + v.starts[b]
			if f != nil && perDoc >= n {
				for _, at := range s.found {
					if s.worth[at] > 0 {
						all = append(all, scored{base + int(at), s.worth[at]})
					}
				}
			} else if err := r.offer(&keep, base, perDoc, f); err != nil {
				s.clear()
				return nil, nil, err
			}
			for ; len(also) > 0 && int(also[0]) < base+len(codes); also = also[1:] {
				others = append(others, corpus.Candidate{Ref: corpus.Ref{Chunk: also[0]}, Score: s.worth[int(also[0])-base]})
			}
			s.clear()
		}
	}
	if err := r.pass(&keep, all, f, true); err != nil {
		return nil, nil, err
	}
	hits, err := r.sorted(&keep)
	for _, h := range hits {
		best = append(best, corpus.Candidate{Ref: corpus.Ref{Chunk: uint32(h.at)}, Score: h.score})
	}
	return best, others, err
}

// offer offers what was found in a block to keep.
func (r *PartReader) offer(keep *keeper, base, perDoc int, f Filter) error {
	s := r.scan
	if f == nil && perDoc >= keep.n {
		for _, at := range s.found {
			// A chunk that is gone is worth nothing, and in found several times.
			if worth := s.worth[at]; worth > 0 && worth >= keep.least() {
				keep.offer(scored{base + int(at), worth})
			}
		}
		return nil
	}
	if err := r.docs.load(r); err != nil {
		return err
	}
	slices.Sort(s.found)
	for rest := slices.Compact(s.found); len(rest) > 0; {
		if s.worth[rest[0]] == 0 {
			rest = rest[1:]
			continue
		}
		d := r.docs.of(base + int(rest[0]))
		if d == nil && r.docs.some {
			rest = rest[1:]
			continue
		}
		if d == nil {
			return r.damaged("documents")
		}
		var hits []scored
		for ; len(rest) > 0 && base+int(rest[0]) < int(d.First+d.Chunks); rest = rest[1:] {
			if s.worth[rest[0]] > 0 {
				hits = append(hits, scored{base + int(rest[0]), s.worth[rest[0]]})
			}
		}
		if len(hits) == 0 || f != nil && !f(*d) {
			continue
		}
		sorting.Stable(hits, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
		for _, h := range hits[:min(len(hits), perDoc)] {
			keep.offer(h)
		}
	}
	return nil
}

// pass offers to keep those of all whose documents a filter passes, the best first, until no
// other can be kept: documents are looked up one by one, and most need not be. Where known is
// set, each chunk has to have a document.
func (r *PartReader) pass(keep *keeper, all []scored, f Filter, known bool) error {
	passed := map[uint32]bool{} // by the first chunk of a document
	for i := len(all)/2 - 1; i >= 0; i-- {
		sink(all, i)
	}
	for len(all) > 0 {
		if r.docs.all {
			return r.passAll(keep, all, f, known)
		}
		h := all[0]
		if len(keep.heap) >= keep.n && (!keep.ties || h.score < keep.heap[0].score) {
			break
		}
		all[0] = all[len(all)-1]
		all = all[:len(all)-1]
		sink(all, 0)
		d, err := r.docs.get(r, h.at)
		switch {
		case err != nil:
			return err
		case d == nil && known:
			return r.damaged("documents")
		case d == nil:
			continue
		}
		ok, asked := passed[d.First]
		if !asked {
			ok = f(*d)
			passed[d.First] = ok
		}
		if ok {
			keep.offer(h)
		}
	}
	return nil
}

// arrange sorts chunks by their numbers, which fit in 32 bits, or best first and equals by their numbers. It sorts integers: that
// is faster than slices.SortFunc, which is 10 kB of code for one more type.
func arrange(all []scored, best bool) {
	keys := make([]uint64, len(all))
	for i, h := range all {
		score := math.Float32bits(h.score + 0) // there are two zeros
		score ^= uint32(int32(score)>>31) | 1<<31
		if keys[i] = uint64(uint32(h.at))<<32 | uint64(score); best {
			keys[i] = uint64(^score)<<32 | uint64(uint32(h.at))
		}
	}
	slices.Sort(keys)
	for i, k := range keys {
		at, score := uint32(k>>32), uint32(k)
		if best {
			at, score = score, ^at
		}
		all[i] = scored{int(at), math.Float32frombits(score ^ (uint32(int32(^score)>>31) | 1<<31))}
	}
}

// passAll is pass where all documents are known: in the order of chunks, as documents are, since
// what is rejected then costs next to nothing.
func (r *PartReader) passAll(keep *keeper, all []scored, f Filter, known bool) error {
	arrange(all, false)
	list := r.docs.list
	asked, ok := -1, false
	i := 0
	for _, h := range all {
		for i < len(list) && int(list[i].First)+int(list[i].Chunks) <= h.at {
			i++
		}
		if i == len(list) || int(list[i].First) > h.at {
			if known && !r.docs.some {
				return r.damaged("documents")
			}
			continue
		}
		if asked != i {
			asked, ok = i, f(list[i])
		}
		if ok {
			keep.offer(h)
		}
	}
	return nil
}

// sink puts the i-th of all in its place, where the best is at 0.
func sink(all []scored, i int) {
	for {
		c := 2*i + 1
		if c+1 < len(all) && all[c].less(all[c+1]) {
			c++
		}
		if c >= len(all) || !all[i].less(all[c]) {
			return
		}
		all[i], all[c] = all[c], all[i]
		i = c
	}
}

func (s *partScan) clear() {
	for _, at := range s.found {
		s.worth[at] = 0
	}
	s.found = s.found[:0]
}

// add adds what a term is worth in the chunks of a block, and reports whether its
// postings are sound.
func (s *partScan) add(data, codes []byte, r *PartReader, weight float32) bool {
	var plain [256]float32 // where it occurs once
	for c, norm := range r.norms {
		plain[c] = weight / (1 + norm)
	}
	weights := &r.f.weights
	at := -1
	for i := 0; i < len(data); {
		d := uint64(data[i])
		i++
		if d >= 0x80 {
			u, n := binary.Uvarint(data[i-1:])
			if n <= 0 {
				return false
			}
			d = u
			i += n - 1
		}
		if d < 2 || d/2 > uint64(len(codes)-1-at) {
			return false
		}
		at += int(d / 2)
		worth := plain[codes[at]]
		if d&1 == 0 {
			if i == len(data) {
				return false
			}
			f := weights[data[i]]
			if f == 0 {
				return false
			}
			i++
			worth = weight * f / (f + r.norms[codes[at]])
		}
		if s.worth[at] == 0 {
			s.found = append(s.found, int32(at))
		}
		s.worth[at] += worth
	}
	return true
}

// A keeper keeps the n best of those offered. Where the order of numbers says nothing of
// equals, it keeps all that are equal to the least of them in ties.
type keeper struct {
	n    int
	ties bool
	heap []scored // the least is at 0
	tied []scored
}

// less orders by score; of equals, those that come first are worth more.
func (h scored) less(o scored) bool { return h.score < o.score || h.score == o.score && h.at > o.at }

// least is a score below which nothing is kept.
func (k *keeper) least() float32 {
	if len(k.heap) < k.n {
		return 0
	}
	return k.heap[0].score
}

func (k *keeper) offer(h scored) {
	if len(k.heap) < k.n {
		k.heap = append(k.heap, h)
		for i := len(k.heap) - 1; i > 0 && k.heap[i].less(k.heap[(i-1)/2]); i = (i - 1) / 2 {
			k.heap[i], k.heap[(i-1)/2] = k.heap[(i-1)/2], k.heap[i]
		}
		return
	}
	if h.score < k.heap[0].score {
		return
	}
	if !k.heap[0].less(h) {
		if k.ties {
			k.tied = append(k.tied, h)
		}
		return
	}
	out := k.heap[0]
	k.heap[0] = h
	for i := 0; ; {
		c := 2*i + 1
		if c+1 < k.n && k.heap[c+1].less(k.heap[c]) {
			c++
		}
		if c >= k.n || !k.heap[c].less(k.heap[i]) {
			break
		}
		k.heap[i], k.heap[c] = k.heap[c], k.heap[i]
		i = c
	}
	switch {
	case !k.ties:
	case k.heap[0].score == out.score:
		k.tied = append(k.tied, out)
	default:
		k.tied = k.tied[:0]
	}
}

// sorted returns the best, best first. Equals are in the order of the part where it was
// written at once, else in that of their documents: their numbers tell of its history.
func (r *PartReader) sorted(k *keeper) ([]scored, error) {
	all := append(k.heap, k.tied...)
	arrange(all, true)
	for i := 0; k.ties && i < len(all); {
		end := i + 1
		for end < len(all) && all[end].score == all[i].score {
			end++
		}
		if end > i+1 {
			if err := r.docs.find(r, all[i:end]); err != nil {
				return nil, err
			}
			sorting.Stable(all[i:end], func(a, b scored) int {
				return cmp.Compare(r.docs.of(a.at).Path, r.docs.of(b.at).Path)
			})
		}
		i = end
	}
	return all[:min(len(all), k.n)], nil
}
