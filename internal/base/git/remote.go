package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/base/safe"
)

// What a remote repository gets.
const (
	lookTime  = 60 * time.Second
	cloneTime = 20 * time.Minute
	maxErrors = 8 << 10 // of what git says on its standard error
)

// The ways in which a remote repository is out of reach.
var (
	ErrNoGit   = errors.New("git is not installed")
	ErrNoRef   = errors.New("no such branch or tag")
	ErrPrivate = errors.New("it does not exist, or asks for a password")
	ErrTimeout = errors.New("it took too long")
)

// A Ref is a branch or a tag of a remote repository.
type Ref struct {
	Name   string // "main", "v1.2.0"
	Commit string
	Tag    bool
}

// A Checkout says what Clone left on the disk.
type Checkout struct {
	Branch string // "" at a tag
	Commit string
	Date   time.Time // when it was committed
}

// Refs lists the branches and tags of the repository at url, which must be an
// address and not begin with "-". head is the name of the branch that it offers
// first, or "".
func Refs(ctx context.Context, url string) (refs []Ref, head string, err error) {
	if err := reachable(url); err != nil {
		return nil, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	out, err := remote(ctx, "ls-remote", "--symref", "--", url, "HEAD", "refs/heads/*", "refs/tags/*")
	if err != nil {
		return nil, "", err
	}
	commits := map[string]int{} // by name, where a tag names another
	for line := range strings.SplitSeq(string(out), "\n") {
		what, name, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		if to, ok := strings.CutPrefix(what, "ref: refs/heads/"); ok && name == "HEAD" {
			head = to
			continue
		}
		if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			refs = append(refs, Ref{Name: branch, Commit: what})
		}
		if tag, ok := strings.CutPrefix(name, "refs/tags/"); ok {
			if of, peeled := strings.CutSuffix(tag, "^{}"); peeled {
				if i, ok := commits[of]; ok {
					refs[i].Commit = what
				}
				continue
			}
			commits[tag] = len(refs)
			refs = append(refs, Ref{Name: tag, Commit: what, Tag: true})
		}
	}
	return refs, head, nil
}

// unread are the endings of files that are no text: pictures, fonts, recordings, programs,
// archives and models are most of what the repository of a documentation weighs.
const unread = "png jpg jpeg gif webp avif bmp ico icns tif tiff svg psd ai sketch fig mp3 mp4 m4a m4v mov wav webm avi ogg flac " +
	"otf ttf woff woff2 eot zip gz tgz tar bz2 xz zst 7z rar jar war dll exe so dylib a o wasm bin dat iso dmg deb rpm apk " +
	"pack snap parquet onnx pt pth h5 npy npz pkl safetensors sqlite db pdf"

// Clone puts the newest commit of a branch or tag of the repository at url, or of
// its own first branch where ref is empty, into dir, which must not exist or be
// empty. Neither url nor ref may begin with "-". Files that are no text by their names
// are neither put there nor, where the server can leave files out, brought. dir is there as a whole or as it was.
func Clone(ctx context.Context, url, ref, dir string) (Checkout, error) {
	return mostCloned.clone(ctx, url, ref, dir, false)
}

// clone is Clone; renewed says that what is at dir already gives way.
func (most size) clone(ctx context.Context, url, ref, dir string, renewed bool) (c Checkout, err error) {
	if err := reachable(url); err != nil {
		return c, err
	}
	args := []string{"clone", "--quiet", "--depth", "1", "--filter=blob:none", "--no-checkout", "--single-branch", "--no-tags", "--no-recurse-submodules", "--template="}
	if ref != "" {
		if err := sane(ref); err != nil {
			return c, err
		}
		args = append(args, "--branch", ref)
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return c, err
	}
	up, beside, err := besides(dir)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(filepath.Join(up.Name(), beside)), up.Close()) }()
	name := filepath.Base(dir)
	if list, err := up.ReadDir(name); len(list) > 0 && !renewed || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c, cmp.Or(err, fmt.Errorf("%s is not empty", dir))
	}
	half := filepath.Join(up.Name(), beside, "half")
	long, cancel := context.WithTimeout(ctx, cloneTime)
	defer cancel()
	long, stop := most.watched(long, half, time.Second)
	defer stop()
	if _, err := remote(long, append(args, "--", url, half)...); err != nil {
		return c, err
	}
	patterns := []string{"/*"}
	for ext := range strings.FieldsSeq(unread) {
		patterns = append(patterns, "!*."+ext)
	}
	if _, err := remote(long, append([]string{"-C", half, "sparse-checkout", "set", "--no-cone"}, patterns...)...); err != nil {
		return c, err
	}
	if err := most.countable(long, half, "HEAD"); err != nil {
		return c, err
	}
	if err := fill(long, half, ref); err != nil {
		return c, err
	}
	if err := most.holds(half); err != nil {
		return c, err
	}
	if c, err = checkedOut(ctx, half); err != nil {
		return c, err
	}
	before := beside + "/before"
	if renewed {
		err = up.Rename(name, before)
	} else {
		_ = up.RemoveDir(name) // an empty one, which Windows does not replace; of another one the next line says so
	}
	if err == nil {
		err = up.Rename(beside+"/half", name)
	}
	if err != nil && renewed {
		_ = up.Rename(before, name) // where the first failed it is there still
	}
	return c, err
}

