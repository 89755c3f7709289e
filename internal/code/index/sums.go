package index

import (
	"context"
	"database/sql"
	"fmt"
	"hash/crc32"

	"github.com/assay-dev/assay/internal/base/store"
)

// SQLite's own checks say that its pages hang together, not that they hold what was
// written: a bit that flips in the middle of a value passes. So every row carries a
// checksum of its columns, and the row of meta carries a sum over the rows of each
// table that an answer depends on, so that a row which is lost, or was never ours, is
// seen too. Rows and sums change in one transaction. It guards against accidents:
// who can write the file can also compute the sums.

// rowSum returns the checksum of a row of a table: of int64, uint32, string and []byte.
func rowSum(table string, columns ...any) int64 {
	crc := crc32.Checksum([]byte(table), castagnoli)
	var head [9]byte
	for _, c := range columns {
		var text string
		var bytes []byte
		switch c := c.(type) {
		case int64:
			head[0] = 'i'
			le.PutUint64(head[1:], uint64(c))
		case uint32:
			head[0] = 'i'
			le.PutUint64(head[1:], uint64(c))
		case string:
			head[0], text = 's', c
			le.PutUint64(head[1:], uint64(len(c)))
		case []byte:
			head[0], bytes = 'b', c
			le.PutUint64(head[1:], uint64(len(c)))
		default:
			panic(fmt.Sprintf("a column of type %T", c))
		}
		crc = crc32.Update(crc, castagnoli, head[:])
		crc = crc32.Update(crc, castagnoli, []byte(text))
		crc = crc32.Update(crc, castagnoli, bytes)
	}
	return int64(crc)
}

// A setSum is the sum over the checksums of the rows of a table, in any order.
type setSum uint64

func (s *setSum) add(row int64)    { *s += spread(row) }
func (s *setSum) remove(row int64) { *s -= spread(row) }

// spread makes the sums of different rows differ in all bits (splitmix64), so that
// two changes do not cancel out.
func spread(row int64) setSum {
	x := uint64(row) + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return setSum(x ^ x>>31)
}

// sum returns the checksum of the row of meta.
func (s State) sum(id []byte) int64 {
	return rowSum("meta", id, int64(Format), s.Embedder, s.Epoch, s.Nonce, s.next, s.NextDoc, int64(s.segSum), int64(s.dirSum), s.Left)
}

// sealed returns the checksum of r.
func (r *segRow) seal() int64 {
	return rowSum("seg", r.name, r.kind, r.of, r.bytes, r.sum, r.lo, r.hi, r.docs, r.words, encodeBits(r.dead))
}

func (d Dir) seal(path string) int64 { return rowSum("dirs", path, d.Seen, d.Entries) }

// Rows are what was read of a table: those that are as they were written, and what is
// wrong with the others.
type tableRows[T any] struct {
	sound []T
	bad   []string // their keys, as far as they can be read
	set   setSum
}

// readTable reads a table. scan reads a row and returns its key, the checksum that it
// has and the one that it ought to have.
func readTable[T any](ctx context.Context, q store.Querier, query string, scan func(*sql.Rows) (row T, key string, have, want int64, err error)) (t tableRows[T], err error) {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return t, store.Classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		row, key, have, want, err := scan(rows)
		if err != nil || have != want {
			// A value of another type is damage like any other: SQLite's own
			// errors come with Err.
			t.bad = append(t.bad, key)
			continue
		}
		t.sound = append(t.sound, row)
		t.set.add(have)
	}
	return t, store.Classify(rows.Err())
}

const selectSegs = "SELECT name, kind, of, bytes, sum, lo, hi, docs, words, dead, row_sum FROM seg ORDER BY lo, name"

func readSegs(ctx context.Context, q store.Querier) (tableRows[segRow], error) {
	return readTable(ctx, q, selectSegs, func(rows *sql.Rows) (r segRow, key string, have, want int64, err error) {
		var dead []byte
		if err = rows.Scan(&r.name, &r.kind, &r.of, &r.bytes, &r.sum, &r.lo, &r.hi, &r.docs, &r.words, &dead, &have); err != nil {
			return r, r.name, 0, 0, err
		}
		r.dead = decodeBits(dead)
		if len(dead)%8 != 0 {
			have = -1
		}
		return r, r.name, have, r.seal(), nil
	})
}

