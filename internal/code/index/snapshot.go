package index

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/code/regex"
)

// A Snapshot is one committed state of an index, perhaps with an overlay of what
// is newer. It never changes.
type Snapshot struct {
	State
	id      [16]byte
	segs    []*segment
	own     []*vectors // by segment: those that lie in it; nil where there are none
	vecs    []*vectors // by segment: those in a file of their own
	chunks  int64      // of live documents, as words
	words   int64
	damaged []string // names of segments that rows name but that cannot be read
	terms   termCache
	beyond  beyond
	far     distant // has the words and vectors of segments with a name; nil: the segments do
}

// A segment is a Segment as one snapshot sees it.
type segment struct {
	*Segment
	dead  bitmap
	lo    int64 // id of its first chunk
	total int64 // words of all its chunks
	gone  spans // the chunks of dead documents
	lost  int64 // their words

	deadChunks bitmap // gone, a bit each
}

// clone returns a segment of which more may die than of s.
func (s *segment) clone() *segment {
	return &segment{Segment: s.Segment, dead: append(bitmap(nil), s.dead...), lo: s.lo, total: s.total, gone: s.gone, deadChunks: s.deadChunks, lost: s.lost}
}

// Damaged reports whether a part of the index could not be read, when p was
// loaded or by a query since: what it held is missing from every answer until
// Writer.Repair.
func (p *Snapshot) Damaged() bool {
	if len(p.damaged) > 0 {
		return true
	}
	for i, s := range p.segs {
		if s.broken.Load() || p.vecs[i] != nil && p.vecs[i].broken.Load() {
			return true
		}
	}
	return false
}

// safely is the function of that name; it also notes which segment a memory fault
// was in.
func (p *Snapshot) safely(f func()) error {
	err := safely(f)
	if f, ok := errors.AsType[cutOff](err); ok {
		for i, s := range p.segs {
			if s.holds(f.addr) {
				s.broken.Store(true)
			}
			if v := p.vecs[i]; v != nil && v.holds(f.addr) {
				v.broken.Store(true)
			}
		}
	}
	runtime.KeepAlive(p) // and with it the maps that f reads
	return err
}

// A beyond counts chunks that the index lacks.
type beyond struct {
	chunks int
	df     map[string]int // in how many of the chunks a term is
}

// Beyond returns p with the weights that words would have if there were so many more chunks, and so many of
// these with each term.
func (p *Snapshot) Beyond(chunks int, df map[string]int) (*Snapshot, error) {
	o, err := p.With(nil, nil)
	if err == nil {
		o.beyond = beyond{chunks, df}
	}
	return o, err
}

// count returns in how many chunks a term is that is in df of the index, and how many there are.
func (p *Snapshot) count(term string, df int) (with, all int) {
	with, all = df+p.beyond.df[term], int(p.chunks)+p.beyond.chunks
	return with, max(with, all)
}

// Segments returns how many segments a query has to look into.
func (p *Snapshot) Segments() int { return len(p.segs) }

// With returns p with a segment built by b laid over it, and the documents with
// the given ids taken away.
func (p *Snapshot) With(b *Builder, dead []uint32) (*Snapshot, error) {
	o := &Snapshot{State: p.State, id: p.id, damaged: p.damaged, far: p.far}
	gone := set.Of(dead)
	err := p.safely(func() {
		for _, s := range p.segs {
			n := s.clone()
			if n.bury(gone) {
				n.mourn()
			}
			o.add(n)
		}
	})
	if err != nil {
		return nil, err
	}
	o.vecs = append(o.vecs, p.vecs...)
	o.own = append(o.own, p.own...)
	if b == nil || b.Len() == 0 {
		return o, nil
	}
	s, err := b.segment(p.id)
	if err != nil {
		return nil, err
	}
	o.add(&segment{Segment: s, lo: p.next, total: b.Words()})
	o.vecs = append(o.vecs, nil)
	o.own = append(o.own, nil)
	_ = safely(func() { o.own[len(o.own)-1] = openVectors(s, int(s.Chunks)) })
	o.next += int64(s.Chunks)
	return o, nil
}

// bury marks the documents whose ids are in gone as dead, and reports whether
// it found any.
func (s *segment) bury(gone map[uint32]bool) (changed bool) {
	if len(gone) == 0 {
		return false
	}
	for d := range s.Docs {
		if gone[s.docID(d)] && !s.dead.has(d) {
			s.dead.set(d)
			changed = true
		}
	}
	return changed
}

// A Found is everything the index knows of one chunk.
type Found struct {
	corpus.Chunk
	ID  uint64 // of the chunk, unique in the index
	Doc DocInfo
	In  DocRef
}

// Describe returns the chunks that refs name.
func (p *Snapshot) Describe(refs []corpus.Ref) ([]Found, error) {
	for _, r := range refs {
		if int(r.Segment) >= len(p.segs) || r.Chunk >= p.segs[r.Segment].Chunks {
			return nil, fmt.Errorf("chunk %d of segment %d is none of this snapshot", r.Chunk, r.Segment)
		}
	}
	out := make([]Found, len(refs))
	err := p.safely(func() {
		for i, r := range refs {
			s := p.segs[r.Segment]
			out[i] = Found{Chunk: s.chunk(r.Chunk), ID: uint64(s.lo) + uint64(r.Chunk), Doc: s.doc(s.chunkDoc(r.Chunk)), In: DocRef{r.Segment, s.chunkDoc(r.Chunk)}}
		}
	})
	return out, err
}

// Docs calls yield with each live document, in the order of the index.
func (p *Snapshot) Docs(yield func(DocInfo) bool) error {
	err := p.safely(func() {
		for _, s := range p.segs {
			for d := range s.Docs {
				if !s.dead.has(d) && !yield(s.doc(d)) {
					return
				}
			}
		}
	})
	return err
}

// Chunks returns the chunks of the document at path, and the document; nil where
// there is none.
func (p *Snapshot) Chunks(path string) (chunks []Found, err error) {
	err = p.safely(func() {
		for i, s := range p.segs {
			for d := range s.Docs {
				if s.dead.has(d) || s.path(d) != path {
					continue
				}
				info := s.doc(d)
				for c := info.First; c < info.First+info.Chunks; c++ {
					chunks = append(chunks, Found{Chunk: s.chunk(c), ID: uint64(s.lo) + uint64(c), Doc: info, In: DocRef{uint32(i), d}})
				}
				return
			}
		}
	})
	return chunks, err
}

// Matching calls yield with each live document that may hold a match of a trigram
// query: none that does is omitted.
func (p *Snapshot) Matching(ctx context.Context, q regex.Query, yield func(DocInfo) bool) error {
	err := p.safely(func() {
		for _, s := range p.segs {
			if ctx.Err() != nil {
				return
			}
			set := s.evaluate(q)
			for d := range s.Docs {
				if (set == nil || set.has(d)) && !s.dead.has(d) && !yield(s.doc(d)) {
					return
				}
			}
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	return err
}
