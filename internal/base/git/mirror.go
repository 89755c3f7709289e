package git

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // the name that git gives to a content
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
)

// ErrMoved says that a remote branch has commits that the pushed one does not follow.
var ErrMoved = errors.New("the remote has changed meanwhile")

// A Mirror is a repository of our own without a work tree, by which files are exchanged
// with a remote. It has no references and so no locks on them: whoever is killed leaves
// nothing that the next one waits for. No git command reads or writes the files
// themselves, so no filter, attribute or hook of theirs has a say.
type Mirror struct {
	dir string
	at  *safe.Root
}

// A TreeFile is a file of a commit.
type TreeFile struct {
	Path  string // slash-separated; what the repository says, which may be anything
	Hash  string
	Size  int64
	Plain bool // a file: no link and no other repository
}

const (
	maxListing = 256 << 20 // bytes of the names of a commit's files
	fetchHead  = "FETCH_HEAD"
	indexName  = "index-"
)

// OpenMirror opens the mirror in a folder, and makes it where there is none. Only one
// process may use it at a time.
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
		// Of who was killed: no one else is at it. What was fetched last, git would write over,
		// whatever other names the file has.
		if err == nil && (strings.HasPrefix(e.Name(), indexName) || strings.HasSuffix(e.Name(), ".lock") || e.Name() == fetchHead && !e.IsDir()) {
			err = at.Remove(e.Name())
		}
	}
	if err == nil {
		err = plain(dir, true)
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

// Close closes the folder, of which nothing is left to be written.
func (m *Mirror) Close() { m.at.Close() }

// Root returns the folder, in which a caller may keep a file of its own.
func (m *Mirror) Root() *safe.Root { return m.at }

// Fetch brings the newest commit of a branch here, and returns it; "" where the remote
// has no such branch.
func (m *Mirror) Fetch(ctx context.Context, url, branch string) (commit string, err error) {
	refs, _, err := Refs(Named(ctx, url), url)
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
	ctx, cancel := context.WithTimeout(ctx, cloneTime)
	defer cancel()
	if _, err := remote(Named(ctx, url), "--git-dir="+m.dir, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance", "--", url, "refs/heads/"+branch); err != nil {
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
		return nil, fmt.Errorf("%q is no commit", commit)
	}
	list, err := m.local(ctx, nil, "", "ls-tree", "-r", "-z", "-l", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	for line := range strings.SplitSeq(string(list), "\x00") {
		what, path, ok := strings.Cut(line, "\t")
		words := strings.Fields(what)
		if !ok || len(words) != 4 {
			continue
		}
		size, err := strconv.ParseInt(words[3], 10, 64)
		out = append(out, TreeFile{Path: path, Hash: words[2], Size: size, Plain: err == nil && (words[0] == "100644" || words[0] == "100755")})
	}
	return out, nil
}

// Contents calls f with the content of each of some files, in order.
func (m *Mirror) Contents(ctx context.Context, files []TreeFile, f func(file TreeFile, data []byte) error) error {
	const batch = 500 // of contents that are held at once
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
			if err != nil || len(words) != 3 || words[0] != file.Hash || words[1] != "blob" || words[2] != strconv.FormatInt(file.Size, 10) {
				return fmt.Errorf("the repository lacks %s", file.Hash)
			}
			data := make([]byte, file.Size)
			if _, err := io.ReadFull(r, data); err != nil {
				return fmt.Errorf("the repository lacks %s", file.Hash)
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

// Hash returns the name that git gives to a content.
func Hash(data []byte) string {
	h := sha1.New() //nolint:gosec // git's own choice
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// A TreeChange is a file as a commit is to have it.
type TreeChange struct {
	Data []byte
	Gone bool // the commit is not to have it
}

// Commit makes a commit of what parent has, "" for nothing, and some changes. Each is
// asked for when it is written, so that not all are held at once.
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
			if c.Gone {
				fmt.Fprintf(&names, "0 %040d\t%s\x00", 0, p)
				continue
			}
			fmt.Fprintf(&names, "100644 %s\t%s\x00", Hash(c.Data), p)
			fmt.Fprintf(b, "blob\ndata %d\n%s\n", len(c.Data), c.Data)
		}
		w.CloseWithError(b.Flush())
	}()
	// Contents alone: it changes no reference.
	_, err = m.local(ctx, r, "", "fast-import", "--quiet")
	r.CloseWithError(io.ErrClosedPipe) // where git ended early, nobody reads on
	<-done
	if err != nil {
		return "", err
	}
	index := indexName + strconv.FormatInt(now.UnixNano(), 36)
	defer func() { _ = m.at.Remove(index) }() // the next one removes it
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
		err = errors.New("git made no commit")
	}
	return commit, err
}

// Has reports whether a commit is another one, or has it in its history.
func (m *Mirror) Has(ctx context.Context, commit, old string) bool {
	if !isHash(commit) || !isHash(old) {
		return false
	}
	_, err := m.local(ctx, nil, "", "merge-base", "--is-ancestor", old, commit)
	return err == nil
}

// Push puts a commit onto a branch of the remote; ErrMoved where that would lose what
// somebody else has put there.
func (m *Mirror) Push(ctx context.Context, url, commit, branch string) error {
	if err := reachable(url); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, cloneTime)
	defer cancel()
	args := []string{"--git-dir=" + m.dir, "-c", "push.gpgSign=false", "-c", "push.followTags=false", "push", "--quiet", "--no-verify", "--recurse-submodules=no"}
	if isPath(url) {
		// What receives runs on this machine, with the configuration of that repository, and would fetch what it lacks of what a
		// file is a change of as that says. git starts it by a shell.
		args = append(args, "--receive-pack=GIT_NO_LAZY_FETCH=1 git -c core.hooksPath="+os.DevNull+" -c core.fsmonitor=false -c core.alternateRefsCommand=true "+
			"-c receive.denyCurrentBranch=refuse -c receive.autogc=false receive-pack")
	}
	_, err := remote(Named(ctx, url), append(args, "--", url, commit+":refs/heads/"+branch)...)
	return err
}

