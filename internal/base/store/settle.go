package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// ErrShared says that others still have a database open: it is whole, but in more
// than one file until the last of them has settled it.
var ErrShared = errors.New("other processes are using it")

// Settle closes a database that was opened for writing and leaves it as one file:
// without a log, and not in WAL mode, which cannot be opened where nothing can be
// written. It waits while others have it open; if they outlast ctx, the error is
// ErrShared; it tries once at least.
func (db *DB) Settle(ctx context.Context) error {
	if err := db.Close(); err != nil {
		return err
	}
	for {
		settled, err := db.single(ctx)
		if settled || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("leave one file: %w", ErrShared)
		case <-time.After(time.Duration(10+rand.IntN(30)) * time.Millisecond):
		}
	}
}

// single tries to make one file of it, and has nothing open afterwards: two that settle it at once would wait for each
// other.
func (db *DB) single(ctx context.Context) (done bool, err error) {
	last, err := sql.Open("sqlite", db.dsn)
	if err != nil {
		return false, err
	}
	defer last.Close()
	last.SetMaxOpenConns(1)
	ctx = context.WithoutCancel(ctx)
	var mode string
	// The data source asks for WAL mode again; this comes after it.
	if _, err = last.ExecContext(ctx, "PRAGMA busy_timeout = 20"); err == nil {
		err = last.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode)
	}
	if err != nil && code(err) != busy && code(err) != locked {
		return false, Classify(err)
	}
	return err == nil && mode == "delete", nil
}
