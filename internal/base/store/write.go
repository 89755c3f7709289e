package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
)

// Write runs f in a transaction that nobody else writes beside. Writers wait in line:
// SQLite would have them ask again and again, and refuse those that were unlucky for
// ten seconds.
func (db *DB) Write(ctx context.Context, f func(*sql.Tx) error) error {
	return db.writeBy(ctx, db.BeginTx, f)
}

// WriteFrom is Write with another database attached under a name, from which f copies. before runs in the
// same turn, and may still write that database: nobody else writes this one from then on.
func (db *DB) WriteFrom(ctx context.Context, path, name string, before func(*sql.Tx) error, f func(*sql.Tx) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return Classify(err)
	}
	defer conn.Close()
	// Close the connection, because SQLite cannot detach a database inside a transaction.
	defer func() { _ = conn.Raw(func(any) error { return driver.ErrBadConn }) }()
	return db.writeBy(ctx, conn.BeginTx, func(tx *sql.Tx) error {
		if err := before(tx); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "ATTACH DATABASE ? AS "+name, path); err != nil {
			return err
		}
		return f(tx)
	})
}

func (db *DB) writeBy(ctx context.Context, begin func(context.Context, *sql.TxOptions) (*sql.Tx, error), f func(*sql.Tx) error) error {
	from := time.Now()
	unlock, err := db.line(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	tx, err := begin(ctx, nil)
	for code(err) == busy && ctx.Err() == nil { // a program that knows nothing of the line
		if db.turn > 0 && time.Since(from)+db.turn/4 > db.turn {
			break
		}
		tx, err = begin(ctx, nil)
	}
	if code(err) == busy {
		return fmt.Errorf("%w by another program", ErrBusy)
	}
	if err != nil {
		return Classify(err)
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return Classify(err)
	}
	return Classify(tx.Commit())
}

// line waits for the turn of this writer.
func (db *DB) line(ctx context.Context) (unlock func(), err error) {
	if db.path == "" {
		return func() {}, nil
	}
	unlock, err = lockFor(ctx, db.path+".write", db.turn)
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrBusy) {
		err = fmt.Errorf("%w: %w", errNoLine, err)
	}
	return unlock, err
}

// lockFor waits for a lock between processes for as long as a turn is, if it is any; then the error is ErrBusy.
func lockFor(ctx context.Context, path string, turn time.Duration) (unlock func(), err error) {
	wait, stop := ctx, func() {}
	if turn > 0 {
		wait, stop = context.WithTimeout(ctx, turn)
	}
	defer stop()
	unlock, err = file.Lock(wait, path)
	if err != nil && wait.Err() != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("%w by %s", ErrBusy, file.Holder(path))
	}
	return unlock, err
}

// Idle waits until no other process writes, or ctx ends: for those who need not write.
func (db *DB) Idle(ctx context.Context) error {
	unlock, err := db.line(ctx)
	if err == nil {
		unlock()
	}
	return err
}