// local runs git in the mirror. It reads no repository but this one, and uses no network.
func (m *Mirror) local(ctx context.Context, in io.Reader, index string, args ...string) ([]byte, error) {
	return m.git(ctx, in, index, time.Time{}, args...)
}

func (m *Mirror) git(ctx context.Context, in io.Reader, index string, now time.Time, args ...string) ([]byte, error) {
	pre := append(hardened(), "-c", "gc.auto=0", "-c", "core.autocrlf=false", "-c", "core.logAllRefUpdates=false", "--git-dir="+m.dir)
	if args[0] == "init" {
		pre = pre[:len(pre)-1]
		args = append(args, "--", m.dir)
	}
	cmd := exec.CommandContext(ctx, "git", append(pre, args...)...)
	cmd.Dir = filepath.VolumeName(m.dir) + string(filepath.Separator)
	cmd.Env = environ(os.Environ())
	if index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+filepath.Join(m.dir, index))
	}
	if !now.IsZero() {
		when := strconv.FormatInt(now.Unix(), 10) + " +0000"
		// Whose machine it is, is nobody's business.
		cmd.Env = append(cmd.Env, "GIT_AUTHOR_NAME=assay", "GIT_AUTHOR_EMAIL=assay@localhost", "GIT_COMMITTER_NAME=assay", "GIT_COMMITTER_EMAIL=assay@localhost", "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when)
	}
	cmd.WaitDelay = time.Second
	cmd.Stdin = in
	out, said := &capped{most: maxListing}, &bounded{}
	cmd.Stdout, cmd.Stderr = out, said
	switch err := cmd.Run(); {
	case errors.Is(err, exec.ErrNotFound):
		return nil, ErrNoGit
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case out.over:
		return nil, fmt.Errorf("git says more than %d MB", maxListing>>20)
	case err != nil:
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return nil, err // of what was read
		}
		return nil, verdict(said.String())
	}
	return out.Bytes(), nil
}

// capped holds so much and no more. It embeds no buffer: copying would go past Write to its ReadFrom.
type capped struct {
	buf  bytes.Buffer
	most int
	part bool // of what is more, the beginning is held
	over bool
}

func (c *capped) Write(p []byte) (int, error) {
	if c.buf.Len()+len(p) > c.most {
		c.over = true
		if c.part {
			c.buf.Write(p[:c.most-c.buf.Len()])
		}
		return 0, io.ErrShortBuffer
	}
	return c.buf.Write(p)
}

// Bytes returns what is held.
func (c *capped) Bytes() []byte { return c.buf.Bytes() }

type localKey struct{}

// Named allows a remote on this machine, where the user named one.
func Named(ctx context.Context, url string) context.Context {
	if isPath(url) {
		return context.WithValue(ctx, localKey{}, true)
	}
	return ctx
}

// isPath reports whether the address of a repository is a place on this machine.
func isPath(url string) bool { return filepath.IsAbs(url) || strings.HasPrefix(url, "file://") }
