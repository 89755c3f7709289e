package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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
	last, err := sql.Open("sqlite", db.dsn)
	if err != nil {
		return err
	}
	defer last.Close()
	last.SetMaxOpenConns(1)
	for {
		var mode string
		// The data source asks for WAL mode again; this comes after it.
		err := last.QueryRowContext(context.WithoutCancel(ctx), "PRAGMA journal_mode = DELETE").Scan(&mode)
		if err == nil && mode == "delete" {
			return nil
		}
		if err != nil && code(err) != busy && code(err) != locked {
			return Classify(err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("leave one file: %w", ErrShared)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
