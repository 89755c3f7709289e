package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// ErrNone says that there is no repository, or that git is not installed.
var ErrNone = errors.New("no repository that git can read")

// A Change is a file that differs between two states of a work tree. Its paths are
// relative to the folder that was asked about, with slashes.
type Change struct {
	Path string // its path now, or its last path if it is deleted
	Was  string // its path before, if it was renamed
	Kind byte   // 'A' added, 'M' modified, 'D' deleted, 'R' renamed
}

// Index names the staged files as a state to compare; "" names the work tree.
const Index = ":"

// The limits of a comparison: files, and bytes of their contents. They are needed because many names may share one content,
// so that a small repository can expand to a large one.
const (
	maxChanges  = 5000
	maxContents = 128 << 20
)

// Commit returns the hash of the commit that a name resolves to in the work tree around root, or "" if there is none.
func Commit(ctx context.Context, root, name string) (string, error) {
	out, status, err := run(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	switch {
	case errors.Is(err, ErrNone):
		return "", err
	case err != nil:
		return "", fmt.Errorf("%w: %v", ErrNone, err)
	}
	hash := strings.TrimSpace(string(out))
	if status != 0 || len(hash) < 40 || strings.Trim(hash, "0123456789abcdef") != "" {
		return "", nil
	}
	return hash, nil
}

// MergeBase returns the last common ancestor of two commits, or "" if there is none.
func MergeBase(ctx context.Context, root, a, b string) (string, error) {
	out, status, err := runIsolated(ctx, root, a, false, "merge-base", "--end-of-options", a, b)
	if err != nil || status != 0 {
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// Changes returns the files below root that differ between the commit from, a result of Commit, and to: another commit,
// Index, or "" for the work tree including its untracked files.
func Changes(ctx context.Context, root, from, to string) ([]Change, error) {
	args := []string{"diff", "--name-status", "-z", "-M", "--no-ext-diff", "--no-textconv", "--ignore-submodules", "--relative"}
	switch to {
	case "":
		args = append(args, from)
	case Index:
		args = append(args, "--cached", from)
	default:
		args = append(args, from, to)
	}
	a, err := newShadowRepo(ctx, root, from, to == "")
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNone, err)
	}
	defer a.close()
	out, status, err := a.output(ctx, root, append(args, "--")...)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNone, err)
	}
	if status != 0 {
		return nil, fmt.Errorf("git diff: exit status %d", status)
	}
	changes, err := parseStatuses(out)
	if err != nil || to != "" {
		return changes, err
	}
	args = []string{"ls-files", "-z", "--others", "--exclude-standard"}
	if common, ok := CommonDir(a.top); ok {
		if exclude := filepath.Join(common, "info", "exclude"); isRegular(exclude) {
			args = append(args, "--exclude-from="+exclude)
		}
	}
	if out, status, err = a.output(ctx, root, args...); err == nil && status != 0 {
		err = fmt.Errorf("exit status %d", status)
	}
	if err != nil {
		return nil, fmt.Errorf("list untracked files: %w", err) // without the new files the answer would be incomplete
	}
	for p := range strings.SplitSeq(string(out), "\x00") {
		if p != "" && !strings.HasSuffix(p, "/") {
			changes = append(changes, Change{Path: p, Kind: 'A'})
		}
	}
	return changes, checkChangeCount(len(changes))
}

// DescribeEmpty tells a reader that nothing differs between two states below root, and where that is if it is not the
// whole work tree: the change may be in another folder.
func DescribeEmpty(root, from, to string) string {
	below := ""
	if top, ok := TopLevel(root); ok {
		if rel, err := filepath.Rel(top, root); err == nil && rel != "." {
			below = " below " + filepath.ToSlash(rel)
		}
	}
	return fmt.Sprintf("nothing differs between %s and %s%s; an older commit, such as HEAD~1, can be named", from, to, below)
}

