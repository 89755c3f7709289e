package git

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/program"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// git runs git as a person would who made the repository.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
}

func TestTopLevel(t *testing.T) {
	tmp := t.TempDir()
	write(t, filepath.Join(tmp, "repo/.git/HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(tmp, "repo/sub/deep/a.go"), "")
	write(t, filepath.Join(tmp, "repo/mod/.git"), "gitdir: ../.git/modules/mod\n")
	write(t, filepath.Join(tmp, "repo/mod/in/a.go"), "")
	write(t, filepath.Join(tmp, "repo/odd/.git"), "not a link\n")
	write(t, filepath.Join(tmp, "repo/hollow/.git/x"), "")
	write(t, filepath.Join(tmp, "bare/a.go"), "")
	tests := []struct{ dir, want string }{
		{"repo", "repo"},
		{"repo/sub/deep", "repo"},
		{"repo/sub/none", "repo"},
		{"repo/mod/in", "repo/mod"},
		{"repo/odd", "repo"},
		{"repo/hollow", "repo"},
	}
	for _, tt := range tests {
		got, ok := TopLevel(filepath.Join(tmp, tt.dir))
		if want := filepath.Join(tmp, tt.want); got != want || !ok {
			t.Errorf("TopLevel(%s) = %q, %v, want %q", tt.dir, got, ok, want)
		}
	}
	if got, ok := TopLevel(filepath.Join(tmp, "bare")); ok && strings.HasPrefix(got, tmp) {
		t.Errorf("TopLevel(bare) = %q", got)
	}
}

func TestCommonDir(t *testing.T) {
	tmp := t.TempDir()
	write(t, filepath.Join(tmp, "main/.git/HEAD"), "")
	write(t, filepath.Join(tmp, "main/.git/worktrees/w/commondir"), "../..\n")
	write(t, filepath.Join(tmp, "w/.git"), "gitdir: "+filepath.Join(tmp, "main/.git/worktrees/w")+"\n")
	for _, dir := range []string{"main", "w"} {
		got, ok := CommonDir(filepath.Join(tmp, dir))
		if want := filepath.Join(tmp, "main/.git"); got != want || !ok {
			t.Errorf("CommonDir(%s) = %q, %v, want %q", dir, got, ok, want)
		}
	}
	if got, ok := CommonDir(tmp); ok {
		t.Errorf("CommonDir of no repository = %q", got)
	}
}

func TestTracked(t *testing.T) {
	needGit(t)
	root := t.TempDir()
	git(t, root, "init", "-q")
	write(t, filepath.Join(root, "a.go"), "package a\n")
	write(t, filepath.Join(root, ".assay/index/index.db"), "hostile")
	write(t, filepath.Join(root, "sub/.assay/index/index.db"), "own")
	write(t, filepath.Join(root, "sub/-x"), "")
	git(t, root, "add", "-f", "--", "a.go", ".assay", "sub/-x")
	check := func(t *testing.T) {
		t.Helper()
		tests := []struct {
			root, rel string
			want      bool
		}{
			{"", ".assay/index", true},
			{"", ".assay/index/index.db", true},
			{"", "a.go", true},
			{"", "*.go", false}, // a name, not a pattern
			{"", ":/a.go", false},
			{"sub", ".assay/index", false},
			{"sub", "-x", true},
			{"", "none", false},
			{"sub", "../a.g", false},
		}
		for _, tt := range tests {
			if got := Tracked(t.Context(), filepath.Join(root, tt.root), tt.rel); got != tt.want {
				t.Errorf("Tracked(%q, %q) = %v, want %v", tt.root, tt.rel, got, tt.want)
			}
		}
	}
	check(t)
	if Tracked(t.Context(), t.TempDir(), "a.go") {
		t.Error("Tracked outside a repository = true")
	}
	t.Run("in a hook", func(t *testing.T) {
		elsewhere := t.TempDir()
		git(t, elsewhere, "init", "-q")
		t.Setenv("GIT_DIR", filepath.Join(elsewhere, ".git"))
		t.Setenv("GIT_WORK_TREE", root)
		check(t)
	})
	t.Run("without git", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		check(t)
		if commit, ok := Head(t.Context(), root); ok {
			t.Errorf("Head = %q", commit)
		}
	})
	t.Run("with a context that ended", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if !Tracked(ctx, root, ".assay/index") {
			t.Error("an index that came with the repository is trusted")
		}
	})
}

