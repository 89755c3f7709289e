package main

import (
	"bytes"
	"cmp"
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
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A trial is one commit of which a part is given, and the rest is to be found.
type trial struct {
	commit  string
	targets []string // files that the commit changed and its parent has, the most changed lines first
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
	program := flags.String("assay", "assay", "the program")
	most := flags.Int("n", 100, "the newest so many commits of each that qualify")
	heldOut := flags.Bool("held-out", false, "hide each changed file in turn too")
	verbose := flags.Bool("v", false, "show what was not found")
	pool := flags.String("judged", "", "append the candidates of each question with their signals to this file, for eval/fit")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name git repositories; each is cloned, not touched")
	}
	c := &changes{program: *program, w: w, verbose: *verbose, heldOut: *heldOut}
	if *pool != "" {
		f, err := os.OpenFile(*pool, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		defer f.Close()
		c.pool = f
	}
	fmt.Fprintln(w, "in one list of ten; files and tests in lists of their own; the median list")
	var total [3]measure
	for _, repo := range flags.Args() {
		c.project = filepath.Base(strings.TrimSuffix(filepath.Clean(repo), "/repo"))
		var one [3]measure
		n, err := c.replay(repo, *most, &one)
		if err != nil {
			return err
		}
		c.print(fmt.Sprintf("%s, %d commits", c.project, n), &one)
		for i := range total {
			total[i].join(&one[i])
		}
	}
	c.print(fmt.Sprintf("%d projects", flags.NArg()), &total)
	return nil
}

func (c *changes) print(of string, by *[3]measure) {
	fmt.Fprintln(c.w, of)
	for i, name := range []string{"one file given", "its code given", "one file held out"} {
		if by[i].asked > 0 {
			fmt.Fprintf(c.w, "  %-18s %s\n", name, &by[i])
		}
	}
}

// replay asks about the newest commits of a repository, in a clone of it.
func (c *changes) replay(repo string, most int, by *[3]measure) (n int, err error) {
	dir, err := os.MkdirTemp("", "changes")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	c.dir = filepath.Join(dir, "tree")
	if _, err := c.run(dir, "git", "clone", "-q", "--no-checkout", "--", repo, c.dir); err != nil {
		return 0, err
	}
	trials, err := c.trials(most)
	if err != nil {
		return 0, err
	}
	for _, t := range trials {
		if _, err := c.git("checkout", "-q", "-f", t.commit+"^"); err != nil {
			continue // as above
		}
		n++
		given := t.source()
		ask := func(into int, given func(string) bool, want func(string) bool) error {
			targets := slices.DeleteFunc(slices.Clone(t.targets), func(p string) bool { return given(p) || !want(p) })
			if len(targets) == 0 {
				return nil
			}
			got, err := c.ask(t, given)
			if err == nil {
				c.missed(t, into, got, targets, by[into].add(got, targets))
			}
			return err
		}
		code := func(p string) bool { return sourceFile(p) && !testFile(p) }
		if err := ask(0, func(p string) bool { return p == given }, sourceFile); err != nil {
			return 0, err
		}
		if err := ask(1, code, testFile); err != nil {
			return 0, err
		}
		for _, held := range t.targets {
			if c.heldOut {
				if err := ask(2, func(p string) bool { return p != held }, func(string) bool { return true }); err != nil {
					return 0, err
				}
			}
		}
	}
	return n, nil
}

func (c *changes) missed(t trial, of int, got answer, want []string, found int) {
	if c.verbose && found < len(want) {
		fmt.Fprintf(c.w, "  %s %d: of %s in tests %s; in others %s\n", t.commit[:10], of, strings.Join(want, " "), strings.Join(got.tests, " "), strings.Join(got.files, " "))
	}
}

// A measure sums up where files were found.
type measure struct {
	files, tests shareOf // in lists of their own
	both         shareOf
	lengths      []int // of both lists together, as they are printed
	asked        int
	reciprocal   float64
}

type shareOf struct{ found, of int }

func (s *shareOf) add(list []string, p string) bool {
	i := slices.Index(list, p)
	hit := i >= 0 && i < first
	if s.of++; hit {
		s.found++
	}
	return hit
}

func (s shareOf) String() string { return fmt.Sprintf("%.3f of %4d", share(s.found, s.of), s.of) }

func (m *measure) join(o *measure) {
	for _, p := range [][2]*shareOf{{&m.files, &o.files}, {&m.tests, &o.tests}, {&m.both, &o.both}} {
		p[0].found += p[1].found
		p[0].of += p[1].of
	}
	m.lengths = append(m.lengths, o.lengths...)
	m.asked += o.asked
	m.reciprocal += o.reciprocal
}

func (m *measure) add(got answer, want []string) (found int) {
	m.asked++
	m.lengths = append(m.lengths, got.shown)
	for _, p := range want {
		if i := slices.Index(got.both, p); i >= 0 {
			m.reciprocal += 1 / float64(i+1)
		}
		m.both.add(got.both, p)
		own, list := &m.files, got.files
		if testFile(p) {
			own, list = &m.tests, got.tests
		}
		if own.add(list, p) {
			found++
		}
	}
	return found
}

func (m *measure) String() string {
	lengths := slices.Sorted(slices.Values(m.lengths))
	return fmt.Sprintf("%s, MRR %.3f; files %s, tests %s; %d listed", m.both, m.reciprocal/float64(max(m.both.of, 1)), m.files, m.tests, lengths[len(lengths)/2])
}

func sourceFile(p string) bool {
	language := syntax.Language(p, nil)
	return syntax.Source(language) && !syntax.Prose(language)
}

func testFile(p string) bool { return discover.PathFlags(p)&corpus.Test != 0 }

type changes struct {
	dir, program string
	w            io.Writer
	verbose      bool
	heldOut      bool
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
		sizes, err := c.sizes(commit)
		if err != nil {
			continue // the repository lacks one of its large files
		}
		t := trial{commit: commit}
		words := strings.Split(strings.TrimSuffix(string(status), "\x00"), "\x00")
		for i := 0; i+1 < len(words); i += 2 {
			t.all = append(t.all, words[i+1])
			if language := syntax.Language(words[i+1], nil); words[i] == "M" && (syntax.Source(language) || syntax.Prose(language)) {
				t.targets = append(t.targets, words[i+1])
			}
		}
		slices.SortStableFunc(t.targets, func(a, b string) int { return sizes[b] - sizes[a] })
		if len(t.all) <= mostFiles && len(t.targets) >= leastFiles && t.source() != "" {
			out = append(out, t)
		}
	}
	return out, nil
}

