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

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
)

func viewOf(t *testing.T, e *engine.Engine, opt engine.Options) *engine.View {
	t.Helper()
	v, err := e.View(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// callers writes who calls a name, by file.
func callers(p *facts.Project, name string) (out []string) {
	edges, _ := p.Callers(p.Lookup(name))
	for _, e := range edges {
		out = append(out, p.Docs[e.From.Doc].Path)
	}
	return out
}

// The structure of a tree is answered from the index, in the order of paths, and what changed
// since is laid over it.
func TestProject(t *testing.T) {
	ctx := context.Background()
	tr := newTree(t, map[string]string{
		"go.mod": "module m\n", "z.go": "package p\n\nfunc Open() {}\n", "b/b.go": "package b\n\nimport \"m\"\n\nfunc f() { p.Open() }\n",
		"a.go": "package p\n\nfunc g() { Open() }\n\n// Uses of Limit.\nconst Limit = 1\n",
	})
	e := tr.open()
	sync(t, e)
	v := viewOf(t, e, engine.Options{})
	p, release, err := v.Project(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for i := range p.Docs {
		paths = append(paths, p.Docs[i].Path)
	}
	if want := []string{"a.go", "b/b.go", "go.mod", "z.go"}; !slices.Equal(paths, want) {
		t.Errorf("documents %q, want %q", paths, want)
	}
	if d := p.Docs[0]; d.Language != "go" || d.Lines != 6 || d.Bytes != 66 {
		t.Errorf("%+v", d)
	}
	if got, want := callers(p, "Open"), []string{"a.go", "b/b.go"}; !slices.Equal(got, want) {
		t.Errorf("Open is called in %q, want %q", got, want)
	}
	uses, _ := p.Uses(p.Targets("Limit"), func(int) bool { return true })
	if len(uses) != 0 {
		t.Errorf("a comment is no use: %v", uses)
	}
	names := func(doc int, decls []corpus.Decl, i int32) bool { return decls[i].Name != "f" }
	if got := p.Find(func(doc int) bool { return doc < 2 }, func(string) bool { return true }, names); len(got) != 2 {
		t.Errorf("%d declarations, want g and Limit", len(got))
	}
	// Lent to one, another gets a project of his own; given back, the next has it again.
	other, releaseOther, err := v.Project(ctx)
	if err != nil || other == p {
		t.Errorf("two have one project: %v", err)
	}
	releaseOther()
	release()
	if again, _, err := v.Project(ctx); err != nil || again != p {
		t.Errorf("what was found out is gone: %v", err)
	}
	// A change is seen at once, and one that is not written yet by those who do not wait.
	tr.write("c.go", "package p\n\nfunc h() { Open() }\n")
	v = viewOf(t, e, engine.Options{})
	now, _, err := v.Project(ctx)
	if err != nil || now == p {
		t.Fatal("the structure of an earlier state", err)
	}
	if got, want := callers(now, "Open"), []string{"a.go", "b/b.go", "c.go"}; !slices.Equal(got, want) {
		t.Errorf("Open is called in %q, want %q", got, want)
	}
	// The text is the current one; a file that is gone has none.
	tr.remove("c.go")
	if got := callers(now, "Open"); len(got) != 3 {
		t.Errorf("Open is called in %q, want what was indexed", got)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := viewOf(t, e, engine.Options{}).Project(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was given up: %v", err)
	}
}

// Words are looked for where the trigrams say that they may be.
func TestProjectMentions(t *testing.T) {
	ctx := context.Background()
	files := map[string]string{"a.go": "package p\n\nconst Limit = 1\n"}
	for i := range 5 {
		files[fmt.Sprintf("x%d.go", i)] = "package p\n\nvar v" + fmt.Sprint(i) + " = " + strings.Repeat("1 + ", i) + "Limit\n"
	}
	files["y.go"] = "package p\n"
	tr := newTree(t, files)
	e := tr.open()
	sync(t, e)
	p, _, err := viewOf(t, e, engine.Options{}).Project(ctx)
	if err != nil {
		t.Fatal(err)
	}
	uses, tally := p.Uses(p.Targets("Limit"), func(int) bool { return true })
	if len(uses) != 5 || tally.Total < 5 {
		t.Errorf("%d uses, %+v, want 5", len(uses), tally)
	}
}

func TestLines(t *testing.T) {
	tr := newTree(t, map[string]string{"a.txt": "one\ntwo\n\nfour", "b.txt": "x\n", "empty.txt": ""})
	e := tr.open()
	v := viewOf(t, e, engine.Options{})
	if got, want := v.Lines("a.txt", []int{0, 3, 4, 8, 9, 13, 14}), []int{1, 1, 2, 3, 4, 4, 0}; !slices.Equal(got, want) {
		t.Errorf("offsets are on lines %v, want %v", got, want)
	}
	if got := v.Lines("gone.txt", []int{0, 1}); !slices.Equal(got, []int{0, 0}) {
		t.Errorf("of a file that is gone: %v", got)
	}
	if said, ok := v.Text("a.txt"); !ok || string(said) != "one\ntwo\n\nfour" {
		t.Errorf("the text is %q, %v", said, ok)
	}
	if _, ok := v.Text("gone.txt"); ok {
		t.Error("a file that is gone has a text")
	}
	for _, c := range []struct {
		path        string
		first, last int
		want        string
		at          int
	}{
		{"a.txt", 1, 1, "one\n", 1},
		{"a.txt", 0, 2, "one\ntwo\n", 1},
		{"a.txt", -5, 0, "", 1},
		{"a.txt", 2, 3, "two\n\n", 2},
		{"a.txt", 4, 4, "four", 4},
		{"a.txt", 3, 99, "\nfour", 3},
		{"a.txt", 5, 9, "", 4},
		{"b.txt", 1, 9, "x\n", 1},
		{"b.txt", 2, 9, "", 2},
		{"empty.txt", 1, 9, "", 1},
	} {
		got, at, err := e.Lines(c.path, c.first, c.last)
		if err != nil || string(got) != c.want || at != c.at {
			t.Errorf("lines %d to %d of %s are %q from %d, %v; want %q from %d", c.first, c.last, c.path, got, at, err, c.want, c.at)
		}
	}
	if _, _, err := e.Lines("gone.txt", 1, 2); err == nil {
		t.Error("a file that is gone has lines")
	}
}

// A section is the smallest declaration that has all of a hit, in whole lines.
func TestSection(t *testing.T) {
	const text = "package p\n\ntype T struct{}\n\nfunc (T) a() {\n\tone()\n\ttwo()\n}\n\nfunc b() { x := 1; func() { y(x) }() }\nvar c = 1"
	tr := newTree(t, map[string]string{"a.go": text, "b.txt": "words\n\nmore words\n"})
	e := tr.open()
	hit := func(path, quote, language string) *engine.Hit {
		whole, _ := os.ReadFile(filepath.Join(tr.root, path))
		at := strings.Index(string(whole), quote)
		h := &engine.Hit{}
		h.Doc.Path, h.Doc.Language, h.Span = path, language, corpus.Span{Start: at, End: at + len(quote)}
		h.Lines.First = 1 + strings.Count(string(whole[:at]), "\n")
		return h
	}
	for _, c := range []struct {
		path, quote, language, want string
		first, last                 int
	}{
		{"a.go", "two()", "go", "func (T) a() {\n\tone()\n\ttwo()\n}\n", 5, 8},
		{"a.go", "\tone()\n\ttwo()\n", "go", "func (T) a() {\n\tone()\n\ttwo()\n}\n", 5, 8},
		{"a.go", "}\n\nfunc b", "go", "}\n\nfunc b() { x := 1; func() { y(x) }() }\n", 8, 10},
		{"a.go", "y(x)", "go", "func b() { x := 1; func() { y(x) }() }\n", 10, 10},
		{"a.go", "c = 1", "go", "var c = 1", 11, 11},
		{"b.txt", "more", "text", "more words\n", 3, 3},
	} {
		got, said, ok := e.Section(hit(c.path, c.quote, c.language))
		if !ok || string(said) != c.want || got.Lines.First != c.first || got.Lines.Last != c.last {
			t.Errorf("around %q: %q, lines %v, %v; want %q, lines %d to %d", c.quote, said, got.Lines, ok, c.want, c.first, c.last)
		}
	}
	h := hit("a.go", "var c", "go")
	h.Doc.Path = "gone.go"
	if _, _, ok := e.Section(h); ok {
		t.Error("a section of a file that is gone")
	}
	h = hit("a.go", "var c", "go")
	h.End = len(text) + 1
	if _, _, ok := e.Section(h); ok {
		t.Error("a section of what is no longer that long")
	}
}

func TestSimilar(t *testing.T) {
	ctx := context.Background()
	body := func(name, with string) string {
		return "func " + name + "() {\n" + strings.Repeat("\t"+with+".Send(message, retry, queue)\n", 40) + "}\n"
	}
	tr := newTree(t, map[string]string{"a.go": "package p\n\n" + body("one", "mailer"), "b.go": "package p\n\n" + body("two", "mailer"), "c.go": "package p\n\n" + body("three", "walrus"), "d.go": "package p\n\nfunc far() { penguins() }\n"})
	e := tr.open()
	sync(t, e)
	v := viewOf(t, e, engine.Options{})
	a, plan, err := v.Similar(ctx, "a.go", 4, 1, true)
	if err != nil || len(a.Hits) != 1 || a.Hits[0].Doc.Path != "b.go" || len(a.Hits[0].Breakdown) == 0 || len(plan.Terms) == 0 {
		t.Errorf("like a.go: %+v, %v", a, err)
	}
	a, _, err = v.Similar(ctx, "a.go", 4, 9, false)
	if err != nil || len(a.Hits) < 2 || a.Hits[0].Doc.Path != "b.go" || a.Hits[0].Breakdown != nil || slices.ContainsFunc(a.Hits, func(h engine.Hit) bool { return h.Doc.Path == "a.go" }) {
		t.Errorf("like a.go: %+v, %v", a, err)
	}
	for _, c := range []struct {
		path string
		line int
	}{{"gone.go", 1}, {"a.go", 0}, {"a.go", 400}} {
		if _, _, err := v.Similar(ctx, c.path, c.line, 3, false); !errors.Is(err, engine.ErrNoChunk) {
			t.Errorf("like line %d of %s: %v", c.line, c.path, err)
		}
	}
	tr.write("a.go", "package p\n")
	if _, _, err := v.Similar(ctx, "a.go", 4, 3, false); !errors.Is(err, engine.ErrNoChunk) {
		t.Errorf("like what is no longer there: %v", err)
	}
}

// What a search ranks is what Candidates returns, with a closer look at each of them.
func TestCandidates(t *testing.T) {
	ctx := context.Background()
	tr := newTree(t, map[string]string{
		"a.go": "package p\n\nfunc Alpha() { Beta() }\n", "b.go": "package p\n\nfunc Beta() { Alpha() }\n", "c.md": "Alpha is described here.\n", "vendor/x/x.go": "package x\n\nfunc Alpha() {}\n",
	})
	e := tr.open()
	sync(t, e)
	v := viewOf(t, e, engine.Options{})
	q := engine.Query{Plan: rank.Parse("Alpha", rank.Hybrid), Most: 10}
	st, cands, seen, err := v.Candidates(ctx, q)
	if err != nil || len(cands) < 3 || len(seen) != len(cands) || st.Chunks < 3 || len(st.DF) != len(q.Terms) || st.DF[0] < 3 {
		t.Fatalf("%+v, %d candidates, %d looks, %v", st, len(cands), len(seen), err)
	}
	declared, called := 0, 0
	for _, s := range seen {
		if slices.ContainsFunc(s.Symbols, func(x corpus.Symbol) bool { return x.Name == "Alpha" }) {
			declared++
		}
		called = max(called, int(s.Called))
	}
	if declared < 1 || called != 1 {
		t.Errorf("%d declare it, and it is called in %d files; %+v", declared, called, seen)
	}
	q.Filter = func(d index.DocInfo) bool { return d.Language == "markdown" }
	if _, only, _, err := v.Candidates(ctx, q); err != nil || len(only) != 1 {
		t.Errorf("%d candidates in Markdown, %v", len(only), err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := v.Search(stopped, engine.Query{Plan: rank.Parse("Alpha", rank.Hybrid), Most: 10}); !errors.Is(err, context.Canceled) {
		t.Errorf("a search that was given up: %v", err)
	}
}

// Files without facts are counted by why they have none.
func TestNotCovered(t *testing.T) {
	ctx := context.Background()
	tr := newTree(t, map[string]string{
		".git/HEAD": "", ".gitignore": "out/\n", "a.go": "package p\n\nfunc A() {}\n", "b.bin": "x\x00\x01", "c.bin": "y\x00", "large.json": "{\"a\": \"" + strings.Repeat("x", int(discover.MaxFile)) + "\"}",
		"out/c.go": "package c\n", ".env": "KEY=1\n",
	})
	e := tr.open()
	sync(t, e)
	all := func(string, string) bool { return true }
	looked := viewOf(t, e, engine.Options{})
	frozen, err := e.Frozen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]*engine.View{"looked": looked, "frozen": frozen} {
		nc, err := v.NotCovered(ctx, all)
		if err != nil || nc.Stale != 0 {
			t.Errorf("%s: %+v, %v", name, nc, err)
		}
		var seen []string
		if nc, err = v.NotCovered(ctx, func(path, why string) bool { seen = append(seen, path+" "+why); return path == "b.bin" }); err != nil {
			t.Error(err)
		}
		if !slices.ContainsFunc(seen, func(s string) bool { return strings.HasPrefix(s, "b.bin ") }) || !slices.ContainsFunc(seen, func(s string) bool { return strings.HasPrefix(s, "large.json ") }) {
			t.Errorf("%s: asked about %q", name, seen)
		}
		if nc.Files != 1 {
			t.Errorf("%s: %+v, want b.bin alone", name, nc)
		}
		if name == "looked" && nc.Ignored == 0 {
			t.Errorf("nothing is ignored: %+v", nc)
		}
	}
	if looked.Secrets() != 1 || frozen.Secrets() != 0 {
		t.Errorf("%d and %d files look secret, want 1 and, not looked at, none", looked.Secrets(), frozen.Secrets())
	}
	if looked.Files() != 5 || frozen.Files() != -1 {
		t.Errorf("%d and %d files, want 5 and, not looked at, -1", looked.Files(), frozen.Files())
	}
	for path, want := range map[string]bool{"out/c.go": true, "a.go": false} {
		if why, ignored := looked.Ignored(path); ignored != want || ignored == (why == "") {
			t.Errorf("%s is ignored: %v, %q", path, ignored, why)
		}
	}
}

// An engine says where its index is and what became of it.
func TestWhereTheIndexIs(t *testing.T) {
	ctx := context.Background()
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha")})
	e := tr.open()
	if e.Root() != tr.root || e.IndexDir() != tr.dir || e.Unusable() != "" || !e.Stored() || e.Moved() != "" || e.Other() || e.Abs("a/b") != filepath.Join(tr.root, "a", "b") {
		t.Errorf("%q, %q, %q, %v, %q, %v", e.Root(), e.IndexDir(), e.Unusable(), e.Stored(), e.Moved(), e.Other())
	}
	sync(t, e)
	v := viewOf(t, e, engine.Options{})
	state, err := v.State(ctx)
	if err != nil || state.NextDoc == 0 || state.Left != 0 || v.Newer() || v.ID() == [16]byte{} {
		t.Errorf("%+v, %v; newer than the index: %v", state, err, v.Newer())
	}
	tr.write("b.go", goFile("Beta"))
	if v = viewOf(t, e, engine.Options{}); !v.Newer() {
		t.Error("a file that is in memory alone is not newer")
	}
	tr.remove("b.go")
	tr.remove("a.go")
	if v = viewOf(t, e, engine.Options{}); !v.Newer() {
		t.Error("that a file is gone is not newer")
	}
}

// A folder of an index that somebody else may have prepared is not used, unless it is one
// that the caller named and that has no index.
func TestClaim(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha")})
	home := t.TempDir()
	open := func(dir string) *engine.Engine {
		t.Helper()
		e, err := engine.Open(context.Background(), engine.Config{Root: tr.root, IndexDir: dir, Owner: func() (safe.Identity, error) { return safe.OpenIdentity(home) }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}
	if e := open(tr.dir); e.Unusable() != "" || !e.Stored() {
		t.Errorf("its own folder: %q", e.Unusable())
	}
	outside := t.TempDir()
	if e := open(filepath.Join(outside, "new", "index")); e.Unusable() != "" || !e.Stored() {
		t.Errorf("a folder that was named: %q", e.Unusable())
	}
	if e := open(outside); e.Unusable() != "" || !e.Stored() {
		t.Errorf("a folder that was named and has other things: %q", e.Unusable())
	}
	tr.write("planted/other.txt", "x")
	if e := open(filepath.Join(tr.root, "planted")); e.Unusable() == "" || e.Stored() {
		t.Error("a folder that came with the tree is used")
	}
	// An index that is another's is none of ours, wherever it is.
	theirs := filepath.Join(t.TempDir(), "index")
	other, err := index.Open(context.Background(), theirs, false)
	if err != nil {
		t.Fatal(err)
	}
	other.Close()
	if e := open(theirs); e.Unusable() == "" || e.Stored() {
		t.Error("an index that nobody marked is used")
	}
}

// Mend repairs what is damaged, and says what was.
func TestRepair(t *testing.T) {
	ctx := context.Background()
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha"), "b.go": goFile("Beta")})
	e := tr.open()
	sync(t, e)
	if problems, err := e.Mend(ctx); err != nil || len(problems) != 0 {
		t.Errorf("a sound index has %v, %v", problems, err)
	}
	segs, err := filepath.Glob(filepath.Join(tr.dir, "seg", "*"))
	if err != nil || len(segs) == 0 {
		t.Fatal(segs, err)
	}
	e.Close()
	for _, s := range segs {
		if err := os.Remove(s); err != nil {
			t.Fatal(err)
		}
	}
	e = tr.open()
	if problems, err := e.Mend(ctx); err != nil || len(problems) == 0 {
		t.Errorf("an index without segments has %v, %v", problems, err)
	}
	if problems, err := e.Check(ctx); err != nil || len(problems) != 0 {
		t.Errorf("after it was repaired: %v, %v", problems, err)
	}
	if got, _ := ask(t, e, "Alpha"); !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("Alpha is found in %q", got)
	}
}
