// Package git asks a repository what it holds, and brings one here. It is the only
// package that starts git, and it treats every repository as hostile: nothing that its
// configuration names is run or shown, what that includes is read only where it is a file of the
// repository or its work tree, and no lock is taken. A question about a work tree
// takes no longer than a few seconds and uses no network; without git installed its
// answer is poorer and never an error.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
)

const (
	patience = 5 * time.Second
	maxLink  = 4 << 10  // of a .git file
	maxIndex = 64 << 20 // of .git/index, where it is read without git
	// maxAnswer bounds what git may print of names, commits and patches.
	maxAnswer = 64 << 20
)

// TopLevel returns the nearest folder at or above dir that is a git work tree.
// It looks for .git itself rather than asking git.
func TopLevel(dir string) (string, bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	for {
		if _, ok := gitDir(dir); ok {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// CommonDir returns the folder in which the repository of the work tree top
// keeps what all its work trees share: .git itself, but for linked work trees.
func CommonDir(top string) (string, bool) {
	dir, ok := gitDir(top)
	if !ok {
		return "", false
	}
	link, err := read(dir, "commondir", maxLink)
	if err != nil {
		return dir, true
	}
	return resolve(dir, strings.TrimSpace(string(link))), true
}

// gitDir returns what .git in dir is or points to.
func gitDir(dir string) (string, bool) {
	path := filepath.Join(dir, ".git")
	if at, err := safe.OpenRoot(path); err == nil {
		defer at.Close()
		// An empty folder of that name is no repository, and git looks further up.
		_, err := at.Lstat("HEAD")
		return path, err == nil
	}
	text, err := read(dir, ".git", maxLink)
	if err != nil {
		return "", false
	}
	to, ok := strings.CutPrefix(string(text), "gitdir:")
	if to = strings.TrimSpace(to); !ok || to == "" {
		return "", false
	}
	return resolve(dir, to), true
}

func resolve(dir, to string) string {
	if filepath.IsAbs(to) {
		return filepath.Clean(to)
	}
	return filepath.Join(dir, to)
}

func read(dir, name string, limit int64) ([]byte, error) {
	at, err := safe.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	return at.ReadFile(name, limit)
}

// Tracked reports whether git tracks rel, slash-separated and relative to root,
// or something in it. Where git cannot say, the text of its index decides, which
// misses paths that are stored compressed (index version 4).
func Tracked(ctx context.Context, root, rel string) bool {
	top, ok := TopLevel(root)
	if !ok {
		return false
	}
	// A literal pathspec: the path may hold what git takes for a pattern.
	_, status, err := run(ctx, root, "--literal-pathspecs", "ls-files", "-z", "--error-unmatch", "--", rel)
	if err == nil && status <= 1 {
		return status == 0
	}
	return inIndex(top, root, rel)
}

func inIndex(top, root, rel string) bool {
	dir, ok := gitDir(top)
	if !ok {
		return false
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return false
	}
	below, err := filepath.Rel(top, filepath.Join(abs, filepath.FromSlash(rel)))
	if err != nil {
		return false
	}
	index, err := read(dir, "index", maxIndex)
	if err != nil {
		return false
	}
	name := []byte(filepath.ToSlash(below))
	return bytes.Contains(index, append(name, '/')) || bytes.Contains(index, append(name, 0))
}

// Head returns the commit that is checked out in the work tree that holds root.
func Head(ctx context.Context, root string) (commit string, ok bool) {
	if _, ok := TopLevel(root); !ok {
		return "", false
	}
	out, status, err := run(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}")
	commit = strings.TrimSpace(string(out))
	if err != nil || status != 0 || len(commit) < 40 {
		return "", false
	}
	return commit, true
}

// Origin returns the address that the work tree around root was cloned from, as its
// configuration has it, or "". It is somebody's text: it is shown, and never used.
func Origin(ctx context.Context, root string) string {
	out, status, err := run(ctx, root, "config", "--local", "--get", "remote.origin.url")
	if err != nil || status != 0 {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// run starts git in dir, in the repository itself, with what reads its references, its index, its
// settings or one commit, and returns what it printed and its exit status. What compares files or goes through commits is
// asked in an aside. The error says that it could not be started or did not end by itself.
func run(ctx context.Context, dir string, args ...string) (out []byte, status int, err error) {
	top, ok := TopLevel(dir)
	if !ok || !sound(top) {
		return nil, 0, ErrNone
	}
	own, _ := gitDir(top)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	// Where they are is not for the repository to say: core.worktree may be any folder.
	return answer(command(ctx, dir, []string{"GIT_DIR=" + own, "GIT_WORK_TREE=" + top}, args...))
}

// command returns a command of git that asks a repository, with more of an environment.
func command(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(hardened(), args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, append(environ(os.Environ()), env...), time.Second
	return cmd
}

// answer runs a command to its end.
func answer(cmd *exec.Cmd) (out []byte, status int, err error) {
	said := &capped{most: maxAnswer}
	cmd.Stdout = said
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case said.over:
		return nil, 0, fmt.Errorf("git says more than %d MB", maxAnswer>>20)
	case errors.As(err, &exit) && exit.Exited():
		return said.Bytes(), exit.ExitCode(), nil
	}
	return said.Bytes(), 0, err
}

// hardened returns what goes before the name of every git command: each takes
// from the repository's configuration a way to have a program run. What compares files or goes through
// commits has too many of them: see aside.
func hardened() []string {
	return []string{
		"--no-pager",
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "protocol.allow=never",
		"-c", "log.showSignature=false",
		// A tree that somebody else owns is asked too: in a container that is every tree.
		"-c", "safe.directory=*",
	}
}

// environ returns env for git: without the variables by which a caller that is
// itself a git hook would point it elsewhere.
func environ(env []string) []string {
	out := make([]string, 0, len(env)+4)
	for _, v := range env {
		if !strings.HasPrefix(strings.ToUpper(v), "GIT_") {
			out = append(out, v)
		}
	}
	return append(out, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "LC_ALL=C")
}
