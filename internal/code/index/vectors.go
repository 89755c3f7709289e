package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"runtime"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/vec"
)

// vectors are those of a segment's chunks: of each a row of int8, its scale (0: the
// chunk has no vector) and its signs, and the embedder's name. They lie in the
// segment itself where they were made with it, else in a file of their own.
type vectors struct {
	*Segment
	dims     int
	embedder string
}

// openVectors reads the vectors in a segment for as many chunks, nil where it has
// none.
func openVectors(seg *Segment, chunks int) *vectors {
	if len(seg.sec[secVecName]) == 0 {
		return nil
	}
	v := &vectors{Segment: seg, embedder: string(seg.at(secVecName, 0, len(seg.sec[secVecName])))}
	size := 0
	if chunks > 0 {
		size = len(seg.sec[secVecs]) / chunks
		v.dims = size - vecHead
	}
	fits := v.dims >= 0 && size*chunks == len(seg.sec[secVecs]) && vec.SignBytes(v.dims)*chunks == len(seg.sec[secSigns])
	seg.refuse(!fits, "its vectors do not fit")
	return v
}

// row returns the vector of a chunk, checked against its own checksum: to check the blocks
// that it is in would mean to read many that no question is about.
func (v *vectors) row(chunk int) ([]int8, float32) {
	r := v.raw(chunk)
	return vec.Signed(r[vecHead:]), v.scale(r[4:])
}

func (v *vectors) raw(chunk int) []byte {
	size := vecHead + v.dims
	r := v.sec[secVecs][chunk*size : (chunk+1)*size]
	v.refuse(crc32.Checksum(r[4:], castagnoli) != le.Uint32(r), "a vector fails its checksum")
	runtime.KeepAlive(v.Segment) // as in verify
	return r
}

// signs returns those of all chunks.
func (v *vectors) signs() []uint64 { return vec.Words(v.at(secSigns, 0, len(v.sec[secSigns]))) }

// A vecTable gathers the vectors of a segment's chunks.
type vecTable struct {
	embedder string
	dims     int
	rows     []byte
	signs    []byte
}

// add appends the vectors of a document whose chunks are numbered from first on.
func (t *vecTable) add(d *Doc, first int) {
	n := len(d.Chunks)
	if d.Embedder == "" || n == 0 || len(d.Vectors)%n != 0 || t.embedder != "" && (t.embedder != d.Embedder || t.dims != len(d.Vectors)/n) {
		return
	}
	t.embedder, t.dims = d.Embedder, len(d.Vectors)/n
	t.pad(first)
	for i := range n {
		t.put(d.Vectors[i*t.dims : (i+1)*t.dims])
	}
}

// put appends the vector of a chunk; one that is not of so many dimensions is none.
func (t *vecTable) put(v []float32) {
	at := len(t.rows)
	t.rows = append(t.rows, make([]byte, vecHead)...)
	var scale float32
	if len(v) == t.dims {
		t.rows, scale = vec.Quantise(t.rows, v)
	} else {
		t.rows = append(t.rows, make([]byte, t.dims)...)
	}
	r := t.rows[at:]
	le.PutUint32(r[4:], math.Float32bits(scale))
	le.PutUint32(r, crc32.Checksum(r[4:], castagnoli))
	t.signs = vec.AppendSigns(t.signs, vec.Signed(r[vecHead:]))
}

// pad gives the chunks before n that have no vector none.
func (t *vecTable) pad(n int) {
	for len(t.rows) < n*(vecHead+t.dims) {
		t.put(nil)
	}
}

// carry appends the vector of a chunk as another segment has it.
func (t *vecTable) carry(v *vectors, chunk uint32) {
	if t.embedder == "" {
		return
	}
	r := v.raw(int(chunk))
	t.rows = append(t.rows, r...)
	t.signs = vec.AppendSigns(t.signs, vec.Signed(r[vecHead:]))
}

func (t *vecTable) write(s *segWriter, chunks int) {
	if t.embedder != "" {
		t.pad(chunks)
	}
	s.align()
	s.section(secSigns, t.signs)
	s.section(secVecs, t.rows)
	s.section(secVecName, []byte(t.embedder))
}

// loadVectors finds the vectors of each segment of p. A file that cannot be read
// is as if it were not there: vectors are made again from their texts.
func (x *Index) loadVectors(p *Snapshot, rows []segRow) {
	p.vecs, p.own = make([]*vectors, len(p.segs)), make([]*vectors, len(p.segs))
	for i, s := range p.segs {
		_ = safely(func() { p.own[i] = openVectors(s.Segment, int(s.Chunks)) })
	}
	for _, r := range rows {
		if r.kind != kindVectors {
			continue
		}
		for i, s := range p.segs {
			if s.Name != r.of {
				continue
			}
			if seg, err := x.mapped(r); err == nil {
				_ = safely(func() { p.vecs[i] = openVectors(seg, int(s.Chunks)) })
			}
		}
	}
}

// by returns the vectors of segment i that an embedder made, or nil.
func (p *Snapshot) by(i int, embedder string) *vectors {
	for _, v := range []*vectors{p.own[i], p.vecs[i]} {
		if v != nil && v.embedder == embedder {
			return v
		}
	}
	return nil
}

