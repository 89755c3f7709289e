package main

import (
	"context"
	"errors"
	"strings"

	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/docs/library"
)

// A floor is what any better search has to beat: FTS5 as it comes, any of a
// question's words but stop words, titles five times and the headings around them
// and the path twice what the text counts.
type floor struct {
	db     *store.DB
	places []place
}

func newFloor(ctx context.Context, path string, c *corpus) (*floor, error) {
	db, err := store.Open(ctx, path, store.Schema{Name: "floor", Steps: []string{
		"CREATE VIRTUAL TABLE snippets USING fts5(title, content, path, breadcrumb, tokenize='porter unicode61')"}})
	if err != nil {
		return nil, err
	}
	f := &floor{db: db}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	for _, p := range c.pages {
		for i, s := range p.Snippets {
			f.places = append(f.places, place{p.Path, i})
			_, e := tx.ExecContext(ctx, "INSERT INTO snippets(rowid, title, content, path, breadcrumb) VALUES (?, ?, ?, ?, ?)", len(f.places), s.Title, s.Content, s.Path, s.Breadcrumb)
			err = errors.Join(err, e)
		}
	}
	return f, errors.Join(err, tx.Commit())
}

func (f *floor) ask(ctx context.Context, ask string) (out []place, err error) {
	terms := content(ask)
	if len(terms) == 0 {
		terms = words(ask)
	}
	if len(terms) == 0 {
		return nil, nil
	}
	rows, err := f.db.QueryContext(ctx, "SELECT rowid FROM snippets WHERE snippets MATCH ? ORDER BY bm25(snippets, 5, 1, 2, 2) LIMIT 300", `"`+strings.Join(terms, `" OR "`)+`"`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		out = append(out, f.places[id-1])
	}
	return out, rows.Err()
}

// A searcher asks package docs.
type searcher struct {
	db     *library.DB
	id     string
	places map[string]int          // by path, address and text
	used   map[library.Ranking]int // how often
}

// depth is the budget of an answer that is ranked to its end.
const depth = 30_000

func newSearcher(ctx context.Context, path string, c *corpus) (*searcher, error) {
	db, err := library.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	s := &searcher{db: db, id: "/eval/" + c.set.name, places: map[string]int{}, used: map[library.Ranking]int{}}
	_, err = db.Put(ctx, library.Library{ID: s.id}, func(yield func(library.Page, error) bool) {
		for _, p := range c.pages {
			if !yield(p.Page, nil) {
				return
			}
		}
	})
	for _, p := range c.pages {
		for i, sn := range p.Snippets {
			s.places[placeKey(sn)] = i
		}
	}
	return s, err
}

func placeKey(s library.Snippet) string { return s.Path + "\n" + s.URL + "\n" + s.Content }

func (s *searcher) ask(ctx context.Context, ask string, tokens int, how library.Ranking) (out []place, cost int, err error) {
	a, err := s.db.QueryWith(ctx, s.id, ask, library.Options{Tokens: tokens, Ranking: how})
	s.used[a.Ranking]++
	for _, sn := range a.Snippets {
		out = append(out, place{sn.Path, s.places[placeKey(sn)]})
	}
	return out, a.Tokens, err
}
