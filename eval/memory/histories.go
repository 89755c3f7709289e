package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/eval/keptaside"
)

// A revision is a line of a project's documentation that a commit replaced by one other line,
// and a question that both answer. Its texts stay in the project's repository.
type revision struct {
	Repo    string `json:"repo"` // OWNER+NAME
	Commit  string `json:"commit"`
	Path    string `json:"path"`
	Hunk    string `json:"hunk"`    // as git has it: "-12 +12"
	Written string `json:"written"` // the day of the older line
	Ask     string `json:"ask"`

	old, later, day string
}

var (
	hunkHead = regexp.MustCompile(`^@@ (-\d+) (\+\d+) @@`)
	markup   = regexp.MustCompile(`^[\s>#*+=|-]+|^\d+[.)]\s|\]\([^)]*\)|\]\[[^]]*\]|https?://\S+|[*_]{2}|<[^>]+>|[\[\]]`)
)

// edits calls yield with each line that one other line replaced, in what git log or git show
// printed with -U0 and the format "commit HASH DAY".
func edits(r io.Reader, yield func(revision)) error {
	lines := bufio.NewReaderSize(r, 1<<20)
	written := map[string]string{} // the day of a line
	var at revision
	var gone, come []string
	flush := func() {
		if at.Hunk != "" && len(gone) == 1 && len(come) == 1 {
			e := at
			e.old, e.later, e.Written = gone[0], come[0], written[gone[0]]
			yield(e)
		}
		for _, l := range come {
			written[l] = at.day
		}
		at.Hunk, gone, come = "", nil, nil
	}
	for {
		b, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) { // no line that anybody wrote
			continue
		}
		l := string(bytes.TrimRight(b, "\r\n"))
		switch {
		case strings.HasPrefix(l, "commit "):
			flush()
			if f := strings.Fields(l); len(f) == 3 {
				at = revision{Commit: f[1], day: f[2]}
			}
		case strings.HasPrefix(l, "diff --git "):
			flush()
			at.Path = ""
		case strings.HasPrefix(l, "+++ b/") && at.Path == "":
			at.Path = strings.TrimPrefix(l, "+++ b/")
		case strings.HasPrefix(l, "@@ "):
			flush()
			if m := hunkHead.FindStringSubmatch(l); m != nil {
				at.Hunk = m[1] + " " + m[2]
			}
		case strings.HasPrefix(l, "-") && at.Path != "":
			gone = append(gone, plain(l[1:]))
		case strings.HasPrefix(l, "+") && at.Path != "":
			come = append(come, plain(l[1:]))
		}
		if err != nil {
			flush()
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// plain is a line without its markup.
func plain(l string) string {
	return strings.Join(strings.Fields(markup.ReplaceAllString(l, " ")), " ")
}

// log runs git on a repository and reads the edits of what it prints.
func log(ctx context.Context, repo string, yield func(revision), args ...string) error {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", repo, "-c", "core.quotepath=off"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	return errors.Join(edits(out, yield), cmd.Wait())
}

// revisions reads a set of revisions, whose lines are in the repositories at mirrors, and adds
// them to the notes of a corpus as memory_store writes them.
func revisions(ctx context.Context, name, mirrors string, c *corpus) (out []succession, err error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(b) {
		var want revision
		if err := json.Unmarshal(line, &want); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := keptaside.Check(want.Repo); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if want.Ask == "" {
			continue
		}
		repo := filepath.Join(mirrors, want.Repo, "repo")
		if _, err := judged.Git(ctx, repo, "cat-file", "-e", want.Commit); err != nil {
			return nil, fmt.Errorf("%s: %s is not there: %w", name, want.Repo, err)
		}
		var got revision
		if err := log(ctx, repo, func(e revision) {
			if e.Path == want.Path && e.Hunk == want.Hunk {
				got = e
			}
		}, "show", "--no-renames", "-U0", "--format=commit %H %cs", want.Commit, "--", want.Path); err != nil {
			return nil, fmt.Errorf("%s: %w", want.Repo, err)
		}
		if got.old == "" {
			return nil, fmt.Errorf("%s: %s has no hunk %q in %s", want.Repo, want.Commit, want.Hunk, want.Path)
		}
		p := succession{ask: want.Ask}
		for _, n := range []struct {
			to        *string
			day, said string
		}{{&p.old, want.Written, got.old}, {&p.later, got.day, got.later}} {
			at, err := time.Parse(time.DateOnly, n.day)
			if err != nil {
				return nil, err
			}
			note := storedNote(fmt.Sprintf("facts/%s-%03d.md", slug(n.said), len(c.notes)), "facts", "", n.said, at)
			if c.plain {
				note = plainNote(len(c.notes), n.said, at)
			}
			c.notes = append(c.notes, note)
			*n.to = note.name
		}
		out = append(out, p)
	}
	return out, nil
}
