package git

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/safe"
)

// A shadowRepo is a temporary repository that uses the objects and the index of another one, but not its configuration.
// Commands that compare files or walk commits must run in it, because a hostile configuration can name filters, signature
// programs and outside folders, and every version of git obeys more of them. It has no references, so that callers must
// name commits by their hashes.
type shadowRepo struct {
	dir string
	top string
	env []string
}

// copiedSettings are the settings copied from the original repository, with their allowed values. They say how the files of
// a work tree are written: without them, unchanged files would look changed.
var copiedSettings = map[string]string{
	"core.autocrlf": "true false input", "core.eol": "lf crlf native", "core.filemode": "true false", "core.symlinks": "true false",
	"core.ignorecase": "true false", "core.precomposeunicode": "true false", "core.trustctime": "true false", "core.checkstat": "default minimal",
}

// newShadowRepo creates a shadowRepo of the repository of the work tree around root, whose commits have hashes as long as
// commit. If files is set, it also copies the settings that are needed to compare files of the work tree.
func newShadowRepo(ctx context.Context, root, commit string, files bool) (*shadowRepo, error) {
	top, ok := TopLevel(root)
	if !ok || !isSafe(top) {
		return nil, ErrNone
	}
	own, _ := gitDir(top)
	common, _ := CommonDir(top)
	var config strings.Builder
	config.WriteString("[core]\n\trepositoryformatversion = 1\n\tbare = false\n")
	if files {
		out, status, err := run(ctx, root, "config", "--local", "--no-includes", "-z", "--get-regexp", `^core\.`)
		if err == nil && status > 1 { // 1: no such setting
			err = fmt.Errorf("git config: exit status %d", status)
		}
		if err != nil {
			return nil, err
		}
		for setting := range strings.SplitSeq(string(out), "\x00") {
			name, value, _ := strings.Cut(setting, "\n")
			if may := copiedSettings[name]; value != "" && strings.Contains(" "+may+" ", " "+value+" ") {
				fmt.Fprintf(&config, "\t%s = %s\n", strings.TrimPrefix(name, "core."), value)
			}
		}
	}
	if len(commit) == 64 {
		config.WriteString("[extensions]\n\tobjectformat = sha256\n")
	}
	dir, err := os.MkdirTemp("", "assay-git-")
	if err != nil {
		return nil, err
	}
	a := &shadowRepo{dir: dir, top: top, env: []string{
		"GIT_DIR=" + dir, "GIT_WORK_TREE=" + top, "GIT_OBJECT_DIRECTORY=" + filepath.Join(common, "objects"),
		"GIT_INDEX_FILE=" + filepath.Join(own, "index"), "GIT_SHALLOW_FILE=" + filepath.Join(common, "shallow"),
	}}
	if err := a.writeSkeleton(config.String()); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// writeSkeleton writes the smallest folder that git accepts as a repository. The shared part of a split index needs no
// setting, because git looks for it beside the index.
func (a *shadowRepo) writeSkeleton(config string) error {
	at, err := safe.OpenRoot(a.dir)
	if err != nil {
		return err
	}
	defer at.Close()
	if err := at.Mkdir("refs", 0o700); err != nil {
		return err
	}
	err = at.WriteLazily("HEAD", []byte("ref: refs/heads/none\n"), 0o600)
	if err == nil {
		err = at.WriteLazily("config", []byte(config), 0o600)
	}
	return err
}

func (a *shadowRepo) close() { _ = os.RemoveAll(a.dir) } // below the folder for temporary files

// command returns a command of git in a folder of the work tree.
func (a *shadowRepo) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	return command(ctx, dir, a.env, args...)
}

// output runs a command in the shadowRepo to its end, with the time limit of run.
func (a *shadowRepo) output(ctx context.Context, dir string, args ...string) (out []byte, status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	return runToEnd(a.command(ctx, dir, args...))
}

// runIsolated starts git as run does, but in a shadowRepo.
func runIsolated(ctx context.Context, root, commit string, files bool, args ...string) (out []byte, status int, err error) {
	a, err := newShadowRepo(ctx, root, commit, files)
	if err != nil {
		return nil, 0, err
	}
	defer a.close()
	return a.output(ctx, root, args...)
}
