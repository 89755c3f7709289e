//go:build !slim

package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"

	_ "github.com/assay-dev/assay/internal/base/store" // SQLite's driver
)

// HasFTS5 says that this build has SQLite.
const HasFTS5 = true

// An FTS5 is the engine that lets SQLite rank, in memory. It is given terms, so that its
// tokenizer has nothing to do but to tell them apart.
type FTS5 struct {
	db  *sql.DB
	tx  *sql.Tx // until the first question
	add *sql.Stmt
	ids []string
}

// NewFTS5 returns an empty engine, to be closed.
func NewFTS5() (*FTS5, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("open a database in memory: %v", err)
	}
	// Each connection would have a memory of its own.
	db.SetMaxOpenConns(1)
	e := &FTS5{db: db}
	_, err = db.Exec(`CREATE VIRTUAL TABLE modules USING fts5(name, description, keywords, functions, questions,
		content='', tokenize="unicode61 remove_diacritics 0 categories 'L* M* N*'")`)
	if err == nil {
		e.tx, err = db.Begin()
	}
	if err == nil {
		e.add, err = e.tx.Prepare("INSERT INTO modules(rowid, name, description, keywords, functions, questions) VALUES (?, ?, ?, ?, ?, ?)")
	}
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("begin an index in memory: %v", err)
	}
	return e, nil
}

// Name returns "fts5".
func (*FTS5) Name() string { return "fts5" }

// Close gives the memory back.
func (e *FTS5) Close() error { return e.db.Close() }

// Add adds a document.
func (e *FTS5) Add(id string, f Fields) error {
	if e.tx == nil {
		return errors.New("a document after the first question")
	}
	args := []any{len(e.ids)}
	for _, said := range f.each() {
		var terms []string
		text.EachWord(said, func(w []byte) { terms = append(terms, termsOf(w)...) })
		args = append(args, strings.Join(terms, " "))
	}
	if _, err := e.add.Exec(args...); err != nil {
		return fmt.Errorf("index %s: %v", id, err)
	}
	e.ids = append(e.ids, id)
	return nil
}

// Search returns the best documents.
func (e *FTS5) Search(ctx context.Context, query string, limit int) ([]Result, error) {
	if e.tx != nil {
		if err := e.tx.Commit(); err != nil {
			return nil, fmt.Errorf("end an index in memory: %v", err)
		}
		e.tx = nil
	}
	var match []string
	for _, t := range newQuestion(query).terms {
		match = append(match, `"`+t.Word+`"`)
	}
	if len(match) == 0 {
		return nil, ctx.Err()
	}
	if limit <= 0 {
		limit = len(e.ids)
	}
	w := weights()
	rows, err := e.db.QueryContext(ctx, `SELECT rowid, -bm25(modules, ?, ?, ?, ?, ?) AS score FROM modules WHERE modules MATCH ?
		ORDER BY score DESC, rowid LIMIT ?`, w[0], w[1], w[2], w[3], w[4], strings.Join(match, " OR "), limit)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	defer rows.Close()
	var out []Result
	for rows.Next() {
		var row int
		var r Result
		if err := rows.Scan(&row, &r.Score); err != nil {
			return nil, fmt.Errorf("search: %w", err)
		}
		r.ID = e.ids[row]
		out = append(out, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return out, nil
}
