package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
)

// An Findable is what a chunk is found by.
type Findable struct {
	Texts  []string // by the fields of the layout
	Inside string   // folded: where parts of words are found
	Vector []byte   // by the embedder of the Edit, see Quantise; nil: none yet
}

// An Edit changes parts by documents, in a transaction of the owner of the file. What it
// gathers in memory, Close writes: as new segments, in the order of their numbers.
type Edit struct {
	f        *File
	ctx      context.Context
	tx       *sql.Tx
	embedder string
	parts    map[int64]*editPart
	many     *store.Statements // what is done for each document
}

// An editPart is a part as an Edit knows it.
type editPart struct {
	number      int64
	epoch, next int64
	w           *PartWriter  // of the segment that is being written; nil: none is
	gone        []chunkRange // no chunk is in two of them; in order once they were buried
	fresh       []embedding
}

// chunkRange is n chunks from first on.
type chunkRange struct{ first, n int64 }

// Edit begins a change. embedder is the one of the vectors that come with it.
func (f *File) Edit(ctx context.Context, tx *sql.Tx, embedder string) *Edit {
	return &Edit{f: f, ctx: ctx, tx: tx, embedder: embedder, parts: map[int64]*editPart{}, many: store.Prepared(ctx, tx)}
}

func (e *Edit) part(number int64) (*editPart, error) {
	if p := e.parts[number]; p != nil {
		return p, nil
	}
	p := &editPart{number: number, next: 1}
	err := e.tx.QueryRowContext(e.ctx, "SELECT epoch, next FROM parts WHERE part = ?", number).Scan(&p.epoch, &p.next)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	p.epoch++
	e.parts[number] = p
	return p, nil
}

// Put makes entries the chunks of the document at a path, in place of those that it had,
// and returns the number of the first: those that follow have the numbers that follow.
func (e *Edit) Put(part int64, path string, entries []Findable) (first uint32, err error) {
	if err := e.Delete(part, path); err != nil {
		return 0, err
	}
	p := e.parts[part]
	if p.next+int64(len(entries)) > 1<<32 {
		return 0, fmt.Errorf("part %d has no number left for %s", part, path)
	}
	if p.w == nil && len(entries) > 0 {
		if p.w, err = e.segment(p, p.next); err != nil {
			return 0, err
		}
	}
	first = uint32(p.next)
	for i := range entries {
		x := &entries[i]
		for field, t := range x.Texts {
			p.w.Text(t, field)
		}
		p.w.Inside(x.Inside)
		p.w.End(nil)
		p.w.lengths[len(p.w.lengths)-1] = min(p.w.lengths[len(p.w.lengths)-1], goneCode-1)
		if x.Vector != nil {
			p.fresh = append(p.fresh, embedding{p.next, x.Vector})
		}
		p.next++
	}
	if err := e.many.Exec("INSERT INTO documents VALUES (?, ?, ?, ?)", part, path, first, len(entries)); err != nil {
		return 0, err
	}
	if p.w != nil && p.w.Full() {
		return first, e.flush(p)
	}
	return first, nil
}

// segment begins one whose first chunk has a number.
func (e *Edit) segment(p *editPart, first int64) (*PartWriter, error) {
	res, err := e.tx.ExecContext(e.ctx, "INSERT INTO segments (part, first, chunks, live, dead) VALUES (?, ?, 0, 0, 0)", p.number, first)
	if err != nil {
		return nil, err
	}
	id, err := res.LastInsertId()
	return e.f.Write(e.ctx, e.tx, id, 0), err
}

// flush ends the segment that is being written.
func (e *Edit) flush(p *editPart) error {
	w := p.w
	p.w = nil
	if w == nil {
		return nil
	}
	n := len(w.lengths)
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := e.tx.ExecContext(e.ctx, "UPDATE segments SET chunks = ?1, live = ?1 WHERE segment = ?2", n, w.part)
	return err
}

