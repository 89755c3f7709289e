package library

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
)

func mustOpen(t testing.TB, path string) *DB {
	t.Helper()
	db, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.db.Close() })
	db.now = func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) }
	return db
}

func mustRead(t testing.TB, path string) *DB {
	t.Helper()
	db, err := OpenReadOnly(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// some returns pages: each "path: title: content".
func some(lines ...string) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		for _, l := range lines {
			f := strings.SplitN(l, ": ", 3)
			s := Snippet{Title: f[1], Breadcrumb: "Guide > " + f[1], URL: "https://example.com/" + f[0], Content: f[2], Line: 1}
			if !yield(Page{Path: f[0], Hash: "h" + f[0], Snippets: []Snippet{s}}, nil) {
				return
			}
		}
	}
}

// failing yields pages and then err.
func failing(pages iter.Seq2[Page, error], err error) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		for p, e := range pages {
			if !yield(p, e) {
				return
			}
		}
		yield(Page{}, err)
	}
}

func mustPut(t testing.TB, db *DB, lib Library, pages iter.Seq2[Page, error]) Library {
	t.Helper()
	l, err := db.Put(context.Background(), lib, pages)
	if err != nil {
		t.Fatalf("Put(%s) = %v", lib.ID, err)
	}
	return l
}

// titles returns the titles of what a query finds by words.
func titles(t testing.TB, db *DB, id, query string) string {
	t.Helper()
	return titlesBy(t, db, id, query, Lexical)
}

func titlesBy(t testing.TB, db *DB, id, query string, how Ranking) string {
	t.Helper()
	a, err := db.QueryWith(context.Background(), id, query, Options{Ranking: how})
	if err != nil {
		t.Fatalf("Query(%s, %q) = %v", id, query, err)
	}
	var out []string
	for _, s := range a.Snippets {
		out = append(out, s.Title)
	}
	return strings.Join(out, ", ")
}

func TestPut(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "docs.db")
	db := mustOpen(t, path)
	in := Library{ID: "/a/b", Version: "v1", Ref: "rel_1", Title: "B", Description: "Does b.", Rules: []string{"be kind"}, Aliases: []string{"bee"},
		Source: "https://example.com/a/b", Commit: "abc", Date: time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC), Trust: 8, Benchmark: 90}
	put := mustPut(t, db, in, some("x.md: Routes: how to route", "y.md: Cache: what is cached"))
	if put.Snippets != 2 || put.Pages != 2 || put.Tokens == 0 || len(put.Checksum) != 64 {
		t.Errorf("Put = %+v, want 2 snippets of 2 pages with a checksum", put)
	}
	mustPut(t, db, Library{ID: "/a/b"}, some("z.md: Newest: route me"))
	list, err := db.List(ctx)
	if err != nil || len(list) != 2 {
		t.Fatalf("List = %v, %v, want two versions", list, err)
	}
	if got, want := fmt.Sprint(list[1]), fmt.Sprint(put); got != want {
		t.Errorf("List has %s\nwant what Put returned: %s", got, want)
	}
	if list[0].Version != Latest || list[0].Title != "b" {
		t.Errorf("List has %+v first, want the one without a version, titled by its ID", list[0])
	}
	if got := titles(t, db, "/a/b", "route"); got != "Newest" {
		t.Errorf("the newest answers %q, want Newest", got)
	}
	if got := titles(t, db, "/a/b/v1", "routing"); got != "Routes" {
		t.Errorf("v1 answers %q, want Routes", got)
	}

	// What is kept is kept to the letter; what is not named is gone.
	kept := func(yield func(Page, error) bool) {
		yield(Page{Path: "y.md", Keep: true}, nil)
		yield(Page{Path: "w.md", Hash: "w", Snippets: []Snippet{{Title: "W", Content: "words"}}}, nil)
	}
	mustPut(t, db, in, kept)
	if got := titles(t, db, "/a/b/v1", "route cached words"); got != "Cache, W" && got != "W, Cache" {
		t.Errorf("after the refresh: %q, want Cache and W", got)
	}
	pages, err := db.Pages(ctx, "/a/b", "v1")
	if err != nil || fmt.Sprint(pages) != "map[w.md:w y.md:hy.md]" {
		t.Errorf("Pages = %v, %v", pages, err)
	}
	if n, err := db.Remove(ctx, "/a/b", "v1"); n != 1 || err != nil {
		t.Errorf("Remove = %d, %v, want 1", n, err)
	}
	if _, err := db.Remove(ctx, "/a/b", "v1"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("Remove of what is gone = %v, want NotFound", err)
	}
	var left int
	if err := db.db.QueryRow("SELECT (SELECT count(*) FROM postings WHERE library NOT IN (SELECT first_snippet FROM libraries)) + (SELECT count(*) FROM snippets) - 1").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows are left of removed versions, %v", left, err)
	}
	if _, err := db.db.Exec("INSERT INTO snippets_fts(snippets_fts, rank) VALUES ('integrity-check', 1)"); err != nil {
		t.Errorf("FTS5 disagrees with the snippets: %v", err)
	}
}

