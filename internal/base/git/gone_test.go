package git

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// What commits took away is known by its words and paths: not what a comment had, not what files of
// other endings had, and not what is still to come.
func TestGone(t *testing.T) {
	needGit(t)
	root := t.TempDir()
	commit := func(files map[string]string, gone ...string) {
		for name, text := range files {
			write(t, filepath.Join(root, name), text)
		}
		for _, name := range gone {
			if err := os.Remove(filepath.Join(root, name)); err != nil {
				t.Fatal(err)
			}
		}
		git(t, root, "add", "-A")
		git(t, root, "commit", "-qm", "x")
	}
	git(t, root, "init", "-q")
	commit(map[string]string{"a.go": "package a\n\n// oldRemark was here\nfunc oldName() { flag(\"dry-run\", keptName) }\n", "docs/a.md": "oldPage\n", "in/b.go": "package in\n\nfunc neverName() {}\n"})
	commit(map[string]string{"a.go": "package a\n\nfunc newName() { keptName() }\n", "docs/a.md": "x\n"}, "in/b.go")
	names := map[string]bool{}
	for _, w := range strings.Fields("oldName oldRemark oldPage dry-run dry newName neverName in/b.go a.go") {
		names[w] = true
	}
	has := func(path string, line []byte, name string) bool {
		return path == "a.go" && !bytes.Contains(line, []byte("//"))
	}
	got, err := Gone(t.Context(), root, names, []string{".go"}, 1<<20, time.Minute, has)
	if want := []string{"dry", "dry-run", "in/b.go", "oldName"}; err != nil || !slices.Equal(slices.Sorted(maps.Keys(got)), want) {
		t.Errorf("gone %q, want %q: %v", slices.Sorted(maps.Keys(got)), want, err)
	}
	if got, err := Gone(t.Context(), root, names, []string{".go"}, 1, time.Minute, has); err != nil || len(got) == 4 {
		t.Errorf("of one byte of history: %v: %v", got, err)
	}
	if _, err := Gone(t.Context(), t.TempDir(), names, nil, 1, time.Minute, has); err == nil {
		t.Error("a folder without history has one")
	}
}
