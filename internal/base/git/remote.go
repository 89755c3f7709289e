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

// The limits of commands that use the network.
const (
	lookUpTimeout = 60 * time.Second
	cloneTimeout  = 20 * time.Minute
	maxErrors     = 8 << 10 // bytes of git's standard error
)

// The reasons for which a remote repository cannot be read.
var (
	ErrNoGit   = errors.New("git is not installed")
	ErrNoRef   = errors.New("no such branch or tag")
	ErrPrivate = errors.New("the repository does not exist, or asks for a password")
	ErrTimeout = errors.New("git did not finish in time")
)

// A Ref is a branch or a tag of a remote repository.
type Ref struct {
	Name   string // "main", "v1.2.0"
	Commit string
	Tag    bool
}

// A Checkout describes the commit that Clone checked out.
type Checkout struct {
	Branch string // "" at a tag
	Commit string
	Date   time.Time // when it was committed
}

// Refs lists the branches and tags of the repository at url, which must be an
// address and not begin with "-". head is the name of the branch that it offers
// first, or "".
func Refs(ctx context.Context, url string) (refs []Ref, head string, err error) {
	if err := checkAddress(url); err != nil {
		return nil, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, lookUpTimeout)
	defer cancel()
	out, err := runRemote(ctx, "ls-remote", "--symref", "--", url, "HEAD", "refs/heads/*", "refs/tags/*")
	if err != nil {
		return nil, "", err
	}
	commits := map[string]int{} // the index in refs of each tag, because an annotated tag's commit follows
	for line := range strings.SplitSeq(string(out), "\n") {
		value, name, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		if to, ok := strings.CutPrefix(value, "ref: refs/heads/"); ok && name == "HEAD" {
			head = to
			continue
		}
		if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			refs = append(refs, Ref{Name: branch, Commit: value})
		}
		if tag, ok := strings.CutPrefix(name, "refs/tags/"); ok {
			if of, peeled := strings.CutSuffix(tag, "^{}"); peeled {
				if i, ok := commits[of]; ok {
					refs[i].Commit = value
				}
				continue
			}
			commits[tag] = len(refs)
			refs = append(refs, Ref{Name: tag, Commit: value, Tag: true})
		}
	}
	return refs, head, nil
}

// binaryEndings are the endings of files that are not cloned because they are not text. Such files are most of the bytes of
// a documentation's repository.
const binaryEndings = "png jpg jpeg gif webp avif bmp ico icns tif tiff svg psd ai sketch fig mp3 mp4 m4a m4v mov wav webm avi ogg flac " +
	"otf ttf woff woff2 eot zip gz tgz tar bz2 xz zst 7z rar jar war dll exe so dylib a o wasm bin dat iso dmg deb rpm apk " +
	"pack snap parquet onnx pt pth h5 npy npz pkl safetensors sqlite db pdf"

// Clone checks out the newest commit of a branch or tag of the repository at url into dir, which must not exist or be
// empty; an empty ref means the default branch. Neither url nor ref may begin with "-". Files with one of binaryEndings are
// not checked out, nor fetched if the server supports filters. dir is complete or unchanged.
func Clone(ctx context.Context, url, ref, dir string) (Checkout, error) {
	return defaultLimits.clone(ctx, url, ref, dir, false)
}

// clone is Clone; if renewed is set, it replaces an existing dir.
func (most cloneLimits) clone(ctx context.Context, url, ref, dir string, renewed bool) (c Checkout, err error) {
	if err := checkAddress(url); err != nil {
		return c, err
	}
	args := []string{"clone", "--quiet", "--depth", "1", "--filter=blob:none", "--no-checkout", "--single-branch", "--no-tags", "--no-recurse-submodules", "--template="}
	if ref != "" {
		if err := checkWord(ref); err != nil {
			return c, err
		}
		args = append(args, "--branch", ref)
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return c, err
	}
	up, beside, err := makeStaging(dir)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(filepath.Join(up.Name(), beside)), up.Close()) }()
	name := filepath.Base(dir)
	if list, err := up.ReadDir(name); len(list) > 0 && !renewed || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c, cmp.Or(err, fmt.Errorf("%s is not empty", dir))
	}
	half := filepath.Join(up.Name(), beside, "half")
	long, cancel := context.WithTimeout(ctx, cloneTimeout)
	defer cancel()
	long, stop := most.watchSize(long, half, time.Second)
	defer stop()
	if _, err := runRemote(long, append(args, "--", url, half)...); err != nil {
		return c, err
	}
	patterns := []string{"/*"}
	for ext := range strings.FieldsSeq(binaryEndings) {
		patterns = append(patterns, "!*."+ext)
	}
	if _, err := runRemote(long, append([]string{"-C", half, "sparse-checkout", "set", "--no-cone"}, patterns...)...); err != nil {
		return c, err
	}
	if err := most.checkFileCount(long, half, "HEAD"); err != nil {
		return c, err
	}
	if err := checkOutFiles(long, half, ref); err != nil {
		return c, err
	}
	if err := most.checkSize(half); err != nil {
		return c, err
	}
	if c, err = readCheckout(ctx, half); err != nil {
		return c, err
	}
	before := beside + "/before"
	if renewed {
		err = up.Rename(name, before)
	} else {
		_ = up.RemoveDir(name) // Windows does not replace an empty folder; if dir is not empty, the rename below fails
	}
	if err == nil {
		err = up.Rename(beside+"/half", name)
	}
	if err != nil && renewed {
		_ = up.Rename(before, name) // fails if the first rename failed: then name is unchanged
	}
	return c, err
}

