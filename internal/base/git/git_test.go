package git

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/testaid"
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
			if got := IsTracked(t.Context(), filepath.Join(root, tt.root), tt.rel); got != tt.want {
				t.Errorf("Tracked(%q, %q) = %v, want %v", tt.root, tt.rel, got, tt.want)
			}
		}
	}
	check(t)
	if IsTracked(t.Context(), t.TempDir(), "a.go") {
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
		if !IsTracked(ctx, root, ".assay/index") {
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

// TestRunsNothing holds that what a repository configures is not run, whatever it is asked.
func TestRunsNothing(t *testing.T) {
	needGit(t)
	ctx, root := t.Context(), t.TempDir()
	git(t, root, "init", "-q")
	write(t, filepath.Join(root, "a.go"), "func FrobnicateWidget() {}\n")
	git(t, root, "add", "a.go")
	git(t, root, "commit", "-q", "-m", "a")
	mark := filepath.Join(t.TempDir(), "ran")
	bait := filepath.Join(t.TempDir(), "program")
	testaid.WriteProgram(t, bait, []byte("#!/bin/sh\necho \"$0 $*\" >>"+mark+"\n"))
	trap(t, root, bait)
	// Another repository in it, of which a commit has another state, is compared by a git of its own.
	sub := filepath.Join(root, "sub.go")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	git(t, sub, "init", "-q")
	for _, text := range []string{"one\n", "two\n"} {
		write(t, filepath.Join(sub, "f"), text)
		git(t, sub, "add", "f")
		git(t, sub, "commit", "-q", "-m", text)
		git(t, root, "update-index", "--add", "--cacheinfo", "160000,"+git(t, sub, "rev-parse", "HEAD")+",sub.go")
		git(t, root, "commit", "-q", "-m", "sub "+text)
	}
	trap(t, sub, bait)
	// A commit with a signature is given to the program that checks them.
	signed := git(t, root, "cat-file", "commit", "HEAD")
	before, message, _ := strings.Cut(signed, "\n\n")
	cmd := exec.Command("git", "hash-object", "-t", "commit", "-w", "--stdin")
	cmd.Dir, cmd.Stdin = root, strings.NewReader(before+"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n"+message)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	git(t, root, "update-ref", "HEAD", strings.TrimSpace(string(out)))
	write(t, filepath.Join(root, ".gitattributes"), "* filter=x diff=x\n")
	write(t, filepath.Join(root, ".git/info/attributes"), "* filter=a=b\n*.go filter=x diff=x\n")
	write(t, filepath.Join(root, "a.go"), "func FrobnicateGadget() {}\n")

	// The bait works: git as a person runs it runs the program.
	for _, args := range [][]string{{"status"}, {"diff"}, {"log", "-p"}} {
		cmd := exec.Command("git", append([]string{"--no-pager", "-c", "diff.external="}, args...)...)
		cmd.Dir = root
		_ = cmd.Run() // it may well fail of what they say
		if _, err := os.Stat(mark); err != nil {
			t.Fatalf("git %s runs none of them", args)
		}
		if err := os.Remove(mark); err != nil {
			t.Fatal(err)
		}
	}
	first := git(t, root, "rev-parse", "HEAD~2")
	_ = os.Remove(mark)
	for what, ask := range map[string]func() error{
		"Tracked":  func() error { IsTracked(ctx, root, "a.go"); return nil },
		"Head":     func() error { Head(ctx, root); return nil },
		"Origin":   func() error { Origin(ctx, root); return nil },
		"Commit":   func() error { _, err := Commit(ctx, root, "HEAD"); return err },
		"Fork":     func() error { _, err := MergeBase(ctx, root, first, headCommit(ctx, root)); return err },
		"Changes":  func() error { _, err := Changes(ctx, root, first, ""); return err },
		"staged":   func() error { _, err := Changes(ctx, root, first, Index); return err },
		"between":  func() error { _, err := Changes(ctx, root, first, headCommit(ctx, root)); return err },
		"Patch":    func() error { _, err := Patch(ctx, root, first, "", 1<<20); return err },
		"Contents": func() error { _, err := Contents(ctx, root, first, []string{"a.go", "sub.go"}, 1<<20); return err },
		"History":  func() error { _, err := History(ctx, root, headCommit(ctx, root), 10); return err },
		"Gone": func() error {
			_, _, err := FindRemoved(ctx, root, map[string]bool{"FrobnicateWidget": true}, []string{".go"}, []string{".md"}, 1<<20, time.Minute, func(string, []byte, string) bool { return true })
			return err
		},
		"Worktrees": func() error { Worktrees(root); return nil },
	} {
		if err := ask(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if ran, err := os.ReadFile(mark); err == nil {
			t.Errorf("%s: git ran %s", what, ran)
			_ = os.Remove(mark)
		}
	}
}

// trap makes a repository name a program wherever git would run one.
func trap(t *testing.T, root, bait string) {
	t.Helper()
	for _, key := range []string{"core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "core.gitProxy", "diff.external", "diff.x.command", "diff.x.textconv",
		"alias.ls-files", "alias.log", "filter.x.process", "filter.x.clean", "filter.x.smudge", "filter.a=b.clean", "credential.helper", "gpg.program", "gpg.ssh.program",
		"core.alternateRefsCommand", "interactive.diffFilter"} {
		git(t, root, "config", key, bait)
	}
	for key, value := range map[string]string{"log.showSignature": "true", "diff.submodule": "diff", "status.submoduleSummary": "true", "submodule.recurse": "true", "protocol.ext.allow": "always"} {
		git(t, root, "config", key, value)
	}
	for _, h := range []string{"post-index-change", "fsmonitor-watchman", "pre-auto-gc", "reference-transaction"} {
		testaid.WriteProgram(t, filepath.Join(root, ".git/hooks", h), []byte("#!/bin/sh\n"+bait+" "+h+"\n"))
	}
}

// TestReadsHere holds that a repository cannot have files of another folder looked at.
func TestReadsHere(t *testing.T) {
	needGit(t)
	outside, root := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "key"), "secret of another folder\n")
	write(t, filepath.Join(outside, "private-name"), "x\n")
	git(t, root, "init", "-q")
	write(t, filepath.Join(root, "key"), "a\n")
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "a")
	git(t, root, "config", "core.worktree", outside)
	commit := headCommit(t.Context(), root)
	patch, err := Patch(t.Context(), root, commit, "", 1<<20)
	if err != nil || patch != "" {
		t.Errorf("Patch = %q, %v", patch, err)
	}
	changes, err := Changes(t.Context(), root, commit, "")
	if err != nil || len(changes) > 0 {
		t.Errorf("Changes = %v, %v", changes, err)
	}
	if !IsTracked(t.Context(), root, "key") || IsTracked(t.Context(), root, "private-name") {
		t.Error("Tracked asks another folder")
	}
}

