package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A trial is one commit of which a part is given, and the rest is to be found.
type trial struct {
	commit  string
	targets []string // files that the commit changed and its parent has
	all     []string // every file that it changed
}

// Which commits are tried: those that change several files, but not everything.
const (
	leastFiles = 2
	mostFiles  = 12
	first      = 10 // places of an answer that count
)

// runChanges measures what impact --diff says of real changes.
func runChanges(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("changes", flag.ExitOnError)
	repo := flags.String("repo", "", "a git repository; it is cloned, not touched (required)")
	program := flags.String("assay", "assay", "the program")
	most := flags.Int("n", 100, "the newest so many commits that qualify")
	verbose := flags.Bool("v", false, "show what was not found")
	pool := flags.String("judged", "", "append the candidates of each question with their signals to this file, for eval/fit")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *repo == "" || flags.NArg() > 0 {
		return errors.New("-repo is needed, and nothing else")
	}
	dir, err := os.MkdirTemp("", "changes")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c := &changes{dir: filepath.Join(dir, "tree"), program: *program, w: w, verbose: *verbose, project: filepath.Base(strings.TrimSuffix(filepath.Clean(*repo), "/repo"))}
	if *pool != "" {
		f, err := os.OpenFile(*pool, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		defer f.Close()
		c.pool = f
	}
	if _, err := c.run(dir, "git", "clone", "-q", "--no-checkout", "--", *repo, c.dir); err != nil {
		return err
	}
	trials, err := c.trials(*most)
	if err != nil {
		return err
	}
	var one, rest measure
	for _, t := range trials {
		if _, err := c.git("checkout", "-q", "-f", t.commit+"^"); err != nil {
			return err
		}
		for _, held := range t.targets {
			got, err := c.ask(t, func(p string) bool { return p != held })
			if err != nil {
				return err
			}
			one.add(got, []string{held})
			if c.verbose && !slices.Contains(got[:min(first, len(got))], held) {
				fmt.Fprintf(w, "  %s: %s is not among %s\n", t.commit[:10], held, strings.Join(got[:min(first, len(got))], " "))
			}
		}
		given := t.source()
		if given == "" {
			continue
		}
		got, err := c.ask(t, func(p string) bool { return p == given })
		if err != nil {
			return err
		}
		rest.add(got, slices.DeleteFunc(slices.Clone(t.targets), func(p string) bool { return p == given }))
	}
	fmt.Fprintf(w, "%d commits\n", len(trials))
	fmt.Fprintf(w, "one file held out       %s\n", one)
	fmt.Fprintf(w, "one source file given   %s\n", rest)
	return nil
}

// A measure sums up where files were found.
type measure struct {
	targets, found, tests, foundTests int
	reciprocal                        float64
}

func (m *measure) add(got, want []string) {
	for _, p := range want {
		i := slices.Index(got, p)
		hit := i >= 0 && i < first
		m.targets++
		if i >= 0 {
			m.reciprocal += 1 / float64(i+1)
		}
		if hit {
			m.found++
		}
		if testFile(p) {
			m.tests++
			if hit {
				m.foundTests++
			}
		}
	}
}

func (m measure) String() string {
	return fmt.Sprintf("%4d files, among the first %d %.3f, of %d tests %.3f, MRR %.3f", m.targets, first, share(m.found, m.targets), m.tests, share(m.foundTests, m.tests), m.reciprocal/float64(max(m.targets, 1)))
}

func testFile(p string) bool {
	p = strings.ToLower("/" + p)
	return strings.Contains(p, "/test") || strings.Contains(p, "_test.") || strings.Contains(p, ".test.") || strings.Contains(p, ".spec.") || strings.Contains(p, "/spec/")
}

type changes struct {
	dir, program string
	w            io.Writer
	verbose      bool
	project      string
	pool         io.Writer // nil for none
}

func (c *changes) run(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("%s %s: %v: %s", name, strings.Join(args, " "), err, stderr.String())
	}
	return out, nil
}

func (c *changes) git(args ...string) ([]byte, error) { return c.run(c.dir, "git", args...) }

// trials returns the newest commits that qualify.
func (c *changes) trials(most int) (out []trial, err error) {
	log, err := c.git("log", "--no-merges", "--format=%H")
	if err != nil {
		return nil, err
	}
	for commit := range strings.FieldsSeq(string(log)) {
		if len(out) == most {
			break
		}
		status, err := c.git("diff", "--name-status", "-z", "--no-renames", commit+"^", commit)
		if err != nil {
			break // the first one has no parent
		}
		t := trial{commit: commit}
		words := strings.Split(strings.TrimSuffix(string(status), "\x00"), "\x00")
		for i := 0; i+1 < len(words); i += 2 {
			t.all = append(t.all, words[i+1])
			if language := syntax.Language(words[i+1], nil); words[i] == "M" && (syntax.Source(language) || syntax.Prose(language)) {
				t.targets = append(t.targets, words[i+1])
			}
		}
		if len(t.all) <= mostFiles && len(t.targets) >= leastFiles && t.source() != "" {
			out = append(out, t)
		}
	}
	return out, nil
}

// source is the first changed file of the program itself.
func (t *trial) source() string {
	for _, p := range t.targets {
		if syntax.Source(syntax.Language(p, nil)) && !testFile(p) {
			return p
		}
	}
	return ""
}

// ask makes the part of a commit that given accepts in the tree of its parent, and
// returns the files of the answer in its order.
func (c *changes) ask(t trial, given func(string) bool) ([]string, error) {
	if _, err := c.git("checkout", "-q", "-f", t.commit+"^"); err != nil {
		return nil, err
	}
	if _, err := c.git("clean", "-q", "-f", "-d", "-e", ".assay"); err != nil {
		return nil, err
	}
	for _, p := range t.all {
		if !given(p) {
			continue
		}
		text, err := c.git("show", t.commit+":"+p)
		to := filepath.Join(c.dir, filepath.FromSlash(p))
		if err != nil { // deleted
			if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
				return nil, err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return nil, err
		}
	}
	raw, err := c.run(c.dir, c.program, "impact", "--diff", "--json", "--limit", "0", "--explain")
	if err != nil {
		return nil, err
	}
	type file struct {
		File    string
		Score   float64
		Explain []rank.Signal
	}
	var answer struct {
		Tests, Reached, Documents []file
		Remaining                 []file `json:"remaining_uses"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, err
	}
	var out []string
	add := func(of []file) {
		for _, f := range of {
			if !slices.Contains(out, f.File) && !slices.ContainsFunc(t.all, func(p string) bool { return p == f.File && given(p) }) {
				out = append(out, f.File)
			}
		}
	}
	add(answer.Remaining)
	both := slices.Concat(answer.Tests, answer.Reached)
	slices.SortStableFunc(both, func(a, b file) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	add(both)
	add(answer.Documents)
	if c.pool != nil {
		q := judged.Question{Project: c.project, Query: t.commit}
		for _, f := range both {
			if !slices.ContainsFunc(t.all, func(p string) bool { return p == f.File && given(p) }) {
				q.Candidates = append(q.Candidates, judged.Candidate{Explain: f.Explain, Relevant: slices.Contains(t.targets, f.File)})
			}
		}
		if err := judged.Write(c.pool, &q); err != nil {
			return nil, err
		}
	}
	return out, nil
}
