package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRenamed(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	root := filepath.Join(dir, "sub") // a tree that begins below its repository
	git(t, dir, "init", "-q")
	for _, name := range []string{"one.md", "two.md", "gone.md", "there.md"} {
		write(t, filepath.Join(root, name), strings.Repeat("text of "+name+"\n", 20))
	}
	for _, step := range [][]string{{"add", "-A"}, {"commit", "-qm", "first"}, {"mv", "sub/one.md", "sub/uno.md"}, {"mv", "sub/two.md", "sub/zwei.md"}, {"rm", "-q", "sub/gone.md"},
		{"commit", "-qm", "second"}, {"mv", "sub/uno.md", "sub/eins.md"}, {"commit", "-qm", "third"}} {
		git(t, dir, step...)
	}
	exists := func(path string) bool { _, err := os.Stat(filepath.Join(root, path)); return err == nil }
	got, err := Renamed(t.Context(), root, []string{"one.md", "two.md", "gone.md", "never.md", "*.md"}, exists)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"one.md": "", "two.md": "zwei.md", "gone.md": "", "never.md": "", "*.md": ""}
	for path, now := range want {
		if got[path] != now {
			t.Errorf("%s is now %q, want %q", path, got[path], now)
		}
	}
	if got, err := Renamed(t.Context(), t.TempDir(), []string{"one.md"}, exists); len(got) > 0 || err != nil {
		t.Errorf("without a repository: %v, %v", got, err)
	}
}
