package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// ErrDiverged says that a commit does not lead to the one that is checked out.
var ErrDiverged = errors.New("the commits have diverged")

// A PastChange is a commit: its author and subject, and the paths below root of the files that it changed.
type PastChange struct {
	Author, Subject string
	Files           []string
}

// CheckedOut returns the commit that is checked out in the work tree around root, or "". It reads the files of the repository
// and starts git only where they do not tell, because it is asked before each search.
func CheckedOut(ctx context.Context, root string) string {
	top, ok := TopLevel(root)
	if !ok {
		return ""
	}
	own, common, ok := findRepository(top)
	if !ok {
		return ""
	}
	text, err := readFile(own, "HEAD", maxLink)
	if err != nil {
		return ""
	}
	ref, symbolic := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: ")
	if !symbolic && isCommit(ref) {
		return ref
	}
	for _, dir := range []string{own, common} {
		text, err := readFile(dir, filepath.FromSlash(ref), maxLink) // not outside, whatever HEAD says
		if hash := strings.TrimSpace(string(text)); err == nil && isCommit(hash) {
			return hash
		}
	}
	packed, err := readFile(common, "packed-refs", maxIndex)
	if at := bytes.Index(packed, []byte(" "+ref+"\n")); err == nil && at >= 0 {
		if hash := string(packed[bytes.LastIndexByte(packed[:at], '\n')+1 : at]); isCommit(hash) {
			return hash
		}
	}
	return headCommit(ctx, root) // some repositories keep references in a way of their own
}

// isCommit reports whether a text is the hash of a commit.
func isCommit(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// EachPastChange calls f with the commits that lead to commit, newest first, and at most so many of them or as many as git
// lists in maxAnswer bytes. With since it leaves out those that lead to that; the error is ErrDiverged where since does not
// lead to commit. Merges, and commits that changed no file below root, are left out, and so are first commits, because files
// that came together have not changed together.
func EachPastChange(ctx context.Context, root, commit, since string, most int, f func(PastChange)) error {
	a, err := newShadowRepo(ctx, root, commit, false)
	if err != nil {
		return err
	}
	defer a.close()
	which := commit
	if since != "" {
		which = since + "..." + commit
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := a.command(ctx, root, "log", "--no-merges", "--min-parents=1", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules",
		"--submodule=short", "--no-show-signature", "--no-color", "--relative", "--left-right", "--format=%x01%m%an%x02%s%x00", "-z", "-n", strconv.Itoa(most), "--end-of-options", which, "--")
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%w: %v", ErrNone, err)
	}
	bounded := &io.LimitedReader{R: pipe, N: maxAnswer}
	if err = readPastChanges(bounded, f); err != nil || bounded.N == 0 {
		cancel() // git may still be writing
		_ = cmd.Wait()
		return err
	}
	if err = cmd.Wait(); err != nil && errors.As(err, new(*exec.ExitError)) {
		return fmt.Errorf("git log: %w", err)
	}
	return err
}

// readPastChanges calls f with each commit that git log prints.
func readPastChanges(r io.Reader, f func(PastChange)) error {
	lines := bufio.NewReader(r)
	var c PastChange
	emit := func() {
		if len(c.Files) > 0 {
			f(c)
		}
	}
	for {
		text, err := lines.ReadString(0)
		text = strings.TrimLeft(strings.TrimSuffix(text, "\x00"), "\n")
		if head, isHead := strings.CutPrefix(text, "\x01"); isHead {
			emit()
			if strings.HasPrefix(head, "<") {
				return ErrDiverged
			}
			c = PastChange{}
			c.Author, c.Subject, _ = strings.Cut(strings.TrimLeft(head, ">"), "\x02")
		} else if text != "" {
			c.Files = append(c.Files, text)
		}
		if errors.Is(err, io.EOF) {
			emit()
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// History returns the last commits that changed files below root, newest first.
func History(ctx context.Context, root, commit string, most int) (all []PastChange, err error) {
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	err = EachPastChange(ctx, root, commit, "", most, func(c PastChange) { all = append(all, c) })
	return all, err
}