// A dirRow is a row of the table dirs.
type dirRow struct {
	path string
	Dir
}

func readDirs(ctx context.Context, q store.Querier) (tableRows[dirRow], error) {
	return readTable(ctx, q, "SELECT path, seen, entries, row_sum FROM dirs", func(rows *sql.Rows) (r dirRow, key string, have, want int64, err error) {
		if err = rows.Scan(&r.path, &r.Seen, &r.Entries, &have); err != nil {
			return r, r.path, 0, 0, err
		}
		return r, r.path, have, r.seal(r.path), nil
	})
}

// A cacheRow is the key of a row of a table that only saves work: to lose it costs
// time, to believe it when it is wrong costs an answer.
type cacheRow struct{}

func readContents(ctx context.Context, q store.Querier) (tableRows[cacheRow], error) {
	return readTable(ctx, q, "SELECT hash, epoch, chunks, row_sum FROM contents", func(rows *sql.Rows) (r cacheRow, key string, have, want int64, err error) {
		var hash, chunks sql.RawBytes
		var epoch int64
		err = rows.Scan(&hash, &epoch, &chunks, &have)
		return r, fmt.Sprintf("%x", []byte(hash)), have, contentSum(hash, chunks), err
	})
}

func readCached(ctx context.Context, q store.Querier) (tableRows[cacheRow], error) {
	return readTable(ctx, q, "SELECT hash, embedder, vec, row_sum FROM vectors", func(rows *sql.Rows) (r cacheRow, key string, have, want int64, err error) {
		var hash, vec sql.RawBytes
		var embedder string
		err = rows.Scan(&hash, &embedder, &vec, &have)
		return r, fmt.Sprintf("%x %s", []byte(hash), embedder), have, vectorSum(hash, embedder, vec), err
	})
}

// The epoch of a cached row says only when to forget it.
func contentSum(hash, chunks []byte) int64 { return rowSum("contents", hash, chunks) }

func vectorSum(hash []byte, embedder string, vec []byte) int64 {
	return rowSum("vectors", hash, embedder, vec)
}

// putSeg adds a row to seg.
func (s *State) putSeg(ctx context.Context, tx *sql.Tx, r segRow) error {
	sum := r.seal()
	s.segSum.add(sum)
	_, err := tx.ExecContext(ctx, "INSERT INTO seg VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		r.name, r.kind, r.of, r.bytes, r.sum, r.lo, r.hi, r.docs, r.words, encodeBits(r.dead), sum)
	return err
}

func (s *State) dropSegs(ctx context.Context, tx *sql.Tx, where string, args ...any) error {
	var sum int64
	if err := store.Each(ctx, tx, []any{&sum}, func() error {
		s.segSum.remove(sum)
		return nil
	}, "SELECT row_sum FROM seg WHERE "+where, args...); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "DELETE FROM seg WHERE "+where, args...)
	return err
}

// bury writes the dead bits of a row.
func (s *State) bury(ctx context.Context, tx *sql.Tx, r segRow, dead bitmap) error {
	s.segSum.remove(r.seal())
	r.dead = dead
	sum := r.seal()
	s.segSum.add(sum)
	_, err := tx.ExecContext(ctx, "UPDATE seg SET dead = ?, row_sum = ? WHERE name = ?", encodeBits(dead), sum, r.name)
	return err
}

// putDirs writes the folders that changed; one without entries is gone.
func (s *State) putDirs(ctx context.Context, tx *sql.Tx, dirs map[string]Dir) error {
	if len(dirs) == 0 {
		return nil
	}
	had, err := tx.PrepareContext(ctx, "SELECT row_sum FROM dirs WHERE path = ?")
	if err != nil {
		return err
	}
	defer had.Close()
	put, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO dirs VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer put.Close()
	for path, d := range dirs {
		var old int64
		switch err := had.QueryRowContext(ctx, path).Scan(&old); {
		case err == nil:
			s.dirSum.remove(old)
		case err != sql.ErrNoRows:
			return err
		}
		if len(d.Entries) == 0 {
			if _, err := tx.ExecContext(ctx, "DELETE FROM dirs WHERE path = ?", path); err != nil {
				return err
			}
			continue
		}
		sum := d.seal(path)
		s.dirSum.add(sum)
		if _, err := put.ExecContext(ctx, path, d.Seen, d.Entries, sum); err != nil {
			return err
		}
	}
	return nil
}