// Patch returns the differences from the commit from, a result of Commit, to another commit or to "", the work tree. The
// patch is cut off after limit bytes.
func Patch(ctx context.Context, root, from, to string, limit int) (string, error) {
	args := []string{"diff", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules", "--relative", "--src-prefix=a/", "--dst-prefix=b/", from}
	if to != "" {
		args = append(args, to)
	}
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	a, err := newShadowRepo(ctx, root, from, to == "")
	if err != nil {
		return "", fmt.Errorf("%w: %v", ErrNone, err)
	}
	defer a.close()
	cmd := a.command(ctx, root, append(args, "--")...)
	said := &cappedBuffer{max: limit, keepHead: true}
	cmd.Stdout = said
	var exit *exec.ExitError
	switch err := cmd.Run(); {
	case err == nil, said.exceeded:
		return string(said.Bytes()), nil
	case errors.As(err, &exit) && exit.Exited():
		return "", fmt.Errorf("git diff: exit status %d", exit.ExitCode())
	default:
		return "", fmt.Errorf("%w: %v", ErrNone, err)
	}
}

// isRegular reports whether a path is a regular file or a link to one.
func isRegular(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

// checkChangeCount returns an error if a comparison has too many files.
func checkChangeCount(n int) error {
	if n > maxChanges {
		return fmt.Errorf("%d files changed: at most %d can be compared", n, maxChanges)
	}
	return nil
}

// parseStatuses reads the output of git diff --name-status -z.
func parseStatuses(out []byte) (changes []Change, err error) {
	words := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(words); i += 2 {
		c := Change{Kind: 'M', Path: words[i+1]}
		switch kind := words[i]; {
		case kind == "A", kind == "D":
			c.Kind = kind[0]
		case strings.HasPrefix(kind, "R"), strings.HasPrefix(kind, "C"):
			if i+2 >= len(words) {
				return nil, errors.New("the output of git diff ends inside a rename")
			}
			c.Was, c.Path = words[i+1], words[i+2]
			if c.Kind = kind[0]; c.Kind == 'C' {
				c.Kind, c.Was = 'A', ""
			}
			i++
		}
		changes = append(changes, c)
	}
	return changes, checkChangeCount(len(changes))
}

// Contents returns the text of files below root in a commit or Index. It omits files that are missing or larger than limit,
// and fails if the contents exceed maxContents together.
func Contents(ctx context.Context, root, at string, paths []string, limit int64) (map[string][]byte, error) {
	return readContents(ctx, root, at, paths, limit, maxContents)
}

func readContents(ctx context.Context, root, at string, paths []string, limit, most int64) (map[string][]byte, error) {
	hash := at
	if at == Index {
		at, hash = "", headCommit(ctx, root) // ":path" is the index's
	}
	ctx, cancel := context.WithTimeout(ctx, 2*questionTimeout)
	defer cancel()
	a, err := newShadowRepo(ctx, root, hash, false)
	if err != nil {
		return nil, err
	}
	defer a.close()
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	prefix, err := filepath.Rel(a.top, abs)
	if err != nil {
		return nil, err
	}
	var asked bytes.Buffer
	var names []string
	for _, p := range paths {
		if strings.ContainsAny(p, "\n\x00") {
			continue // cat-file --batch cannot ask for such a name
		}
		names = append(names, p)
		fmt.Fprintf(&asked, "%s:%s\n", at, filepath.ToSlash(filepath.Join(prefix, filepath.FromSlash(p))))
	}
	cmd := a.command(ctx, a.top, "cat-file", "--batch")
	cmd.Stdin = &asked
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNone, err)
	}
	out, err := readBatch(bufio.NewReader(pipe), names, limit, most)
	if err != nil {
		cancel() // git may still be writing
		return nil, errors.Join(err, dropExitError(cmd.Wait()))
	}
	return out, cmd.Wait()
}

// dropExitError returns nil for the error of a command that was stopped on purpose.
func dropExitError(err error) error {
	if errors.As(err, new(*exec.ExitError)) {
		return nil
	}
	return err
}

// headCommit returns the commit that is checked out, or "".
func headCommit(ctx context.Context, root string) string {
	commit, _ := Head(ctx, root)
	return commit
}

// readBatch reads the output of git cat-file --batch for the files names.
func readBatch(r *bufio.Reader, names []string, limit, most int64) (map[string][]byte, error) {
	out := map[string][]byte{}
	held := int64(0)
	for _, name := range names {
		head, err := r.ReadString('\n')
		if err != nil {
			return out, err
		}
		fields := strings.Fields(head)
		if len(fields) < 3 || fields[len(fields)-1] == "missing" || len(fields[0]) < 40 {
			continue
		}
		size, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil || size < 0 {
			return out, fmt.Errorf("git cat-file printed %q instead of a header", head)
		}
		if fields[1] != "blob" || size > limit {
			if _, err := io.CopyN(io.Discard, r, size+1); err != nil {
				return out, err
			}
			continue
		}
		if held += size; held > most {
			return out, fmt.Errorf("the changed files have more than %d MB", most>>20)
		}
		text := make([]byte, size)
		if _, err := io.ReadFull(r, text); err != nil {
			return out, err
		}
		if _, err := r.Discard(1); err != nil {
			return out, err
		}
		out[name] = text
	}
	return out, nil
}