func TestPutRefuses(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	boom := errors.New("boom")
	lib := Library{ID: "/a/b", Version: "v1"}
	mustPut(t, db, lib, some("x.md: Old: old text"))
	page := func(s Snippet) iter.Seq2[Page, error] {
		return func(yield func(Page, error) bool) { yield(Page{Path: "p", Snippets: []Snippet{s}}, nil) }
	}
	for _, c := range []struct {
		name  string
		lib   Library
		pages iter.Seq2[Page, error]
	}{
		{"an error at once", lib, failing(some(), boom)},
		{"an error later", lib, failing(some("x.md: New: new text", "y.md: New: new text"), boom)},
		{"no snippets", lib, some()},
		{"a page twice", lib, some("x.md: New: new", "x.md: New: new")},
		{"keeping what is not there", lib, func(yield func(Page, error) bool) { yield(Page{Path: "no", Keep: true}, nil) }},
		{"an empty snippet", lib, page(Snippet{Title: "x", Content: " "})},
		{"no text", lib, page(Snippet{Title: "x", Content: "a\xff"})},
		{"NUL", lib, page(Snippet{Title: "x", Content: "a\x00"})},
		{"a huge one", lib, page(Snippet{Title: "x", Content: strings.Repeat("a ", maxContent)})},
		{"no ID", Library{}, some("x.md: New: new")},
		{"half an ID", Library{ID: "/a"}, some("x.md: New: new")},
		{"an ID with a version", Library{ID: "/a/b/c"}, some("x.md: New: new")},
		{"an odd ID", Library{ID: "/a/b\nc"}, some("x.md: New: new")},
		{"an odd label", Library{ID: "/a/b", Version: "1/2"}, some("x.md: New: new")},
		{"too much trust", Library{ID: "/a/b", Trust: 11}, some("x.md: New: new")},
	} {
		if _, err := db.Put(context.Background(), c.lib, c.pages); err == nil {
			t.Errorf("%s was accepted", c.name)
		}
		if got := titles(t, db, "/a/b/v1", "old new text"); got != "Old" {
			t.Errorf("after %s there is %q, want Old", c.name, got)
		}
	}
}

