package git

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestIncludes holds that git is not asked where it would open, for the sake of settings, what is not of the repository, and
// is where it would not.
func TestIncludes(t *testing.T) {
	needGit(t)
	root := t.TempDir()
	git(t, root, "init", "-q")
	write(t, filepath.Join(root, "a"), "a\n")
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "a")
	commit := headCommit(t.Context(), root)
	config := filepath.Join(root, ".git/config")
	plain := text(config)
	outside := filepath.Join(t.TempDir(), "outside")
	write(t, outside, "[user]\n\tname = somebody\n")
	write(t, filepath.Join(root, ".gitconfig"), "[user]\n\tname = somebody\n")
	write(t, filepath.Join(root, "leads"), "[include]\n\tpath = "+filepath.ToSlash(outside)+"\n")
	write(t, filepath.Join(root, "circle"), "[include]\n\tpath = circle\n")
	if err := os.Symlink(outside, filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	for settings, safe := range map[string]bool{
		"[include]\n\tpath = ../.gitconfig\n":                                   true,
		"[includeIf \"onbranch:x\"]\n\t# remark\n\n\tPath = ../.gitconfig\n":    true,
		"[include]\n\tpath = ../none\n[user]\n\tpath = /etc/passwd\n":           true,
		"[include]\n\tpath = " + filepath.ToSlash(outside) + "\n":               false,
		"[Include]\n\tpath = " + filepath.ToSlash(outside) + "\n":               false,
		"[user] name = x\n[include] path = " + filepath.ToSlash(outside) + "\n": false,
		"[user][include]\n\tpath = ../.gitconfig\n":                             false,
		"[include]\n\tpath = \\\n" + filepath.ToSlash(outside) + "\n":           false,
		"[include]\n\tpath = ~/.gitconfig\n":                                    false,
		"[include]\n\tpath = ../link\n":                                         false,
		"[include]\n\tpath = ../leads\n":                                        false,
		"[include]\n\tpath = ../circle\n":                                       false,
	} {
		write(t, config, plain+settings)
		if got, ok := Head(t.Context(), root); ok != safe || safe && got != commit {
			t.Errorf("with %q: Head = %q, %v", settings, got, ok)
		}
		_, err := Changes(t.Context(), root, commit, "")
		if (err == nil) != safe || !safe && !errors.Is(err, ErrNone) {
			t.Errorf("with %q: Changes: %v", settings, err)
		}
		if !IsTracked(t.Context(), root, "a") {
			t.Errorf("with %q: nothing is tracked", settings)
		}
	}
}

// TestOwn holds that a tree cannot claim a repository that knows nothing of it, and that those that belong to it are asked.
func TestOwn(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	repo := func(path string, args ...string) string {
		t.Helper()
		at := filepath.Join(dir, path)
		git(t, dir, append(append([]string{"init", "-q"}, args...), at)...)
		write(t, filepath.Join(at, "a"), "a\n")
		git(t, at, "add", "a")
		git(t, at, "commit", "-q", "-m", path)
		return at
	}
	private := repo("private")
	asked := func(what, root string, want bool) {
		t.Helper()
		if commit, ok := Head(t.Context(), root); ok != want {
			t.Errorf("%s: Head = %q, %v", what, commit, ok)
		}
	}
	write(t, filepath.Join(dir, "claims/.git"), "gitdir: ../private/.git\n")
	asked("a file that names another repository", filepath.Join(dir, "claims"), false)
	shares := repo("shares")
	asked("a repository", shares, true)
	write(t, filepath.Join(shares, ".git/commondir"), "../../private/.git\n")
	asked("a folder that shares another repository", shares, false)

	git(t, private, "worktree", "add", "-q", filepath.Join(dir, "linked"))
	asked("another work tree", filepath.Join(dir, "linked"), true)
	write(t, filepath.Join(dir, "copied/.git"), text(filepath.Join(dir, "linked/.git")))
	asked("a copy of another work tree's file", filepath.Join(dir, "copied"), false)

	git(t, private, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repo("part"), "deep/part")
	asked("a part of a repository", filepath.Join(private, "deep/part"), true)
	write(t, filepath.Join(dir, "claims/part/.git"), "gitdir: ../../private/.git/modules/deep/part\n")
	asked("a part of what is another repository", filepath.Join(dir, "claims/part"), false)

	kept := repo("kept", "--separate-git-dir="+filepath.Join(dir, "elsewhere"))
	asked("a repository elsewhere that says nothing of it", kept, false)
	git(t, kept, "config", "core.worktree", kept)
	asked("a repository elsewhere that names it", kept, true)

	if err := os.Rename(filepath.Join(private, ".git"), filepath.Join(private, ".bare")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(private, ".git"), "gitdir: ./.bare\n")
	asked("a repository of another name in the tree", private, true)
}
