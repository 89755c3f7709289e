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

// What a comparison may have: files, and bytes of their contents. Many names may be of one content, so that a small
// repository has much.
const (
	mostChanges = 5000
	maxContents = 128 << 20
)

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
	out, status, err := apart(ctx, root, a, false, "merge-base", "--end-of-options", a, b)
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
	a, err := newAside(ctx, root, from, to == "")
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNone, err)
	}
	defer a.close()
	out, status, err := a.answer(ctx, root, append(args, "--")...)
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
	args = []string{"ls-files", "-z", "--others", "--exclude-standard"}
	if common, ok := CommonDir(a.top); ok {
		if exclude := filepath.Join(common, "info", "exclude"); regular(exclude) {
			args = append(args, "--exclude-from="+exclude)
		}
	}
	if out, status, err = a.answer(ctx, root, args...); err == nil && status != 0 {
		err = fmt.Errorf("exit status %d", status)
	}
	if err != nil {
		return nil, fmt.Errorf("list what git does not track: %w", err) // new files are changes too
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
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	a, err := newAside(ctx, root, from, to == "")
	if err != nil {
		return "", fmt.Errorf("%w: %v", ErrNone, err)
	}
	defer a.close()
	cmd := a.command(ctx, root, append(args, "--")...)
	said := &capped{most: limit, part: true}
	cmd.Stdout = said
	var exit *exec.ExitError
	switch err := cmd.Run(); {
	case err == nil, said.over:
		return string(said.Bytes()), nil
	case errors.As(err, &exit) && exit.Exited():
		return "", fmt.Errorf("git diff: exit status %d", exit.ExitCode())
	default:
		return "", fmt.Errorf("%w: %v", ErrNone, err)
	}
}

// regular reports whether a path is a file, behind links.
func regular(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
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
// those that it has not and those that are larger than limit. It fails where they are more than maxContents together.
func Contents(ctx context.Context, root, at string, paths []string, limit int64) (map[string][]byte, error) {
	return contents(ctx, root, at, paths, limit, maxContents)
}

func contents(ctx context.Context, root, at string, paths []string, limit, most int64) (map[string][]byte, error) {
	hash := at
	if at == Index {
		at, hash = "", head(ctx, root) // ":path" is the index's
	}
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	a, err := newAside(ctx, root, hash, false)
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
			continue // the protocol has no place for it
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
	out, err := batch(bufio.NewReader(pipe), names, limit, most)
	if err != nil {
		cancel() // it still has something to say
		return nil, errors.Join(err, quiet(cmd.Wait()))
	}
	return out, cmd.Wait()
}

// quiet leaves out that a command was stopped.
func quiet(err error) error {
	if errors.As(err, new(*exec.ExitError)) {
		return nil
	}
	return err
}

// head returns the commit that is checked out, or "".
func head(ctx context.Context, root string) string {
	commit, _ := Head(ctx, root)
	return commit
}

// batch reads what cat-file --batch prints of some files.
func batch(r *bufio.Reader, names []string, limit, most int64) (map[string][]byte, error) {
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
			return out, fmt.Errorf("git printed %q", head)
		}
		if fields[1] != "blob" || size > limit {
			if _, err := io.CopyN(io.Discard, r, size+1); err != nil {
				return out, err
			}
			continue
		}
		if held += size; held > most {
			return out, fmt.Errorf("the files have more than %d MB", most>>20)
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
	out, status, err := apart(ctx, root, commit, false, "log", "--no-merges", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules",
		"--submodule=short", "--no-show-signature", "--no-color", "--relative", "--format=%x01", "-z", "-n", strconv.Itoa(most), "--end-of-options", commit, "--")
	if err == nil && status != 0 {
		err = fmt.Errorf("git log: exit status %d", status)
	}
	if err != nil {
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
