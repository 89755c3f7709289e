package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/eval/keptaside"
	"github.com/assay-dev/assay/internal/base/text"
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

// documents are the files that a documentation is written in, as git selects them.
var documents = []string{"*.md", "*.mdx", "*.rst", "*.adoc", "*.md.erb"}

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

// telling reports whether a line that replaced another may say something else about the same:
// both are sentences, and they have 12 to 72 of 100 words in common.
func (e *revision) telling() bool {
	a, b := distinct(e.old), distinct(e.later)
	if e.Written == "" || e.Written >= e.day || !sentence(e.old) || !sentence(e.later) || records.MatchString(e.Path) {
		return false
	}
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	part := float64(both) / float64(len(a)+len(b)-both)
	return part >= .12 && part <= .72
}

// records are the files whose lines are of a day, and hold for it ever after.
var records = regexp.MustCompile(`(?i)change|history|release.?notes|meeting|minutes|blog|posts|news|template|translat|i18n|locale|/(?:de|es|fr|it|ja|ko|pl|pt|ru|tr|uk|vi|zh)[-_a-z]*/`)

// sentence reports whether a line is words, and not code, a row of a table or a name.
func sentence(l string) bool {
	words := strings.Fields(l)
	plain := 0
	for _, w := range words {
		if strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'’,.;:()") == "" {
			plain++
		}
	}
	return len(words) >= 7 && len(l) <= 400 && float64(plain) >= .7*float64(len(words)) && strings.ContainsAny(l[len(l)-1:], ".!;:)")
}

func distinct(s string) map[string]bool {
	out := map[string]bool{}
	text.Words([]byte(s), func(w []byte) { out[text.Fold(string(w))] = true })
	return out
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

// draw prints, as JSON lines without questions, lines of documentation that were replaced: chosen
// by the sum of what names them, at most so many of a project and one of a page. What they say
// goes to the second writer, for whoever writes the questions.
func draw(ctx context.Context, w, texts io.Writer, mirrors string, projects []string, most int) error {
	for _, name := range projects {
		if err := keptaside.Check(name); err != nil { // before anything of it is read
			return err
		}
		var all []revision
		if err := log(ctx, filepath.Join(mirrors, name, "repo"), func(e revision) {
			if e.telling() {
				e.Repo = name
				all = append(all, e)
			}
		}, append([]string{"log", "--reverse", "--no-merges", "--no-renames", "-p", "-U0", "--format=commit %H %cs", "--"}, documents...)...); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		slices.SortFunc(all, func(a, b revision) int { return cmp.Compare(a.sum(), b.sum()) })
		pages := map[string]bool{}
		for _, e := range all {
			if pages[e.Path] || len(pages) == most {
				continue
			}
			pages[e.Path] = true
			b, err := json.Marshal(e)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s\n", b)
			fmt.Fprintf(texts, "%s %.8s %s\n- %s %s\n+ %s %s\n", e.Repo, e.Commit, e.Path, e.Written, e.old, e.day, e.later)
		}
	}
	return nil
}

func (e *revision) sum() uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s %s", e.Commit, e.Path, e.Hunk)
	return h.Sum64()
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
