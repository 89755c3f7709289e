package index

import (
	"bytes"
	"math"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// top keeps the n best candidates offered. Of several with equal keys it keeps those
// that come first in the order of paths, because the order in which they are offered
// depends on how the index grew. Without a snapshot, which knows the paths, it keeps
// the first offered.
type top struct {
	n    int
	p    *Snapshot
	heap []ranked
	seq  int
}

type ranked struct {
	key float32
	seq int
	c   corpus.Candidate
}

func (h *top) less(r, o *ranked) bool {
	switch {
	case r.key != o.key:
		return r.key < o.key
	case h.p != nil:
		return h.p.later(&r.c, &o.c)
	}
	return r.seq > o.seq
}

// least is a key below which nothing is kept.
func (h *top) least() float32 {
	if len(h.heap) < h.n {
		return float32(math.Inf(-1))
	}
	return h.heap[0].key
}

// wants reports whether a candidate with this key may be kept. Of c only the place
// needs to be known.
func (h *top) wants(key float32, c *corpus.Candidate) bool {
	if len(h.heap) < h.n || key > h.heap[0].key {
		return true
	}
	return key == h.heap[0].key && h.p != nil && h.p.later(&h.heap[0].c, c)
}

func (h *top) offer(key float32, c corpus.Candidate) {
	r := ranked{key, h.seq, c}
	h.seq++
	if len(h.heap) < h.n {
		h.heap = append(h.heap, r)
		for i := len(h.heap) - 1; i > 0; {
			up := (i - 1) / 2
			if !h.less(&h.heap[i], &h.heap[up]) {
				break
			}
			h.heap[i], h.heap[up] = h.heap[up], h.heap[i]
			i = up
		}
		return
	}
	if h.n == 0 || !h.less(&h.heap[0], &r) {
		return
	}
	h.heap[0] = r
	for i := 0; ; {
		k := 2*i + 1
		if k >= len(h.heap) {
			return
		}
		if k+1 < len(h.heap) && h.less(&h.heap[k+1], &h.heap[k]) {
			k++
		}
		if !h.less(&h.heap[k], &h.heap[i]) {
			return
		}
		h.heap[i], h.heap[k] = h.heap[k], h.heap[i]
		i = k
	}
}

// A pair keeps the n best candidates and, where there are flags, the n best of documents that
// have none of them: what has may be most of a tree, and is not to take the place of the rest.
type pair struct {
	all, rest top
	flags     corpus.Flags
}

func newPair(n int, p *Snapshot, flags corpus.Flags) pair {
	return pair{top{n: n, p: p}, top{n: n, p: p}, flags}
}

const (
	intoAll = 1 << iota
	intoRest
)

// least is a key below which neither keeps anything.
func (h *pair) least() float32 {
	if h.flags == 0 {
		return h.all.least()
	}
	return h.rest.least() // which has fewer to choose from
}

// wants says which of the two may keep a candidate with this key. Of c only the place and the
// flags need to be known.
func (h *pair) wants(key float32, c *corpus.Candidate) (into int) {
	if h.all.wants(key, c) {
		into = intoAll
	}
	if h.flags != 0 && c.Flags&h.flags == 0 && h.rest.wants(key, c) {
		into |= intoRest
	}
	return into
}

func (h *pair) offer(into int, key float32, c corpus.Candidate) {
	if into&intoAll != 0 {
		h.all.offer(key, c)
	}
	if into&intoRest != 0 {
		h.rest.offer(key, c)
	}
}

// join takes what another pair of the same kind keeps.
func (h *pair) join(o *pair) {
	for _, r := range o.all.heap {
		h.all.offer(r.key, r.c)
	}
	for _, r := range o.rest.heap {
		h.rest.offer(r.key, r.c)
	}
}

// flagged reports whether, of the best, some with flags may have taken the place of others.
func (h *pair) flagged(best []corpus.Candidate) bool {
	return h.flags != 0 && len(best) >= h.all.n && slices.ContainsFunc(best, func(c corpus.Candidate) bool { return c.Flags&h.flags != 0 })
}

// sorted returns the best or, where that is not enough, those with flags among them and then
// the best of the rest.
func (h *pair) sorted() []corpus.Candidate {
	best := h.all.sorted()
	if !h.flagged(best) {
		return best
	}
	return append(slices.DeleteFunc(best, func(c corpus.Candidate) bool { return c.Flags&h.flags == 0 }), h.rest.sorted()...)
}

func (h *top) sorted() []corpus.Candidate {
	sorting.Stable(h.heap, func(a, b ranked) int {
		if h.less(&a, &b) {
			return 1
		}
		return -1
	})
	return slice.Map(h.heap, func(r ranked) corpus.Candidate { return r.c })
}

// later puts candidates in the order of paths, and those of one document in the
// order of its text.
func (p *Snapshot) later(a, b *corpus.Candidate) bool {
	if a.Segment != b.Segment || a.Doc != b.Doc {
		if c := bytes.Compare(p.segs[a.Segment].pathBytes(a.Doc), p.segs[b.Segment].pathBytes(b.Doc)); c != 0 {
			return c > 0
		}
		if a.Segment != b.Segment { // a path twice: the index is damaged, and still has an order
			return a.Segment > b.Segment
		}
	}
	return a.Chunk > b.Chunk
}
