package index

import (
	"encoding/binary"
	"hash/fnv"
)

// A Print is a document as the index has it, by parts, each as a checksum: equal
// prints give equal answers. It does not depend on where in an index the document is.
type Print struct {
	DocInfo
	Spans    uint64 // its chunks: where they are, their hashes, scopes and symbols
	Facts    uint64
	Words    uint64 // what postings say of its chunks
	Trigrams uint64
	Keys     uint64
	Vectors  uint64 // and what made them
}

// Prints calls yield with the print of each live document. It reads all of the index,
// and takes eight bytes a chunk of its largest segment.
func (p *Snapshot) Prints(embedder string, yield func(Print) bool) error {
	return p.safely(func() {
		for i, s := range p.segs {
			if !s.prints(p.by(i, embedder), yield) {
				return
			}
		}
	})
}

func (s *segment) prints(v *vectors, yield func(Print) bool) bool {
	words, trigrams, keys := s.wordPrints(), make([]uint64, s.Docs), make([]uint64, s.Docs)
	for c := s.gramsFrom(0); c.next(); {
		one := uint64(spread(int64(c.key)))
		c.docs(func(d uint32) { trigrams[d] += one })
	}
	for i := range s.nKeys() {
		one := uint64(spread(int64(s.key(i))))
		s.keyDocs(i, func(d uint32) { keys[d] += one })
	}
	for d := range s.Docs {
		if s.dead.has(d) {
			continue
		}
		p := Print{DocInfo: s.doc(d), Trigrams: trigrams[d], Keys: keys[d]}
		head, body := s.facts(d)
		p.Facts = digest(head, body)
		var spans, vecs []byte
		for c := p.First; c < p.First+p.Chunks; c++ {
			ch := s.chunk(c)
			for _, n := range []int{ch.Start, ch.End, ch.Lines.First, ch.Lines.Last, len(ch.Scope), int(s.words(c))} {
				spans = binary.AppendUvarint(spans, uint64(n))
			}
			spans = append(append(append(spans, ch.Hash[:]...), ch.Scope...), packSymbols(ch.Symbols)...)
			p.Words = p.Words*31 + words[c]
			if v != nil {
				vecs = append(vecs, v.raw(int(c))...)
			}
		}
		p.Spans, p.Vectors = digest(spans, nil), digest(vecs, nil)
		if !yield(p) {
			return false
		}
	}
	return true
}

// wordPrints returns for each chunk a checksum of the terms in it and of where in it
// they are.
func (s *Segment) wordPrints() []uint64 {
	out := make([]uint64, s.Chunks)
	for c := s.termsFrom(0, true); c.next(); {
		term := digest(c.term, nil)
		postings{c.df, s.at(secPostings, c.at, c.size)}.each(s, func(chunk uint32, bits uint8) {
			out[chunk] += uint64(spread(int64(term + uint64(bits))))
		})
	}
	return out
}

func digest(a, b []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(binary.AppendUvarint(nil, uint64(len(a))))
	_, _ = h.Write(a)
	_, _ = h.Write(b)
	return h.Sum64()
}
