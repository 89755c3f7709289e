package git

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// An Entry is one commit of a history.
type Entry struct {
	Hash    string `json:"hash"`
	Author  string `json:"author"`
	Time    int64  `json:"time"` // seconds since 1970
	Subject string `json:"subject"`
}

// Log returns the last commits that changed a file or a folder below root, newest first. path has slashes and is taken literally; "" is
// root itself.
func Log(ctx context.Context, root, commit, path string, most int) ([]Entry, error) {
	out, err := walkHistory(ctx, root, commit, "log", "--no-show-signature", "--no-color", "--no-ext-diff", "--no-textconv",
		"--ignore-submodules", "--format=%H%x00%an%x00%at%x00%s", "-n", strconv.Itoa(most), "--end-of-options", commit,
		"--", ":(literal)"+cmp.Or(path, "."))
	if err != nil {
		return nil, err
	}
	all := []Entry{}
	for line := range strings.Lines(string(out)) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00"); len(f) == 4 {
			seconds, _ := strconv.ParseInt(f[2], 10, 64)
			all = append(all, Entry{f[0], f[1], seconds, f[3]})
		}
	}
	return all, nil
}

// A Blame says which commit wrote each line of a file, as the file is in a commit.
type Blame struct {
	Commits []Entry  `json:"commits"`
	Lines   []int    `json:"lines"` // the index of the commit
	Text    []string `json:"text"`
}

// BlameFile returns the Blame of a file below root. path has slashes.
func BlameFile(ctx context.Context, root, commit, path string) (*Blame, error) {
	out, err := walkHistory(ctx, root, commit, "blame", "--porcelain", "--no-textconv", commit, "--", path)
	if err != nil {
		return nil, err
	}
	b := &Blame{Commits: []Entry{}, Lines: []int{}, Text: []string{}}
	known := map[string]int{}
	var at *Entry
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "\t"):
			b.Text = append(b.Text, line[1:])
		case len(b.Lines) == len(b.Text): // the first line of an entry
			if _, seen := known[word]; !seen {
				known[word] = len(b.Commits)
				b.Commits = append(b.Commits, Entry{Hash: word})
			}
			b.Lines = append(b.Lines, known[word])
			at = &b.Commits[known[word]]
		case word == "author":
			at.Author = rest
		case word == "author-time":
			at.Time, _ = strconv.ParseInt(rest, 10, 64)
		case word == "summary":
			at.Subject = rest
		}
	}
	return b, nil
}

// walkHistory runs a command that walks commits, and returns its output.
func walkHistory(ctx context.Context, root, commit string, args ...string) ([]byte, error) {
	out, status, err := runIsolated(ctx, root, commit, false, args...)
	if err == nil && status != 0 {
		err = fmt.Errorf("git %s: exit status %d", args[0], status)
	}
	return out, err
}

// Branches returns the names of the branches of the repository around root, the one that changed last first, and the one that is checked
// out, or "" if none is.
func Branches(ctx context.Context, root string, most int) (names []string, current string, err error) {
	out, status, err := run(ctx, root, "for-each-ref", "--sort=-committerdate", "--count="+strconv.Itoa(most),
		"--format=%(HEAD)%(refname:short)", "refs/heads")
	if err == nil && status != 0 {
		err = fmt.Errorf("git for-each-ref: exit status %d", status)
	}
	names = []string{}
	for line := range strings.Lines(string(out)) {
		name := strings.TrimSpace(line[1:])
		names = append(names, name)
		if line[0] == '*' { // else a space
			current = name
		}
	}
	return names, current, err
}