// TestAside holds that what a repository says of how its files are written still counts.
func TestAside(t *testing.T) {
	needGit(t)
	for name, setup := range map[string]func(root string){
		"sha1":       func(root string) { git(t, root, "init", "-q") },
		"sha256":     func(root string) { git(t, root, "init", "-q", "--object-format=sha256") },
		"splitIndex": func(root string) { git(t, root, "init", "-q"); git(t, root, "config", "core.splitIndex", "true") },
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			setup(root)
			git(t, root, "config", "core.autocrlf", "true")
			git(t, root, "config", "core.fileMode", "false")
			write(t, filepath.Join(root, "crlf"), "a\r\nb\r\n")
			write(t, filepath.Join(root, "mode"), "a\n")
			write(t, filepath.Join(root, "sub/changed"), "a\n")
			git(t, root, "add", ".")
			git(t, root, "commit", "-q", "-m", "a")
			git(t, root, "update-index", "--really-refresh")
			write(t, filepath.Join(root, "sub/changed"), "b\n")
			write(t, filepath.Join(root, "sub/new"), "b\n")
			write(t, filepath.Join(root, "sub/ignored"), "b\n")
			write(t, filepath.Join(root, ".git/info/exclude"), "ignored\n")
			if err := os.Chmod(filepath.Join(root, "mode"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(filepath.Join(root, "crlf"), time.Unix(1, 0), time.Unix(1, 0)); err != nil {
				t.Fatal(err)
			}
			commit := headCommit(t.Context(), root)
			got, err := Changes(t.Context(), filepath.Join(root, "sub"), commit, "")
			if want := []Change{{Path: "changed", Kind: 'M'}, {Path: "new", Kind: 'A'}}; err != nil || !slices.Equal(got, want) {
				t.Errorf("Changes = %v, %v, want %v", got, err, want)
			}
			got, err = Changes(t.Context(), root, commit, "")
			if want := []Change{{Path: "sub/changed", Kind: 'M'}, {Path: "sub/new", Kind: 'A'}}; err != nil || !slices.Equal(got, want) {
				t.Errorf("Changes = %v, %v, want %v", got, err, want)
			}
			linked := filepath.Join(t.TempDir(), "linked")
			git(t, root, "worktree", "add", "-q", linked)
			write(t, filepath.Join(linked, "sub/changed"), "c\n")
			patch, err := Patch(t.Context(), linked, commit, "", 1<<20)
			if err != nil || !strings.Contains(patch, "\n+c\n") || strings.Contains(patch, "crlf") {
				t.Errorf("Patch of another work tree = %q, %v", patch, err)
			}
		})
	}
}

