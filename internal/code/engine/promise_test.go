package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/code/regex"
)

// Every line of a file that matches is a match, and what could not be read for it is counted by
// why: a binary file, one that is too large to scan, one that is gone by then.
func TestMatchTellsWhatItReads(t *testing.T) {
	tr := newTree(t, map[string]string{
		"a.txt": "needle one\nnothing\nneedle two\nneedle three needle\n", "b.bin": "needle\x00", "late.bin": strings.Repeat("needle ", 3000) + "\x00",
		"gone.txt": "needle\n", "sub/c.txt": "a needle\n", "none.txt": "hay\n",
	})
	e := tr.open()
	sync(t, e)
	v, err := e.View(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tr.remove("gone.txt")
	p, err := regex.Compile("needle", regex.Options{})
	if err != nil {
		t.Fatal(err)
	}
	match := func(only string, most int) (got []string, scan engine.Scan) {
		t.Helper()
		scan, err := v.Match(t.Context(), p, func(d index.DocInfo) bool { return strings.HasPrefix(d.Path, only) }, func(m engine.FileMatch) bool {
			for _, one := range m.Matches {
				got = append(got, fmt.Sprintf("%s:%d", m.Path, one.Line))
			}
			most--
			return most > 0
		})
		if err != nil {
			t.Fatal(err)
		}
		return got, scan
	}
	got, scan := match("", 99)
	if want := []string{"a.txt:1", "a.txt:3", "a.txt:4", "a.txt:4", "sub/c.txt:1"}; !slices.Equal(got, want) {
		t.Errorf("needle is found at %v, want %v", got, want)
	}
	if scan.Files != 2 || scan.Unreadable != 1 || scan.TooLarge != 0 {
		t.Errorf("%+v, want two files and one that is gone", scan)
	}
	if got, _ := match("sub/", 99); !slices.Equal(got, []string{"sub/c.txt:1"}) {
		t.Errorf("below sub: %v", got)
	}
	if got, _ := match("", 1); len(got) != 4 {
		t.Errorf("stopped after the first file: %v", got)
	}
}

// Of hits that score alike so many are returned as were asked for, those of the first paths:
// the order of the index depends on what was indexed first.
func TestEqualsAreCutByPath(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"e", "c", "a", "d", "b", "f"} {
		files[name+"/same.go"] = "package p\n\n// Gather collects the marbles.\nfunc Gather() {}\n"
	}
	e := newTree(t, files).open()
	sync(t, e)
	v, err := e.View(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for most := range 7 {
		a, err := v.Search(t.Context(), engine.Query{Plan: rank.Parse("collects marbles", rank.Hybrid), Most: most})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range a.Hits {
			got = append(got, h.Doc.Path)
		}
		want := []string{"a/same.go", "b/same.go", "c/same.go", "d/same.go", "e/same.go", "f/same.go"}[:most]
		if !slices.Equal(got, want) {
			t.Errorf("the best %d are %v, want %v", most, got, want)
		}
	}
}

// A file that was changed has chunks that are known, and those that are new; one that is new has
// none that is known.
func TestReusedChunks(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha", "Beta", "Gamma", "Delta")})
	e := tr.open()
	first := sync(t, e)
	if first.Chunks < 4 || first.Reused != 0 {
		t.Errorf("a new file: %d chunks, %d known", first.Chunks, first.Reused)
	}
	tr.write("a.go", goFile("Alpha", "Beta", "Gamma", "Omega"))
	rep := sync(t, e)
	if rep.Docs != 1 || rep.Chunks != first.Chunks || rep.Reused == 0 || rep.Reused >= rep.Chunks {
		t.Errorf("a changed file: %d documents, %d chunks, %d known", rep.Docs, rep.Chunks, rep.Reused)
	}
	if rep = sync(t, e); rep.Docs != 0 || rep.Chunks != 0 || rep.Changed != 0 || rep.Left != 0 {
		t.Errorf("nothing changed: %+v", rep)
	}
	if got, _ := ask(t, e, "Omega"); !slices.Contains(got, "a.go") {
		t.Errorf("what is new is found in %v", got)
	}
}

// What a view indexed in memory is written once, and only over the state it was made of.
func TestPublish(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha")})
	e := tr.open()
	sync(t, e)
	tr.write("b.go", goFile("Beta"))
	v, err := e.View(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	late, err := e.View(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	epochs := []uint64{epoch(t, e)}
	for _, one := range []*engine.View{v, v, late} {
		if err := one.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
		epochs = append(epochs, epoch(t, e))
	}
	if epochs[1] <= epochs[0] || epochs[2] != epochs[1] || epochs[3] != epochs[1] {
		t.Errorf("epochs %v, want one more after the first alone", epochs)
	}
	frozen, err := e.Frozen(t.Context())
	if err != nil || !slices.Contains(hits(t, frozen, "Beta"), "b.go") {
		t.Errorf("what was published is not in the index: %v", err)
	}
}

func epoch(t *testing.T, e *engine.Engine) uint64 {
	t.Helper()
	v, err := e.Frozen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return uint64(v.Snap.Epoch)
}

// How much of a tree is known is told in its files: those that are left do not count.
func TestExtent(t *testing.T) {
	files := map[string]string{}
	for i := range 12 {
		files[fmt.Sprintf("d%d/a.go", i)] = goFile(fmt.Sprintf("Name%d", i))
	}
	e := newTree(t, files).open()
	v, err := e.View(t.Context(), engine.Options{Budget: 1})
	if err != nil {
		t.Fatal(err)
	}
	x := v.Extent()
	if v.Stale == 0 || x.Complete || x.Indexing == nil || x.Indexing.Total != 12 || x.Indexing.Done < 12-v.Stale || x.Indexing.Done > 12 {
		t.Errorf("%d of 12 files are stale: %+v %+v", v.Stale, x, x.Indexing)
	}
	sync(t, e)
	if v, err = e.View(t.Context(), engine.Options{}); err != nil {
		t.Fatal(err)
	}
	if x := v.Extent(); !x.Complete || x.Indexing != nil {
		t.Errorf("all is indexed: %+v", x)
	}
}

// However many folders a tree has, indexing leaves none of them open.
func TestSyncClosesFolders(t *testing.T) {
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("d%d/a.go", i)] = fmt.Sprintf("package d\n\nfunc F%d() {}\n", i)
	}
	tr := newTree(t, files)
	e := tr.open()
	open := func() (in int) {
		list, _ := os.ReadDir("/proc/self/fd") // of systems that have it
		for _, d := range list {
			if to, err := os.Readlink(filepath.Join("/proc/self/fd", d.Name())); err == nil && strings.HasPrefix(to, tr.root+"/d") {
				in++
			}
		}
		return in
	}
	sync(t, e)
	if n := open(); n != 0 {
		t.Errorf("%d folders of the tree are open", n)
	}
}

// A file that is too large to be indexed is read for a pattern all the same, whether the tree was looked at or the
// index is taken as it is.
func TestMatchInLargeFiles(t *testing.T) {
	tr := newTree(t, map[string]string{"a.txt": "needle\n", "large.txt": "needle\n" + strings.Repeat("hay\n", int(discover.MaxFile)/4)})
	e := tr.open()
	sync(t, e)
	p, err := regex.Compile("needle", regex.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() (*engine.View, error){
		"looked at": func() (*engine.View, error) { return e.View(t.Context(), engine.Options{}) },
		"as it is":  func() (*engine.View, error) { return e.Frozen(t.Context()) },
	} {
		v, err := open()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		if _, err := v.Match(t.Context(), p, func(index.DocInfo) bool { return true }, func(m engine.FileMatch) bool { got = append(got, m.Path); return true }); err != nil || !slices.Equal(got, []string{"a.txt", "large.txt"}) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