// makeStaging opens the parent folder of dir, creates a staging folder in it and returns its name. It also removes the
// staging folders of killed processes.
func makeStaging(dir string) (up *safe.Root, beside string, err error) {
	at, begin := filepath.Dir(dir), "."+filepath.Base(dir)+".assay-"
	if err := os.MkdirAll(at, 0o755); err != nil { //nolint:gosec // the mode that git uses
		return nil, "", err
	}
	if up, err = safe.OpenRoot(at); err != nil {
		return nil, "", err
	}
	list, err := up.ReadDir(".")
	for _, e := range list {
		if st, e2 := e.Info(); e2 == nil && st.IsDir() && strings.HasPrefix(e.Name(), begin) && time.Since(st.ModTime()) > 2*cloneTimeout {
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

// Renew updates dir, a result of Clone, to the newest commit of the branch or tag ref of the repository at url; an empty ref
// means the default branch. Local changes are lost. If the repository cannot be reached, the clone stays unchanged. If
// Renew is stopped while it writes files, the clone has files of both commits until the next Renew.
func Renew(ctx context.Context, url, ref, dir string) (Checkout, error) {
	return defaultLimits.renew(ctx, url, ref, dir)
}

func (most cloneLimits) renew(ctx context.Context, url, ref, dir string) (Checkout, error) {
	if err := errors.Join(checkAddress(url), checkWord(cmp.Or(ref, "HEAD"))); err != nil {
		return Checkout{}, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Checkout{}, err
	}
	long, cancel := context.WithTimeout(ctx, cloneTimeout)
	defer cancel()
	long, stop := most.watchSize(long, abs, time.Second)
	defer stop()
	began := time.Now()
	removeLocks(abs, func(made time.Time) bool { return began.Sub(made) > 2*cloneTimeout })
	defer func() {
		if long.Err() != nil { // a stopped git leaves its locks
			removeLocks(abs, func(made time.Time) bool { return !made.Before(began.Truncate(time.Second)) })
		}
	}()
	// Fetch by the name of the remote, because git asks that remote for missing files later.
	for _, args := range [][]string{
		{"remote", "set-url", "origin", "--", url},
		{"fetch", "--quiet", "--depth", "1", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance", "origin", cmp.Or(ref, "HEAD")},
	} {
		if _, err = runRemote(long, append([]string{"-C", abs}, args...)...); err != nil {
			break
		}
	}
	if err == nil {
		err = most.checkFileCount(long, abs, "FETCH_HEAD")
	}
	if err == nil {
		_, err = runRemote(long, "-C", abs, "checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
	}
	if err == nil {
		err = most.checkSize(abs)
	}
	if errors.Is(err, ErrLarge) {
		// Clone again, because git never removes the objects of earlier commits from a partial clone.
		stop()
		return most.clone(ctx, url, ref, abs, true)
	}
	if err != nil {
		return Checkout{}, err
	}
	return readCheckout(ctx, abs)
}

// removeLocks removes the lock files that a killed git left in a clone, because every later git would fail on them. left
// decides by the time of a lock whether it is such a file.
func removeLocks(dir string, left func(made time.Time) bool) {
	at, err := safe.OpenRoot(filepath.Join(dir, ".git"))
	if err != nil {
		return // the command that follows reports the error
	}
	defer at.Close()
	list, _ := at.ReadDir(".")
	for _, e := range list {
		if st, err := e.Info(); err == nil && st.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".lock") && left(st.ModTime()) {
			_ = at.Remove(e.Name()) // git reports a lock that remains
		}
	}
}

// readCheckout describes the commit that is checked out in a clone.
func readCheckout(ctx context.Context, dir string) (c Checkout, err error) {
	out, status, err := run(ctx, dir, "log", "-1", "--format=%H %cI")
	hash, date, ok := strings.Cut(strings.TrimSpace(string(out)), " ")
	if err != nil || status != 0 || !ok {
		return c, fmt.Errorf("the repository has no commit: %w", ErrNoRef)
	}
	c.Commit = hash
	c.Date, _ = time.Parse(time.RFC3339, date) // a commit may contain an invalid date: then Date is zero
	if out, status, err := run(ctx, dir, "symbolic-ref", "--quiet", "--short", "HEAD"); err == nil && status == 0 {
		c.Branch = strings.TrimSpace(string(out))
	}
	return c, nil
}

// checkOutFiles fetches the files of a clone of ref and checks them out.
func checkOutFiles(ctx context.Context, dir, ref string) error {
	_, err := runRemote(ctx, "-C", dir, "checkout", "--quiet", "HEAD")
	if err == nil || ctx.Err() != nil {
		return err // done, or stopped
	}
	// Fetch everything, because some servers accept a filter but then refuse to send single files.
	if _, again := runRemote(ctx, "-C", dir, "fetch", "--quiet", "--refetch", "--no-filter", "--no-tags", "--depth", "1", "origin", cmp.Or(ref, "HEAD")); again != nil {
		return err
	}
	_, err = runRemote(ctx, "-C", dir, "checkout", "--quiet", "HEAD")
	return err
}

// transport matches an address that makes git run the program named before "::".
var transport = lazy.Regexp(`^[A-Za-z0-9+.-]*::`)

// checkWord returns an error for an argument that git would read as an option or as a program to run.
func checkWord(word string) error {
	switch {
	case word == "" || strings.HasPrefix(word, "-"):
		return fmt.Errorf("%q is not the address of a repository, or the name of a branch or tag", word)
	case transport.MatchString(word):
		return fmt.Errorf("%q is not allowed, because git would run a program of that name", word)
	case strings.ContainsAny(word, "\x00\n\r"):
		return fmt.Errorf("%q is not the address of a repository, or the name of a branch or tag", word)
	}
	return nil
}

// runRemote starts a git command that may use the network. It must start at the root of the file system, because inside a
// repository git would also read that one's configuration, which may name programs that supply passwords.
func runRemote(ctx context.Context, args ...string) ([]byte, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "git", append(networkOptions(), args...)...)
	cmd.Dir = filepath.VolumeName(here) + string(filepath.Separator)
	protocols := "https:http:ssh:git"
	if local, _ := ctx.Value(localKey{}).(bool); local {
		// upload-pack of a local remote runs on this machine with the configuration of that repository, so that it must not
		// reach the network.
		protocols = "file"
	}
	// Remove GIT_NO_LAZY_FETCH, because a partial clone must fetch missing files; upload-pack sets it for itself by default.
	env := slices.DeleteFunc(gitEnvironment(os.Environ()), func(v string) bool { return strings.HasPrefix(v, "GIT_NO_LAZY_FETCH=") })
	// The last value of a variable wins.
	cmd.Env = append(env, "GIT_ALLOW_PROTOCOL="+protocols, "GIT_LFS_SKIP_SMUDGE=1", "GCM_INTERACTIVE=never", "GIT_SSH_COMMAND=ssh -oBatchMode=yes")
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "GIT_SSH_COMMAND=") || strings.HasPrefix(v, "GIT_SSL_CAINFO=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.WaitDelay = 2 * time.Second
	out, errOut := &cappedBuffer{max: maxAnswer}, &headBuffer{}
	cmd.Stdout, cmd.Stderr = out, errOut
	err = cmd.Run()
	switch {
	case out.exceeded:
		return nil, fmt.Errorf("git printed more than %d MB", maxAnswer>>20)
	case err == nil:
		return out.Bytes(), nil
	case errors.Is(err, exec.ErrNotFound):
		return nil, ErrNoGit
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, ErrTimeout
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return nil, remoteError(errOut.String())
}

// networkOptions returns the options of every git command that may use the network. The user's own configuration stays in
// force, such as a proxy or a password helper; files of the checked-out tree cannot run anything.
func networkOptions() []string {
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

// remoteError returns the error that git's messages on standard error describe.
func remoteError(messages string) error {
	last := ""
	for line := range strings.SplitSeq(strings.TrimSpace(messages), "\n") {
		line = strings.TrimSpace(line)
		switch low := strings.ToLower(line); {
		case strings.HasPrefix(low, "! [rejected]"):
			return ErrMoved
		case strings.HasPrefix(low, "! [remote rejected]"):
			_, why, _ := strings.Cut(line, " (")
			return errors.New("the remote rejected the push: " + strings.TrimSuffix(why, ")"))
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
	last = cmp.Or(last, "git failed without a message")
	clean, _ := redact.Text([]byte(last)) // an address may contain a password
	return errors.New(string(clean))
}

// A headBuffer keeps only the first maxErrors bytes that are written to it.
type headBuffer struct{ buf bytes.Buffer }

func (b *headBuffer) Write(p []byte) (int, error) {
	if room := maxErrors - b.buf.Len(); room > 0 {
		b.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (b *headBuffer) String() string { return b.buf.String() }
