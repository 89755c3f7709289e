package workspace_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// tree writes files below a fresh folder and returns its real path.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte("package x\n\nfunc "+strings.TrimSuffix(filepath.Base(name), ".go")+"() {}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func open(t *testing.T, c workspace.Config) *workspace.Workspace {
	t.Helper()
	// What was written just now could change again unseen and would be read each time.
	c.Now = func() time.Time { return time.Now().Add(time.Hour) }
	w := workspace.New(c)
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func TestResolve(t *testing.T) {
	a, b := tree(t, "sub/one.go", "two.go", ".git/HEAD"), tree(t, "three.go")
	if err := os.WriteFile(filepath.Join(a, ".git/HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w := open(t, workspace.Config{WorkDir: filepath.Join(a, "sub"), Home: filepath.Dir(a)})
	for _, c := range []struct {
		name   string
		place  workspace.Place
		paths  []string
		root   string
		within []string
		kind   fault.Kind
	}{
		{name: "around the working folder", root: a},
		{name: "a path", paths: []string{"one.go"}, root: a, within: []string{"sub/one.go"}},
		{name: "the whole beside a part is the whole", paths: []string{"one.go", ".."}, root: a},
		{name: "a named root", place: workspace.Place{Root: b}, root: b},
		{name: "a path of another project", paths: []string{filepath.Join(b, "three.go")}, root: b, within: []string{"three.go"}},
		{name: "paths of two projects", paths: []string{"one.go", filepath.Join(b, "three.go")}, kind: fault.Usage},
		{name: "nothing there", paths: []string{"gone.go"}, kind: fault.NotFound},
		{name: "a root that is a file", place: workspace.Place{Root: "one.go"}, kind: fault.Usage},
		{name: "the folder of the user", place: workspace.Place{Root: filepath.Dir(a)}, kind: fault.Usage},
		{name: "the whole file system", place: workspace.Place{Root: string(filepath.Separator)}, kind: fault.Usage},
	} {
		got, err := w.Resolve(c.place, c.paths)
		if c.kind != 0 {
			if fault.KindOf(err) != c.kind {
				t.Errorf("%s: %v, want an error of kind %v", c.name, err, c.kind)
			}
			continue
		}
		if err != nil || got.Root != c.root || !slices.Equal(got.Within, c.within) {
			t.Errorf("%s: %s %q, %v; want %s %q", c.name, got.Root, got.Within, err, c.root, c.within)
		}
	}
}

// A server answers about the folders that it was given and tells nothing of others, not
// even whether they are there, and through no link out of its own.
func TestServedRootsAlone(t *testing.T) {
	a, secret := tree(t, "one.go"), tree(t, "key.go")
	if err := os.Symlink(secret, filepath.Join(a, "out")); err != nil {
		t.Fatal(err)
	}
	w := open(t, workspace.Config{WorkDir: a, Roots: []string{a}})
	var said []string
	for _, path := range []string{secret, filepath.Join(secret, "key.go"), filepath.Join(secret, "gone.go"), "../" + filepath.Base(secret), "out", "out/key.go"} {
		_, err := w.Resolve(workspace.Place{}, []string{path})
		if fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: %v, want a refusal", path, err)
			continue
		}
		said = append(said, strings.ReplaceAll(strings.ReplaceAll(err.Error(), "gone.go", "F"), "key.go", "F"))
	}
	if len(said) > 2 && said[1] != said[2] {
		t.Errorf("what is there is told from what is not: %q and %q", said[1], said[2])
	}
	if got, err := w.Resolve(workspace.Place{}, []string{"one.go"}); err != nil || got.Root != a {
		t.Errorf("its own file: %v, %v", got, err)
	}
}

// A server of one tree that was started elsewhere takes relative paths from that tree, and a word that is
// no path for a word.
func TestServedFromElsewhere(t *testing.T) {
	a, elsewhere := tree(t, "one.go"), tree(t, "key.go")
	w := open(t, workspace.Config{WorkDir: elsewhere, Roots: []string{a}})
	if got, err := w.Resolve(workspace.Place{}, []string{"one.go"}); err != nil || got.Root != a || !slices.Equal(got.Within, []string{"one.go"}) {
		t.Errorf("its own file: %+v, %v", got, err)
	}
	// What it shows can be given back to it, also where it was started above the tree.
	for _, from := range []string{elsewhere, filepath.Dir(a)} {
		w := open(t, workspace.Config{WorkDir: from, Roots: []string{a}})
		if got := w.Display(filepath.Join(a, "one.go")); got != "one.go" {
			t.Errorf("from %s its own file is %s", from, got)
		}
	}
	for _, path := range []string{"../" + filepath.Base(elsewhere), "../" + filepath.Base(elsewhere) + "/key.go", elsewhere} {
		if got, err := w.Resolve(workspace.Place{}, []string{path}); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: %+v, %v, want a refusal", path, got, err)
		}
	}
	if err := w.Ask(t.Context(), "", "", "Retry", true, func(_ *engine.Engine, _ *engine.View, within string) error {
		if within != "" {
			t.Errorf("a name is the path %q", within)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// Two features that ask about a tree share one engine, and a closed workspace opens none.
func TestOneEngineForATree(t *testing.T) {
	root := tree(t, "one.go")
	w := open(t, workspace.Config{WorkDir: root})
	target, err := w.Resolve(workspace.Place{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, err := w.Open(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	var second *engine.Engine
	if err := w.Ask(t.Context(), root, "", "one.go", true, func(e *engine.Engine, _ *engine.View, within string) error {
		if within != "one.go" {
			t.Errorf("within %q, want one.go", within)
		}
		second = e
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if first != second {
		t.Error("a second engine was opened for the same tree")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Open(t.Context(), target); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a closed workspace opened a tree: %v", err)
	}
}

// How much of the tree a view knows is what was asked for.
func TestDepth(t *testing.T) {
	root := tree(t, "one.go")
	w := open(t, workspace.Config{WorkDir: root})
	target, err := w.Resolve(workspace.Place{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		depth workspace.Depth
		files int
	}{{workspace.Frozen, 0}, {workspace.Current, 1}, {workspace.Whole, 1}} {
		_, v, err := w.View(t.Context(), target, c.depth)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		if err := v.Snap.Docs(func(index.DocInfo) bool { n++; return true }); err != nil {
			t.Fatal(err)
		}
		if n != c.files {
			t.Errorf("depth %d: %d files, want %d", c.depth, n, c.files)
		}
	}
}

// A cursor goes on where its page ended, on the same state of the same index, and no
// other cursor does.
func TestCursor(t *testing.T) {
	type question struct{ Query string }
	id, state := [16]byte{1, 2, 3, 15: 9}, index.State{Epoch: 4, Nonce: 5}
	text, err := workspace.Cursor{ID: id, State: state, Offset: 20}.Encode(question{"how"})
	if err != nil {
		t.Fatal(err)
	}
	var q question
	c, err := workspace.OpenCursor(text, &q)
	if err != nil || q.Query != "how" || c.Offset != 20 {
		t.Fatalf("OpenCursor = %+v for %+v, %v", c, q, err)
	}
	if err := c.Check(id, state, false, "search"); err != nil {
		t.Errorf("its own index: %v", err)
	}
	other, half := id, id
	other[0]++
	half[15]++ // of the half that the cursor does not carry
	for name, tt := range map[string]struct {
		id    [16]byte
		state index.State
		newer bool
		kind  fault.Kind
	}{
		"another index": {other, state, false, fault.Stale},
		"forged":        {half, state, false, fault.Usage},
		"a later epoch": {id, index.State{Epoch: 5, Nonce: 5}, false, fault.Stale},
		"after a loss":  {id, index.State{Epoch: 4, Nonce: 6}, false, fault.Stale},
		"a newer tree":  {id, state, true, fault.Stale},
	} {
		err := c.Check(tt.id, tt.state, tt.newer, "search", fault.Arg{Name: "query", Value: "how"})
		if fault.KindOf(err) != tt.kind {
			t.Errorf("%s: %v, want kind %v", name, err, tt.kind)
		}
		if fix := fault.FixOf(err); tt.kind == fault.Stale && (fix == nil || fix.Op != "search") {
			t.Errorf("%s: no way to start again: %+v", name, fix)
		}
	}
	for _, bad := range []string{"", "x", "!!", text[:len(text)-8], strings.Repeat("A", 1<<17)} {
		if _, err := workspace.OpenCursor(bad, &q); fault.KindOf(err) != fault.Usage {
			t.Errorf("OpenCursor(%.20q) = %v, want a refusal", bad, err)
		}
	}
}

// A cursor of the usual search and of a question about structure is some words long, and is known from its form.
func TestCursorIsShort(t *testing.T) {
	state := index.State{Epoch: 1 << 40, Nonce: 1 << 60}
	for _, asked := range []string{`{"query":"","query_sha256":"0123456789abcdef","top_k":20,"least":0.5,"budget":2000,"page_size":10,"references":true}`,
		`{"query":"where are retries configured","top_k":20,"least":0.5,"no_tests":true,"budget":4000,"page_size":10,"references":true}`} {
		text, err := workspace.Cursor{ID: [16]byte{1}, State: state, Offset: 10}.Encode(json.RawMessage(asked))
		if err != nil || len(text) > 100 || !workspace.IsCursor(text) {
			t.Errorf("the cursor of %s has %d letters, %v", asked, len(text), err)
		}
		var back json.RawMessage
		if _, err := workspace.OpenCursor(text, &back); err != nil || string(back) != asked {
			t.Errorf("%s is %s, %v", asked, back, err)
		}
	}
	for _, other := range []string{"ghp_abcdefghijklmnopqrstuvwxyz0123456789", "AAAA", "", "QUtJQUlPU0ZPRE5ON0VYQU1QTEU", "c2stbGl2ZS0xMjM0NTY3ODkwYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo"} {
		if workspace.IsCursor(other) {
			t.Errorf("%q is taken for a cursor", other)
		}
	}
}

func FuzzUnsqueeze(f *testing.F) {
	f.Add([]byte(`{"query":"how","top_k":20}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		workspace.Unsqueeze(in) // whatever it is
		if out, ok := workspace.Unsqueeze(workspace.Squeeze(in)); ok != (len(in) > 0) || string(out) != string(in) {
			t.Errorf("%q is %q, %v", in, out, ok)
		}
	})
}

// A question that finds its index damaged is asked again after the repair, and once.
func TestRepaired(t *testing.T) {
	root := tree(t, "one.go")
	w := open(t, workspace.Config{WorkDir: root})
	target, err := w.Resolve(workspace.Place{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.View(t.Context(), target, workspace.Whole); err != nil {
		t.Fatal(err)
	}
	asked := 0
	got, err := workspace.Repaired(t.Context(), w, target, func() (string, error) {
		if asked++; asked == 1 {
			return "", index.ErrDamaged
		}
		return "sound", nil
	})
	if got != "sound" || err != nil || asked != 2 {
		t.Errorf("Repaired = %q, %v after %d questions", got, err, asked)
	}
	mine := errors.New("mine")
	asked = 0
	if _, err = workspace.Repaired(t.Context(), w, target, func() (string, error) { asked++; return "", mine }); !errors.Is(err, mine) || asked != 1 {
		t.Errorf("an error of the question: %v after %d questions", err, asked)
	}
}

// Project makes no index, and Indexed says where there is one.
func TestIndexed(t *testing.T) {
	root := tree(t, "one.go")
	w := open(t, workspace.Config{WorkDir: root})
	if _, err := w.Project("."); err != nil {
		t.Fatal(err)
	}
	if at, ok, err := w.Indexed(context.Background()); at != root || ok || err != nil {
		t.Errorf("before: %s %v %v", at, ok, err)
	}
	if err := w.Ask(t.Context(), "", "", "", true, func(*engine.Engine, *engine.View, string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if at, ok, err := w.Indexed(context.Background()); at != root || !ok || err != nil {
		t.Errorf("after: %s %v %v", at, ok, err)
	}
}
