package index

import (
	"sort"

	"github.com/assay-dev/assay/internal/regex"
)

func (s *Segment) gramCount() int { return len(s.sec[secGramKeys]) / gramSize }

func (s *Segment) gramKey(i int) uint32 { return le.Uint32(s.at(secGramKeys, i*gramSize, 4)) }

// gram returns where the documents of the i-th gram lie, how many there are, and
// whether they are a bitmap.
func (s *Segment) gram(i int) (data []byte, df int, bits bool) {
	r := s.at(secGramKeys, i*gramSize, gramSize)
	off, n := int(le.Uint32(r[4:])), le.Uint32(r[8:])
	end := len(s.sec[secGrams])
	if i+1 < s.gramCount() {
		end = int(le.Uint32(s.at(secGramKeys, (i+1)*gramSize+4, 4)))
	}
	data = s.at(secGrams, off, end-off)
	df, bits = int(n&^gramBitmap), n&gramBitmap != 0
	if bits && len(data) < int(s.Docs+7)/8 {
		panic(s.torn("grams are torn"))
	}
	return data, df, bits
}

// gramSet returns the documents that hold a gram.
func (s *Segment) gramSet(g regex.Gram) bitmap {
	i := sort.Search(s.gramCount(), func(i int) bool { return s.gramKey(i) >= uint32(g) })
	out := make(bitmap, (s.Docs+63)/64)
	if i < s.gramCount() && s.gramKey(i) == uint32(g) {
		s.gramDocs(i, func(d uint32) { out[d>>6] |= 1 << (d & 63) })
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
	for _, g := range q.Grams {
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