func TestHead(t *testing.T) {
	needGit(t)
	root := t.TempDir()
	if commit, ok := Head(t.Context(), root); ok {
		t.Errorf("Head of no repository = %q", commit)
	}
	git(t, root, "init", "-q")
	if commit, ok := Head(t.Context(), root); ok {
		t.Errorf("Head without commits = %q", commit)
	}
	write(t, filepath.Join(root, "sub/a"), "")
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "a")
	want := git(t, root, "rev-parse", "HEAD")
	if commit, ok := Head(t.Context(), filepath.Join(root, "sub")); commit != want || !ok {
		t.Errorf("Head = %q, %v, want %q", commit, ok, want)
	}
}

// TestRunsNothing holds that what a repository configures is not run.
func TestRunsNothing(t *testing.T) {
	needGit(t)
	root := t.TempDir()
	git(t, root, "init", "-q")
	write(t, filepath.Join(root, "a"), "")
	git(t, root, "add", "a")
	git(t, root, "commit", "-q", "-m", "a")
	mark := filepath.Join(t.TempDir(), "ran")
	bait := filepath.Join(t.TempDir(), "program")
	program.Write(t, bait, []byte("#!/bin/sh\necho \"$0 $*\" >>"+mark+"\n"))
	for _, key := range []string{"core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "diff.external", "alias.ls-files", "filter.x.process", "filter.x.clean", "credential.helper"} {
		git(t, root, "config", key, bait)
	}
	hooks := filepath.Join(root, ".git/hooks")
	for _, h := range []string{"post-index-change", "fsmonitor-watchman", "pre-auto-gc", "reference-transaction"} {
		program.Write(t, filepath.Join(hooks, h), []byte("#!/bin/sh\necho "+h+" >>"+mark+"\n"))
	}
	write(t, filepath.Join(root, ".gitattributes"), "* filter=x\n")

	// The bait works: git as a person runs it runs the program.
	cmd := exec.Command("git", "status")
	cmd.Dir = root
	_ = cmd.Run() // it may well fail of what they say
	if _, err := os.Stat(mark); err != nil {
		t.Skip("this git runs none of them")
	}
	if err := os.Remove(mark); err != nil {
		t.Fatal(err)
	}
	Tracked(t.Context(), root, "a")
	Head(t.Context(), root)
	if ran, err := os.ReadFile(mark); err == nil {
		t.Errorf("git ran %s", ran)
	}
}

// TestAsksNobodyHere holds that what reaches out runs nothing either that the
// repository configures in which it is started.
func TestAsksNobodyHere(t *testing.T) {
	needGit(t)
	root := t.TempDir()
	git(t, root, "init", "-q")
	mark := filepath.Join(t.TempDir(), "ran")
	bait := filepath.Join(t.TempDir(), "program")
	program.Write(t, bait, []byte("#!/bin/sh\necho \"$0 $*\" >>"+mark+"\n"))
	git(t, root, "config", "core.askPass", bait)
	git(t, root, "config", "credential.helper", "!"+bait)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", "Basic realm=x")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer s.Close()
	t.Chdir(root)
	if _, _, err := Refs(t.Context(), s.URL+"/a/b"); !errors.Is(err, ErrPrivate) {
		t.Errorf("Refs = %v", err)
	}
	if _, err := Clone(t.Context(), s.URL+"/a/b", "", filepath.Join(t.TempDir(), "c")); !errors.Is(err, ErrPrivate) {
		t.Errorf("Clone = %v", err)
	}
	if ran, err := os.ReadFile(mark); err == nil {
		t.Errorf("git ran %s", ran)
	}
}

func TestEnviron(t *testing.T) {
	got := environ([]string{"PATH=/bin", "GIT_DIR=/x", "git_config_count=1", "GITHUB_TOKEN=t", "HOME=/h"})
	want := []string{"PATH=/bin", "GITHUB_TOKEN=t", "HOME=/h", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C"}
	if !slices.Equal(got, want) {
		t.Errorf("environ = %q, want %q", got, want)
	}
}
