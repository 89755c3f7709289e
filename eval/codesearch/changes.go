package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A change is a commit: what its author wrote of it, and the source files that it
// touched, which a search for those words is to find in the tree before it.
type change struct {
	Repo   string   `json:"repo"`
	Commit string   `json:"commit"`
	Parent string   `json:"parent"`
	Files  []string `json:"files"`

	subject, body string
	tests         []string // files of tests that it touched
}

const (
	scanned   = 8000 // commits of a project that are looked through for changes
	mostFiles = 4    // a change that touches more is about no place in particular
	deep      = 30   // hits asked for: ten files need not be in the first ten
)

var (
	sources   = regexp.MustCompile(`\.(go|py|pyi|js|jsx|ts|tsx|mjs|cjs|rs|java|kt|scala|c|h|cc|cpp|hpp|cs|rb|php|swift|lua|sh|ex|exs|hs|zig)$`)
	besides   = regexp.MustCompile(`(?i)(^|/)(tests?|testing|specs?|__tests__|fixtures?|docs?|examples?|bench(marks?)?|vendor|third_party|node_modules|changelogs?|scripts?|\.github)(/|$)|(_test|\.test|\.spec|_spec)\.[a-z]+$|(^|/)(test_|conftest)[^/]*$|Tests?\.(java|kt|cs|php|swift)$`)
	tested    = regexp.MustCompile(`(?i)(^|/)(tests?|testing|specs?|__tests__)(/|$)|(_test|\.test|\.spec|_spec)\.[a-z]+$|(^|/)test_[^/]*$|Tests?\.(java|kt|cs|php|swift)$`)
	trailer   = regexp.MustCompile(`(?i)^\s*(signed-off-by|co-authored-by|change-id|reviewed-by|cc|fixes|closes|resolves|refs?|pr-url|reviewed-on|see|http|---|\* ?$)`)
	reference = regexp.MustCompile(`https?://\S+|\(?#\d+\)?|\(?GH-\d+\)?|\b[0-9a-f]{7,40}\b`)
	sort      = regexp.MustCompile(`^[a-z]+(\([^)]*\))?!?: `)
)

// told returns a message without what names the change itself: trailers, links, numbers
// of issues, hashes.
func told(s string) string {
	var lines []string
	for l := range strings.Lines(s) {
		if l = strings.TrimRight(l, " \r\n"); !trailer.MatchString(l) {
			lines = append(lines, l)
		}
	}
	return strings.TrimSpace(reference.ReplaceAllString(strings.Join(lines, "\n"), ""))
}

