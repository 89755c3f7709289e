package engine_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/rank"
)

// TestSoughtFirst asks of a tree of which a view may index a few files alone: those with the words are among
// them, they rank as in the whole index, and the index is in the end as without.
func TestSoughtFirst(t *testing.T) {
	files := map[string]string{
		"z/parse.go": "package z\n\n// ParseZebra reads a zebra.\nfunc ParseZebra(s string) {}\n",
		"y/zebra.go": "package y\n\nfunc run() { zebra() }\n",
		"x/parse.go": "package x\n\nfunc parse() {}\n",
	}
	for i := range 60 {
		files[fmt.Sprintf("a/f%02d.go", i)] = fmt.Sprintf("package a\n\n// part%d is one of many.\nfunc part%d(s string) {}\n", i, i)
	}
	tr := newTree(t, files)
	whole, part, other := tr.openPart("whole", 0), tr.openPart("part", 5), tr.openPart("other", 5)
	ask := func(e *engine.Engine, sought *engine.Sought) (*engine.View, []string) {
		t.Helper()
		v := viewOf(t, e, engine.Options{Sought: sought})
		plan, err := v.Plan("parse a zebra", rank.Lexical)
		if err != nil {
			t.Fatal(err)
		}
		a, err := v.Search(t.Context(), engine.Query{Plan: plan, Most: 5})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, h := range a.Hits {
			out = append(out, fmt.Sprintf("%s %.2f", h.Doc.Path, h.Score))
		}
		if err := v.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
		return v, out
	}
	_, want := ask(whole, nil)
	v, got := ask(part, &engine.Sought{Query: "parse a zebra"})
	if !slices.Equal(got, want) || v.Stale != 58 || v.Extent().Indexing == nil {
		t.Errorf("of five files: %q, %d unread; want %q", got, v.Stale, want)
	}
	if lack := v.Extent().Lack(); !strings.Contains(lack, `5 of 63 files read, among them every file that has "parse", "zebra"`) {
		t.Errorf("it says %q", lack)
	}
	for v.Stale > 0 {
		v, got = ask(part, nil)
	}
	if !slices.Equal(got, want) {
		t.Errorf("in the end: %q, want %q", got, want)
	}
	// Without the words of a question the first files are read, and nothing is said of words.
	v, got = ask(other, nil)
	if lack := v.Extent().Lack(); len(got) > 0 || strings.Contains(lack, "among") {
		t.Errorf("nothing sought: %q, and it says %q", got, lack)
	}
}

// openPart opens a tree with an index of that name, of which a view reads so many files at most.
func (tr *tree) openPart(name string, most int) *engine.Engine {
	tr.t.Helper()
	dir := filepath.Join(tr.t.TempDir(), name)
	e, err := engine.Open(tr.t.Context(), engine.Config{Root: tr.root, IndexDir: dir, Most: most, Now: func() time.Time { return tr.now }})
	if err != nil {
		tr.t.Fatal(err)
	}
	tr.t.Cleanup(func() { e.Close() })
	return e
}

// TestSoughtInPart holds that a word of which files are left unread is not said to be read.
func TestSoughtInPart(t *testing.T) {
	files := map[string]string{"b/zebra.go": "package b\n\nfunc zebra() { part() }\n"}
	for i := range 30 {
		files[fmt.Sprintf("a/f%02d.go", i)] = "package a\n\nfunc part() {}\n"
	}
	v := viewOf(t, newTree(t, files).openPart("part", 3), engine.Options{Sought: &engine.Sought{Query: "zebra part"}})
	if words := v.Extent().Indexing.Words; !slices.Equal(words, []string{"zebra"}) {
		t.Errorf("all of %q, want zebra alone", words)
	}
}
