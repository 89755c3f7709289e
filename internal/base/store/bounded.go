package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const pageSize = 4096 // of a database that nobody asks for another

// OpenBounded opens an empty database in memory for statements of unknown origin. Its
// tables take no more than so many bytes, those that are temporary as many, and one
// value half of that. It has a single connection: with it all of it is gone.
func OpenBounded(ctx context.Context, bytes int64) (*sql.DB, error) {
	pages := max(bytes/pageSize, 16)
	db, err := sql.Open("sqlite", fmt.Sprintf("file::memory:?_defensive=1&_pragma=trusted_schema(0)&_pragma=max_page_count(%d)&_pragma=temp.max_page_count(%d)", pages, pages))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(1)
	conn, err := db.Conn(ctx)
	if err == nil {
		_, err = sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, int(max(bytes/2, pageSize)))
		err = errors.Join(err, conn.Close())
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}
