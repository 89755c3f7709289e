package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-dev/assay/internal/base/store"
)

// ErrNumbers says that a file gave chunks the numbers that Reserve kept for another one.
var ErrNumbers = errors.New("more was written meanwhile than numbers were reserved for")

// Next returns, by part, the number that its next chunk gets.
func Next(ctx context.Context, q store.Querier) (map[int64]int64, error) {
	out := map[int64]int64{}
	var part, next int64
	err := store.Each(ctx, q, []any{&part, &next}, func() error {
		out[part] = next
		return nil
	}, "SELECT part, next FROM parts")
	return out, err
}

// Reserve makes an empty file number its chunks from spare after those of another one, which Next returned.
// Numbers are never given twice, because a vector that is made for a chunk must not become another chunk's.
func Reserve(ctx context.Context, tx *sql.Tx, next map[int64]int64, spare int64) error {
	for part, n := range next {
		if n+spare >= 1<<32 {
			return fmt.Errorf("part %d has no numbers left", part)
		}
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO parts VALUES (?, 0, ?, 0)", part, n+spare); err != nil {
			return err
		}
	}
	return nil
}

// Adopt replaces all that a file has by what another file has, which is attached to the transaction under a
// name and began with Reserve. The error is ErrNumbers where this file has given the reserved numbers itself.
func Adopt(ctx context.Context, tx *sql.Tx, from string) error {
	var taken int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM main.parts p WHERE next > (SELECT min(first) FROM "+from+".segments WHERE part = p.part)").Scan(&taken); err != nil {
		return err
	}
	if taken > 0 {
		return ErrNumbers
	}
	// Readers keep what they have read of an epoch: no state may have the one of another.
	for _, q := range [...]string{
		"INSERT OR IGNORE INTO main.parts SELECT part, 0, next, 0 FROM FROM_.parts",
		`UPDATE main.parts AS p SET epoch = 1 + max(epoch, coalesce((SELECT epoch FROM FROM_.parts f WHERE f.part = p.part), 0)),
			next = max(next, coalesce((SELECT next FROM FROM_.parts f WHERE f.part = p.part), 0)),
			chunks = coalesce((SELECT chunks FROM FROM_.parts f WHERE f.part = p.part), 0)`,
		"DELETE FROM main.postings", "INSERT INTO main.postings SELECT * FROM FROM_.postings",
		"DELETE FROM main.lengths", "INSERT INTO main.lengths SELECT * FROM FROM_.lengths",
		"DELETE FROM main.segments", "INSERT INTO main.segments SELECT * FROM FROM_.segments",
		"DELETE FROM main.documents", "INSERT INTO main.documents SELECT * FROM FROM_.documents",
		"DELETE FROM main.vectors",
		`INSERT INTO main.vectors SELECT block, part, embedder, (SELECT epoch FROM main.parts p WHERE p.part = v.part), ids, data FROM FROM_.vectors v`,
	} {
		if _, err := tx.ExecContext(ctx, strings.ReplaceAll(q, "FROM_", from)); err != nil {
			return err
		}
	}
	return nil
}
