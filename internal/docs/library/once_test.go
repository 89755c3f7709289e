package library

import (
	"path/filepath"
	"testing"
)

// What many pages repeat is kept for the first, and found once; a page that something was
// dropped from is read again by a refresh, since the first may change.
func TestRepeated(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	page := func(path, title, content string) Page {
		return Page{Path: path, Hash: "h", Snippets: []Snippet{{Title: title, Breadcrumb: path + " > " + title, Content: content}, {Title: "Own", Content: "word of " + path}}}
	}
	pages := []Page{page("a.md", "Options", "word inherited"), page("b.md", "Options", "word inherited"), page("c.md", "Flags", "word inherited")}
	lib, err := db.Put(t.Context(), Library{ID: "/a/b"}, func(yield func(Page, error) bool) {
		for _, p := range pages {
			if !yield(p, nil) {
				return
			}
		}
	})
	if err != nil || lib.Snippets != 5 || lib.Pages != 3 {
		t.Fatalf("%d snippets of %d pages, %v", lib.Snippets, lib.Pages, err)
	}
	hashes, err := db.Pages(t.Context(), "/a/b", "latest")
	if err != nil || hashes["a.md"] != "h" || hashes["b.md"] != "h+" || hashes["c.md"] != "h" {
		t.Errorf("hashes %v, %v", hashes, err)
	}
	// The same text under another title is kept, and shown once.
	a, err := db.Query(t.Context(), "/a/b", "inherited", 0)
	n := 0
	for _, s := range a.Snippets {
		if s.Content == "word inherited" {
			n++
		}
	}
	if err != nil || n != 1 {
		t.Errorf("it is shown %d times, %v", n, err)
	}
}
