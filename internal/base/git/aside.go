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

// An aside is a repository of our own, for one question, that has nothing but the objects and the index of another: its
// configuration names filters, programs that check signatures, and folders elsewhere, which git obeys
// when it compares files and goes through commits, and each of its versions knows more of them. What is asked
// in it are commits by their hashes, since it has no references.
type aside struct {
	dir string
	top string
	env []string
}

// carried are the settings that say how the files of a work tree are written, with what each may be: without them, files that
// are as they were look changed.
var carried = map[string]string{
	"core.autocrlf": "true false input", "core.eol": "lf crlf native", "core.filemode": "true false", "core.symlinks": "true false",
	"core.ignorecase": "true false", "core.precomposeunicode": "true false", "core.trustctime": "true false", "core.checkstat": "default minimal",
}

// newAside makes one of the repository of the work tree around root, whose commits have hashes as long as commit.
// files says that the files of the work tree are looked at.
func newAside(ctx context.Context, root, commit string, files bool) (*aside, error) {
	top, ok := TopLevel(root)
	if !ok || !sound(top) {
		return nil, ErrNone
	}
	own, _ := gitDir(top)
	common, _ := CommonDir(top)
	var config strings.Builder
	config.WriteString("[core]\n\trepositoryformatversion = 1\n\tbare = false\n")
	if files {
		out, status, err := run(ctx, root, "config", "--local", "--no-includes", "-z", "--get-regexp", `^core\.`)
		if err == nil && status > 1 { // 1: it has none
			err = fmt.Errorf("git config: exit status %d", status)
		}
		if err != nil {
			return nil, err
		}
		for setting := range strings.SplitSeq(string(out), "\x00") {
			name, value, _ := strings.Cut(setting, "\n")
			if may := carried[name]; value != "" && strings.Contains(" "+may+" ", " "+value+" ") {
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
	a := &aside{dir: dir, top: top, env: []string{
		"GIT_DIR=" + dir, "GIT_WORK_TREE=" + top, "GIT_OBJECT_DIRECTORY=" + filepath.Join(common, "objects"),
		"GIT_INDEX_FILE=" + filepath.Join(own, "index"), "GIT_SHALLOW_FILE=" + filepath.Join(common, "shallow"),
	}}
	if err := a.fill(config.String()); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// fill writes the least that git takes for a repository. What an index that is kept in two files shares, git looks
// for beside the index.
func (a *aside) fill(config string) error {
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

func (a *aside) close() { _ = os.RemoveAll(a.dir) } // in the folder for what is temporary

// command returns a command of git in a folder of the work tree.
func (a *aside) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	return command(ctx, dir, a.env, args...)
}

// answer runs a command in it to its end, for as long as run does.
func (a *aside) answer(ctx context.Context, dir string, args ...string) (out []byte, status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return answer(a.command(ctx, dir, args...))
}

// apart starts git as run does, in an aside.
func apart(ctx context.Context, root, commit string, files bool, args ...string) (out []byte, status int, err error) {
	a, err := newAside(ctx, root, commit, files)
	if err != nil {
		return nil, 0, err
	}
	defer a.close()
	return a.answer(ctx, root, args...)
}
