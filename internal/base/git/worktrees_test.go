package git

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestWorktrees(t *testing.T) {
	needGit(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	git(t, dir, "init", "-q", "main")
	git(t, at("main"), "commit", "-q", "--allow-empty", "-m", "x")
	if got := Worktrees(at("main")); len(got) != 0 {
		t.Errorf("alone it has the work trees %v", got)
	}
	git(t, at("main"), "worktree", "add", "-q", "../one")
	git(t, at("main"), "worktree", "add", "-q", "../two")
	for top, want := range map[string][]string{
		"main": {at("one"), at("two")}, "one": {at("main"), at("two")}, "two": {at("main"), at("one")},
	} {
		got := Worktrees(at(top))
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", top, got, want)
		}
	}
	// A folder that came from elsewhere names a repository that does not know it.
	link, err := os.ReadFile(filepath.Join(at("one"), ".git"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(at("stranger"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(at("stranger"), ".git"), link, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := Worktrees(at("stranger")); got != nil {
		t.Errorf("a stranger has the work trees %v", got)
	}
	// One that is gone, and one that is another repository by now, are none.
	if err := os.RemoveAll(at("one")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(at("two")); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "two")
	if got := Worktrees(at("main")); len(got) != 0 {
		t.Errorf("those that are gone are %v", got)
	}
}