// runChanges asks for the files of real changes, in the words of those who made them.
func runChanges(ctx context.Context, o options, w io.Writer) error {
	bin, err := filepath.Abs(o.assay)
	if err != nil {
		return err
	}
	if o.workdir == "" {
		if o.workdir, err = os.MkdirTemp("", "assay-codesearch-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.workdir)
	}
	if o.workdir, err = filepath.Abs(o.workdir); err != nil { // the program is started in it
		return err
	}
	var given []change
	if o.list != "" {
		if given, err = listed(o.list); err != nil {
			return err
		}
	}
	m := mine{o: o, ask: asker{bin: bin, extra: append([]string{"--top-k", fmt.Sprint(deep)}, strings.Fields(o.args)...)}, w: w}
	if len(o.repos) == 0 {
		for _, c := range given {
			if !slices.Contains(o.repos, c.Repo) {
				o.repos = append(o.repos, c.Repo)
			}
		}
	}
	failed := 0
	fmt.Fprintf(w, "%-28s %5s %6s %6s %6s %6s %8s %8s %8s\n", "project", "n", "any@1", "any@5", "any@10", "R@10", "ndcg@10", "p50 ms", "letters")
	for _, repo := range o.repos {
		git := gitDir(o.changes, repo)
		if git == "" {
			fmt.Fprintf(w, "%-28s is not in %s\n", repo, o.changes)
			failed++
			continue
		}
		if err := m.project(ctx, repo, git, slices.DeleteFunc(slices.Clone(given), func(c change) bool { return c.Repo != repo })); err != nil {
			fmt.Fprintf(w, "%-28s %v\n", repo, err)
			failed++
		}
	}
	if err := m.report(); err != nil || failed == 0 {
		return err
	}
	return fmt.Errorf("%d projects could not be asked", failed)
}

// listed reads changes.jsonl.
func listed(file string) (out []change, err error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for l := range bytes.Lines(raw) {
		var c change
		if err := json.Unmarshal(l, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		c.Repo = strings.Replace(c.Repo, "+", "/", 1)
		out = append(out, c)
	}
	return out, nil
}

// gitDir finds the git directory of a project below a folder of clones, bare or not.
func gitDir(root, repo string) string {
	base := filepath.Join(root, strings.Replace(repo, "/", "+", 1))
	for _, d := range []string{"repo/.git", "repo", ".git", ""} {
		if _, err := os.Stat(filepath.Join(base, d, "objects")); err == nil {
			return filepath.Join(base, d)
		}
	}
	return ""
}

// A mine is a run under way.
type mine struct {
	o    options
	ask  asker
	w    io.Writer
	rows []changeRow
}

type changeRow struct {
	Repo    string   `json:"repo"`
	Commit  string   `json:"commit"`
	Query   string   `json:"query"`
	Want    []string `json:"want"`
	Found   []string `json:"found"`
	Any1    float64  `json:"any1"`
	Any5    float64  `json:"any5"`
	Any10   float64  `json:"any10"`
	R10     float64  `json:"r10"`
	NDCG    float64  `json:"ndcg"`
	Millis  float64  `json:"ms"`
	Letters float64  `json:"letters"`
}

// project asks for the changes of one project: those of the list, each in the tree
// before it, or the newest of its history, all in the tree before the oldest of them.
func (m *mine) project(ctx context.Context, repo, git string, given []change) error {
	tree := filepath.Join(m.o.workdir, strings.Replace(repo, "/", "+", 1))
	if err := os.MkdirAll(tree, 0o755); err != nil {
		return err
	}
	first := len(m.rows)
	if len(given) > 0 {
		for _, c := range given {
			if err := read(ctx, git, &c); err != nil {
				return err
			}
			if q := m.query(ctx, git, c); q != "" {
				if err := checkout(ctx, git, c.Parent, tree); err != nil {
					return err
				}
				if err := m.one(ctx, tree, c, q); err != nil {
					return err
				}
			}
		}
	} else {
		all, base, err := m.newest(ctx, repo, git)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			m.line(repo, nil)
			return nil
		}
		if err := checkout(ctx, git, base, tree); err != nil {
			return err
		}
		for _, c := range all {
			if err := m.one(ctx, tree, c, m.query(ctx, git, c)); err != nil {
				return err
			}
		}
	}
	m.line(repo, m.rows[first:])
	return nil
}

// checkout makes a work tree the tree of a commit.
func checkout(ctx context.Context, git, commit, tree string) error {
	index := filepath.Join(tree, ".git-index")
	cmd := exec.CommandContext(ctx, "git", "--git-dir="+git, "--work-tree="+tree, "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "read-tree", "--reset", "-u", commit)
	cmd.Env = append(os.Environ(), "GIT_INDEX_FILE="+index, "GIT_LFS_SKIP_SMUDGE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("check out %s: %w: %s", commit, err, out)
	}
	return nil
}

func gitOut(ctx context.Context, git string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"--git-dir=" + git, "-c", "core.quotePath=false"}, args...)...).Output()
	return string(out), err
}

