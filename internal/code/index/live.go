package index

import (
	"context"
	"encoding/binary"
	"sync"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// Ranking must be a function of the documents, not of how the index came to hold
// them: two machines that index one commit have deleted different chunks before.
// So what it counts are live chunks; what follows finds how many of a term's are
// dead without reading all of them.

// spans are ranges of numbers [lo, hi), ascending and apart.
type spans [][2]uint32

// mourn finds the chunks of dead documents and their words.
func (s *segment) mourn() {
	s.gone, s.deadChunks, s.lost = nil, nil, 0
	for d := range s.Docs {
		if !s.dead.has(d) {
			continue
		}
		lo, hi := s.docChunks(d)
		if lo == hi {
			continue
		}
		n := len(s.gone)
		switch {
		case n > 0 && s.gone[n-1][1] == lo:
			s.gone[n-1][1] = hi
		case n > 0 && s.gone[n-1][1] > lo:
			panic(s.corrupt("documents share chunks"))
		default:
			s.gone = append(s.gone, [2]uint32{lo, hi})
		}
		for c := lo; c < hi; c++ {
			s.deadChunks.set(c)
		}
		for raw := s.at(secWords, 2*int(lo), 2*int(hi-lo)); len(raw) > 0; raw = raw[2:] {
			s.lost += int64(le.Uint16(raw))
		}
	}
}

// add adds a segment and what it counts for.
func (p *Snapshot) add(s *segment) {
	p.segs = append(p.segs, s)
	p.chunks += int64(s.Chunks)
	for _, g := range s.gone {
		p.chunks -= int64(g[1] - g[0])
	}
	p.words += s.total - s.lost
}

// live returns how many of the postings are of live chunks.
func (s *segment) live(ps postings) int {
	if len(s.gone) == 0 {
		return ps.df
	}
	return ps.df - ps.within(s)
}

// within counts the postings of dead chunks. Blocks that hold none are passed over by
// the heads that appendPostings wrote.
func (ps postings) within(s *segment) (n int) {
	blocks := (ps.df + postBlock - 1) / postBlock
	data, heads := ps.data, []byte(nil)
	if blocks > 1 {
		s.refuse(len(data) < headSize*blocks, "postings are corrupt")
		heads, data = data[:headSize*blocks], data[headSize*blocks:]
	}
	in := s.gone
	chunk, left := uint32(0), ps.df
	for b := range blocks {
		size, last := len(data), s.Chunks
		if heads != nil {
			last, size = le.Uint32(heads[headSize*b:]), int(le.Uint16(heads[headSize*b+4:]))
		}
		s.refuse(size > len(data), "postings are corrupt")
		for len(in) > 0 && in[0][1] <= chunk {
			in = in[1:]
		}
		if len(in) == 0 {
			return n
		}
		if in[0][0] <= last {
			n += s.countDead(data[:size], chunk, min(left, postBlock))
		}
		chunk, left, data = last, left-postBlock, data[size:]
	}
	return n
}

// countDead counts the postings of a block that are of dead chunks. Before the block
// came chunk prev. A bit is looked up for each: to compare with spans would mean a
// branch that nobody can foresee.
func (s *segment) countDead(block []byte, prev uint32, postings int) (n int) {
	dead := s.deadChunks
	at := 0
	for range postings {
		s.refuse(at >= len(block), "postings are corrupt")
		gap := uint32(block[at])
		at++
		if gap >= 0x80 {
			v, size := binary.Uvarint(block[at-1:])
			s.refuse(size <= 0, "postings are corrupt")
			gap = uint32(v)
			at += size - 1
		}
		prev += gap
		if w := int(prev >> 6); w < len(dead) {
			n += int(dead[w] >> (prev & 63) & 1)
		}
	}
	return n
}

// A known is what a snapshot found out about a term: its postings by segment, and
// in how many live chunks it occurs.
type known struct {
	found []postings
	df    int
}

// A termCache keeps the terms of the last queries: a query needs its terms counted
// before it is planned and again when it is answered.
type termCache struct {
	mu sync.Mutex
	m  map[string]known
}

// cachedTerms bounds a termCache.
const cachedTerms = 256

// termOf looks up a term of a query. Segments keep whole terms alone.
func (p *Snapshot) termOf(t corpus.Term) known {
	if t.Match != corpus.Same {
		return known{}
	}
	return p.term(t.Text)
}

// term looks a term up in every segment.
func (p *Snapshot) term(t string) known {
	c := &p.terms
	c.mu.Lock()
	k, ok := c.m[t]
	c.mu.Unlock()
	if ok {
		return k
	}
	if p.far == nil {
		return p.learn(t, nil)
	}
	got, err := p.far.postings(context.Background(), p, []string{t})
	if err != nil {
		panic(unreached{err})
	}
	return p.learn(t, got[t])
}
