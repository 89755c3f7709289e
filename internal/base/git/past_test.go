package git

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func TestPastChanges(t *testing.T) {
	needGit(t)
	ctx, dir := t.Context(), t.TempDir()
	root := filepath.Join(dir, "sub") // a tree that begins below its repository
	git(t, dir, "init", "-q", "-b", "main")
	commit := func(subject string, files ...string) string {
		t.Helper()
		for _, f := range files {
			write(t, filepath.Join(dir, f), subject)
		}
		git(t, dir, "add", "-A")
		git(t, dir, "commit", "-qm", subject+"\n\nbody")
		return CheckedOut(ctx, root)
	}
	first := commit("begin", "sub/a.go", "sub/ä b.go", "above.go")
	commit("outside only", "above.go")
	second := commit("< a > \x01 subject", "sub/c.go")
	read := func(at, since string, most int) string {
		t.Helper()
		var out []string
		err := EachPastChange(ctx, root, at, since, most, func(c PastChange) { out = append(out, c.Subject+": "+strings.Join(c.Files, " ")) })
		if err != nil {
			return err.Error()
		}
		return strings.Join(out, ", ")
	}
	git(t, dir, "checkout", "-q", "-b", "side", first)
	side := commit("aside", "sub/d.go")
	git(t, dir, "checkout", "-q", "main")
	git(t, dir, "merge", "-q", "--no-ff", "-m", "join", "side")
	merged := CheckedOut(ctx, root)
	for _, tt := range []struct {
		name, at, since string
		most            int
		want            string
	}{
		{"all but the first", second, "", 10, "< a > \x01 subject: c.go"},
		{"the first", first, "", 10, ""},
		{"the newest", second, "", 1, "< a > \x01 subject: c.go"},
		{"since", second, first, 10, "< a > \x01 subject: c.go"},
		{"nothing since", second, second, 10, ""},
		{"a merge is left out", merged, second, 10, "aside: d.go"},
		{"another branch", side, second, 10, ErrDiverged.Error()},
		{"back in time", first, second, 10, ErrDiverged.Error()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := read(tt.at, tt.since, tt.most); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	if got := read(strings.Repeat("1", 40), "", 10); !strings.Contains(got, "exit status") {
		t.Errorf("of a commit that is not there: %q", got)
	}
}

func TestCheckedOut(t *testing.T) {
	needGit(t)
	ctx, dir := t.Context(), t.TempDir()
	if got := CheckedOut(ctx, dir); got != "" {
		t.Errorf("without a repository: %q", got)
	}
	git(t, dir, "init", "-q", "-b", "feature/one")
	if got := CheckedOut(ctx, dir); got != "" {
		t.Errorf("before the first commit: %q", got)
	}
	write(t, filepath.Join(dir, "a"), "a")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "one")
	want, err := Commit(ctx, dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "w")
	for _, tt := range []struct {
		name string
		at   string
		args []string
	}{
		{"a branch", dir, nil},
		{"a packed reference", dir, []string{"pack-refs", "--all"}},
		{"a linked work tree", other, []string{"worktree", "add", "-q", "-b", "two", other}},
		{"no branch", dir, []string{"checkout", "-q", "--detach"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.args != nil {
				git(t, dir, tt.args...)
			}
			if got := CheckedOut(ctx, tt.at); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	write(t, filepath.Join(dir, "outside"), strings.Repeat("1", 40)+"\n")
	write(t, filepath.Join(dir, ".git", "HEAD"), "ref: ../outside\n")
	if got := CheckedOut(ctx, dir); got != "" {
		t.Errorf("a reference outside: %q", got)
	}
}

func TestReadPastChanges(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"\x01>me\x02one\x00":           "",
		"\x01>me\x02one\x00\n\x00a":    "me one: a",
		"\x01>\x00a\x00":               " : a",
		"a\x00\x01>me\x02one\x00b\x00": " : a, me one: b",
	} {
		var out []string
		err := readPastChanges(strings.NewReader(text), func(c PastChange) { out = append(out, c.Author+" "+c.Subject+": "+strings.Join(c.Files, " ")) })
		if got := strings.Join(out, ", "); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	stop := fmt.Errorf("stop")
	if err := readPastChanges(failing{stop}, func(PastChange) {}); !errors.Is(err, stop) {
		t.Error(err)
	}
}

// A failing reader is a pipe that breaks.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
