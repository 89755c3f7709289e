package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
)

// pasted asks for a text, and returns the answer of a fresh view.
func pasted(t *testing.T, e *engine.Engine, text string, filter index.Filter) *engine.Answer {
	t.Helper()
	v, err := e.View(context.Background(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := v.Plan(text, rank.Hybrid)
	if err != nil {
		t.Fatal(err)
	}
	a, err := v.Search(context.Background(), engine.Query{Plan: plan, Filter: filter, Most: 20, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func first(a *engine.Answer) string {
	if len(a.Hits) == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", a.Hits[0].Doc.Path, a.Hits[0].Lines.First)
}

// functions is a file of n long functions.
func functions(name string, n int) string {
	var b strings.Builder
	b.WriteString("package p\n")
	for i := range n {
		fmt.Fprintf(&b, "\nfunc %s%d() {\n%s}\n", name, i, strings.Repeat("\twork(on, this, and, that)\n", 60))
	}
	return b.String()
}

// A frame that names a file of the tree outweighs what the words say, and is answered
// with its lines: by the end of its path, because it is of another machine.
func TestPlaces(t *testing.T) {
	tr := newTree(t, nil)
	tr.write("src/acme/store/cache.go", functions("cache", 9))
	tr.write("src/acme/net/cache.go", functions("remote", 9))
	tr.write("src/acme/panic.go", "package p\n\n// Panic: the machine panics under pressure of steam.\nfunc PanicUnderPressure() { steam(pressure, panic) }\n")
	e := tr.open()
	sync(t, e)
	for _, tc := range []struct{ text, want string }{
		{"panic under pressure of steam", "src/acme/panic.go:1"},
		{"panic under pressure of steam\n\t/home/u/go/pkg/mod/acme/store/cache.go:200 +0x1d", "src/acme/store/cache.go:19"},
		{"panic under pressure of steam at cache.go:200", ""}, // may be either
		{"panic under pressure of steam at other/cache.go:200", "src/acme/panic.go:1"},
		{"panic under pressure of steam\n\tacme.remote5(0x1)\n\t/x/net/cache.go:9999 +0x1d", "src/acme/net/cache.go:"}, // by its function
	} {
		a := pasted(t, e, tc.text, nil)
		if got := first(a); !strings.HasPrefix(got, tc.want) {
			t.Errorf("%q: %s, want %s", tc.text, got, tc.want)
		}
	}
	a := pasted(t, e, "panic under pressure of steam\n\tacme.remote5(0x1)\n\t/x/net/cache.go:9999 +0x1d", nil)
	if !slices.ContainsFunc(a.Hits[0].Symbols, func(s corpus.Symbol) bool { return s.Name == "remote5" }) || len(a.Meant) == 0 || a.Meant[0].File != "src/acme/net/cache.go" || a.Meant[0].Name != "remote5" {
		t.Errorf("%+v, meant %+v", a.Hits[0].Symbols, a.Meant)
	}
	// Of a file full of the words, the lines that are named come first.
	text := "cache8 work on this and that\n\t/x/store/cache.go:200 +0x1d"
	if h := pasted(t, e, text, nil).Hits[0]; h.Doc.Path != "src/acme/store/cache.go" || h.Lines.First > 200 || h.Lines.Last < 200 {
		t.Errorf("%q: %s:%v", text, h.Doc.Path, h.Lines)
	}
	signals := map[string]bool{}
	for _, s := range a.Hits[0].Breakdown {
		signals[s.Name] = true
	}
	if !signals["in a file of the text"] || !signals["at a place of the text"] {
		t.Errorf("the breakdown does not say why: %+v", a.Hits[0].Breakdown)
	}
	// What a filter excludes no trace brings back.
	for _, h := range pasted(t, e, "\t/x/net/cache.go:12 +0x1d", func(d index.DocInfo) bool { return d.Path != "src/acme/net/cache.go" }).Hits {
		if h.Doc.Path == "src/acme/net/cache.go" {
			t.Error("an excluded file is an answer")
		}
	}
}

// The place of a trace is an answer even where its chunk has no word of the text.
func TestPlaceWithoutWords(t *testing.T) {
	tr := newTree(t, nil)
	tr.write("lib/quiet.py", "def hush():\n    pass\n")
	tr.write("lib/loud.py", "def failure():\n    \"\"\"Traceback of a value error in line three.\"\"\"\n")
	e := tr.open()
	sync(t, e)
	a := pasted(t, e, "Traceback\n  File \"/x/lib/quiet.py\", line 1\nValueError: value error in line three", nil)
	if first(a) != "lib/quiet.py:1" {
		t.Errorf("%s", first(a))
	}
}

// What decides is at the end of a long text, where a query used to be cut.
func TestLongText(t *testing.T) {
	tr := newTree(t, nil)
	for i := range 40 {
		tr.write(fmt.Sprintf("f%d.go", i), fmt.Sprintf("package p\n\n// The machine of number %d starts, runs and stops as described.\nfunc Number%d() {}\n", i, i))
	}
	tr.write("valve.go", "package p\n\n// DrainValve lets the zebrafish out.\nfunc DrainValve() {}\n")
	e := tr.open()
	sync(t, e)
	var b strings.Builder
	b.WriteString("Fish cannot leave\n\n")
	for i := range 30 {
		fmt.Fprintf(&b, "The machine of number %d starts, runs and stops as it is described in chapter word%c.\n", i, 'a'+i%26)
	}
	b.WriteString("No zebrafish got out.\n")
	a := pasted(t, e, b.String(), nil)
	if len(a.Hits) == 0 || a.Hits[0].Doc.Path != "valve.go" {
		t.Errorf("%s", first(a))
	}
}

// Of several files the one whose path has the longest end in common is meant, whichever
// comes first; a module is not meant by its last name alone.
func TestNearestPath(t *testing.T) {
	tr := newTree(t, map[string]string{"a/store/cache.go": "package p\n", "b/store/cache.go": "package p\n", "lib/acme/drain.py": "x = 1\n", "lib/mod.py": "x = 1\n", "net/pipe.go": "package p\n", "sub/net/pipe.go": "package p\n"})
	e := tr.open()
	sync(t, e)
	for text, want := range map[string]string{
		"/x/a/store/cache.go:1":          "a/store/cache.go",
		"/x/b/store/cache.go:1":          "b/store/cache.go",
		"/x/c/store/cache.go:1":          "a/store/cache.go b/store/cache.go",
		"/x/c/net/pipe.go:1":             "net/pipe.go", // all of its path
		"/x/sub/net/pipe.go:1":           "sub/net/pipe.go",
		"acme.drain.open() fails\nx.c:1": "lib/acme/drain.py",
		"acme.drain fails\nx.c:1":        "lib/acme/drain.py",
		"other.mod fails\nx.c:1":         "",
		"see lib/mod.py\nx.c:1":          "lib/mod.py",
	} {
		var got []string
		for _, m := range pasted(t, e, text, nil).Meant {
			got = append(got, m.File)
		}
		if got := strings.Join(slices.Compact(got), " "); got != want {
			t.Errorf("%q means %q, want %q", text, got, want)
		}
	}
}
