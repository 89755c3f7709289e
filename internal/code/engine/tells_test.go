package engine_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
)

// What an index lacks of the tree, has too much, or has otherwise is told file by file, in the
// order of Differences and then of paths.
func TestAgainstTree(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha"), "b.go": goFile("Beta"), "c.go": goFile("Gamma"), "sub/d.go": goFile("Delta"), "e.txt": "words\n"})
	e := tr.open()
	sync(t, e)
	against := func() string {
		t.Helper()
		diffs, files, err := e.AgainstTree(t.Context(), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out := fmt.Sprint(files)
		for _, d := range diffs {
			out += fmt.Sprintf(" %s:%s", d.What, d.Path)
		}
		return out
	}
	if got := against(); got != "5" {
		t.Errorf("an index of the tree: %s", got)
	}
	tr.write("z.go", goFile("Zeta"))
	tr.write("n.go", goFile("Nu"))
	tr.remove("sub/d.go")
	tr.remove("b.go")
	tr.write("a.go", goFile("Omega"))
	if got, want := against(), "5 missing:n.go missing:z.go extra:b.go extra:sub/d.go document:a.go"; got != want {
		t.Errorf("against a changed tree: %s, want %s", got, want)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := e.AgainstTree(stopped, engine.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	if e, err := engine.Open(stopped, engine.Config{Root: tr.root, IndexDir: filepath.Join(tr.root, ".assay", "other")}); !errors.Is(err, context.Canceled) {
		t.Errorf("an engine whose opening was given up: %v, %v", e, err)
	}
}

// A file that was touched is read and not indexed again; one that could not be read or was too
// large is, once it can be.
func TestTouched(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha"), "b.go": goFile("Beta")})
	e := tr.open()
	sync(t, e)
	tr.now = tr.now.Add(time.Minute)
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(tr.root, "a.go"), old, old); err != nil {
		t.Fatal(err)
	}
	v, err := e.View(t.Context(), engine.Options{})
	if err != nil || !v.Hit() || v.Newer() {
		t.Errorf("a file that was touched: answered as it was %v, newer %v, %v", v.Hit(), v.Newer(), err)
	}
	if rep := sync(t, e); rep.Read != 1 || rep.Changed != 0 || rep.Docs != 0 || rep.Removed != 0 || rep.Files != 2 {
		t.Errorf("a file that was touched: %+v", rep)
	}
	if rep := sync(t, e); rep.Read != 0 {
		t.Errorf("once more: %+v", rep)
	}
	if got, _ := ask(t, e, "Alpha"); !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("it is found in %q", got)
	}
	large := "package p\n\nfunc Huge() {}\n//" + strings.Repeat("x", int(discover.MaxFile))
	tr.write("large.go", large)
	if rep := sync(t, e); rep.Changed != 1 || rep.Docs != 0 {
		t.Errorf("a file that is too large: %+v", rep)
	}
	tr.write("large.go", large[:40])
	if rep := sync(t, e); rep.Changed != 1 || rep.Docs != 1 {
		t.Errorf("a file that was too large: %+v", rep)
	}
	if got, _ := ask(t, e, "Huge"); !slices.Equal(got, []string{"large.go"}) {
		t.Errorf("it is found in %q", got)
	}
}

// Status counts what the index has and what the tree has otherwise, and changes neither.
func TestStatus(t *testing.T) {
	m := &meaning{}
	tr := newTree(t, map[string]string{
		".git/HEAD": "", ".gitignore": "out/\n", "a.go": "package p\n\n// Apple is round.\nfunc Apple() {}\n", "b.py": "def iron():\n    pass\n", "c.bin": "x\x00\x01",
		"empty.txt": "", "out/o.go": "package o\n", ".env": "KEY=1\n",
	})
	e, err := engine.Open(t.Context(), engine.Config{Root: tr.root, IndexDir: tr.dir, Embedder: m, Now: func() time.Time { return tr.now }})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	sync(t, e)
	status := func() *engine.Status {
		t.Helper()
		s, err := e.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := status()
	docs := map[string]int{"go": 1, "python": 1}
	if s.Documents < 2 || s.Changed != 0 || s.Removed != 0 || s.Files != 5 || s.Segments != 1 || s.Damaged || s.Vectors != 0 || s.Embedder != "meaning/3" || s.Epoch == 0 {
		t.Errorf("%+v", s)
	}
	for l, n := range docs {
		if s.Languages[l] != n {
			t.Errorf("%d files of %s, want %d of %v", s.Languages[l], l, n, s.Languages)
		}
	}
	if s.Skipped["binary"] != 1 || s.Skipped["empty"] != 1 || s.Skipped["secret"] != 1 || s.Skipped["ignored"] == 0 || s.Skipped["indexed"] != 0 {
		t.Errorf("excluded are %v", s.Skipped)
	}
	var size int64
	if err := filepath.WalkDir(tr.dir, func(_ string, d os.DirEntry, err error) error {
		if info, e := d.Info(); err == nil && e == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
		return err
	}); err != nil || s.IndexBytes != size || size == 0 {
		t.Errorf("the index has %d bytes, is said to have %d, %v", size, s.IndexBytes, err)
	}
	var told []int64
	if n, err := e.Embed(t.Context(), func(what string, done, total int64) {
		if what != "embedding" || total != int64(s.Chunks) {
			t.Errorf("%s: %d of %d, want %d chunks", what, done, total, s.Chunks)
		}
		told = append(told, done)
	}); err != nil || n != s.Chunks || !slices.Equal(told, []int64{int64(s.Chunks)}) {
		t.Errorf("%d of %d chunks were embedded, told %v, %v", n, s.Chunks, told, err)
	}
	if s := status(); s.Vectors != s.Chunks {
		t.Errorf("%d vectors of %d chunks", s.Vectors, s.Chunks)
	}
	// An edit within the tick of the clock that leaves size and time as they were is one.
	seen, err := os.Stat(filepath.Join(tr.root, "a.go"))
	if err != nil {
		t.Fatal(err)
	}
	tr.write("a.go", "package p\n\n// Grape is round.\nfunc Grap() {}\n")
	if err := os.Chtimes(filepath.Join(tr.root, "a.go"), seen.ModTime(), seen.ModTime()); err != nil {
		t.Fatal(err)
	}
	if s := status(); s.Changed != 1 || s.Removed != 0 {
		t.Errorf("a file that changed within a tick: %+v", s)
	}
	tr.write("a.go", "package p\n\n// Pear is not.\nfunc Pear() {}\n")
	tr.write("n.go", "package p\n")
	tr.remove("b.py")
	if s := status(); s.Changed != 2 || s.Removed != 1 || s.Files != 5 {
		t.Errorf("a file that changed, one that is new, one that is gone: %+v", s)
	}
}

// That some chunks have no vectors yet is said with every answer by meaning.
func TestMissingVectorsAreTold(t *testing.T) {
	m := &meaning{}
	tr := newTree(t, map[string]string{"a.go": "package p\n\n// Apple is round.\nfunc Apple() {}\n"})
	e, err := engine.Open(t.Context(), engine.Config{Root: tr.root, IndexDir: tr.dir, Embedder: m, Now: func() time.Time { return tr.now }})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	degraded := func(mode rank.Mode) string {
		t.Helper()
		v, err := e.Frozen(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		a, err := v.Search(t.Context(), engine.Query{Plan: rank.Parse("apple", mode), Most: 3})
		if err != nil || len(a.Hits) == 0 {
			t.Fatalf("%+v, %v", a, err)
		}
		return a.Degraded
	}
	sync(t, e)
	if got := degraded(rank.Hybrid); got != "1 chunks have no vectors yet; indexing makes them" {
		t.Errorf("without vectors: %q", got)
	}
	if _, err := e.Embed(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := degraded(rank.Hybrid); got != "" {
		t.Errorf("with all vectors: %q", got)
	}
	m.fails = true
	if got := degraded(rank.Lexical); got != "" {
		t.Errorf("by words alone as was asked: %q", got)
	}
	none := tr.open()
	v, err := none.Frozen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[rank.Mode]bool{rank.Hybrid: false, rank.Semantic: true} {
		if a, err := v.Search(t.Context(), engine.Query{Plan: rank.Parse("apple", mode), Most: 3}); err != nil || (a.Degraded != "") != want {
			t.Errorf("without a provider, mode %v: %q, %v", mode, a.Degraded, err)
		}
	}
}

// What another process writes between the look and the lock is in the answer, and nothing twice.
func TestWrittenMeanwhile(t *testing.T) {
	tr := newTree(t, nil)
	for i := range 260 {
		tr.write(fmt.Sprintf("d%d/f%d.go", i%7, i), fmt.Sprintf("package d\n\nfunc Early%d() {}\n", i))
	}
	e, other := tr.open(), tr.open()
	wrote := false
	v, err := e.View(t.Context(), engine.Options{Whole: true, Progress: func(stage string, _, _ int64) {
		if stage == "waiting for the index" && !wrote {
			wrote = true
			tr.write("d0/late.go", "package d\n\nfunc Latecomer() {}\n")
			tr.remove("d1/f1.go")
			sync(t, other)
		}
	}})
	if err != nil || !wrote || v.Stale != 0 || v.Written != "" {
		t.Fatalf("%v; another wrote: %v; %d stale, %q", err, wrote, v.Stale, v.Written)
	}
	if got := hits(t, v, "Latecomer"); !slices.Equal(got, []string{"d0/late.go"}) {
		t.Errorf("what came meanwhile is found in %q", got)
	}
	n := 0
	if err := v.Snap.Docs(func(index.DocInfo) bool { n++; return true }); err != nil || n != 260 {
		t.Errorf("%d documents, want 260, %v", n, err)
	}
	if problems, err := e.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
	// A view of before is not written over what came since, whichever of the two differs.
	tr.write("d2/one.go", "package d\n\nfunc One() {}\n")
	first := viewOf(t, e, engine.Options{})
	tr.write("d3/two.go", "package d\n\nfunc Two() {}\n")
	sync(t, other)
	before := epoch(t, e)
	if err := first.Publish(t.Context()); err != nil || epoch(t, e) != before {
		t.Errorf("a view of an earlier state was written, %v", err)
	}
}

// What was last seen of the tree of this machine is kept beside a shared index: another process
// reads no file again, and all where that is damaged, or of another index.
func TestSharedSeen(t *testing.T) {
	open := backends(t)["folder"]
	files := map[string]string{"a.go": goFile("Alpha"), "sub/b.go": goFile("Beta"), "sub/c.go": goFile("Gamma"), "v/d.bin": "\x00", "e.txt": "", "package-lock.json": "{\"lockfileVersion\": 3}\n"}
	at := func(tr *tree) *engine.Engine {
		t.Helper()
		e, err := engine.Open(t.Context(), engine.Config{Root: tr.root, IndexDir: tr.dir, Now: func() time.Time { return tr.now },
			Backend: func(context.Context) (index.Backend, error) { return open() }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}
	read := func(tr *tree) int {
		t.Helper()
		tr.now = tr.now.Add(time.Minute)
		rep, err := at(tr).Sync(t.Context(), engine.Options{})
		if err != nil || rep.Docs != 0 || rep.Removed != 0 || rep.Read == 0 && rep.Changed != 0 {
			t.Fatalf("nothing changed: %+v, %v", rep, err)
		}
		return rep.Read
	}
	tr := newTree(t, files)
	if !at(tr).Shared() {
		t.Error("it is not said to be shared")
	}
	first, err := at(tr).Sync(t.Context(), engine.Options{})
	if err != nil || first.Read != len(files) || first.Docs == 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	if n := read(tr); n != 0 {
		t.Errorf("%d files are read again", n)
	}
	cache := filepath.Join(tr.dir, "seen")
	whole, err := os.ReadFile(cache)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, 5, 30, len(whole) / 2, len(whole) - 1} {
		flip := slices.Clone(whole)
		flip[at] ^= 1
		for _, data := range [][]byte{flip, whole[:at]} {
			if err := os.WriteFile(cache, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if n := read(tr); n == 0 {
				t.Errorf("byte %d of %d: a damaged cache is believed", at, len(whole))
			}
			if n := read(tr); n != 0 {
				t.Errorf("byte %d: %d files are read again after they were", at, n)
			}
		}
	}
	// Another machine has not seen its files: what has no facts is told as where it was indexed.
	other := newTree(t, files)
	e := at(other)
	v, err := e.View(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	why := map[string]string{}
	if _, err := v.NotCovered(t.Context(), func(path, reason string) bool { why[path] = reason; return true }); err != nil {
		t.Fatal(err)
	}
	mine := viewOf(t, at(tr), engine.Options{})
	want := map[string]string{}
	if _, err := mine.NotCovered(t.Context(), func(path, reason string) bool { want[path] = reason; return true }); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(why, want) || want["package-lock.json"] != "lock" {
		t.Errorf("without facts are %v, where it was indexed %v", why, want)
	}
	// Several that are gone at once are gone.
	tr.remove("a.go")
	tr.remove("sub/b.go")
	tr.remove("sub/c.go")
	if rep, err := at(tr).Sync(t.Context(), engine.Options{}); err != nil || rep.Removed != 3 {
		t.Errorf("%+v, %v", rep, err)
	}
	if got := answers(t, at(tr), "Alpha", "Beta", "Gamma"); len(got) != 0 {
		t.Errorf("what is gone is found: %q", got)
	}
	if rep, err := at(tr).Sync(t.Context(), engine.Options{Full: true}); err != nil || rep.Docs != 1 || rep.Removed != 0 {
		t.Errorf("from scratch: %+v, %v", rep, err)
	}
}

// A path that may be one of eight files means each of them; one of nine means none.
func TestAlikePaths(t *testing.T) {
	for n, want := range map[int]int{8: 8, 9: 0} {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("m%d/store/cache.go", i)] = "package store\n\nfunc Get() {}\n"
		}
		e := newTree(t, files).open()
		sync(t, e)
		if got := pasted(t, e, "panic\n\t/x/store/cache.go:3 +0x1d", nil).Meant; len(got) != want {
			t.Errorf("of %d files %d are meant, want %d", n, len(got), want)
		}
	}
}

// The first and the last line of a chunk are the chunk's.
func TestSimilarAtEdges(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha", "Beta", "Gamma"), "b.go": goFile("Alpha", "Beta", "Gamma")})
	e := tr.open()
	sync(t, e)
	v := viewOf(t, e, engine.Options{})
	for _, c := range chunksOf(t, e, "a.go") {
		for _, line := range []int{c.Lines.First, c.Lines.Last} {
			a, _, err := v.Similar(t.Context(), "a.go", line, 1, false)
			if err != nil || len(a.Hits) != 1 || a.Hits[0].Doc.Path != "b.go" || a.Hits[0].Lines != c.Lines {
				t.Errorf("like line %d of the chunk %v: %+v, %v", line, c.Lines, a, err)
			}
		}
	}
}

// Every text that is not the one that was indexed, though its file looks as it did, is told.
func TestOtherTexts(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha"), "b.go": goFile("Gamma"), "c.go": goFile("Delta")})
	old := time.Now().Add(-time.Hour)
	stamp := func() {
		t.Helper()
		for _, name := range []string{"a.go", "b.go", "c.go"} {
			if err := os.Chtimes(filepath.Join(tr.root, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	stamp()
	e := tr.open()
	sync(t, e)
	if problems, err := e.Check(t.Context()); len(problems) != 0 || err != nil {
		t.Fatalf("at first: %v, %v", problems, err)
	}
	tr.write("a.go", goFile("Alphx"))
	tr.write("c.go", goFile("Deltx"))
	stamp()
	problems, err := e.Check(t.Context())
	if err != nil || len(problems) != 2 || problems[0].Where != "a.go" || problems[1].Where != "c.go" {
		t.Errorf("of two other texts: %v, %v", problems, err)
	}
}
