package git

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestChanges(t *testing.T) {
	needGit(t)
	ctx, dir := t.Context(), t.TempDir()
	root := filepath.Join(dir, "sub") // a tree that begins below its repository
	long := strings.Repeat("line\n", 40)
	git(t, dir, "init", "-q")
	for name, text := range map[string]string{"a.go": "a", "ä b.go": "b", "moved.go": long, "gone.go": "gone", "big": strings.Repeat("x", 100)} {
		write(t, filepath.Join(root, name), text)
	}
	write(t, filepath.Join(dir, "above.go"), "1")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "one")
	first, err := Commit(ctx, root, "HEAD")
	if err != nil || len(first) < 40 {
		t.Fatalf("Commit = %q, %v", first, err)
	}
	for _, name := range []string{"--all", "nothing", "", "HEAD:sub"} {
		if got, err := Commit(ctx, root, name); got != "" || err != nil {
			t.Errorf("Commit(%q) = %q, %v", name, got, err)
		}
	}
	write(t, filepath.Join(dir, "above.go"), "2")
	write(t, filepath.Join(root, "a.go"), "a2")
	write(t, filepath.Join(root, "ä b.go"), "b2")
	git(t, dir, "mv", "sub/moved.go", "sub/there.go")
	git(t, dir, "rm", "-q", "sub/gone.go")
	git(t, dir, "add", "sub/a.go")
	write(t, filepath.Join(root, "new.go"), "new")
	said := func(to string) string {
		got, err := Changes(ctx, root, first, to)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, c := range got {
			out = append(out, fmt.Sprintf("%c %s<%s", c.Kind, c.Path, c.Was))
		}
		return strings.Join(out, ", ")
	}
	if got, want := said(""), "M a.go<, D gone.go<, R there.go<moved.go, M ä b.go<, A new.go<"; got != want {
		t.Errorf("the work tree has %s, want %s", got, want)
	}
	if got, want := said(Index), "M a.go<, D gone.go<, R there.go<moved.go"; got != want {
		t.Errorf("staged is %s, want %s", got, want)
	}
	git(t, dir, "commit", "-qam", "two")
	second, _ := Commit(ctx, root, "HEAD")
	if got, want := said(second), "M a.go<, D gone.go<, R there.go<moved.go, M ä b.go<"; got != want {
		t.Errorf("the commit has %s, want %s", got, want)
	}
	if got, err := MergeBase(ctx, root, first, second); got != first || err != nil {
		t.Errorf("Fork = %q, %v", got, err)
	}
	text, err := Contents(ctx, root, first, []string{"a.go", "nothing.go", "big", "ä b.go", "x\ny", "gone.go"}, 50)
	if err != nil || len(text) != 3 || string(text["a.go"]) != "a" || string(text["ä b.go"]) != "b" || string(text["gone.go"]) != "gone" {
		t.Errorf("Contents = %q, %v", text, err)
	}
	if text, err := Contents(ctx, root, Index, []string{"a.go"}, 50); err != nil || string(text["a.go"]) != "a2" {
		t.Errorf("Contents of the index = %q, %v", text, err)
	}
	history, err := History(ctx, root, second, 10)
	if err != nil || len(history) != 1 || history[0].Author != "a" || !slices.Contains(history[0].Files, "there.go") {
		t.Errorf("History = %q, %v", history, err)
	}
	bare := t.TempDir()
	if err := os.Mkdir(filepath.Join(bare, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Contents(ctx, bare, first, []string{"a.go"}, 50); err == nil {
		t.Error("contents of what is no repository")
	}
}
