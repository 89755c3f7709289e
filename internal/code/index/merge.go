package index

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/file"
)

// Segments are merged when a tier of tierFactor of about one size has gathered,
// when more than a fifth of one is dead, or when small ones are much of the index. The
// tiers grow by the same factor, so a chunk is rewritten a few times in its life and a
// query looks into few files.
const (
	tierFactor = 8
	tierBase   = 1 << 18 // bytes
	tierLimit  = 1 << 28 // larger segments are merged for their dead alone
	mergeLimit = 1 << 31 // bytes merged at once: the offsets in a segment have 32 bits

	deadShare  = 5       // a segment of which this part is dead is written again
	deadLimit  = 1 << 26 // bytes that live on of those that are written again at once
	crumbLimit = 1 << 21 // bytes of a small segment
	fewCrumbs  = 4       // small segments that may stay, whatever they take
	crumbShare = 4       // of what the others take, the part that more of them may take
	crumbBase  = 1 << 17 // bytes that they may take in any case
)

// mergeable returns the segments of p to merge next, or nil. Only those below limit bytes
// are considered, but for their dead.
func (p *Snapshot) mergeable(limit int64) (segs []*segment, err error) {
	err = p.safely(func() { segs = p.wasted() })
	if segs == nil && err == nil {
		if segs = p.tier(limit); segs == nil {
			segs = p.crumbs(min(limit, crumbLimit))
		}
	}
	return segs, err
}

// wasted returns segments that hold too much that is dead. What is written again is what lives:
// a segment of which nothing does costs nothing, however large it is.
func (p *Snapshot) wasted() (out []*segment) {
	written := int64(0)
	for _, s := range p.segs {
		if s.Name == "" {
			continue
		}
		dead := s.deadBytes()
		if dead == 0 || dead*deadShare <= s.size && s.dead.count() < int(s.Docs) {
			continue
		}
		live := s.size - dead
		if len(out) > 0 && written+live > deadLimit {
			continue
		}
		written += live
		out = append(out, s)
	}
	return out
}

// crumbs returns the small segments if there are more than a few and they are much of the index:
// each has a dictionary of its own, which together take more than that of one.
func (p *Snapshot) crumbs(limit int64) (out []*segment) {
	var total, small, largest int64
	for _, s := range p.segs {
		if s.Name == "" {
			continue
		}
		total += s.size
		largest = max(largest, s.size)
		if s.size <= limit {
			small += s.size
			out = append(out, s)
		}
	}
	if small == total {
		small -= largest
	}
	if len(out) <= fewCrumbs || small <= crumbBase || small*crumbShare <= total-small {
		return nil
	}
	return out
}

// tier returns a full tier of segments below limit bytes.
func (p *Snapshot) tier(limit int64) []*segment {
	tiers := map[int][]*segment{}
	for _, s := range p.segs {
		if s.Name == "" || s.size > limit {
			continue
		}
		tier := 0
		for size := s.size; size > tierBase; size /= tierFactor {
			tier++
		}
		tiers[tier] = append(tiers[tier], s)
	}
	for _, t := range slices.Sorted(mapKeys(tiers)) {
		if segs := tiers[t]; len(segs) >= tierFactor {
			total := int64(0)
			for i, s := range segs {
				if total += s.size; total > mergeLimit {
					return segs[:i]
				}
			}
			return segs
		}
	}
	return nil
}

