package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Settle closes a database that was opened for writing and leaves it as one file:
// without a log, and not in WAL mode, which cannot be opened where nothing can be
// written. It waits while others are reading; if they outlast ctx, the file is
// whole but for the mode, and the error says so.
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
		err := last.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode)
		if err == nil && mode == "delete" {
			return nil
		}
		if err != nil && code(err) != busy && code(err) != locked {
			return Classify(err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("leave one file: others are still reading it")
		case <-time.After(20 * time.Millisecond):
		}
	}
}
