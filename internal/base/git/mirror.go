package git

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git names contents by their SHA-1
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
)

// ErrMoved says that a push was rejected because the remote branch has newer commits.
var ErrMoved = errors.New("the remote branch has newer commits")

// A Mirror is a bare repository of our own that exchanges files with a remote. It has no references and so no locks on
// them, because a killed process must not block the next one. No git command reads or writes the files themselves, so that
// no filter, attribute or hook of theirs can run.
type Mirror struct {
	dir string
	at  *safe.Root
}

// A TreeFile is a file of a commit.
type TreeFile struct {
	Path  string // slash-separated; hostile input, because the repository chooses it
	Hash  string
	Size  int64
	Plain bool // a regular file: neither a link nor a submodule
}

const (
	maxListing = 256 << 20 // bytes of the names of a commit's files
	fetchHead  = "FETCH_HEAD"
	indexName  = "index-"
)

// OpenMirror opens the mirror in a folder and creates it if necessary. Only one process may use it at a time.
func OpenMirror(ctx context.Context, dir string) (*Mirror, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	at, err := safe.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	m := &Mirror{dir, at}
	entries, err := at.ReadDir(".")
	for _, e := range entries {
		// Remove the files of a killed process; nobody else uses the folder. FETCH_HEAD must be removed because git would
		// overwrite it in place, even if it has other names.
		leftover := strings.HasPrefix(e.Name(), indexName) || strings.HasSuffix(e.Name(), ".lock") || e.Name() == fetchHead && !e.IsDir()
		if err == nil && leftover {
			err = at.Remove(e.Name())
		}
	}
	if err == nil {
		err = checkPlain(dir, true)
	}
	if err == nil {
		_, err = m.local(ctx, nil, "", "init", "--bare", "--quiet", "--template=", "--object-format=sha1")
	}
	if err != nil {
		at.Close()
		return nil, err
	}
	return m, nil
}

// Close closes the folder. Nothing has to be written then.
func (m *Mirror) Close() { m.at.Close() }

// Root returns the folder. Callers may keep files of their own in it.
func (m *Mirror) Root() *safe.Root { return m.at }

// Fetch fetches the newest commit of a branch and returns its hash, or "" if the remote has no such branch.
func (m *Mirror) Fetch(ctx context.Context, url, branch string) (commit string, err error) {
	refs, _, err := Refs(AllowLocal(ctx, url), url)
	if err != nil {
		return "", err
	}
	there := false
	for _, r := range refs {
		there = there || r.Name == branch && !r.Tag
	}
	if !there {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, cloneTimeout)
	defer cancel()
	if _, err := runRemote(AllowLocal(ctx, url), "--git-dir="+m.dir, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance", "--", url, "refs/heads/"+branch); err != nil {
		return "", err
	}
	head, err := m.at.ReadFile(fetchHead, 64<<10)
	if commit, _, _ = strings.Cut(string(head), "\t"); err != nil || !isHash(commit) {
		return "", fmt.Errorf("git fetched nothing: %w", errors.Join(err, ErrNoRef))
	}
	return commit, nil
}

func isHash(s string) bool { return len(s) == 40 && strings.Trim(s, "0123456789abcdef") == "" }