// read fills in the message of a listed change.
func read(ctx context.Context, git string, c *change) error {
	out, err := gitOut(ctx, git, "show", "-s", "--format=%s%x00%b", c.Commit)
	if err != nil {
		return err
	}
	subject, body, _ := strings.Cut(out, "\x00")
	c.subject, c.body = told(sort.ReplaceAllString(subject, "")), told(body)
	files, err := gitOut(ctx, git, "diff-tree", "--no-commit-id", "--name-only", "-r", c.Commit)
	for f := range strings.Lines(files) {
		if f = strings.TrimSpace(f); tested.MatchString(f) {
			c.tests = append(c.tests, f)
		}
	}
	return err
}

// newest returns the newest changes of a history that have a describing message, and
// the commit before all of them.
func (m *mine) newest(ctx context.Context, repo, git string) (all []change, base string, err error) {
	out, err := gitOut(ctx, git, "log", "--no-merges", "-n", fmt.Sprint(scanned), "--format=%x1e%H%x1f%P%x1f%s%x1f%b%x1f", "--name-status", "--no-renames", "HEAD")
	if err != nil {
		return nil, "", err
	}
	for _, rec := range strings.Split(out, "\x1e") {
		f := strings.Split(rec, "\x1f")
		if len(f) != 5 || len(all) == m.o.most {
			continue
		}
		c := change{Repo: repo, Commit: f[0], subject: told(sort.ReplaceAllString(f[2], "")), body: told(f[3])}
		c.Parent, _, _ = strings.Cut(f[1], " ")
		whole := c.Parent != ""
		for l := range strings.Lines(strings.TrimSpace(f[4])) {
			status, name, _ := strings.Cut(strings.TrimSpace(l), "\t")
			switch {
			case tested.MatchString(name):
				c.tests = append(c.tests, name)
			case besides.MatchString(name) || !sources.MatchString(name):
			case status == "M":
				c.Files = append(c.Files, name)
			default:
				whole = false
			}
		}
		if whole && len(c.Files) > 0 && len(c.Files) <= mostFiles && len(strings.Fields(c.subject)) >= 4 && len(m.text(ctx, git, c)) >= max(1, m.o.letters) {
			all = append(all, c)
		}
	}
	// The tree before the oldest has no trace of any. What it does not have yet, nobody
	// can find in it.
	if len(all) == 0 {
		return nil, "", nil
	}
	base = all[len(all)-1].Parent
	names, err := gitOut(ctx, git, "ls-tree", "-r", "--name-only", base)
	if err != nil {
		return nil, "", err
	}
	have := map[string]bool{}
	for l := range strings.Lines(names) {
		have[strings.TrimSuffix(l, "\n")] = true
	}
	return slices.DeleteFunc(all, func(c change) bool {
		return slices.ContainsFunc(c.Files, func(f string) bool { return !have[f] })
	}), base, nil
}

// query returns the question about a change, empty where that says too little.
func (m *mine) query(ctx context.Context, git string, c change) string {
	if q := m.text(ctx, git, c); len(q) >= max(1, m.o.letters) {
		return q
	}
	return ""
}

