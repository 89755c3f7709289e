package index

import (
	"encoding/binary"
	"sort"

	"github.com/assay-dev/assay/internal/code/regex"
)

// A gramCursor walks the trigrams of a segment in ascending order.
type gramCursor struct {
	s    *Segment
	rest []byte
	key  uint32
	df   int
	bits bool
	at   int // where its documents lie in secGrams
	size int
	n    int // trigrams walked
}

// gramsFrom returns a cursor before the first trigram of a block.
func (s *Segment) gramsFrom(block int) *gramCursor {
	if gramSize*block >= len(s.sec[secGramKeys]) {
		return &gramCursor{s: s}
	}
	r := s.at(secGramKeys, gramSize*block, gramSize)
	off := int(le.Uint32(r[4:]))
	return &gramCursor{s: s, rest: s.at(secGramDict, off, len(s.sec[secGramDict])-off), key: le.Uint32(r), at: int(le.Uint32(r[8:]))}
}

func (c *gramCursor) next() bool {
	if len(c.rest) == 0 {
		return false
	}
	c.at += c.size
	// The first trigram is known from its block's record.
	if gap := c.uvarint(); c.n > 0 {
		c.key += uint32(gap)
	}
	n := c.uvarint()
	c.df, c.bits, c.size = n>>1, n&1 != 0, c.uvarint()
	c.s.refuse(c.df <= 0 || c.df > int(c.s.Docs) || c.bits && c.size < int(c.s.Docs+7)/8, "trigrams are corrupt")
	c.n++
	return true
}

func (c *gramCursor) uvarint() int {
	v, n := binary.Uvarint(c.rest)
	c.s.refuse(n <= 0 || v > 1<<40, "trigrams are corrupt")
	c.rest = c.rest[n:]
	return int(v)
}

func (s *Segment) gramBlockKey(block int) uint32 {
	return le.Uint32(s.at(secGramKeys, gramSize*block, 4))
}

// docs calls yield with each document that holds the trigram, ascending.
func (c *gramCursor) docs(yield func(uint32)) {
	s := c.s
	data := s.at(secGrams, c.at, c.size)
	if c.bits {
		for d := range s.Docs {
			if data[d/8]>>(d%8)&1 != 0 {
				yield(d)
			}
		}
		return
	}
	doc := uint32(0)
	for i := range c.df {
		gap, n := binary.Uvarint(data)
		s.refuse(n <= 0 || gap >= uint64(s.Docs) || gap == 0 && i > 0, "trigrams are corrupt")
		if doc += uint32(gap); doc >= s.Docs {
			panic(s.corrupt("trigrams are corrupt"))
		}
		yield(doc)
		data = data[n:]
	}
}

// gramSet returns the documents that hold a trigram.
func (s *Segment) gramSet(g regex.Gram) bitmap {
	out := make(bitmap, (s.Docs+63)/64)
	block := sort.Search(len(s.sec[secGramKeys])/gramSize, func(i int) bool { return s.gramBlockKey(i) > uint32(g) }) - 1
	if block < 0 {
		return out
	}
	c := s.gramsFrom(block)
	for range gramBlock {
		if !c.next() || c.key > uint32(g) {
			return out
		}
		if c.key == uint32(g) {
			c.docs(func(d uint32) { out[d>>6] |= 1 << (d & 63) })
			return out
		}
	}
	return out
}

// evaluate returns the documents that may match a query; nil means all.
func (s *Segment) evaluate(q regex.Query) bitmap {
	switch q.Op {
	case regex.All:
		return nil
	case regex.None:
		return bitmap{}
	}
	var out bitmap
	first := true
	join := func(b bitmap) {
		switch {
		case first:
			out, first = b, false
		case q.Op == regex.And && b == nil:
		case q.Op == regex.And && out == nil:
			out = b
		case q.Op == regex.And:
			for i := range out {
				if i < len(b) {
					out[i] &= b[i]
				} else {
					out[i] = 0
				}
			}
		case out == nil || b == nil:
			out = nil
		default:
			for i := range b {
				if i < len(out) {
					out[i] |= b[i]
				} else {
					out = append(out, b[i])
				}
			}
		}
	}
	for _, g := range q.Trigrams {
		join(s.gramSet(g))
	}
	for _, sub := range q.Sub {
		join(s.evaluate(sub))
	}
	if first {
		return nil
	}
	return out
}