// Files lists the files of a commit, with their sizes.
func (m *Mirror) Files(ctx context.Context, commit string) (out []TreeFile, err error) {
	if !isHash(commit) {
		return nil, fmt.Errorf("%q is not the hash of a commit", commit)
	}
	list, err := m.local(ctx, nil, "", "ls-tree", "-r", "-z", "-l", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	for line := range strings.SplitSeq(string(list), "\x00") {
		entry, path, ok := strings.Cut(line, "\t")
		words := strings.Fields(entry)
		if !ok || len(words) != 4 {
			continue
		}
		size, err := strconv.ParseInt(words[3], 10, 64)
		out = append(out, TreeFile{Path: path, Hash: words[2], Size: size, Plain: err == nil && (words[0] == "100644" || words[0] == "100755")})
	}
	return out, nil
}

// Contents calls f with the content of each file, in order.
func (m *Mirror) Contents(ctx context.Context, files []TreeFile, f func(file TreeFile, data []byte) error) error {
	const batch = 500 // contents in memory at once
	for len(files) > 0 {
		n, size := 0, int64(0)
		var ask strings.Builder
		for n < len(files) && n < batch && size < 64<<20 {
			ask.WriteString(files[n].Hash + "\n")
			size += files[n].Size
			n++
		}
		out, err := m.local(ctx, strings.NewReader(ask.String()), "", "cat-file", "--batch")
		if err != nil {
			return err
		}
		r := bufio.NewReader(bytes.NewReader(out))
		for _, file := range files[:n] {
			head, err := r.ReadString('\n')
			words := strings.Fields(head)
			if err != nil || !slices.Equal(words, []string{file.Hash, "blob", strconv.FormatInt(file.Size, 10)}) {
				return fmt.Errorf("the repository has no readable object %s", file.Hash)
			}
			data := make([]byte, file.Size)
			if _, err := io.ReadFull(r, data); err != nil {
				return fmt.Errorf("the repository has no readable object %s", file.Hash)
			}
			if _, err := r.Discard(1); err != nil {
				return err
			}
			if err := f(file, data); err != nil {
				return err
			}
		}
		files = files[n:]
	}
	return nil
}

// Hash returns the object ID that git gives to a content.
func Hash(data []byte) string {
	h := sha1.New() //nolint:gosec // git's own choice
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// A TreeChange is the new content of a file in a commit.
type TreeChange struct {
	Data    []byte
	Deleted bool // the commit deletes the file
}

// Commit creates a commit from parent ("" for none) and the changes of paths. change is called when its file is written,
// because not all contents may fit in memory at once.
func (m *Mirror) Commit(ctx context.Context, parent, message string, now time.Time, paths []string, change func(path string) (TreeChange, error)) (commit string, err error) {
	r, w := io.Pipe()
	var names bytes.Buffer
	done := make(chan struct{})
	go func() {
		defer close(done)
		b := bufio.NewWriter(w)
		for _, p := range paths {
			c, err := change(p)
			if err != nil {
				w.CloseWithError(err)
				return
			}
			if c.Deleted {
				fmt.Fprintf(&names, "0 %040d\t%s\x00", 0, p)
				continue
			}
			fmt.Fprintf(&names, "100644 %s\t%s\x00", Hash(c.Data), p)
			fmt.Fprintf(b, "blob\ndata %d\n%s\n", len(c.Data), c.Data)
		}
		w.CloseWithError(b.Flush())
	}()
	// Import only contents: no reference changes.
	_, err = m.local(ctx, r, "", "fast-import", "--quiet")
	r.CloseWithError(io.ErrClosedPipe) // if git ended early, the writer must not wait for a reader
	<-done
	if err != nil {
		return "", err
	}
	index := indexName + strconv.FormatInt(now.UnixNano(), 36)
	defer func() { _ = m.at.Remove(index) }() // if this fails, OpenMirror removes it the next time
	if parent != "" {
		if _, err := m.local(ctx, nil, index, "read-tree", parent); err != nil {
			return "", err
		}
	}
	if _, err := m.local(ctx, &names, index, "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	tree, err := m.local(ctx, nil, index, "write-tree")
	if err != nil {
		return "", err
	}
	args := []string{"commit-tree", strings.TrimSpace(string(tree))}
	if parent != "" {
		args = append(args, "-p", parent)
	}
	out, err := m.git(ctx, strings.NewReader(message+"\n"), "", now, args...)
	if commit = strings.TrimSpace(string(out)); err == nil && !isHash(commit) {
		err = errors.New("git commit-tree printed no commit hash")
	}
	return commit, err
}

// Contains reports whether old is commit or one of its ancestors.
func (m *Mirror) Contains(ctx context.Context, commit, old string) bool {
	if !isHash(commit) || !isHash(old) {
		return false
	}
	_, err := m.local(ctx, nil, "", "merge-base", "--is-ancestor", old, commit)
	return err == nil
}

// Push pushes a commit to a branch of the remote. It returns ErrMoved if that would lose commits of somebody else.
func (m *Mirror) Push(ctx context.Context, url, commit, branch string) error {
	if err := checkAddress(url); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, cloneTimeout)
	defer cancel()
	args := []string{"--git-dir=" + m.dir, "-c", "push.gpgSign=false", "-c", "push.followTags=false", "push", "--quiet", "--no-verify", "--recurse-submodules=no"}
	if isPath(url) {
		// receive-pack of a local remote runs on this machine with the configuration of that repository, and would fetch
		// missing base objects as that says. git starts it with a shell.
		args = append(args, "--receive-pack=GIT_NO_LAZY_FETCH=1 git -c core.hooksPath="+os.DevNull+" -c core.fsmonitor=false -c core.alternateRefsCommand=true "+
			"-c receive.denyCurrentBranch=refuse -c receive.autogc=false receive-pack")
	}
	_, err := runRemote(AllowLocal(ctx, url), append(args, "--", url, commit+":refs/heads/"+branch)...)
	return err
}

// local runs git in the mirror. It reads only this repository, and uses no network.
func (m *Mirror) local(ctx context.Context, in io.Reader, index string, args ...string) ([]byte, error) {
	return m.git(ctx, in, index, time.Time{}, args...)
}

func (m *Mirror) git(ctx context.Context, in io.Reader, index string, now time.Time, args ...string) ([]byte, error) {
	pre := append(hardeningOptions(), "-c", "gc.auto=0", "-c", "core.autocrlf=false", "-c", "core.logAllRefUpdates=false", "--git-dir="+m.dir)
	if args[0] == "init" {
		pre = pre[:len(pre)-1]
		args = append(args, "--", m.dir)
	}
	cmd := exec.CommandContext(ctx, "git", append(pre, args...)...)
	cmd.Dir = filepath.VolumeName(m.dir) + string(filepath.Separator)
	cmd.Env = gitEnvironment(os.Environ())
	if index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+filepath.Join(m.dir, index))
	}
	if !now.IsZero() {
		when := strconv.FormatInt(now.Unix(), 10) + " +0000"
		// A fixed name, because the name of the user or machine must not get into commits.
		cmd.Env = append(cmd.Env, "GIT_AUTHOR_NAME=assay", "GIT_AUTHOR_EMAIL=assay@localhost", "GIT_COMMITTER_NAME=assay", "GIT_COMMITTER_EMAIL=assay@localhost", "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when)
	}
	cmd.WaitDelay = time.Second
	cmd.Stdin = in
	out, errOut := &cappedBuffer{max: maxListing}, &headBuffer{}
	cmd.Stdout, cmd.Stderr = out, errOut
	switch err := cmd.Run(); {
	case errors.Is(err, exec.ErrNotFound):
		return nil, ErrNoGit
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case out.exceeded:
		return nil, fmt.Errorf("git printed more than %d MB", maxListing>>20)
	case err != nil:
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return nil, err // in reading its input or output
		}
		return nil, remoteError(errOut.String())
	}
	return out.Bytes(), nil
}

// A cappedBuffer fails after max bytes. It must not embed bytes.Buffer, because io.Copy would call ReadFrom and bypass Write.
type cappedBuffer struct {
	buf      bytes.Buffer
	max      int
	keepHead bool // keep the beginning of a write that exceeds the limit
	exceeded bool
}

func (c *cappedBuffer) Write(p []byte) (int, error) {
	if c.buf.Len()+len(p) > c.max {
		c.exceeded = true
		if c.keepHead {
			c.buf.Write(p[:c.max-c.buf.Len()])
		}
		return 0, io.ErrShortBuffer
	}
	return c.buf.Write(p)
}

// Bytes returns the bytes written so far.
func (c *cappedBuffer) Bytes() []byte { return c.buf.Bytes() }

type localKey struct{}

// AllowLocal allows a remote on this machine if url is a path: the user must have named it.
func AllowLocal(ctx context.Context, url string) context.Context {
	if isPath(url) {
		return context.WithValue(ctx, localKey{}, true)
	}
	return ctx
}

// isPath reports whether the address of a repository is a path or a file URL.
func isPath(url string) bool { return filepath.IsAbs(url) || strings.HasPrefix(url, "file://") }