// Delete takes the document at a path out; that there is none is no error.
func (e *Edit) Delete(part int64, path string) error {
	p, err := e.part(part)
	if err != nil {
		return err
	}
	var r chunkRange
	err = e.many.Scan([]any{&r.first, &r.n}, "DELETE FROM documents WHERE part = ? AND path = ? RETURNING first, chunks", part, path)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil && r.n > 0 {
		p.gone = append(p.gone, r)
	}
	return err
}

// PutVectors adds the vectors of chunks of a part by the embedder of the edit. A chunk
// that is not there any more, or that has one already, is passed over.
func (e *Edit) PutVectors(part int64, chunks []uint32, data [][]byte) error {
	p, err := e.part(part)
	if err != nil {
		return err
	}
	missing, err := Missing(e.ctx, e.tx, part, e.embedder)
	if err != nil {
		return err
	}
	for i, c := range chunks {
		if _, ok := slices.BinarySearch(missing, c); ok {
			p.fresh = append(p.fresh, embedding{int64(c), data[i]})
		}
	}
	return nil
}

// Close writes what is left, and merges segments that have become too many.
func (e *Edit) Close() error {
	for _, number := range slices.Sorted(maps.Keys(e.parts)) {
		p := e.parts[number]
		err := e.flush(p)
		if err == nil {
			err = e.bury(p)
		}
		if err == nil {
			err = dropVectors(e.ctx, e.tx, p)
		}
		if err == nil {
			err = addVectors(e.ctx, e.tx, p, e.embedder, p.alive())
		}
		if err == nil {
			err = e.merge(p)
		}
		if err == nil {
			_, err = e.tx.ExecContext(e.ctx, "INSERT OR REPLACE INTO parts SELECT ?1, ?2, ?3, coalesce(sum(live), 0) FROM segments WHERE part = ?1", p.number, p.epoch, p.next)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// alive returns the vectors of the chunks that were not deleted after they were put.
func (p *editPart) alive() []embedding {
	return slices.DeleteFunc(p.fresh, func(x embedding) bool { return p.buried(x.chunk) })
}

// buried reports whether a chunk is gone, after bury: it is asked of every vector of the part.
func (p *editPart) buried(chunk int64) bool {
	_, in := slices.BinarySearchFunc(p.gone, chunk, func(r chunkRange, chunk int64) int {
		switch {
		case chunk >= r.first+r.n:
			return -1
		case chunk < r.first:
			return 1
		}
		return 0
	})
	return in
}

// bury marks the chunks that are gone in the lengths of their segments.
func (e *Edit) bury(p *editPart) error {
	if len(p.gone) == 0 {
		return nil
	}
	sorting.Stable(p.gone, func(a, b chunkRange) int { return int(a.first - b.first) })
	segs, err := segmentsOf(e.ctx, e.tx, p.number)
	if err != nil {
		return err
	}
	rest := p.gone
	for _, s := range segs {
		end := s.first + int64(s.chunks)
		n := 0
		for n < len(rest) && rest[n].first < end {
			n++
		}
		if n == 0 {
			continue
		}
		if err := e.buryIn(s, rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return fmt.Errorf("%w: documents without a segment", store.ErrDamaged)
	}
	return nil
}

func (e *Edit) buryIn(s segmentRow, ranges []chunkRange) error {
	v, err := readSegment(e.ctx, e.tx, s)
	if err != nil {
		return err
	}
	died := 0
	for _, r := range ranges {
		at := int(r.first - s.first)
		if at < 0 || at+int(r.n) > len(v.codes) {
			return fmt.Errorf("%w: a document leaves its segment", store.ErrDamaged)
		}
		for i := at; i < at+int(r.n); i++ {
			if v.codes[i] != goneCode {
				v.codes[i] = goneCode
				died++
			}
		}
	}
	for b, start := range v.starts {
		if _, err := e.tx.ExecContext(e.ctx, "UPDATE lengths SET data = ? WHERE library = ? AND block = ?", v.block(b), s.id, start); err != nil {
			return err
		}
	}
	_, err = e.tx.ExecContext(e.ctx, "UPDATE segments SET live = live - ?1, dead = dead + ?1 WHERE segment = ?2", died, s.id)
	return err
}

func readSegment(ctx context.Context, tx *sql.Tx, s segmentRow) (*resident, error) {
	v, err := readResident(ctx, tx, Part{Number: s.id, Chunks: s.chunks, Name: "a segment"})
	if err == nil {
		v.first = int(s.first)
		v.mourn()
	}
	return v, err
}

// Purge leaves nothing of documents that are gone in the postings of a part.
func (e *Edit) Purge(part int64) error {
	p, err := e.part(part)
	if err != nil {
		return err
	}
	if err := e.flush(p); err != nil {
		return err
	}
	if err := e.bury(p); err != nil {
		return err
	}
	if err := dropVectors(e.ctx, e.tx, p); err != nil {
		return err
	}
	p.gone, p.fresh = nil, p.alive()
	segs, err := segmentsOf(e.ctx, e.tx, part)
	if err != nil {
		return err
	}
	for i, s := range segs {
		if s.dead > 0 {
			if err := e.rewrite(p, segs[i:i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Clear takes everything out of all parts. Numbers are not given again.
func (f *File) Clear(ctx context.Context, tx *sql.Tx) error {
	for _, q := range [...]string{"DELETE FROM postings", "DELETE FROM lengths", "DELETE FROM segments", "DELETE FROM documents", "DELETE FROM vectors", "UPDATE parts SET epoch = epoch + 1, chunks = 0"} {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// Open returns the reader of a part that changes by documents. The caller closes it.
func (f *File) Open(ctx context.Context, tx *sql.Tx, part int64) (*PartReader, error) {
	r := f.reader(ctx, tx, part, fmt.Sprintf("part %d", part))
	chunks := 0
	err := tx.QueryRowContext(ctx, "SELECT epoch, chunks FROM parts WHERE part = ?", part).Scan(&r.epoch, &chunks)
	if err == nil {
		err = r.segments()
	}
	if err == nil && r.live != chunks {
		err = r.damaged(fmt.Sprintf("%d of %d chunks", r.live, chunks))
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) { // nothing was ever put into it
		r.Close()
		return nil, err
	}
	r.weigh()
	return r, nil
}

func (r *PartReader) segments() error {
	rows, err := r.f.query(r.ctx, r.tx, readSegments, r.part) //nolint:rowserrcheck // store.EachOf asks for it
	if err != nil {
		return err
	}
	var s segmentRow
	var all []segmentRow
	if err := store.EachOf(rows, []any{&s.id, &s.first, &s.chunks, &s.dead}, func() error {
		all = append(all, s)
		return nil
	}); err != nil {
		return err
	}
	for _, s := range all {
		key := keptKey{s.id, fmt.Sprint(r.epoch)}
		v := r.f.kept.get(key)
		if v == nil {
			if v, err = readSegment(r.ctx, r.tx, s); err != nil {
				return err
			}
			r.f.kept.put(key, v)
		}
		r.add(v)
	}
	return nil
}

// Missing returns the live chunks of a part that have no vector by an embedder, in order.
func Missing(ctx context.Context, tx *sql.Tx, part int64, embedder string) (out []uint32, err error) {
	have, err := vectorsOf(ctx, tx, part, embedder)
	if err != nil {
		return nil, err
	}
	segs, err := segmentsOf(ctx, tx, part)
	if err != nil {
		return nil, err
	}
	for _, s := range segs {
		v, err := readSegment(ctx, tx, s)
		if err != nil {
			return nil, err
		}
		for at, c := range v.codes {
			if number := s.first + int64(at); c != goneCode && !have[number] {
				out = append(out, uint32(number))
			}
		}
	}
	return out, nil
}
