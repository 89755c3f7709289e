package store

import (
	"context"
	"database/sql"
	"errors"
)

// A database gives its free pages back once they are a quarter of it, and more than so many: to
// write it again for less costs more than it frees.
const (
	freeShare = 4
	fewFree   = 32
)

// inMemory is up to how many pages in use a copy of a database is made in memory: a larger one is
// made in a file without a name, where the system has such files.
const inMemory = 16 << 10

// Shrink frees the unused pages of the database if they are many. Readers keep their snapshot. The caller must be the only
// writer; if another one interferes, Shrink returns SQLite's error and changes nothing.
func (db *DB) Shrink(ctx context.Context) (err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var pages, free int64
	if err := conn.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages); err != nil {
		return err
	}
	if err := conn.QueryRowContext(ctx, "PRAGMA freelist_count").Scan(&free); err != nil {
		return err
	}
	if free <= fewFree || free*freeShare < pages {
		return nil
	}
	temporary := "PRAGMA temp_store = DEFAULT"
	if pages-free <= inMemory {
		temporary = "PRAGMA temp_store = MEMORY"
	}
	if _, err := conn.ExecContext(ctx, temporary+"; VACUUM"); err != nil {
		return err
	}
	return truncateLog(ctx, conn)
}

// truncateLog writes the log into the database and empties it, unless a reader needs it: then the
// last one to close the database does.
func truncateLog(ctx context.Context, conn *sql.Conn) (err error) {
	if _, err := conn.ExecContext(ctx, "PRAGMA busy_timeout = 100"); err != nil {
		return err
	}
	defer func() {
		_, e := conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA busy_timeout = 10000")
		err = errors.Join(err, e)
	}()
	var waits, log, done int
	return conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&waits, &log, &done)
}
