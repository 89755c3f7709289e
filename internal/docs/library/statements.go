package library

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/store"
)

// A statements is what every question asks of a file. They are read once for each
// connection to it: to read them takes as long as to answer them.
type statements struct {
	libraries *sql.Stmt // of an ID
	snippets  *sql.Stmt // of a batch of numbers
	few       *sql.Stmt // of a few
}

// batch is how many snippets are read at a time: what a question of the usual budget
// reads.
const batch = candidates + byMeaning

// few is how many an answer of the usual budget shows.
const few = 16

func selectNumbers(n int) string {
	return "SELECT " + snippetColumns + ", vector FROM snippets WHERE id IN (?" + strings.Repeat(", ?", n-1) + ")"
}

func prepare(ctx context.Context, db *store.DB) (*statements, error) {
	s := &statements{}
	for _, p := range []struct {
		to  **sql.Stmt
		sql string
	}{
		{&s.libraries, selectLibrary + sameID},
		{&s.snippets, selectNumbers(batch)},
		{&s.few, selectNumbers(few)},
	} {
		stmt, err := db.PrepareContext(ctx, p.sql) //nolint:sqlclosecheck // they go with the file
		if err != nil {
			return nil, errors.Join(err, s.close())
		}
		*p.to = stmt
	}
	return s, nil
}

func (s *statements) close() (err error) {
	for _, stmt := range []*sql.Stmt{s.libraries, s.snippets, s.few} {
		if stmt != nil {
			err = errors.Join(err, stmt.Close())
		}
	}
	return err
}

// A preparer keeps the statements of the file that is open.
type preparer struct {
	mu sync.Mutex
	of *store.DB
	s  *statements
}

func (p *preparer) get(ctx context.Context, db *store.DB) (*statements, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == db {
		return p.s, nil
	}
	// Those of a file that was closed since went with it.
	s, err := prepare(ctx, db)
	if err == nil {
		p.of, p.s = db, s
	}
	return s, err
}

// An asking is the transaction of a question. Its statements take no context: none
// of them is long, each would be watched over by a goroutine of its own, and the
// transaction ends when the context of the question does.
type asking struct {
	tx    *sql.Tx
	stmts *statements
}

func (a asking) query(stmt *sql.Stmt, args ...any) (*sql.Rows, error) {
	return a.tx.Stmt(stmt).Query(args...) //nolint:sqlclosecheck // it ends with the transaction
}

// ask is read for a question.
func (d *DB) ask(ctx context.Context, f func(asking) error) error {
	return d.follows(ctx, func() error {
		s, err := d.prepared.get(ctx, d.db)
		if err == nil {
			err = d.index.Prepare(ctx)
		}
		if err != nil {
			return err
		}
		err = d.transact(ctx, func(tx *sql.Tx) error { return f(asking{tx, s}) })
		if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
			err = ctx.Err()
		}
		return err
	})
}
