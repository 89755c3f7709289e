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

// Each reads the rows of a query, each into the places of to, and calls yield after each:
// what it reads as sql.RawBytes is good until yield returns. An error of yield ends it.
// When it returns, the rows are closed, and the transaction can do something else.
func Each(ctx context.Context, q Querier, to []any, yield func() error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
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
