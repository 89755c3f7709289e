package git

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLog(t *testing.T) {
	needGit(t)
	ctx, dir := t.Context(), t.TempDir()
	root := filepath.Join(dir, "sub") // a tree that begins below its repository
	git(t, dir, "init", "-q", "-b", "main")
	write(t, filepath.Join(root, "a*.go"), "one\ntwo\n") // a name that is no pattern
	write(t, filepath.Join(root, "ab.go"), "other\n")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "first")
	write(t, filepath.Join(root, "ab.go"), "other still\n")
	git(t, dir, "commit", "-qam", "not of the file")
	write(t, filepath.Join(root, "a*.go"), "one\n\tauthor Ann Otter\ntwo\n")
	git(t, dir, "commit", "-qam", "second, with <b>")
	head, _ := Head(ctx, root)
	tests := []struct {
		name, path string
		want       []string
	}{
		{"a file", "a*.go", []string{"second, with <b>", "first"}},
		{"the whole tree", "", []string{"second, with <b>", "not of the file", "first"}},
		{"no such file", "-p", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all, err := Log(ctx, root, head, tt.path, 10)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range all {
				got = append(got, e.Subject)
				if len(e.Hash) < 40 || e.Time == 0 || e.Author == "" {
					t.Errorf("an entry is %+v", e)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("Log(%q) = %q, want %q", tt.path, got, tt.want)
			}
		})
	}
	b, err := BlameFile(ctx, root, head, "a*.go")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for i, c := range b.Lines {
		said = append(said, b.Commits[c].Subject+": "+b.Text[i])
	}
	if got, want := strings.Join(said, "|"), "first: one|second, with <b>: \tauthor Ann Otter|first: two"; got != want {
		t.Errorf("BlameFile has %q, want %q", got, want)
	}
	if _, err := BlameFile(ctx, root, head, "nothing.go"); err == nil {
		t.Error("a file that no commit has is blamed")
	}
}

func TestBranches(t *testing.T) {
	needGit(t)
	ctx, dir := t.Context(), t.TempDir()
	if names, current, err := Branches(ctx, dir, 9); len(names) > 0 || current != "" || err == nil {
		t.Errorf("without a repository: %q, %q, %v", names, current, err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	write(t, filepath.Join(dir, "a"), "a")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "one")
	git(t, dir, "branch", "topic/x")
	names, current, err := Branches(ctx, dir, 9)
	if slices.Sort(names); err != nil || current != "main" || !slices.Equal(names, []string{"main", "topic/x"}) {
		t.Errorf("Branches = %q, %q, %v", names, current, err)
	}
	git(t, dir, "checkout", "-q", "--detach")
	if names, current, err := Branches(ctx, dir, 1); err != nil || current != "" || len(names) != 1 {
		t.Errorf("detached: Branches = %q, %q, %v", names, current, err)
	}
}