// Unembedded returns the chunks of the segments of p that have no vectors by an
// embedder, a segment at a time.
func (p *Snapshot) Unembedded(embedder string) (segments []int, chunks int) {
	for i, s := range p.segs {
		if s.Name == "" || s.Chunks == 0 || p.by(i, embedder) != nil || p.far != nil && p.far.embedded(embedder) {
			continue
		}
		segments = append(segments, i)
		chunks += int(s.Chunks)
	}
	return segments, chunks
}

// LiveChunks returns a reference to each chunk of segment i whose document lives.
func (p *Snapshot) LiveChunks(i int) (refs []corpus.Ref, err error) {
	err = p.safely(func() {
		s := p.segs[i]
		next := uint32(0)
		for d := range s.Docs {
			lo, hi := s.docChunksFrom(d, next)
			next = hi
			if s.dead.has(d) {
				continue
			}
			for c := lo; c < hi; c++ {
				refs = append(refs, corpus.Ref{Segment: uint32(i), Chunk: c})
			}
		}
	})
	return refs, err
}

// PutVectors writes the vectors of segment i of p; vecs[c] is the unit vector of
// chunk c, nil where it has none.
func (w *Writer) PutVectors(ctx context.Context, p *Snapshot, i int, embedder string, dims int, vecs [][]float32) error {
	s := p.segs[i]
	if len(vecs) != int(s.Chunks) {
		return fmt.Errorf("%d vectors for %d chunks", len(vecs), s.Chunks)
	}
	t := vecTable{embedder: embedder, dims: dims}
	for _, v := range vecs {
		t.put(v)
	}
	name, size, sum, err := w.x.create(kindVectors, func(out io.Writer) (int64, uint32, error) {
		sw := newSegWriter(out, w.x.id)
		t.write(sw, len(vecs))
		return sw.close()
	})
	if err == nil {
		err = w.keep(&Built{name: name})
	}
	if err != nil {
		return err
	}
	return w.commit(ctx, func(tx *sql.Tx, st *State) error {
		var have int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM seg WHERE name = ?", s.Name).Scan(&have); err != nil {
			return err
		}
		if have == 0 {
			return nil // merged away meanwhile; the file is collected later
		}
		if err := st.dropSegs(ctx, tx, "kind = ? AND of = ?", kindVectors, s.Name); err != nil {
			return err
		}
		st.Embedder = embedder
		return st.putSeg(ctx, tx, segRow{name: name, kind: kindVectors, of: s.Name, bytes: size, sum: sum, lo: s.lo, hi: s.lo + int64(s.Chunks)})
	})
}

// CachedVector returns the vector kept for a text by an embedder, or nil.
func (x *Index) CachedVector(ctx context.Context, hash corpus.Hash, embedder string) ([]float32, error) {
	if x.db == nil {
		return nil, nil
	}
	var raw []byte
	var sum int64
	err := x.db.QueryRowContext(ctx, "SELECT vec, row_sum FROM vectors WHERE hash = ? AND embedder = ?", hash[:], embedder).Scan(&raw, &sum)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, store.Classify(err)
	}
	if sum != vectorSum(hash[:], embedder, raw) {
		return nil, nil // as good as none: it is made again and takes its place
	}
	v := make([]float32, len(raw)/4)
	for i := range v {
		v[i] = math.Float32frombits(le.Uint32(raw[4*i:]))
	}
	return v, nil
}

// CacheVectors keeps vectors so that a text is not embedded twice.
func (w *Writer) CacheVectors(ctx context.Context, embedder string, vecs map[corpus.Hash][]float32) error {
	tx, err := w.x.db.BeginTx(ctx, nil)
	if err != nil {
		return store.Classify(err)
	}
	defer tx.Rollback()
	for h, v := range vecs {
		raw := make([]byte, 0, 4*len(v))
		for _, f := range v {
			raw = le.AppendUint32(raw, math.Float32bits(f))
		}
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO vectors SELECT ?, ?, epoch, ?, ? FROM meta", h[:], embedder, raw, vectorSum(h[:], embedder, raw)); err != nil {
			return store.Classify(err)
		}
	}
	return store.Classify(tx.Commit())
}

// FillCosine gives each candidate the similarity of its vector by an embedder to
// a unit vector, where it has one.
func (p *Snapshot) FillCosine(embedder string, unit []float32, cands []corpus.Candidate) error {
	q := vec.NewQuery(unit)
	err := p.safely(func() {
		for i := range cands {
			c := &cands[i]
			v := p.by(int(c.Segment), embedder)
			if v == nil || v.dims != len(unit) {
				continue
			}
			row, scale := v.row(int(c.Chunk))
			c.Cosine = q.Dot(row, scale)
		}
	})
	if err == nil && p.far != nil {
		err = p.far.fillCosine(context.Background(), p, embedder, unit, cands)
	}
	return err
}

// SegmentDocs returns how many documents segment i has, dead ones included.
func (p *Snapshot) SegmentDocs(i int) int { return int(p.segs[i].Docs) }

// SegmentChunks returns how many chunks segment i has, dead ones included.
func (p *Snapshot) SegmentChunks(i int) int { return int(p.segs[i].Chunks) }