func mapKeys[V any](m map[int]V) func(func(int) bool) {
	return func(yield func(int) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// Merge merges segments smaller than limit bytes, and those of which too much is dead,
// while there are any to merge. It
// builds from a snapshot without the lock and takes it only to publish; where
// another process holds it then, or has merged the same, the work is dropped.
func (x *Index) Merge(ctx context.Context, limit int64) error {
	return x.mergeAll(ctx, limit, func(publish func(*Writer) error) error {
		w, err := x.TryLock()
		if err != nil {
			return err
		}
		defer w.Close()
		return publish(w)
	})
}

// Merge is Index.Merge for a process that is the writer already.
func (w *Writer) Merge(ctx context.Context, limit int64) error {
	return w.x.mergeAll(ctx, limit, func(publish func(*Writer) error) error { return publish(w) })
}

func (x *Index) mergeAll(ctx context.Context, limit int64, as func(func(*Writer) error) error) error {
	for ctx.Err() == nil {
		p, err := x.Snapshot(ctx)
		if err != nil {
			return err
		}
		segs, err := p.mergeable(min(limit, tierLimit))
		if err != nil || segs == nil {
			return err
		}
		m, built, err := x.prepareMerge(p, segs)
		if err != nil {
			return err
		}
		err = as(func(w *Writer) error { return w.publishMerge(ctx, m, built) })
		if errors.Is(err, errSuperseded) || errors.Is(err, file.ErrLocked) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (x *Index) prepareMerge(p *Snapshot, segs []*segment) (m *merger, built *Built, err error) {
	m = &merger{segs: segs}
	err = p.safely(m.plan)
	if err == nil && m.docs > 0 {
		built, err = x.buildMerged(p, m)
	}
	return m, built, err
}

func (w *Writer) publishMerge(ctx context.Context, m *merger, built *Built) error {
	if built != nil {
		// It was built without the lock: whoever held that may have collected it.
		if err := w.keep(built); errors.Is(err, fs.ErrNotExist) {
			return errSuperseded
		} else if err != nil {
			return err
		}
	}
	var merged []string
	err := w.commit(ctx, func(tx *sql.Tx, st *State) error {
		rows, err := readSegs(ctx, tx)
		if err != nil {
			return err
		}
		if built != nil {
			built.row.lo, built.row.hi = st.next, st.next+built.row.hi
			st.next = built.row.hi
		}
		for i, s := range m.segs {
			at := slices.IndexFunc(rows.sound, func(r segRow) bool { return r.name == s.Name })
			if at < 0 {
				return errSuperseded
			}
			if built != nil {
				m.mapDead(i, rows.sound[at].dead, &built.row.dead)
			}
			if err := st.dropSegs(ctx, tx, "name = ? OR of = ?", s.Name, s.Name); err != nil {
				return err
			}
			merged = append(merged, s.Name)
			for _, r := range rows.sound {
				if r.of == s.Name {
					merged = append(merged, r.name)
				}
			}
		}
		if built == nil {
			return nil
		}
		return st.putSeg(ctx, tx, built.row)
	})
	if err == nil {
		w.unnamed = append(w.unnamed, merged...)
	}
	return err
}

func (x *Index) buildMerged(p *Snapshot, m *merger) (*Built, error) {
	name, size, sum, err := x.create(kindWords, func(w io.Writer) (size int64, sum uint32, err error) {
		damaged := p.safely(func() { size, sum, err = m.writeTo(w, x.id) })
		if damaged != nil {
			err = damaged
		}
		return size, sum, err
	})
	if err != nil {
		return nil, err
	}
	return &Built{name, segRow{name: name, kind: kindWords, bytes: size, sum: sum,
		hi: int64(m.chunks), docs: int64(m.docs), words: m.words}}, nil
}

// A merger writes the live documents of several segments as one.
type merger struct {
	segs         []*segment
	own          []*vectors // that lie in them
	docMap       [][]uint32 // by segment and document: its new number, or gone
	chunkMap     [][]uint32
	docs, chunks uint32
	words        int64
	lens         []byte
}

const gone = ^uint32(0)

func (m *merger) plan() {
	for _, s := range m.segs {
		m.own = append(m.own, openVectors(s.Segment, int(s.Chunks)))
		dm, cm := make([]uint32, s.Docs), make([]uint32, s.Chunks)
		for c := range cm {
			cm[c] = gone
		}
		next := uint32(0)
		for d := range s.Docs {
			lo, hi := s.docChunksFrom(d, next)
			next = hi
			dm[d] = gone
			if s.dead.has(d) {
				continue
			}
			dm[d] = m.docs
			m.docs++
			for c := lo; c < hi; c++ {
				cm[c] = m.chunks
				m.chunks++
				n := s.words(c)
				m.words += int64(n)
				m.lens = le.AppendUint16(m.lens, n)
			}
		}
		m.docMap, m.chunkMap = append(m.docMap, dm), append(m.chunkMap, cm)
	}
}

// mapDead carries over the dead bits that were set since the merge began.
func (m *merger) mapDead(i int, now bitmap, out *bitmap) {
	for d, to := range m.docMap[i] {
		if to != gone && now.has(uint32(d)) {
			out.set(to)
		}
	}
}

func (m *merger) writeTo(w io.Writer, id [16]byte) (int64, uint32, error) {
	s := newSegWriter(w, id)
	m.writeTables(s)
	m.writeTerms(s)
	m.writeGrams(s)
	m.writeKeys(s)
	return s.close()
}

// writeTables copies the documents, the chunks and their strings. A string
// section is carried whole and its offsets moved: the strings of dead documents
// go when the merged segment is merged again from its live part.
func (m *merger) writeTables(s *segWriter) {
	var b Builder
	b.vecs.embedder, b.vecs.dims = m.embedder()
	for i, seg := range m.segs {
		for d := range seg.Docs {
			if m.docMap[i][d] == gone {
				continue
			}
			info := seg.doc(d)
			b.putFacts(seg.facts(d))
			first := b.nChunks
			for c := info.First; c < info.First+info.Chunks; c++ {
				ch := seg.chunk(c)
				b.putChunk(&ch, int(seg.words(c)))
				b.vecs.carry(m.own[i], c)
				b.nChunks++
			}
			b.putDoc(&Doc{ID: info.ID, Document: corpus.Document{Path: info.Path, Language: info.Language, Flags: info.Flags},
				Hash: info.Hash, Lines: info.Lines}, info.Size, first)
		}
	}
	s.section(secDocs, b.docs)
	s.section(secChunks, b.chunks)
	s.section(secWords, b.lens)
	s.section(secStrings, b.text)
	s.section(secFactAt, b.factAt)
	s.section(secFacts, b.facts)
	b.vecs.write(s, int(b.nChunks))
}

// embedder returns what made the vectors that all segments have with them, and
// their dimensions; "" where they differ, or one has none.
func (m *merger) embedder() (name string, dims int) {
	for i, v := range m.own {
		switch {
		case m.segs[i].Chunks == 0:
		case v == nil || name != "" && (v.embedder != name || v.dims != dims):
			return "", 0
		default:
			name, dims = v.embedder, v.dims
		}
	}
	return name, dims
}

// writeTerms merges the dictionaries and the postings of the live chunks.
func (m *merger) writeTerms(s *segWriter) {
	cursors := make([]*termCursor, len(m.segs))
	live := make([]bool, len(m.segs))
	for i, seg := range m.segs {
		cursors[i] = seg.termsFrom(0, true)
		live[i] = cursors[i].next()
	}
	var d dict
	var t, out []byte
	var ps []posting
	s.begin(secPostings)
	start := s.off
	for {
		least := -1
		for i, c := range cursors {
			if live[i] && (least < 0 || string(c.term) < string(cursors[least].term)) {
				least = i
			}
		}
		if least < 0 {
			break
		}
		t = append(t[:0], cursors[least].term...)
		ps = ps[:0]
		for i, c := range cursors {
			if !live[i] || string(c.term) != string(t) {
				continue
			}
			seg := m.segs[i].Segment
			postings{c.df, seg.at(secPostings, c.at, c.size)}.each(seg, func(chunk uint32, bits uint8) {
				if to := m.chunkMap[i][chunk]; to != gone {
					ps = append(ps, posting{to, bits})
				}
			})
			live[i] = c.next()
		}
		if len(ps) == 0 {
			continue
		}
		out = appendPostings(out[:0], ps)
		d.add(t, len(ps), len(out), s.off-start)
		s.write(out)
	}
	s.end(secPostings)
	s.section(secTermIdx, d.idx)
	s.section(secTerms, d.terms)
}

// writeGrams merges the trigrams of the live documents.
func (m *merger) writeGrams(s *segWriter) {
	cursors, live := make([]*gramCursor, len(m.segs)), make([]bool, len(m.segs))
	for i, seg := range m.segs {
		cursors[i] = seg.gramsFrom(0)
		live[i] = cursors[i].next()
	}
	var g gramDict
	var out []byte
	var docs []uint32
	s.begin(secGrams)
	start := s.off
	for {
		key, found := uint32(0), false
		for i, c := range cursors {
			if live[i] && (!found || c.key < key) {
				key, found = c.key, true
			}
		}
		if !found {
			break
		}
		docs = docs[:0]
		for i, c := range cursors {
			if !live[i] || c.key != key {
				continue
			}
			c.docs(func(d uint32) {
				if to := m.docMap[i][d]; to != gone {
					docs = append(docs, to)
				}
			})
			live[i] = c.next()
		}
		if len(docs) == 0 {
			continue
		}
		var bitmap bool
		out, bitmap = appendGrams(out[:0], docs, m.docs)
		g.add(key, len(docs), bitmap, s.off-start, len(out))
		s.write(out)
	}
	s.end(secGrams)
	s.section(secGramKeys, g.keys)
	s.section(secGramDict, g.dict)
}

// errSuperseded says that the segments of a merge were merged by someone else.
var errSuperseded = errors.New("merged by another process")