// TestCapped holds that what is bounded is so however it is written.
func TestCapped(t *testing.T) {
	c, b := &cappedBuffer{max: 10, keepHead: true}, &headBuffer{}
	_, err := io.Copy(c, io.LimitReader(rand.Reader, 100))
	if err == nil || !c.exceeded || len(c.Bytes()) != 10 {
		t.Errorf("%d bytes, %v", len(c.Bytes()), err)
	}
	if _, err := io.Copy(b, io.LimitReader(rand.Reader, 10*maxErrors)); err != nil || len(b.String()) != maxErrors {
		t.Errorf("%d bytes, %v", len(b.String()), err)
	}
}

// TestBounded holds that a small repository cannot make much be held.
func TestBounded(t *testing.T) {
	needGit(t)
	root := t.TempDir()
	git(t, root, "init", "-q")
	large := strings.Repeat("0123456789abcde\n", 1<<12)
	names := strings.Fields("a b c d e f g h")
	for _, name := range names {
		write(t, filepath.Join(root, name), large)
	}
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "a")
	commit := headCommit(t.Context(), root)
	if got, err := readContents(t.Context(), root, commit, names, 1<<20, 5<<16); err == nil {
		t.Errorf("Contents returns %d files", len(got))
	}
	if got, err := readContents(t.Context(), root, commit, names[:4], 1<<20, 5<<16); err != nil || len(got) != 4 || string(got["d"]) != large {
		t.Errorf("Contents of four: %d files, %v", len(got), err)
	}
	empty := git(t, root, "hash-object", "-t", "tree", "-w", os.DevNull)
	if patch, err := Patch(t.Context(), root, empty, commit, 1000); err != nil || len(patch) != 1000 || !strings.HasPrefix(patch, "diff --git a/a b/a\n") {
		t.Errorf("Patch: %d bytes, %v: %.100s", len(patch), err, patch)
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
	testaid.WriteProgram(t, bait, []byte("#!/bin/sh\necho \"$0 $*\" >>"+mark+"\n"))
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
	got := gitEnvironment([]string{"PATH=/bin", "GIT_DIR=/x", "git_config_count=1", "GITHUB_TOKEN=t", "HOME=/h"})
	want := []string{"PATH=/bin", "GITHUB_TOKEN=t", "HOME=/h", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "LC_ALL=C"}
	if !slices.Equal(got, want) {
		t.Errorf("environ = %q, want %q", got, want)
	}
}