// besides opens the folder that dir is in, makes one there for what is on its way to dir, whose name it returns, and
// removes those of processes that were killed.
func besides(dir string) (up *safe.Root, beside string, err error) {
	at, begin := filepath.Dir(dir), "."+filepath.Base(dir)+".assay-"
	if err := os.MkdirAll(at, 0o755); err != nil { //nolint:gosec // as git makes them
		return nil, "", err
	}
	if up, err = safe.OpenRoot(at); err != nil {
		return nil, "", err
	}
	list, err := up.ReadDir(".")
	for _, e := range list {
		if st, e2 := e.Info(); e2 == nil && st.IsDir() && strings.HasPrefix(e.Name(), begin) && time.Since(st.ModTime()) > 2*cloneTime {
			err = errors.Join(err, os.RemoveAll(filepath.Join(at, e.Name())))
		}
	}
	if err == nil {
		beside, err = os.MkdirTemp(at, begin)
	}
	if err != nil {
		return nil, "", errors.Join(err, up.Close())
	}
	return up, filepath.Base(beside), nil
}

// Renew brings the clone in dir, which Clone made, to the newest commit of the branch or
// tag ref of the repository at url, or of its own first branch where ref is empty. What was
// changed in the clone is lost; where the repository cannot be had, the clone stays as it is. One that is stopped while it
// writes files has some of both commits until the next.
func Renew(ctx context.Context, url, ref, dir string) (Checkout, error) {
	return mostCloned.renew(ctx, url, ref, dir)
}

