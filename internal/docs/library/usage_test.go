package library

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// What guides use comes before what is like it, and a file that was written before that was counted answers as it did.
func TestGuidesUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "docs.db")
	order := func() (titles []string) {
		t.Helper()
		db := mustOpen(t, path)
		defer db.Close()
		a, err := db.QueryWith(t.Context(), "/org/lib", "read a page", Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range a.Snippets {
			if declares(&s) {
				titles = append(titles, s.Title)
			}
		}
		return titles
	}
	db := mustOpen(t, path)
	mustPut(t, db, Library{ID: "/org/lib"}, func(yield func(Page, error) bool) {
		for i, s := range []Snippet{
			declared("Alpha", "Reads a page."), {Title: "Install", Path: "guide.md", Content: "Install it.\n\n```go\nomega(1)\nOmega(2)\nOmega(3)\n```"}, declared("Omega", "Reads a page."),
			{Title: "More", Path: "more.md", Content: "With `Omega` and `Zeta`."},
		} {
			s.Path, s.Breadcrumb, s.Line = fmt.Sprint(i, s.Path), "lib > "+s.Title, i+1
			if !yield(Page{Path: s.Path, Hash: "h", Snippets: []Snippet{s}}, nil) {
				return
			}
		}
	})
	if got := column(t, db, "SELECT term || ' ' || block || ' ' || n || ' ' || hex(data) FROM postings WHERE term > '~' AND term < '~~'"); !slices.Equal(got, []string{"~guides~ 0 1 0602"}) {
		t.Errorf("counted %q, want Omega, the third, in two sections", got)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if got := order(); !slices.Equal(got, []string{"Omega", "Alpha"}) {
		t.Errorf("%q, want Omega first, which guides use", got)
	}
	db = mustOpen(t, path)
	if err := db.db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), "DELETE FROM postings WHERE term = '~guides~'")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if got := order(); !slices.Equal(got, []string{"Alpha", "Omega"}) {
		t.Errorf("%q of a file without counts, want the order of before", got)
	}
}
