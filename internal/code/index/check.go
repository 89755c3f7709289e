package index

import (
	"bytes"
	"math"

	"github.com/assay-dev/assay/internal/base/vec"
)

// Check reads all of s: every block against its checksum, though a query has
// checked it before, and every table against the others. What it passes, no query
// finds damaged.
func (s *Segment) Check() error {
	return safely(func() {
		for b := range len(s.crcs) / 4 {
			s.verify(b)
		}
		s.checkTables()
		s.checkTerms()
		s.checkGrams()
		s.checkFacts()
		if v := openVectors(s, int(s.Chunks)); v != nil {
			v.checkRows()
		}
	})
}

func (s *Segment) checkGrams() {
	last, n := int64(-1), 0
	c := s.gramsFrom(0)
	for off := len(s.sec[secGramDict]) - len(c.rest); c.next(); n++ {
		s.refuse(int64(c.key) <= last, "trigrams are out of order")
		if b := n / gramBlock; n%gramBlock == 0 {
			r := s.at(secGramKeys, gramSize*b, gramSize)
			s.refuse(le.Uint32(r) != c.key || int(le.Uint32(r[4:])) != off || int(le.Uint32(r[8:])) != c.at, "the index of the trigrams is wrong")
		}
		last, off = int64(c.key), len(s.sec[secGramDict])-len(c.rest)
		c.docs(func(uint32) {})
	}
	if blocks := (n + gramBlock - 1) / gramBlock; blocks*gramSize != len(s.sec[secGramKeys]) {
		panic(s.corrupt("the index of the trigrams is wrong"))
	}
}

func (s *Segment) checkFacts() {
	for d := range s.Docs {
		s.facts(d)
	}
	for i := range s.nKeys() {
		s.refuse(i > 0 && s.key(i) <= s.key(i-1), "keys are out of order")
		s.keyDocs(i, func(uint32) {})
	}
}

func (s *Segment) checkTables() {
	next := uint32(0)
	for d := range s.Docs {
		lo, hi := s.docChunksFrom(d, next)
		next = hi
		s.doc(d)
		for c := lo; c < hi; c++ {
			s.chunk(c)
			s.refuse(s.chunkDoc(c) != d, "a chunk of another document")
		}
	}
	s.refuse(next != s.Chunks, "chunks without a document")
}

func (s *Segment) checkTerms() {
	var last []byte
	var heads []uint32
	c := s.termsFrom(0, true)
	n := 0
	for ; c.next(); n++ {
		s.refuse(n > 0 && bytes.Compare(last, c.term) >= 0, "terms are out of order")
		last = append(last[:0], c.term...)
		if b := n / termBlock; n%termBlock == 0 {
			if 8*b+8 > len(s.sec[secTermIdx]) || s.termAt(b) != string(c.term) || int(le.Uint32(s.at(secTermIdx, 8*b+4, 4))) != c.at {
				panic(s.corrupt("the dictionary's index is wrong"))
			}
		}
		ps := postings{c.df, s.at(secPostings, c.at, c.size)}
		seen := 0
		heads = heads[:0]
		ps.each(s, func(chunk uint32, _ uint8) {
			if seen++; seen%postBlock == 0 || seen == ps.df {
				heads = append(heads, chunk)
			}
		})
		ps.checkHeads(s, heads)
	}
	s.refuse((n+termBlock-1)/termBlock*8 != len(s.sec[secTermIdx]), "the dictionary's index is wrong")
}

// checkHeads compares the heads of blocks with the blocks, of which the last chunks
// are given: what is counted by the heads must be what is counted one by one.
func (ps postings) checkHeads(s *Segment, last []uint32) {
	if len(last) < 2 {
		return
	}
	rest := len(ps.data) - headSize*len(last)
	for b, chunk := range last {
		s.refuse(le.Uint32(ps.data[headSize*b:]) != chunk, "the heads of postings are wrong")
		rest -= int(le.Uint16(ps.data[headSize*b+4:]))
	}
	s.refuse(rest != 0, "the heads of postings are wrong")
}

// Check is Segment.Check for vectors.
func (v *vectors) Check() error {
	return safely(func() {
		for b := range len(v.crcs) / 4 {
			v.verify(b)
		}
		v.checkRows()
	})
}

// checkRows compares each row with its checksum and its signs.
func (v *vectors) checkRows() {
	var signs []byte
	width := vec.SignBytes(v.dims)
	for chunk := 0; width > 0 && chunk < len(v.sec[secSigns])/width; chunk++ {
		row, _ := v.row(chunk)
		if signs = vec.AppendSigns(signs[:0], row); !bytes.Equal(signs, v.at(secSigns, chunk*width, width)) {
			panic(v.corrupt("the signs of a vector are wrong"))
		}
	}
}

// scale reads a row's scale.
func (v *vectors) scale(b []byte) float32 {
	x := math.Float32frombits(le.Uint32(b))
	v.refuse(!(x >= 0 && x <= math.MaxFloat32), "a vector without a length")
	return x
}