// sizes returns how many lines of each file a commit changes.
func (c *changes) sizes(commit string) (map[string]int, error) {
	stat, err := c.git("diff", "--numstat", "-z", "--no-renames", commit+"^", commit)
	out := map[string]int{}
	for line := range strings.SplitSeq(string(stat), "\x00") {
		var more, less int
		if at := strings.LastIndexByte(line, '\t'); at > 0 {
			if _, err := fmt.Sscanf(line, "%d\t%d\t", &more, &less); err == nil {
				out[line[at+1:]] = more + less
			}
		}
	}
	return out, err
}

// source is the changed file of the program itself of which the most lines changed.
func (t *trial) source() string {
	for _, p := range t.targets {
		if sourceFile(p) && !testFile(p) {
			return p
		}
	}
	return ""
}

// ask makes the part of a commit that given accepts in the tree of its parent, and
// returns the files of the answer in its order.
func (c *changes) ask(t trial, given func(string) bool) (got answer, err error) {
	if _, err := c.git("checkout", "-q", "-f", t.commit+"^"); err != nil {
		return got, err
	}
	if _, err := c.git("clean", "-q", "-f", "-d", "-e", ".assay"); err != nil {
		return got, err
	}
	for _, p := range t.all {
		if !given(p) {
			continue
		}
		text, err := c.git("show", t.commit+":"+p)
		to := filepath.Join(c.dir, filepath.FromSlash(p))
		if err != nil { // deleted
			if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
				return got, err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return got, err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return got, err
		}
	}
	type file struct {
		File    string
		Score   float64
		Explain []rank.Signal
	}
	var said struct {
		Tests, Reached, Documents []file
		Remaining                 []file `json:"remaining_uses"`
	}
	read := func(args ...string) error {
		raw, err := c.run(c.dir, c.program, append([]string{"impact", "--diff", "--json"}, args...)...)
		if err == nil {
			err = json.Unmarshal(raw, &said)
		}
		return err
	}
	if err := read(); err != nil {
		return got, err
	}
	add := func(list *[]string, of []file) {
		for _, f := range of {
			if !slices.Contains(*list, f.File) && !slices.ContainsFunc(t.all, func(p string) bool { return p == f.File && given(p) }) {
				*list = append(*list, f.File)
			}
		}
	}
	tested := func(f file) bool { return testFile(f.File) }
	untested := func(f file) bool { return !testFile(f.File) }
	add(&got.files, slices.DeleteFunc(slices.Clone(said.Remaining), tested))
	add(&got.tests, slices.DeleteFunc(slices.Clone(said.Remaining), untested))
	add(&got.files, said.Reached)
	add(&got.tests, said.Tests)
	got.shown = len(got.files) + len(got.tests)
	both := slices.Concat(said.Tests, said.Reached)
	slices.SortStableFunc(both, func(a, b file) int { return cmp.Compare(b.Score, a.Score) })
	add(&got.both, said.Remaining)
	add(&got.both, both)
	add(&got.both, said.Documents)
	if c.pool == nil {
		return got, nil
	}
	if err := read("--limit", "0", "--explain"); err != nil {
		return got, err
	}
	q := judged.Question{Project: c.project, Query: t.commit}
	for _, f := range slices.Concat(said.Tests, said.Reached) {
		if !slices.ContainsFunc(t.all, func(p string) bool { return p == f.File && given(p) }) {
			q.Candidates = append(q.Candidates, judged.Candidate{Explain: f.Explain, Relevant: slices.Contains(t.targets, f.File)})
		}
	}
	return got, judged.Write(c.pool, &q)
}

// An answer is the files of an answer in its order, without those that were given.
type answer struct {
	tests, files []string // as they are listed, remaining uses first
	both         []string // by their scores, and then documents
	shown        int      // of tests and files
}
