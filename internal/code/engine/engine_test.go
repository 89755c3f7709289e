package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/code/regex"
)

// A tree is a source tree for a test, with a clock that the test moves.
type tree struct {
	t    *testing.T
	root string
	dir  string
	now  time.Time
}

func newTree(t *testing.T, files map[string]string) *tree {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tr := &tree{t: t, root: root, dir: filepath.Join(root, ".assay", "index"), now: time.Now().Add(time.Hour)}
	for name, text := range files {
		tr.write(name, text)
	}
	return tr
}

func (tr *tree) write(name, text string) {
	tr.t.Helper()
	path := filepath.Join(tr.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tr.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		tr.t.Fatal(err)
	}
}

func (tr *tree) remove(name string) {
	tr.t.Helper()
	if err := os.Remove(filepath.Join(tr.root, name)); err != nil {
		tr.t.Fatal(err)
	}
}

func (tr *tree) open() *engine.Engine {
	tr.t.Helper()
	e, err := engine.Open(context.Background(), engine.Config{Root: tr.root, IndexDir: tr.dir, Now: func() time.Time { return tr.now }})
	if err != nil {
		tr.t.Fatal(err)
	}
	tr.t.Cleanup(func() { e.Close() })
	return e
}

func sync(t *testing.T, e *engine.Engine) engine.Report {
	t.Helper()
	rep, err := e.Sync(context.Background(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// ask returns the paths that a fresh view finds for a query, best first.
func ask(t *testing.T, e *engine.Engine, query string) (paths []string, v *engine.View) {
	t.Helper()
	v, err := e.View(context.Background(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return hits(t, v, query), v
}

func hits(t *testing.T, v *engine.View, query string) (paths []string) {
	t.Helper()
	a, err := v.Search(context.Background(), engine.Query{Plan: rank.Parse(query, rank.Hybrid), Most: 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range a.Hits {
		paths = append(paths, h.Doc.Path)
	}
	return slices.Compact(paths)
}

func goFile(names ...string) string {
	var b strings.Builder
	b.WriteString("package p\n")
	for _, n := range names {
		fmt.Fprintf(&b, "\n// %s does what %s says.\nfunc %s() int {\n%s\treturn %d\n}\n", n, n, n, strings.Repeat("\twork(\""+n+"\")\n", 60), len(n))
	}
	return b.String()
}

func TestSyncFollowsTheTree(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha", "Beta"), "sub/b.go": goFile("Gamma"), "c.md": "# Title\n\nwords about delta\n"})
	e := tr.open()
	if rep := sync(t, e); rep.Docs != 3 || rep.Changed != 3 || rep.Left != 0 {
		t.Fatalf("first sync: %+v", rep)
	}
	tr.now = tr.now.Add(time.Minute)
	if rep := sync(t, e); rep.Changed != 0 || rep.Removed != 0 {
		t.Errorf("nothing changed, yet: %+v", rep)
	}
	for query, want := range map[string]string{"Alpha": "a.go", "Gamma": "sub/b.go", "delta": "c.md"} {
		if got, _ := ask(t, e, query); len(got) == 0 || got[0] != want {
			t.Errorf("%s is found in %v, want %s", query, got, want)
		}
	}
	tr.write("a.go", goFile("Omega"))
	tr.remove("sub/b.go")
	rep := sync(t, e)
	if rep.Changed != 1 || rep.Removed != 1 {
		t.Errorf("after an edit and a removal: %+v", rep)
	}
	for query, want := range map[string]int{"Alpha": 0, "Gamma": 0, "Omega": 1} {
		if got, _ := ask(t, e, query); len(got) != want {
			t.Errorf("%s is found in %v, want %d files", query, got, want)
		}
	}
	if problems, err := e.Check(context.Background()); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
	if diffs, files, err := e.AgainstTree(context.Background(), engine.Options{}); err != nil || len(diffs) > 0 || files != 2 {
		t.Errorf("%d files, %v, %v against the tree", files, diffs, err)
	}
}

func TestKnownTextIsNotCutAgain(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha", "Beta", "Gamma", "Delta")})
	e := tr.open()
	chunks := sync(t, e).Chunks
	if chunks < 4 {
		t.Fatalf("%d chunks, want 4 at least", chunks)
	}
	// A rename keeps every chunk.
	if err := os.Rename(filepath.Join(tr.root, "a.go"), filepath.Join(tr.root, "z.go")); err != nil {
		t.Fatal(err)
	}
	if rep := sync(t, e); rep.Chunks != chunks || rep.Reused != chunks || rep.Removed != 1 {
		t.Errorf("after a rename: %+v", rep)
	}
	// An edit loses the chunks that it touches and no others.
	tr.write("z.go", strings.Replace(goFile("Alpha", "Beta", "Gamma", "Delta"), "return 4", "return 44", 1))
	if rep := sync(t, e); rep.Reused < chunks-1 || rep.Reused == rep.Chunks {
		t.Errorf("after an edit %d of %d chunks are known, want all but one", rep.Reused, rep.Chunks)
	}
	// And a text that comes back, as a branch does, is known whole.
	tr.write("z.go", goFile("Alpha", "Beta", "Gamma", "Delta"))
	if rep := sync(t, e); rep.Reused != chunks {
		t.Errorf("after going back %d of %d chunks are known", rep.Reused, rep.Chunks)
	}
}

func TestOverlayAnswersAsTheIndexWould(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha"), "b.go": goFile("Beta")})
	e := tr.open()
	sync(t, e)
	tr.write("a.go", goFile("Alphabet", "Soup"))
	tr.write("n.go", goFile("Novel"))
	tr.remove("b.go")
	_, v := ask(t, e, "x")
	want := map[string][]string{}
	for _, q := range []string{"Alpha", "Alphabet", "Soup", "Beta", "Novel"} {
		want[q] = hits(t, v, q)
	}
	if len(want["Beta"]) != 0 || len(want["Novel"]) != 1 {
		t.Errorf("the overlay finds Beta in %v and Novel in %v", want["Beta"], want["Novel"])
	}
	if err := v.Publish(context.Background()); err != nil {
		t.Fatal(err)
	}
	v, err := e.Frozen(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for q, paths := range want {
		if got := hits(t, v, q); !slices.Equal(got, paths) {
			t.Errorf("%s: the overlay says %v, the published index %v", q, paths, got)
		}
	}
	tr.now = tr.now.Add(time.Minute)
	if rep := sync(t, e); rep.Changed != 0 {
		t.Errorf("published, yet %d files look changed", rep.Changed)
	}
}

func TestAnEditWithinTheClocksTickIsSeen(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha")})
	tr.now = time.Now()
	e := tr.open()
	sync(t, e)
	path := filepath.Join(tr.root, "a.go")
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	tr.write("a.go", goFile("Gamma")) // of the same length
	if err := os.Chtimes(path, st.ModTime(), st.ModTime()); err != nil {
		t.Fatal(err)
	}
	if got, _ := ask(t, e, "Gamma"); len(got) != 1 {
		t.Errorf("an edit with the old size and time is not seen: %v", got)
	}
}

// However long it takes to read what changed, the index remembers the moment of the
// look: a file that is rewritten in between may look as it did.
func TestALongIndexingRemembersItsLook(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha"), "b/b.go": goFile("Beta")})
	begin := time.Now()
	now := begin
	e, err := engine.Open(t.Context(), engine.Config{Root: tr.root, IndexDir: tr.dir, Now: func() time.Time {
		now = now.Add(time.Minute)
		return now
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	sync(t, e)
	x, err := index.Open(t.Context(), tr.dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	dirs, err := x.Manifest(t.Context())
	if err != nil || len(dirs) != 2 {
		t.Fatalf("folders %v, %v", dirs, err)
	}
	look := begin.Add(2 * time.Minute) // the first question was when Sync began
	for path, d := range dirs {
		if d.Seen != look.UnixNano() {
			t.Errorf("folder %q is said to be seen %s after the look", path, time.Unix(0, d.Seen).Sub(look))
		}
	}
}

func TestAWriterDoesNotStopASearch(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha")})
	e := tr.open()
	sync(t, e)
	x, err := index.Open(context.Background(), tr.dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	w, err := x.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	tr.write("b.go", goFile("Beta"))
	got, v := ask(t, e, "Beta")
	if len(got) != 1 {
		t.Errorf("with the lock taken, Beta is found in %v", got)
	}
	if err := v.Publish(context.Background()); err != nil {
		t.Errorf("Publish with the lock taken: %v", err)
	}
	for i := range 1200 {
		tr.write(fmt.Sprintf("many/f%d.go", i), goFile(fmt.Sprintf("Many%d", i)))
	}
	_, v = ask(t, e, "Alpha")
	if v.Stale < 100 || v.Written == "" {
		t.Errorf("with the lock taken and 1,200 new files: %d stale, %q", v.Stale, v.Written)
	}
}

func TestNoIndexCanBeWritten(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha")})
	tr.write("blocked", "a file where the index should be")
	tr.dir = filepath.Join(tr.root, "blocked", "index")
	e := tr.open()
	got, v := ask(t, e, "Alpha")
	if len(got) != 1 || v.Written == "" {
		t.Errorf("without an index Alpha is found in %v, and the reason is %q", got, v.Written)
	}
}

func TestADamagedIndexIsRepaired(t *testing.T) {
	ctx := context.Background()
	for name, damage := range map[string]func(t *testing.T, dir string){
		"a segment is gone": func(t *testing.T, dir string) {
			segs, _ := filepath.Glob(filepath.Join(dir, "seg", "*"))
			for _, s := range segs {
				os.Remove(s)
			}
		},
		"a segment is corrupt": func(t *testing.T, dir string) {
			segs, _ := filepath.Glob(filepath.Join(dir, "seg", "*"))
			for _, s := range segs {
				b, _ := os.ReadFile(s)
				for i := 100; i < len(b)/2; i++ {
					b[i] ^= 0x55
				}
				os.WriteFile(s, b, 0o600)
			}
		},
		"the database is noise": func(t *testing.T, dir string) {
			os.WriteFile(filepath.Join(dir, "index.db"), []byte(strings.Repeat("noise", 5000)), 0o600)
			os.Remove(filepath.Join(dir, "index.db-wal"))
		},
		"everything is gone": func(t *testing.T, dir string) { os.RemoveAll(dir) },
	} {
		t.Run(name, func(t *testing.T) {
			tr := newTree(t, map[string]string{"a.go": goFile("Alpha"), "b.go": goFile("Beta")})
			e := tr.open()
			sync(t, e)
			e.Close()
			damage(t, tr.dir)
			e = tr.open()
			for range 2 {
				v, err := e.View(ctx, engine.Options{})
				if err == nil {
					var a *engine.Answer
					a, err = v.Search(ctx, engine.Query{Plan: rank.Parse("Alpha", rank.Hybrid), Most: 5})
					if err == nil && len(a.Hits) == 1 {
						return
					}
				}
				if !engine.Damaged(err) {
					t.Fatalf("Alpha is not found, and the error is %v", err)
				}
				if err := e.Heal(ctx, err); err != nil {
					t.Fatal(err)
				}
			}
			t.Error("Alpha is not found after the index was repaired")
		})
	}
}

func TestMatchIsComplete(t *testing.T) {
	ctx := context.Background()
	long := strings.Repeat("x", 2<<20) + "\nneedle in a large file\n"
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha"), "large.txt": long, "b.bin": "needle\x00",
		"gen.go": "// Code generated by hand. DO NOT EDIT.\npackage p // needle\n"})
	e := tr.open()
	sync(t, e)
	tr.write("new.txt", "a new Needle\nand an old needle\n")
	v, err := e.View(ctx, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := regex.Compile("n(ee)dle", regex.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	scan, err := v.Match(ctx, p, func(index.DocInfo) bool { return true }, func(m engine.FileMatch) bool {
		for _, one := range m.Matches {
			got = append(got, fmt.Sprintf("%s:%d", m.Path, one.Line))
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"gen.go:2", "large.txt:2", "new.txt:2"}
	if !slices.Equal(got, want) {
		t.Errorf("needle is found at %v, want %v", got, want)
	}
	if scan.Files > 4 {
		t.Errorf("%d files were read; the index should have ruled out a.go", scan.Files)
	}
}

func TestQuoteFollowsAChunkThatMoved(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha", "Beta")})
	e := tr.open()
	sync(t, e)
	v, err := e.Frozen(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	a, err := v.Search(context.Background(), engine.Query{Plan: rank.Parse("Beta", rank.Hybrid), Most: 1})
	if err != nil || len(a.Hits) != 1 {
		t.Fatal(a, err)
	}
	h := a.Hits[0]
	before := h.Span
	tr.write("a.go", goFile("Inserted", "Alpha", "Beta"))
	quote, ok := e.Quote(&h)
	if !ok || !strings.Contains(string(quote), "func Beta") || h.Span == before {
		t.Errorf("the moved chunk is quoted as %q (%v) at %v", quote, ok, h.Span)
	}
	tr.write("a.go", goFile("Other"))
	if _, ok := e.Quote(&h); ok {
		t.Error("a chunk that is gone is still quoted")
	}
}

// A view that is not to refresh scans the tree where the index was left without some of
// it, and only there: looking costs as much as a search.
func TestFrozenLooksWhereTheIndexLacks(t *testing.T) {
	ctx := context.Background()
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha"), "b.go": goFile("Beta"), "c.go": goFile("Gamma")})
	check := func(name string, looks bool, stale int) {
		t.Helper()
		e := tr.open()
		defer e.Close()
		v, err := e.Frozen(ctx)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if (v.Tree != nil) != looks || v.Stale != stale || v.Extent().Complete != (stale == 0) {
			t.Errorf("%s: looked %v, stale %d, complete %v; want %v and %d", name, v.Tree != nil, v.Stale, v.Extent().Complete, looks, stale)
		}
	}
	check("never indexed", true, 3)
	some, err := engine.Open(ctx, engine.Config{Root: tr.root, IndexDir: tr.dir, Most: 1, Now: func() time.Time { return tr.now }})
	if err != nil {
		t.Fatal(err)
	}
	v, err := some.View(ctx, engine.Options{})
	if err == nil {
		err = errors.Join(v.Publish(ctx), some.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	check("one of three", true, 2)
	all := tr.open()
	sync(t, all)
	all.Close()
	check("all of it", false, 0)
	tr.write("d.go", goFile("Delta"))
	check("with a file since", false, 0)
	segs, err := filepath.Glob(filepath.Join(tr.dir, "seg", "*"))
	if err != nil || len(segs) == 0 {
		t.Fatal(segs, err)
	}
	ix, err := index.Open(ctx, tr.dir, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range segs {
		if err := os.Remove(s); err != nil {
			t.Fatal(err)
		}
	}
	w, err := ix.Lock(ctx)
	if err != nil {
		t.Fatal(err)
	}
	err = w.Repair(ctx)
	w.Close()
	if err = errors.Join(err, ix.Close()); err != nil {
		t.Fatal(err)
	}
	check("repaired without its documents", true, 4)
}
