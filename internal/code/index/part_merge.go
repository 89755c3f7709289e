package index

import (
	"context"
	"database/sql"
	"fmt"
	"math/bits"
	"slices"

	"github.com/assay-dev/assay/internal/base/store"
)

// A segmentRow is a row of the table segments.
type segmentRow struct {
	id, first          int64
	chunks, live, dead int
}

func segmentsOf(ctx context.Context, tx *sql.Tx, part int64) (out []segmentRow, err error) {
	return segmentsIn(ctx, tx, "WHERE part = ? ORDER BY first", part)
}

func segmentsIn(ctx context.Context, q store.Querier, which string, args ...any) (out []segmentRow, err error) {
	var s segmentRow
	err = store.Each(ctx, q, []any{&s.id, &s.first, &s.chunks, &s.live, &s.dead}, func() error {
		out = append(out, s)
		return nil
	}, "SELECT segment, first, chunks, live, dead FROM segments "+which, args...)
	return out, err
}

// fanOut is how many segments of about one size there are at most.
const fanOut = 8

// tier is the size of a segment: one more for eight times the chunks.
func (s *segmentRow) tier() int { return bits.Len(uint(s.live)) / 3 }

// merge keeps the segments few: the last ones become one where there are fanOut of a tier
// and none of a higher one among them, so that a chunk is written once a tier. One of which
// most is gone is written again.
func (e *Edit) merge(p *editPart) error {
	for {
		segs, err := segmentsOf(e.ctx, e.tx, p.number)
		if err != nil {
			return err
		}
		from, to := mergeable(segs)
		if from == to {
			return nil
		}
		if err := e.rewrite(p, segs[from:to]); err != nil {
			return err
		}
	}
}

func mergeable(segs []segmentRow) (from, to int) {
	if i := slices.IndexFunc(segs, func(s segmentRow) bool { return s.dead > s.live }); i >= 0 {
		return i, i + 1
	}
	n, tier := 0, 0 // of the segments from from on, those of the highest tier
	for from = len(segs); from > 0; from-- {
		switch t := segs[from-1].tier(); {
		case t > tier && n >= fanOut:
			return from, len(segs)
		case t > tier:
			n, tier = 1, t
		case t == tier:
			n++
		}
	}
	if n >= fanOut {
		return from, len(segs)
	}
	return 0, 0
}

// rewrite puts one segment with what is live of segs in their place.
func (e *Edit) rewrite(p *editPart, segs []segmentRow) error {
	all := make([]*resident, len(segs))
	low, high := int64(-1), int64(-1) // of live chunks
	for i, s := range segs {
		v, err := readSegment(e.ctx, e.tx, s)
		if err != nil {
			return err
		}
		all[i] = v
		for at, c := range v.codes {
			if c != goneCode {
				if high = s.first + int64(at); low < 0 {
					low = high
				}
			}
		}
	}
	if low >= 0 {
		w, err := e.segment(p, low)
		if err != nil {
			return err
		}
		live := 0
		for i, s := range segs {
			for at, c := range all[i].codes {
				number := s.first + int64(at)
				if number < low || number > high {
					continue
				}
				for int64(len(w.lengths)) < number-low {
					w.lengths = append(w.lengths, goneCode)
				}
				if w.lengths = append(w.lengths, c); c != goneCode {
					live++
				}
			}
			if err := e.carry(w, all[i], int(s.first-low)); err != nil {
				return err
			}
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if _, err := e.tx.ExecContext(e.ctx, "UPDATE segments SET chunks = ?, live = ? WHERE segment = ?", high-low+1, live, w.part); err != nil {
			return err
		}
	}
	for _, s := range segs {
		if err := e.f.DropPart(e.ctx, e.tx, s.id); err != nil {
			return err
		}
		if _, err := e.tx.ExecContext(e.ctx, "DELETE FROM segments WHERE segment = ?", s.id); err != nil {
			return err
		}
	}
	return nil
}

// carry adds the live postings of a segment to those of another, in which its chunks are
// shift further on.
func (e *Edit) carry(w *PartWriter, v *resident, shift int) error {
	var l *plist
	var of string
	return v.eachRow(e.ctx, e.tx, func(term []byte, block, at int, counts byte) {
		if l == nil || of != string(term) {
			t := w.terms.term(term)
			w.grow()
			l, of = &w.lists[t], w.terms.terms[t]
		}
		l.add(shift+block+at, counts)
	})
}

// eachRow calls yield with each posting of a live chunk, in the order of the terms.
func (v *resident) eachRow(ctx context.Context, tx *sql.Tx, yield func(term []byte, block, at int, counts byte)) error {
	var term, data sql.RawBytes
	var block int
	return store.Each(ctx, tx, []any{&term, &block, &data}, func() error {
		b, ok := slices.BinarySearch(v.starts, block)
		if !ok {
			return fmt.Errorf("%w: postings without a block", store.ErrDamaged)
		}
		codes := v.block(b)
		if !eachPosting(data, len(codes), func(at int, counts byte) {
			if codes[at] != goneCode {
				yield(term, block, at, counts)
			}
		}) {
			return fmt.Errorf("%w: postings of a segment", store.ErrDamaged)
		}
		return nil
	}, "SELECT term, block, data FROM postings WHERE library = ?", v.part)
}

// Sound reports what in a file with EditTables is not as an Edit left it. It reads all of
// it: it is for a file that is under suspicion.
func Sound(ctx context.Context, db *store.DB) error {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	segs, err := segmentsIn(ctx, tx, "")
	for i := 0; err == nil && i < len(segs); i++ {
		var v *resident
		if v, err = readSegment(ctx, tx, segs[i]); err == nil {
			err = v.eachRow(ctx, tx, func([]byte, int, int, byte) {})
		}
		if err == nil && v.live != segs[i].live {
			err = fmt.Errorf("%w: a segment of %d chunks has %d", store.ErrDamaged, segs[i].live, v.live)
		}
	}
	if err != nil {
		return err
	}
	for _, q := range [...]string{
		"SELECT count(*) FROM parts p WHERE chunks <> (SELECT coalesce(sum(live), 0) FROM segments WHERE part = p.part)",
		"SELECT count(*) FROM parts p WHERE chunks <> (SELECT coalesce(sum(chunks), 0) FROM documents WHERE part = p.part)",
		`SELECT count(*) FROM documents d WHERE chunks > 0 AND NOT EXISTS
			(SELECT 1 FROM segments WHERE part = d.part AND first <= d.first AND first + chunks >= d.first + d.chunks)`,
	} {
		var n int
		if err := tx.QueryRowContext(ctx, q).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			return fmt.Errorf("%w: documents are not those of the segments", store.ErrDamaged)
		}
	}
	return soundVectors(ctx, tx)
}
