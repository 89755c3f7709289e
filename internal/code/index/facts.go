package index

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
)

// What a document's facts are is not this package's affair: they are two records,
// a short one and the rest, and numbers by which documents are found.

// addFacts appends the facts of the document that comes next.
func (b *Builder) addFacts(head, body []byte, keys []uint32) {
	b.putFacts(head, body)
	for _, k := range keys {
		b.keys = append(b.keys, uint64(k)<<32|uint64(b.nDocs))
	}
}

func (b *Builder) putFacts(head, body []byte) {
	b.factAt = le.AppendUint32(b.factAt, uint32(len(b.facts)))
	b.factAt = le.AppendUint32(b.factAt, uint32(len(head)))
	b.factAt = le.AppendUint32(b.factAt, uint32(len(body)))
	b.facts = append(append(b.facts, head...), body...)
}

const factSize = 12

// A keyDict is the numbers and the documents of each: keySize bytes a number, its
// value and where its documents are: their number, then gaps.
type keyDict struct {
	keys []byte
	docs []byte
}

const keySize = 8

func (d *keyDict) add(key uint32, docs []uint32) {
	d.keys = le.AppendUint32(d.keys, key)
	d.keys = le.AppendUint32(d.keys, uint32(len(d.docs)))
	d.docs = binary.AppendUvarint(d.docs, uint64(len(docs)))
	last := uint32(0)
	for _, doc := range docs {
		d.docs = binary.AppendUvarint(d.docs, uint64(doc-last))
		last = doc
	}
}

// writeFacts writes what addFacts gathered.
func (b *Builder) writeFacts(s *segWriter) {
	s.section(secFactAt, b.factAt)
	s.section(secFacts, b.facts)
	slices.Sort(b.keys)
	var d keyDict
	var docs []uint32
	for i := 0; i < len(b.keys); {
		key := uint32(b.keys[i] >> 32)
		docs = docs[:0]
		for ; i < len(b.keys) && uint32(b.keys[i]>>32) == key; i++ {
			docs = append(docs, uint32(b.keys[i]))
		}
		d.add(key, docs)
	}
	s.section(secKeys, d.keys)
	s.section(secKeyDocs, d.docs)
}

// writeKeys merges the numbers of the live documents.
func (m *merger) writeKeys(s *segWriter) {
	at := make([]int, len(m.segs))
	var d keyDict
	var docs []uint32
	for {
		key, found := uint32(0), false
		for i, seg := range m.segs {
			if at[i] < seg.nKeys() {
				if k := seg.key(at[i]); !found || k < key {
					key, found = k, true
				}
			}
		}
		if !found {
			break
		}
		docs = docs[:0]
		for i, seg := range m.segs {
			if at[i] < seg.nKeys() && seg.key(at[i]) == key {
				seg.keyDocs(at[i], func(doc uint32) {
					if to := m.docMap[i][doc]; to != gone {
						docs = append(docs, to)
					}
				})
				at[i]++
			}
		}
		if len(docs) > 0 {
			d.add(key, docs)
		}
	}
	s.section(secKeys, d.keys)
	s.section(secKeyDocs, d.docs)
}

func (s *Segment) nKeys() int { return len(s.sec[secKeys]) / keySize }

func (s *Segment) key(i int) uint32 { return le.Uint32(s.at(secKeys, i*keySize, 4)) }

// keyDocs calls f with each document of the i-th number.
func (s *Segment) keyDocs(i int, f func(doc uint32)) {
	from := int(le.Uint32(s.at(secKeys, i*keySize+4, 4)))
	to := len(s.sec[secKeyDocs])
	if i+1 < s.nKeys() {
		to = int(le.Uint32(s.at(secKeys, (i+1)*keySize+4, 4)))
	}
	rest := s.at(secKeyDocs, from, to-from)
	num := func() uint32 {
		v, n := binary.Uvarint(rest)
		s.refuse(n <= 0 || v > uint64(s.Docs), "the documents of a key are corrupt")
		rest = rest[n:]
		return uint32(v)
	}
	doc := uint32(0)
	for range num() {
		doc += num()
		s.refuse(doc >= s.Docs, "the documents of a key are corrupt")
		f(doc)
	}
}

// facts returns the records of document d.
func (s *Segment) facts(d uint32) (head, body []byte) {
	r := s.at(secFactAt, int(d)*factSize, factSize)
	at, n, m := int(le.Uint32(r)), int(le.Uint32(r[4:])), int(le.Uint32(r[8:]))
	return s.at(secFacts, at, n), s.at(secFacts, at+n, m)
}

// Facts calls yield with each live document of a segment and the short record of its
// facts, in the order of the index. The record is only good during the call.
func (p *Snapshot) Facts(segment int, yield func(ref DocRef, info DocInfo, head []byte) bool) error {
	return p.safely(func() {
		s := p.segs[segment]
		for d := range s.Docs {
			if s.dead.has(d) {
				continue
			}
			head, _ := s.facts(d)
			if !yield(DocRef{uint32(segment), d}, s.doc(d), head) {
				return
			}
		}
	})
}

// A DocRef names a document within one snapshot.
type DocRef struct{ Segment, Doc uint32 }

// FactsOf calls read with both records of a document's facts; they are only good
// during the call.
func (p *Snapshot) FactsOf(ref DocRef, read func(head, body []byte)) error {
	if int(ref.Segment) >= len(p.segs) || ref.Doc >= p.segs[ref.Segment].Docs {
		return fmt.Errorf("document %d of segment %d is none of this snapshot", ref.Doc, ref.Segment)
	}
	return p.safely(func() { read(p.segs[ref.Segment].facts(ref.Doc)) })
}

// Keyed calls yield with each live document that was added with one of the keys;
// one that has several of them comes several times.
func (p *Snapshot) Keyed(keys []uint32, yield func(DocRef)) error {
	return p.safely(func() {
		for i, s := range p.segs {
			for _, key := range keys {
				n := s.nKeys()
				at := sort.Search(n, func(k int) bool { return s.key(k) >= key })
				if at == n || s.key(at) != key {
					continue
				}
				s.keyDocs(at, func(doc uint32) {
					if !s.dead.has(doc) {
						yield(DocRef{uint32(i), doc})
					}
				})
			}
		}
	})
}

// CountKeyed returns how many live documents were added with a key.
func (p *Snapshot) CountKeyed(key uint32) (n int, err error) {
	err = p.safely(func() {
		for _, s := range p.segs {
			m := s.nKeys()
			at := sort.Search(m, func(k int) bool { return s.key(k) >= key })
			switch {
			case at == m || s.key(at) != key:
			case len(s.dead) > 0:
				s.keyDocs(at, func(doc uint32) {
					if !s.dead.has(doc) {
						n++
					}
				})
			default:
				from := int(le.Uint32(s.at(secKeys, at*keySize+4, 4)))
				v, size := binary.Uvarint(s.at(secKeyDocs, from, min(binary.MaxVarintLen32, len(s.sec[secKeyDocs])-from)))
				s.refuse(size <= 0, "the documents of a key are cut off")
				n += int(v)
			}
		}
	})
	return n, err
}