// text returns what is asked about a change: its subject; its whole message; or, as a
// reporter would write it, the message, the lines that its tests gained, and a template.
func (m *mine) text(ctx context.Context, git string, c change) string {
	whole := strings.TrimSpace(c.subject + "\n" + c.body)
	switch m.o.field {
	case "subject":
		return c.subject
	case "full":
		return whole
	}
	if len(c.tests) == 0 {
		return ""
	}
	diff, err := gitOut(ctx, git, append([]string{"diff-tree", "-p", "-U0", "--no-commit-id", "-r", c.Commit, "--"}, c.tests...)...)
	if err != nil {
		return ""
	}
	var lines []string
	for l := range strings.Lines(diff) {
		if strings.HasPrefix(l, "+") && !strings.HasPrefix(l, "+++") && len(lines) < mostLines {
			lines = append(lines, strings.TrimRight(l[1:], "\r\n"))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return strings.ToValidUTF8(fmt.Sprintf(report, c.subject, c.body, strings.Join(lines, "\n")), "")
}

const mostLines = 40 // of tests in a report

// report is a template of issues as projects have them.
const report = `%s

<!-- Thank you for the report. Please search the existing issues first and fill in what follows. -->

### Describe the bug

%s

### Steps to reproduce

` + "```\n%s\n```" + `

### Expected behavior

It works as documented.

### Environment

- OS: Ubuntu 22.04.3 LTS
- Version: latest release, and the main branch
- [x] I have searched the existing issues
`

// one asks one question.
func (m *mine) one(ctx context.Context, tree string, c change, q string) error {
	const most = 100_000 // of one argument of a command
	if len(q) > most {
		q = strings.ToValidUTF8(q[:most], "")
	}
	hits, _, took, err := m.ask.search(ctx, tree, q)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Commit, err)
	}
	r := changeRow{Repo: c.Repo, Commit: c.Commit, Query: q, Want: c.Files, Millis: ms(took), Letters: float64(len(q))}
	for _, h := range hits {
		if p := path.Clean(h.Path); !slices.Contains(r.Found, p) && len(r.Found) < depth {
			r.Found = append(r.Found, p)
		}
	}
	got, ideal := 0.0, 0.0
	for i, f := range r.Found {
		if !slices.Contains(c.Files, f) {
			continue
		}
		got += 1 / math.Log2(float64(i+2))
		r.Any10 = 1
		r.R10 += 1 / float64(len(c.Files))
		if i < 5 {
			r.Any5 = 1
		}
		if i == 0 {
			r.Any1 = 1
		}
	}
	for i := range min(depth, len(c.Files)) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	r.NDCG = got / ideal
	m.rows = append(m.rows, r)
	return nil
}

// measures are the columns of the report.
var measures = []func(changeRow) float64{
	func(r changeRow) float64 { return r.Any1 }, func(r changeRow) float64 { return r.Any5 }, func(r changeRow) float64 { return r.Any10 },
	func(r changeRow) float64 { return r.R10 }, func(r changeRow) float64 { return r.NDCG },
}

func column(rows []changeRow, f func(changeRow) float64) (out []float64) {
	for _, r := range rows {
		out = append(out, f(r))
	}
	return out
}

func (m *mine) line(name string, rows []changeRow) {
	if len(rows) == 0 {
		fmt.Fprintf(m.w, "%-28s has no such change\n", name)
		return
	}
	fmt.Fprintf(m.w, "%-28s %5d", name, len(rows))
	for _, f := range measures[:4] {
		fmt.Fprintf(m.w, " %6.3f", mean(column(rows, f)))
	}
	fmt.Fprintf(m.w, " %8.3f %8.1f %8.0f\n", mean(column(rows, measures[4])), percentile(column(rows, func(r changeRow) float64 { return r.Millis }), 50),
		mean(column(rows, func(r changeRow) float64 { return r.Letters })))
}

// report prints the mean over projects, with its standard error over them, and over
// all changes.
func (m *mine) report() error {
	by := map[string][]changeRow{}
	for _, r := range m.rows {
		by[r.Repo] = append(by[r.Repo], r)
	}
	fmt.Fprintf(m.w, "%-28s %5d", "mean over projects", len(by))
	for i, f := range measures {
		var means []float64
		for _, rows := range by {
			means = append(means, mean(column(rows, f)))
		}
		var squares float64
		for _, x := range means {
			squares += (x - mean(means)) * (x - mean(means))
		}
		spread := math.Sqrt(squares / float64(max(1, len(means)-1)) / float64(max(1, len(means))))
		fmt.Fprintf(m.w, "%*.3f±%.3f", 7+2*(i/4), mean(means), spread)
	}
	fmt.Fprintln(m.w)
	m.line("mean over changes", m.rows)
	if m.o.json == "" {
		return nil
	}
	raw, err := json.MarshalIndent(m.rows, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(m.o.json, append(raw, '\n'), 0o644)
}