func (most size) renew(ctx context.Context, url, ref, dir string) (Checkout, error) {
	if err := errors.Join(reachable(url), sane(cmp.Or(ref, "HEAD"))); err != nil {
		return Checkout{}, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Checkout{}, err
	}
	long, cancel := context.WithTimeout(ctx, cloneTime)
	defer cancel()
	long, stop := most.watched(long, abs, time.Second)
	defer stop()
	began := time.Now()
	unlock(abs, func(made time.Time) bool { return began.Sub(made) > 2*cloneTime })
	defer func() {
		if long.Err() != nil { // a git that was stopped leaves its locks
			unlock(abs, func(made time.Time) bool { return !made.Before(began.Truncate(time.Second)) })
		}
	}()
	// By the name of the remote it is that one which gives files one by one afterwards.
	for _, args := range [][]string{
		{"remote", "set-url", "origin", "--", url},
		{"fetch", "--quiet", "--depth", "1", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance", "origin", cmp.Or(ref, "HEAD")},
	} {
		if _, err = remote(long, append([]string{"-C", abs}, args...)...); err != nil {
			break
		}
	}
	if err == nil {
		err = most.countable(long, abs, "FETCH_HEAD")
	}
	if err == nil {
		_, err = remote(long, "-C", abs, "checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
	}
	if err == nil {
		err = most.holds(abs)
	}
	if errors.Is(err, ErrLarge) {
		// What earlier commits left is never removed from a clone that lacks files: a new one has this commit alone.
		stop()
		return most.clone(ctx, url, ref, abs, true)
	}
	if err != nil {
		return Checkout{}, err
	}
	return checkedOut(ctx, abs)
}

// unlock removes the locks of a clone that a git left which was killed, by the time they were made: the next one
// would fail on them for good.
func unlock(dir string, left func(made time.Time) bool) {
	at, err := safe.OpenRoot(filepath.Join(dir, ".git"))
	if err != nil {
		return // the command that follows says so
	}
	defer at.Close()
	list, _ := at.ReadDir(".")
	for _, e := range list {
		if st, err := e.Info(); err == nil && st.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".lock") && left(st.ModTime()) {
			_ = at.Remove(e.Name()) // what stays, git says
		}
	}
}

// checkedOut says what a clone has.
func checkedOut(ctx context.Context, dir string) (c Checkout, err error) {
	out, status, err := run(ctx, dir, "log", "-1", "--format=%H %cI")
	hash, date, ok := strings.Cut(strings.TrimSpace(string(out)), " ")
	if err != nil || status != 0 || !ok {
		return c, fmt.Errorf("the repository has no commit: %w", ErrNoRef)
	}
	c.Commit = hash
	c.Date, _ = time.Parse(time.RFC3339, date) // a commit may hold any date: none is then known
	if out, status, err := run(ctx, dir, "symbolic-ref", "--quiet", "--short", "HEAD"); err == nil && status == 0 {
		c.Branch = strings.TrimSpace(string(out))
	}
	return c, nil
}

// fill brings the files of a clone of ref and puts them into its folder.
func fill(ctx context.Context, dir, ref string) error {
	_, err := remote(ctx, "-C", dir, "checkout", "--quiet", "HEAD")
	if err == nil || ctx.Err() != nil {
		return err // it was stopped
	}
	// A server may leave files out and then refuse to give them one by one.
	if _, again := remote(ctx, "-C", dir, "fetch", "--quiet", "--refetch", "--no-filter", "--no-tags", "--depth", "1", "origin", cmp.Or(ref, "HEAD")); again != nil {
		return err
	}
	_, err = remote(ctx, "-C", dir, "checkout", "--quiet", "HEAD")
	return err
}

// transport is how git tells the name of a program that reaches a repository from an address.
var transport = lazy.Regexp(`^[A-Za-z0-9+.-]*::`)

// sane refuses what git would take for an option, or for a program to run.
func sane(word string) error {
	switch {
	case word == "" || strings.HasPrefix(word, "-"):
		return fmt.Errorf("%q is neither an address nor a name", word)
	case transport.MatchString(word):
		return fmt.Errorf("%q names a program to run", word)
	case strings.ContainsAny(word, "\x00\n\r"):
		return fmt.Errorf("%q is neither an address nor a name", word)
	}
	return nil
}

// remote starts git with a command that may use the network. It starts at the root of
// the file system: in a repository git would ask that one's configuration too, which
// names programs that give passwords.
func remote(ctx context.Context, args ...string) ([]byte, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "git", append(reaching(), args...)...)
	cmd.Dir = filepath.VolumeName(here) + string(filepath.Separator)
	protocols := "https:http:ssh:git"
	if here, _ := ctx.Value(localKey{}).(bool); here {
		// What gives runs on this machine, in a repository that may name others: it reaches nobody.
		protocols = "file"
	}
	// A clone fetches what it left out, and what gives it protects itself as long as nobody says how.
	env := slices.DeleteFunc(environ(os.Environ()), func(v string) bool { return strings.HasPrefix(v, "GIT_NO_LAZY_FETCH=") })
	// A later value of a name counts.
	cmd.Env = append(env, "GIT_ALLOW_PROTOCOL="+protocols, "GIT_LFS_SKIP_SMUDGE=1", "GCM_INTERACTIVE=never", "GIT_SSH_COMMAND=ssh -oBatchMode=yes")
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "GIT_SSH_COMMAND=") || strings.HasPrefix(v, "GIT_SSL_CAINFO=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.WaitDelay = 2 * time.Second
	out, said := &capped{most: maxAnswer}, &bounded{}
	cmd.Stdout, cmd.Stderr = out, said
	err = cmd.Run()
	switch {
	case out.over:
		return nil, fmt.Errorf("the remote says more than %d MB", maxAnswer>>20)
	case err == nil:
		return out.Bytes(), nil
	case errors.Is(err, exec.ErrNotFound):
		return nil, ErrNoGit
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, ErrTimeout
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return nil, verdict(said.String())
}

// reaching returns what goes before the name of a git command that may use the
// network. What the user has configured for himself, such as a proxy or who keeps
// his passwords, holds; the checked-out tree runs nothing.
func reaching() []string {
	return []string{
		"--no-pager",
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "filter.lfs.smudge=", "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false",
		"-c", "http.lowSpeedLimit=500", "-c", "http.lowSpeedTime=45",
		"-c", "submodule.recurse=false",
		"-c", "advice.detachedHead=false",
	}
}

// verdict says what git's own words mean.
func verdict(said string) error {
	last := ""
	for line := range strings.SplitSeq(strings.TrimSpace(said), "\n") {
		line = strings.TrimSpace(line)
		switch low := strings.ToLower(line); {
		case strings.HasPrefix(low, "! [rejected]"):
			return ErrMoved
		case strings.HasPrefix(low, "! [remote rejected]"):
			_, why, _ := strings.Cut(line, " (")
			return errors.New("the remote refused it: " + strings.TrimSuffix(why, ")"))
		case strings.Contains(low, "remote branch") && strings.Contains(low, "not found"), strings.Contains(low, "couldn't find remote ref"):
			return ErrNoRef
		case strings.Contains(low, "could not read username"), strings.Contains(low, "could not read password"),
			strings.Contains(low, "authentication failed"), strings.Contains(low, "permission denied (publickey"),
			strings.Contains(low, "terminal prompts disabled"), strings.Contains(low, "repository not found"),
			strings.Contains(low, "not found") && strings.Contains(low, "repository"):
			return ErrPrivate
		case strings.HasPrefix(low, "fatal:"), strings.HasPrefix(low, "error:"):
			if last == "" {
				last = strings.TrimSpace(line[strings.IndexByte(line, ':')+1:])
			}
		}
	}
	if last == "" {
		last = "git failed without a word"
	}
	clean, _ := redact.Text([]byte(last)) // an address may hold a password
	return errors.New(string(clean))
}

// bounded keeps the beginning of what is written to it.
type bounded struct{ buf bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if room := maxErrors - b.buf.Len(); room > 0 {
		b.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (b *bounded) String() string { return b.buf.String() }
