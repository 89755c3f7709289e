package index

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"github.com/assay-dev/assay/internal/base/store"
)

// The rows of a shared index are not its database file: that of somebody else is a program for
// SQLite as much as it is data. They are written one after another: the number of the table, and
// each column as its type, its length and its bytes; 0 ends them.

// A shareTable is a table whose rows are shared, with as many columns as its statements name.
type shareTable struct {
	columns     int
	read, write string
}

// shareTables are in the order in which they are written, which their numbers say: append only.
func shareTables() []shareTable {
	return []shareTable{
		{11, "SELECT id, format, embedder, epoch, nonce, next_chunk, next_doc, seg_sum, dir_sum, files_left, row_sum FROM meta",
			"INSERT INTO meta(one, id, format, embedder, epoch, nonce, next_chunk, next_doc, seg_sum, dir_sum, files_left, row_sum) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
		{11, selectSegs,
			"INSERT INTO seg(name, kind, of, bytes, sum, lo, hi, docs, words, dead, row_sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
		{4, "SELECT path, seen, entries, row_sum FROM dirs ORDER BY path",
			"INSERT INTO dirs(path, seen, entries, row_sum) VALUES (?, ?, ?, ?)"},
		{4, "SELECT hash, epoch, chunks, row_sum FROM contents ORDER BY hash",
			"INSERT INTO contents(hash, epoch, chunks, row_sum) VALUES (?, ?, ?, ?)"},
		{5, "SELECT hash, embedder, epoch, vec, row_sum FROM vectors ORDER BY hash, embedder",
			"INSERT INTO vectors(hash, embedder, epoch, vec, row_sum) VALUES (?, ?, ?, ?, ?)"},
	}
}

const maxColumn = 1 << 28 // bytes

// writeRows writes the rows of one moment, and returns that state and its segments.
func (x *Index) writeRows(ctx context.Context, f *os.File) (st State, segs []segRow, err error) {
	tx, err := x.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return st, nil, store.Classify(err)
	}
	defer tx.Rollback()
	if st, err = x.state(ctx, tx); err != nil {
		return st, nil, err
	}
	if err := sharable(ctx, tx, st); err != nil {
		return st, nil, err
	}
	rows, err := readSegs(ctx, tx)
	if err != nil {
		return st, nil, err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for i, t := range shareTables() {
		if err := t.dump(ctx, tx, byte(i+1), w); err != nil {
			return st, nil, store.Classify(err)
		}
	}
	if err := w.WriteByte(0); err != nil {
		return st, nil, err
	}
	return st, rows.sound, w.Flush()
}

// sharable returns an error unless every row is as it was written.
func sharable(ctx context.Context, tx *sql.Tx, st State) error {
	segs, err := readSegs(ctx, tx)
	if err != nil {
		return err
	}
	dirs, err := readDirs(ctx, tx)
	if err != nil {
		return err
	}
	contents, err := readContents(ctx, tx)
	if err != nil {
		return err
	}
	cached, err := readCached(ctx, tx)
	if err != nil {
		return err
	}
	if n := len(segs.bad) + len(dirs.bad) + len(contents.bad) + len(cached.bad); n > 0 || segs.set != st.segSum || dirs.set != st.dirSum {
		return fmt.Errorf("%w: rows fail their checksums", ErrDamaged)
	}
	return nil
}

func (t shareTable) dump(ctx context.Context, tx *sql.Tx, number byte, w *bufio.Writer) error {
	values, to := make([]any, t.columns), make([]any, t.columns)
	for i := range values {
		to[i] = &values[i]
	}
	var head []byte
	return store.Each(ctx, tx, to, func() error {
		if err := w.WriteByte(number); err != nil {
			return err
		}
		for _, v := range values {
			var text []byte
			switch v := v.(type) {
			case int64:
				head = binary.AppendVarint(append(head[:0], 'i'), v)
			case string:
				head, text = binary.AppendUvarint(append(head[:0], 's'), uint64(len(v))), []byte(v)
			case []byte:
				head, text = binary.AppendUvarint(append(head[:0], 'b'), uint64(len(v))), v
			default:
				return fmt.Errorf("%w: a column of type %T", ErrDamaged, v)
			}
			if _, err := w.Write(head); err != nil {
				return err
			}
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
		return nil
	}, t.read)
}

// readRows puts rows that writeRows wrote into the tables, which are empty.
func readRows(ctx context.Context, tx *sql.Tx, from io.Reader) error {
	r := bufio.NewReaderSize(from, 1<<20)
	tables := shareTables()
	statements := make([]*sql.Stmt, len(tables))
	for i, t := range tables {
		s, err := tx.PrepareContext(ctx, t.write)
		if err != nil {
			return store.Classify(err)
		}
		defer s.Close()
		statements[i] = s
	}
	for {
		number, err := r.ReadByte()
		switch {
		case err != nil || int(number) > len(tables):
			return fmt.Errorf("%w: its rows", ErrManifest)
		case number == 0:
			if _, err := r.ReadByte(); err != io.EOF {
				return fmt.Errorf("%w: more than its rows", ErrManifest)
			}
			return nil
		}
		values := make([]any, tables[number-1].columns)
		for i := range values {
			if values[i], err = readColumn(r); err != nil {
				return err
			}
		}
		if _, err := statements[number-1].ExecContext(ctx, values...); err != nil {
			if err = store.Classify(err); ctx.Err() == nil {
				err = fmt.Errorf("%w: a row: %v", ErrManifest, err)
			}
			return err
		}
	}
}

func readColumn(r *bufio.Reader) (any, error) {
	bad := fmt.Errorf("%w: a column", ErrManifest)
	kind, err := r.ReadByte()
	if err != nil {
		return nil, bad
	}
	if kind == 'i' {
		v, err := binary.ReadVarint(r)
		if err != nil {
			return nil, bad
		}
		return v, nil
	}
	n, err := binary.ReadUvarint(r)
	if err != nil || n > maxColumn || kind != 's' && kind != 'b' {
		return nil, bad
	}
	// What it says is not believed before it is there.
	b := make([]byte, 0, min(n, 64<<10))
	for uint64(len(b)) < n {
		at := len(b)
		b = append(b, make([]byte, min(n-uint64(at), 1<<20))...)
		if _, err := io.ReadFull(r, b[at:]); err != nil {
			return nil, bad
		}
	}
	if kind == 's' {
		return string(b), nil
	}
	return b, nil
}
