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
	commit(map[string]string{"a.go": "package a\n\n// oldRemark was here\nfunc oldName() { flag(\"dry-run\", keptName) }\n", "docs/a.md": "oldPage has `oldName`\n", "in/b.go": "package in\n\nfunc neverName() {}\n"})
	commit(map[string]string{"a.go": "package a\n\nfunc newName() { keptName() }\n", "docs/a.md": "x\n"}, "in/b.go")
	names := map[string]bool{}
	for _, w := range strings.Fields("oldName oldRemark oldPage dry-run dry newName neverName in/b.go a.go") {
		names[w] = true
	}
	has := func(path string, line []byte, name string) bool {
		return path == "a.go" && !bytes.Contains(line, []byte("//"))
	}
	got, whole, err := FindRemoved(t.Context(), root, names, []string{".go"}, []string{".md"}, 1<<20, time.Minute, has)
	if want := []string{"dry", "dry-run", "in/b.go", "oldName"}; err != nil || !whole || !slices.Equal(slices.Sorted(maps.Keys(got)), want) {
		t.Errorf("gone %q, want %q: whole %v, %v", slices.Sorted(maps.Keys(got)), want, whole, err)
	}
	for name, told := range got {
		if told != (name == "oldName") {
			t.Errorf("a document had %s before: %v", name, told)
		}
	}
	if got, whole, err := FindRemoved(t.Context(), root, map[string]bool{"oldName": true}, []string{".go"}, []string{".md"}, 1<<20, time.Minute, has); err != nil || !whole || !got["oldName"] {
		t.Errorf("of a name that it met: %v, whole %v, %v", got, whole, err)
	}
	if got, whole, err := FindRemoved(t.Context(), root, names, []string{".go"}, []string{".md"}, 1, time.Minute, has); err != nil || whole || len(got) == 4 {
		t.Errorf("of one byte of history: %v, whole %v, %v", got, whole, err)
	}
	if _, whole, err := FindRemoved(t.Context(), root, names, []string{".go"}, []string{".md"}, 1<<20, time.Nanosecond, has); err == nil && whole {
		t.Error("in no time it went through all of the history")
	}
	if got, whole, err := FindRemoved(t.Context(), root, names, []string{".go"}, nil, 1<<20, time.Minute, has); err != nil || !whole || got["oldName"] {
		t.Errorf("without documents: %v, whole %v, %v", got, whole, err)
	}
	if _, _, err := FindRemoved(t.Context(), t.TempDir(), names, nil, nil, 1, time.Minute, has); err == nil {
		t.Error("a folder without history has one")
	}
	// Of a history that lacks a file it does not say that this was all, nor that nothing was changed.
	parent := strings.TrimSpace(git(t, root, "rev-parse", "HEAD~1:a.go"))
	if err := os.Remove(filepath.Join(root, ".git", "objects", parent[:2], parent[2:])); err != nil {
		t.Fatal(err)
	}
	if got, whole, err := FindRemoved(t.Context(), root, names, []string{".go"}, []string{".md"}, 1<<20, time.Minute, has); err == nil && whole {
		t.Errorf("of a history that lacks a file: %v, and that this was all", got)
	}
	tree := strings.TrimSpace(git(t, root, "rev-parse", "HEAD~1^{tree}"))
	if err := os.Remove(filepath.Join(root, ".git", "objects", tree[:2], tree[2:])); err != nil {
		t.Fatal(err)
	}
	head, _ := Head(t.Context(), root)
	if got, err := History(t.Context(), root, head, 10); err == nil {
		t.Errorf("a history that lacks a tree is told as %q", got)
	}
}
