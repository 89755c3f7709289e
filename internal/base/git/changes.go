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
	"time"
)

// ErrNone says that there is no repository, or no git to ask it.
var ErrNone = errors.New("no repository that git can read")

// A Change is a file that differs between two states of a work tree. Its paths are
// relative to the folder that was asked about, with slashes.
type Change struct {
	Path string // where it is, or was where it is deleted
	Was  string // where it was, if it was renamed
	Kind byte   // 'A' added, 'M' modified, 'D' deleted, 'R' renamed
}

// Index names what is staged, as one of two states that are compared; the work tree
// is "".
const Index = ":"

// mostChanges bounds the files of a comparison.
const mostChanges = 5000

// Commit returns the hash of the commit that a name means in the work tree around
// root, "" where it means none.
func Commit(ctx context.Context, root, name string) (string, error) {
	out, status, err := run(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	switch {
	case errors.Is(err, ErrNone):
		return "", err
	case err != nil:
		return "", fmt.Errorf("%w: %v", ErrNone, err)
	}
	hash := strings.TrimSpace(string(out))
	if status != 0 || len(hash) < 40 || strings.ContainsFunc(hash, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef", r) }) {
		return "", nil
	}
	return hash, nil
}

// Fork returns the commit from which two went apart, "" where there is none.
func Fork(ctx context.Context, root, a, b string) (string, error) {
	out, status, err := run(ctx, root, "merge-base", "--end-of-options", a, b)
	if err != nil || status != 0 {
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// Changes returns the files below root that differ between the commit from, as Commit
// gave it, and another commit, Index or "", the work tree with what is not tracked.
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
	out, status, err := run(ctx, root, append(args, "--")...)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNone, err)
	}
	if status != 0 {
		return nil, fmt.Errorf("git diff: exit status %d", status)
	}
	changes, err := statuses(out)
	if err != nil || to != "" {
		return changes, err
	}
	out, status, err = run(ctx, root, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil || status != 0 {
		return changes, nil //nolint:nilerr // without them the answer is poorer
	}
	for p := range strings.SplitSeq(string(out), "\x00") {
		if p != "" && !strings.HasSuffix(p, "/") {
			changes = append(changes, Change{Path: p, Kind: 'A'})
		}
	}
	return changes, bound(len(changes))
}

// Patch returns the differences from the commit from, as Commit gave it, to another or "",
// the work tree, as a patch of which limit bytes are read at most.
func Patch(ctx context.Context, root, from, to string, limit int) (string, error) {
	args := []string{"diff", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules", "--relative", "--src-prefix=a/", "--dst-prefix=b/", from}
	if to != "" {
		args = append(args, to)
	}
	out, status, err := run(ctx, root, append(args, "--")...)
	switch {
	case err != nil:
		return "", fmt.Errorf("%w: %v", ErrNone, err)
	case status != 0:
		return "", fmt.Errorf("git diff: exit status %d", status)
	}
	return string(out[:min(limit, len(out))]), nil
}

func bound(n int) error {
	if n > mostChanges {
		return fmt.Errorf("%d files changed, more than %d", n, mostChanges)
	}
	return nil
}

// statuses reads what --name-status -z prints.
func statuses(out []byte) (changes []Change, err error) {
	words := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(words); i += 2 {
		c := Change{Kind: 'M', Path: words[i+1]}
		switch kind := words[i]; {
		case kind == "A", kind == "D":
			c.Kind = kind[0]
		case strings.HasPrefix(kind, "R"), strings.HasPrefix(kind, "C"):
			if i+2 >= len(words) {
				return nil, errors.New("git printed half a rename")
			}
			c.Was, c.Path = words[i+1], words[i+2]
			if c.Kind = kind[0]; c.Kind == 'C' {
				c.Kind, c.Was = 'A', ""
			}
			i++
		}
		changes = append(changes, c)
	}
	return changes, bound(len(changes))
}

// Contents returns the text of files below root as a commit or Index has them, without
// those that it has not and those that are larger than limit.
func Contents(ctx context.Context, root, at string, paths []string, limit int64) (map[string][]byte, error) {
	top, ok := TopLevel(root)
	if !ok || !sound(top) {
		return nil, ErrNone
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	prefix, err := filepath.Rel(top, abs)
	if err != nil {
		return nil, err
	}
	if at == Index {
		at = "" // ":path" is the index's
	}
	var asked bytes.Buffer
	var names []string
	for _, p := range paths {
		if strings.ContainsAny(p, "\n\x00") {
			continue // the protocol has no place for it
		}
		names = append(names, p)
		fmt.Fprintf(&asked, "%s:%s\n", at, filepath.ToSlash(filepath.Join(prefix, filepath.FromSlash(p))))
	}
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append(hardened(), "cat-file", "--batch")...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.WaitDelay = top, environ(os.Environ()), &asked, time.Second
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNone, err)
	}
	out, err := batch(bufio.NewReader(pipe), names, limit)
	if err != nil {
		cancel() // it still has something to say
	}
	return out, errors.Join(err, cmd.Wait())
}

// batch reads what cat-file --batch prints of some files.
func batch(r *bufio.Reader, names []string, limit int64) (map[string][]byte, error) {
	out := map[string][]byte{}
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
			return out, fmt.Errorf("git printed %q", head)
		}
		if fields[1] != "blob" || size > limit {
			if _, err := io.CopyN(io.Discard, r, size+1); err != nil {
				return out, err
			}
			continue
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

// History returns the files of each of the last commits up to one, newest first, as far
// as git tells them in time: paths below root.
func History(ctx context.Context, root, commit string, most int) ([][]string, error) {
	out, status, err := run(ctx, root, "log", "--no-merges", "--name-only", "--no-renames", "--relative", "--format=%x01", "-z", "-n", strconv.Itoa(most), commit, "--")
	if err != nil || status != 0 {
		return nil, err
	}
	var all [][]string
	for entry := range strings.SplitSeq(string(out), "\x01") {
		var files []string
		for p := range strings.SplitSeq(entry, "\x00") {
			if p = strings.TrimPrefix(p, "\n"); p != "" {
				files = append(files, p)
			}
		}
		if len(files) > 0 {
			all = append(all, files)
		}
	}
	return all, nil
}
