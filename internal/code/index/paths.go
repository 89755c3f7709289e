package index

import "github.com/assay-dev/assay/internal/base/corpus"

// Paths calls yield with each live document and its path, in the order of the index,
// until it returns false. The path is only good during the call: to look through all
// costs no memory.
func (p *Snapshot) Paths(yield func(ref DocRef, path []byte) bool) error {
	return p.safely(func() {
		for i, s := range p.segs {
			for d := range s.Docs {
				if !s.dead.has(d) && !yield(DocRef{uint32(i), d}, s.pathBytes(d)) {
					return
				}
			}
		}
	})
}

// InDoc returns the chunks of a document as candidates that no index has proposed yet,
// and what is known of each, at most n.
func (p *Snapshot) InDoc(ref DocRef, n int) (cands []corpus.Candidate, found []Found, err error) {
	err = p.safely(func() {
		s := p.segs[ref.Segment]
		doc := s.doc(ref.Doc)
		for c := doc.First; c < doc.First+doc.Chunks && len(cands) < n; c++ {
			cands = append(cands, corpus.Candidate{Ref: corpus.Ref{Segment: ref.Segment, Chunk: c}, Doc: ref.Doc,
				Flags: doc.Flags | s.testFlag(c), Words: s.words(c), Chunks: uint16(min(doc.Chunks, 0xffff)), First: c == doc.First})
			found = append(found, Found{Chunk: s.chunk(c), ID: uint64(s.lo) + uint64(c), Doc: doc, In: ref})
		}
	})
	return cands, found, err
}
