package code_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// A new work tree of a repository begins with the index of another one: it rebuilds only what
// it has otherwise, and the segments of both are the same files.
func TestWorktree(t *testing.T) {
	a := folder(t, shareable())
	b, c := filepath.Join(t.TempDir(), "b"), filepath.Join(t.TempDir(), "c")
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", a, "-c", "user.email=a@b", "-c", "user.name=a"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "x")
	one := feature(t, workspace.New(workspace.Config{WorkDir: a}), code.Config{})
	want := hits(t, one, a, "asks again after 7 seconds")
	git("worktree", "add", "-q", b)
	git("worktree", "add", "-q", c)
	if err := os.WriteFile(filepath.Join(b, "p0", "new.go"), []byte("package p\n\n// Extra comes on top.\nfunc Extra() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	two := feature(t, workspace.New(workspace.Config{WorkDir: b}), code.Config{})
	rep, err := two.Index(t.Context(), code.IndexInput{Place: code.Place{Root: b}})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Files != 31 || rep.Changed != 1 || rep.Docs != 1 || rep.Chunks != 1 {
		t.Errorf("it read %+v", rep)
	}
	if got := hits(t, two, b, "Extra comes on top"); !strings.Contains(got, "new.go") {
		t.Errorf("what the work tree has otherwise is not found:\n%s", got)
	}
	if same := shares(t, a, b); same == 0 {
		t.Error("no segment is the same file")
	}
	// What the new one does to its own index changes nothing of the other.
	if err := os.RemoveAll(filepath.Join(b, ".assay")); err != nil {
		t.Fatal(err)
	}
	if got := hits(t, one, a, "asks again after 7 seconds"); got != want {
		t.Errorf("the first answers\n%s\nin place of\n%s", got, want)
	}
	// Where others may read the other tree, none is taken over.
	apart := feature(t, workspace.New(workspace.Config{WorkDir: c, Apart: true}), code.Config{})
	if rep, err := apart.Index(t.Context(), code.IndexInput{Place: code.Place{Root: c}}); err != nil || rep.Changed != 30 {
		t.Errorf("apart it read %+v, %v", rep, err)
	}
}

// shares counts the segments of one index that another has as the same file.
func shares(t *testing.T, a, b string) (n int) {
	t.Helper()
	segments := func(root string) (out []fs.FileInfo) {
		list, err := os.ReadDir(filepath.Join(root, ".assay", "index", "seg"))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			st, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, st)
		}
		return out
	}
	for _, x := range segments(a) {
		for _, y := range segments(b) {
			if os.SameFile(x, y) {
				n++
			}
		}
	}
	return n
}
