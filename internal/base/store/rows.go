package store

import (
	"context"
	"database/sql"
)

// A Querier is a database, a connection or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Each scans each row of a query into to and then calls yield. A value scanned as sql.RawBytes is only valid until yield
// returns. An error of yield ends the loop. When Each returns, the rows are closed, so that the transaction can run other
// statements.
func Each(ctx context.Context, q Querier, to []any, yield func() error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	return EachOf(rows, to, yield)
}

// EachOf is Each of rows that a query returned.
func EachOf(rows *sql.Rows, to []any, yield func() error) error {
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		if err := yield(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Statements are the prepared statements of one transaction. Each is prepared at its first use, because parsing it for each
// of thousands of documents would be slow. They end with the transaction.
type Statements struct {
	ctx  context.Context
	tx   *sql.Tx
	made map[string]*sql.Stmt
}

// Prepared returns the statements of a transaction.
func Prepared(ctx context.Context, tx *sql.Tx) *Statements {
	return &Statements{ctx, tx, map[string]*sql.Stmt{}}
}

// with runs f with a statement.
func (s *Statements) with(query string, f func(*sql.Stmt) error) error {
	st, ok := s.made[query]
	if !ok {
		var err error
		if st, err = s.tx.PrepareContext(s.ctx, query); err != nil {
			return err
		}
		s.made[query] = st
	}
	return f(st)
}

// Exec executes a statement that returns nothing.
func (s *Statements) Exec(query string, args ...any) error {
	return s.with(query, func(st *sql.Stmt) error {
		_, err := st.ExecContext(s.ctx, args...)
		return err
	})
}

// Scan reads the first row of a query into the places of to; without one it is
// sql.ErrNoRows.
func (s *Statements) Scan(to []any, query string, args ...any) error {
	return s.with(query, func(st *sql.Stmt) error { return st.QueryRowContext(s.ctx, args...).Scan(to...) })
}