func TestRefs(t *testing.T) {
	for in, want := range map[string]ref{
		"/a/b": {"/a/b", ""}, "a/b": {"/a/b", ""}, " /a/b/ ": {"/a/b", ""}, "/a/b/v1": {"/a/b", "v1"}, "/a/b@v1": {"/a/b", "v1"},
		"/a/b/svelte@5": {"/a/b", "svelte@5"}, "/a/@b": {"/a/@b", ""}, "/a": {}, "": {}, "//": {},
	} {
		if got, ok := parseRef(in); got != want && (ok || want != ref{}) {
			t.Errorf("parseRef(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestQueryVersion(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	for _, v := range []string{"v1.0.0", "v2.0.0"} {
		mustPut(t, db, Library{ID: "/a/b", Version: v, Aliases: []string{"/old/b"}}, some("x.md: Title "+v+": words"))
	}
	for _, c := range []struct{ id, first string }{
		{"/a/b", "### Title v2.0.0"},
		{"/A/B", "### Title v2.0.0"},
		{"/old/b@1.0.0", "### Title v1.0.0"},
		{"/a/b/v1.9", "Note: version v1.9 of /a/b is not here; this is v1.0.0."},
		{"/a/b@0.1", "no version 0.1 of /a/b (there are v2.0.0, v1.0.0)"},
		{"/a/c", NoLibrary},
		{"nonsense", NoLibrary},
		{"", NoLibrary},
		{"/o_d/b", NoLibrary},
	} {
		a, err := db.Query(context.Background(), c.id, "title words", 0)
		got := a.Text()
		if err != nil {
			var ok bool
			if got, ok = ErrorText(err); !ok || fault.KindOf(err) != fault.NotFound {
				t.Errorf("Query(%q) = %v, want a fault for the caller", c.id, err)
			}
		}
		if first, _, _ := strings.Cut(got, "\n"); first != c.first {
			t.Errorf("Query(%q) begins %q, want %q", c.id, first, c.first)
		}
	}
}

func TestResolve(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	for _, l := range []Library{
		{ID: "/vercel/next.js", Version: "v16.0.0", Title: "Next.js", Description: "The React framework", Aliases: []string{"next", "nextjs"}, Trust: 9},
		{ID: "/vercel/next.js", Version: "v15.0.0", Title: "Next.js", Trust: 9},
		{ID: "/reactjs/react.dev", Title: "React", Aliases: []string{"react", "/facebook/react"}, Trust: 9},
		{ID: "/x/react-router", Title: "React Router", Trust: 10},
		{ID: "/expressjs/expressjs.com", Title: "Express", Aliases: []string{"express"}},
		{ID: "/django/django", Title: "Django", Description: "A web framework"},
		{ID: "/x/django-docs", Title: "Other", Trust: 1},
		{ID: "/sqlalchemy/sqlalchemy", Title: "SQLAlchemy", Description: "The Python SQL toolkit and ORM, for Svelte.js too"},
		{ID: "/vuejs/docs", Title: "Vue", Aliases: []string{"vue"}},
	} {
		mustPut(t, db, l, some("x.md: T: text"))
	}
	for _, c := range []struct{ name, query, want string }{
		{"nextjs", "", "/vercel/next.js"},
		{"Next.js", "", "/vercel/next.js"},
		{"next", "", "/vercel/next.js"},
		{"NEXT JS", "", "/vercel/next.js"},
		{"nxetjs", "", "/vercel/next.js"},
		{"react", "", "/reactjs/react.dev /x/react-router"},
		{"vue3", "", "/vuejs/docs"},
		{"Vue.js v3", "", "/vuejs/docs"},
		{"redux toolkit", "", ""},
		{"redux toolkit", "how do I use the toolkit", ""},
		{"nextauth", "", ""},
		{"react native", "", ""},
		{"Svelte.js", "", ""},
		{"React.js", "", "/reactjs/react.dev"},
		{"/facebook/react", "", "/reactjs/react.dev"},
		{"expres", "", "/expressjs/expressjs.com"},
		{"expres", "", "/expressjs/expressjs.com"},
		{"djnago", "", "/x/django-docs /django/django"},
		{"django", "", "/django/django /x/django-docs"},
		{"sqlalchmey", "", "/sqlalchemy/sqlalchemy"},
		{"framework", "", ""},
		{"the Express framework", "", "/expressjs/expressjs.com"},
		{"kubernetes", "", ""},
		{"", "how does express route", "/expressjs/expressjs.com"},
		{"'; DROP TABLE libraries --", "", ""},
		{"...", "", ""},
	} {
		found, err := db.Resolve(context.Background(), c.name, c.query, 10)
		var ids []string
		for _, l := range found {
			ids = append(ids, l.ID)
		}
		if got := strings.Join(ids, " "); err != nil || !strings.HasPrefix(got+" ", c.want+" ") || c.want == "" && got != "" {
			t.Errorf("Resolve(%q) = %s, %v, want %s first", c.name, got, err, c.want)
		}
	}
	if near, err := db.Suggest(context.Background(), "redux toolkit", "", 3); err != nil || len(near) != 1 || near[0].ID != "/sqlalchemy/sqlalchemy" {
		t.Errorf("near redux toolkit: %v, %v", near, err)
	}
	found, err := db.Resolve(context.Background(), "next", "", 1)
	if err != nil || len(found) != 1 || !slices.Equal(found[0].Versions, []string{"v16.0.0", "v15.0.0"}) {
		t.Errorf("Resolve(next, 1) = %v, %v, want one library with both versions, newest first", found, err)
	}
}
