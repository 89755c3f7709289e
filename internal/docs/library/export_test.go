package library

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/store"
)

// exported returns the path of a file with two versions of /a/b.
func exported(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	db := mustOpen(t, filepath.Join(dir, "docs.db"))
	mustPut(t, db, Library{ID: "/a/b", Version: "v1", Trust: 5, Aliases: []string{"bee"}}, some("x.md: One: word", "y.md: Two: second"))
	mustPut(t, db, Library{ID: "/a/b", Version: "v2"}, some("x.md: Three: word"))
	mustPut(t, db, Library{ID: "/a/c"}, some("x.md: Four: word"))
	path := filepath.Join(dir, "out", "lib.db")
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := db.Export(context.Background(), "/a/b", path)
	if err != nil || len(out) != 2 {
		t.Fatalf("Export = %v, %v, want two versions", out, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("Export leaves %v, %v, want one file", entries, err)
	}
	whole(t, path)
	return path
}

func TestExportImport(t *testing.T) {
	ctx := context.Background()
	path := exported(t)
	from, err := mustRead(t, path).List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got := titles(t, mustRead(t, path), "/a/b", "word"); got != "Three" {
		t.Errorf("the exported file answers %q, want Three", got)
	}
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	mustPut(t, db, Library{ID: "/a/b", Version: "v1"}, some("x.md: Old: word"))
	mustPut(t, db, Library{ID: "/a/d"}, some("x.md: Stays: word"))
	for range 2 { // a second time changes nothing
		out, err := db.Import(ctx, path, nil)
		if err != nil || fmt.Sprint(out) != fmt.Sprint(from) {
			t.Errorf("Import = %v, %v\nwant %v", out, err, from)
		}
		if got := titles(t, db, "/a/b/v1", "word second"); got != "One, Two" && got != "Two, One" {
			t.Errorf("v1 has %q, want One and Two", got)
		}
		if got := titles(t, db, "/a/d", "word"); got != "Stays" {
			t.Errorf("another library has %q, want Stays", got)
		}
	}
	if _, err := db.Export(ctx, "/a/b/v9", filepath.Join(t.TempDir(), "x")); !IsNoVersion(err) {
		t.Errorf("Export of no version = %v", err)
	}
	if _, err := db.Export(ctx, "/no/such", filepath.Join(t.TempDir(), "x")); !IsNoLibrary(err) {
		t.Errorf("Export of no library = %v", err)
	}
}

func TestImportRefuses(t *testing.T) {
	sound := exported(t)
	whole, err := os.ReadFile(sound)
	if err != nil {
		t.Fatal(err)
	}
	into := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	mustPut(t, into, Library{ID: "/a/b", Version: "v1"}, some("x.md: Old: word"))
	statement := func(sql string) func(string) error {
		return func(path string) error {
			db, err := store.Open(context.Background(), path, schema())
			if err != nil {
				return err
			}
			if _, err := db.Exec(sql); err != nil {
				return err
			}
			return db.Settle(context.Background())
		}
	}
	write := func(b []byte) func(string) error {
		return func(path string) error { return os.WriteFile(path, b, 0o644) }
	}
	for _, c := range []struct {
		name string
		harm func(path string) error
	}{
		{"nothing there", func(path string) error { return os.Remove(path) }},
		{"a folder", func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o755)) }},
		{"an empty file", write(nil)},
		{"no database", write([]byte(strings.Repeat("no database ", 1000)))},
		{"the first half", write(whole[:len(whole)/2])},
		{"a log beside it", func(path string) error { return os.WriteFile(path+"-wal", []byte("x"), 0o644) }},
		{"a changed text", statement("UPDATE snippets SET content = 'evil' WHERE id = 1")},
		{"a changed title", statement("UPDATE libraries SET title = 'evil'")},
		{"a snippet more", statement("INSERT INTO snippets(library_id, title, content) VALUES ('/a/b', 't', 'c'); UPDATE libraries SET last_snippet = last_snippet + 1 WHERE version = 'v2'")},
		{"a snippet less", statement("DELETE FROM snippets WHERE id = 1")},
		{"another library", statement("UPDATE libraries SET id = '/a/c' WHERE version = 'v1'")},
		{"shared snippets", statement("UPDATE libraries SET first_snippet = 1, last_snippet = 3")},
		{"no snippets", statement("UPDATE libraries SET first_snippet = 9, last_snippet = 1")},
		{"very many snippets", statement("UPDATE libraries SET last_snippet = 9223372036854775807 WHERE version = 'v2'")},
		{"a huge text", statement("UPDATE snippets SET content = hex(zeroblob(3000000))")},
		{"a trigger", statement("CREATE TRIGGER evil AFTER INSERT ON pages BEGIN DELETE FROM libraries; END")},
		{"a view for a table", statement("ALTER TABLE pages RENAME TO p; CREATE VIEW pages AS SELECT * FROM p")},
		{"a table more", statement("CREATE TABLE evil(x)")},
		{"a newer schema", statement("PRAGMA user_version = 99")},
		{"no lists", statement("UPDATE libraries SET aliases = '{'")},
		{"no library", statement("DELETE FROM libraries")},
		{"pages out of place", statement("UPDATE pages SET first = 2 WHERE path = 'y.md'")},
		{"negative pages", statement("UPDATE pages SET snippets = -1")},
		{"numbers for text", statement("UPDATE libraries SET tokens = 'many'")},
	} {
		path := filepath.Join(t.TempDir(), "in", "lib.db")
		if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, whole, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := c.harm(path); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if out, err := into.Import(context.Background(), path, nil); err == nil || fault.KindOf(err) == fault.Internal {
			t.Errorf("%s: Import = %v, %v, want a fault", c.name, out, err)
		}
		if got := titles(t, into, "/a/b", "word evil"); got != "Old" {
			t.Errorf("after %s there is %q, want Old", c.name, got)
		}
	}
}

// Whatever the file: an error, or what Export wrote; and the rest is untouched.
func FuzzImport(f *testing.F) {
	f.Add(uint32(0), uint32(100), []byte("SQLite"))
	f.Add(uint32(4096), uint32(0), []byte{0xff, 0, 13})
	sound, err := os.ReadFile(exported(f))
	if err != nil {
		f.Fatal(err)
	}
	into := mustOpen(f, filepath.Join(f.TempDir(), "docs.db"))
	mustPut(f, into, Library{ID: "/a/d"}, some("x.md: Stays: word"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, at, cut uint32, put []byte) {
		path, b := filepath.Join(dir, "lib.db"), bytes.Clone(sound)
		copy(b[int(at)%len(b):], put)
		if err := os.WriteFile(path, b[:len(b)-int(cut)%len(b)], 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := into.Import(context.Background(), path, nil)
		if err == nil && len(out) == 0 {
			t.Errorf("Import says nothing")
		}
		if err != nil && fault.KindOf(err) == fault.Internal {
			t.Errorf("Import = %v, want a fault", err)
		}
		if got := titles(t, into, "/a/d", "word"); got != "Stays" {
			t.Errorf("another library has %q, %v", got, err)
		}
		// Asked where it lies, it answers or says what is wrong.
		from, err := OpenReadOnly(context.Background(), path)
		if err != nil {
			return
		}
		defer from.Close()
		for _, how := range []Ranking{Lexical, Hybrid} {
			if _, err := from.QueryWith(context.Background(), "/a/b", "word second", Options{Ranking: how}); err != nil && fault.KindOf(err) == fault.Internal {
				t.Errorf("Query = %v, want a fault", err)
			}
		}
	})
}
