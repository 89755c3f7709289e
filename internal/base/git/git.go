// Package git reads repositories and clones remote ones. It is the only package that starts git, and it treats every
// repository as hostile: no program that its configuration names is run, an included configuration is read only if it is a
// file of the repository or its work tree, and no lock is taken. A question about a work tree takes a few seconds at most
// and uses no network; if git is not installed, the answer has less in it but is not an error.
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

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
)

const (
	questionTimeout = 5 * time.Second
	maxLink         = 4 << 10  // of a .git file
	maxIndex        = 64 << 20 // of .git/index, if it is read without git
	// maxAnswer bounds the bytes that git may print: names, commits and patches.
	maxAnswer = 64 << 20
)

// TopLevel returns the nearest folder at or above dir that is a git work tree.
// It looks for .git itself and does not start git.
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

// CommonDir returns the folder that all work trees of a repository share: .git of the main work tree.
func CommonDir(top string) (string, bool) {
	dir, ok := gitDir(top)
	if !ok {
		return "", false
	}
	link, err := readFile(dir, "commondir", maxLink)
	if err != nil {
		return dir, true
	}
	return file.From(dir, strings.TrimSpace(string(link))), true
}

// gitDir returns the folder that .git in dir is or points to.
func gitDir(dir string) (string, bool) {
	path := filepath.Join(dir, ".git")
	if at, err := safe.OpenRoot(path); err == nil {
		defer at.Close()
		// An empty folder of that name is not a repository: git continues in the parent folder.
		_, err := at.Lstat("HEAD")
		return path, err == nil
	}
	text, err := readFile(dir, ".git", maxLink)
	if err != nil {
		return "", false
	}
	to, ok := strings.CutPrefix(string(text), "gitdir:")
	if to = strings.TrimSpace(to); !ok || to == "" {
		return "", false
	}
	return file.From(dir, to), true
}

func readFile(dir, name string, limit int64) ([]byte, error) {
	at, err := safe.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	return at.ReadFile(name, limit)
}

// IsTracked reports whether git tracks rel, slash-separated and relative to root,
// or a file below it, such as an index that came with a cloned repository. If git fails, the text of its index decides, which
// misses paths that are stored compressed (index version 4).
func IsTracked(ctx context.Context, root, rel string) bool {
	top, ok := TopLevel(root)
	if !ok {
		return false
	}
	// A literal pathspec, because the path may contain characters of a pattern.
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
	index, err := readFile(dir, "index", maxIndex)
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
// configuration has it, or "". It is untrusted text: it may be shown, but must never be used as an address.
func Origin(ctx context.Context, root string) string {
	out, status, err := run(ctx, root, "config", "--local", "--get", "remote.origin.url")
	if err != nil || status != 0 {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// run starts git in the repository of dir, and returns its output and exit status. It must only run commands that read
// references, the index, settings or one commit; commands that compare files or walk commits must use runIsolated. An error
// means that git could not be started or did not end by itself.
func run(ctx context.Context, dir string, args ...string) (out []byte, status int, err error) {
	top, ok := TopLevel(dir)
	if !ok || !isSafe(top) {
		return nil, 0, ErrNone
	}
	own, _ := gitDir(top)
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	// Set both, because core.worktree of a hostile repository may name any folder.
	return runToEnd(command(ctx, dir, []string{"GIT_DIR=" + own, "GIT_WORK_TREE=" + top}, args...))
}

// command returns a git command that reads a repository. env is added to its environment.
func command(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(hardeningOptions(), args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, append(gitEnvironment(os.Environ()), env...), time.Second
	return cmd
}

// runToEnd runs a command and returns its output and exit status.
func runToEnd(cmd *exec.Cmd) (out []byte, status int, err error) {
	said := &cappedBuffer{max: maxAnswer}
	cmd.Stdout = said
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case said.exceeded:
		return nil, 0, fmt.Errorf("git printed more than %d MB", maxAnswer>>20)
	case errors.As(err, &exit) && exit.Exited():
		return said.Bytes(), exit.ExitCode(), nil
	}
	return said.Bytes(), 0, err
}

// hardeningOptions returns the options of every git command that reads a repository. Each takes away one way in which a
// repository's configuration can run a program. Commands that compare files or walk commits have too many such ways: see
// shadowRepo.
func hardeningOptions() []string {
	return []string{
		"--no-pager",
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "protocol.allow=never",
		"-c", "log.showSignature=false",
		// Read trees of other owners too, because in a container every tree belongs to somebody else.
		"-c", "safe.directory=*",
	}
}

// gitEnvironment returns env without the variables of git, because those of a caller that is itself a git hook would point
// to another repository.
func gitEnvironment(env []string) []string {
	out := make([]string, 0, len(env)+4)
	for _, v := range env {
		if !strings.HasPrefix(strings.ToUpper(v), "GIT_") {
			out = append(out, v)
		}
	}
	return append(out, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "LC_ALL=C")
}
