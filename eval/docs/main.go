package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/docs/library"
)

// Options are the command line.
type options struct {
	dir     string
	split   string
	sets    string
	golden  string
	update  bool
	verbose bool
	api     bool
	others  bool
	keep    string
}

const usage = `usage: go run ./eval/docs COMMAND -dir DIR [flags]

  fetch   put the documentation of the packages into DIR
  ask     ask the questions, and print the figures
  list    print the questions
  judged  print what is found for each question, for eval/fit
  api     ask for symbols, and for prose beside an API reference; -dir holds OWNER+NAME or OWNER+NAME/repo
  judgedapi  print what is found for those, for eval/fit
  guides  ask how-to questions and names of libraries with guides and a reference; -split dev, aside or all; -dir as for api
  lint    count what is odd about the snippets of the presets; -dir holds OWNER+NAME or OWNER+NAME/repo
  signatures  print the share of symbols with a whole signature of the libraries that -sets names; -dir as for api
  speed   print how fast pages are read and questions answered
`

func main() {
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	var o options
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	flags.StringVar(&o.dir, "dir", "", "where the documentation is")
	flags.StringVar(&o.split, "split", "dev", "dev, held or all; of symbols, seen too")
	flags.StringVar(&o.keep, "keep", "", "api: put the libraries there, and read those that are there already")
	flags.StringVar(&o.sets, "sets", "", "only these sets, separated by commas")
	flags.StringVar(&o.golden, "golden", "eval/docs/testdata/figures.txt", "the figures to compare with")
	flags.BoolVar(&o.update, "update", false, "write the figures instead")
	flags.BoolVar(&o.verbose, "v", false, "print the questions that the floor answers better")
	flags.BoolVar(&o.others, "others", false, "lint: the repositories of the folder that no preset names, instead")
	flags.BoolVar(&o.api, "api", false, "lint: the API reference too")
	var s speedOptions
	s.flags(flags)
	_ = flags.Parse(os.Args[2:])
	ctx := context.Background()
	var err error
	switch os.Args[1] {
	case "fetch":
		err = fetchAll(ctx, o)
	case "ask":
		err = askAll(ctx, o, os.Stdout)
	case "list":
		err = list(ctx, o, os.Stdout)
	case "judged":
		err = judgeAll(ctx, o, os.Stdout)
	case "api", "judgedapi":
		err = api(ctx, o, os.Args[1] == "judgedapi", os.Stdout)
	case "people":
		err = people(ctx, o, os.Stdout)
	case "guides":
		err = askGuides(ctx, o, os.Stdout)
	case "signatures":
		err = signatures(ctx, o, os.Stdout)
	case "lint":
		err = lint(ctx, o, os.Stdout)
	case "speed":
		err = speed(ctx, o, s, os.Stdout)
	default:
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "docs: %v\n", err)
		os.Exit(1)
	}
}

// chosen returns the sets that the options name.
func (o *options) chosen() (out []set) {
	for _, s := range sets() {
		named := o.sets == "" && (o.split == "all" || s.held == (o.split == "held"))
		for n := range strings.SplitSeq(o.sets, ",") {
			named = named || n == s.name
		}
		if named {
			out = append(out, s)
		}
	}
	return out
}

func fetchAll(ctx context.Context, o options) (err error) {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	for _, s := range sets() {
		e := s.fetch(ctx, o.dir)
		if e == nil {
			fmt.Println("have", s.name)
		}
		err = errors.Join(err, e)
	}
	return err
}

func list(ctx context.Context, o options, w io.Writer) error {
	for _, s := range o.chosen() {
		c, err := load(ctx, o.dir, s)
		if err != nil {
			return err
		}
		for _, q := range c.questions() {
			fmt.Fprintf(w, "%v → %s (%d sections, without %d)\n", q, c.pages[q.target].Path, len(q.sections), len(q.without))
		}
	}
	return nil
}

// askAll asks the questions of all chosen sets and prints what comes of it.
func askAll(ctx context.Context, o options, w io.Writer) error {
	temp, err := os.MkdirTemp("", "assay-eval-docs-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	var r report
	for _, s := range o.chosen() {
		c, err := load(ctx, o.dir, s)
		if err != nil {
			return err
		}
		version, err := os.ReadFile(filepath.Join(o.dir, s.name+".version"))
		if err != nil {
			return err
		}
		results, err := c.run(ctx, filepath.Join(temp, s.name))
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		r.add(c, strings.TrimSpace(string(version)), results)
	}
	if o.verbose {
		r.worse(w)
	}
	return r.print(w, o)
}

// run asks every system the questions about a corpus.
func (c *corpus) run(ctx context.Context, path string) (out map[string][]result, err error) {
	f, err := newFloor(ctx, path+".floor", c)
	if err != nil {
		return nil, err
	}
	defer f.db.Close()
	s, err := newSearcher(ctx, path+".docs", c)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.db.Close()) }()
	pages := map[string]int{}
	for i, p := range c.pages {
		pages[p.Path] = i
	}
	name := c.sectionOf(pages)
	out = map[string][]result{}
	for _, q := range c.questions() {
		found, err := f.ask(ctx, q.ask)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", q, err)
		}
		out["floor"] = append(out["floor"], q.result(found, name))
		for _, how := range []library.Ranking{library.Lexical, library.Hybrid} {
			r, err := s.result(ctx, q, how, name)
			if err != nil {
				return nil, fmt.Errorf("%v: %w", q, err)
			}
			out[string(how)] = append(out[string(how)], r)
		}
	}
	if s.used[library.Hybrid] == 0 {
		return nil, errors.New("nothing was ranked by meaning")
	}
	return out, nil
}

// result asks twice: for all that is found, and for an answer of the usual size.
func (s *searcher) result(ctx context.Context, q question, how library.Ranking, name func(place) string) (result, error) {
	found, _, err := s.ask(ctx, q.ask, depth, how)
	if err != nil {
		return result{}, err
	}
	r := q.result(found, name)
	answer, tokens, err := s.ask(ctx, q.ask, 0, how)
	r.tokens, r.empty = tokens, len(answer) == 0
	for _, yes := range q.byPage(answer) {
		r.answered = r.answered || yes
	}
	return r, err
}

func (q question) result(found []place, name func(place) string) result {
	r := result{question: q, page: judge(q.byPage(found), len(q.pages)), empty: len(found) == 0}
	if q.sections != nil {
		r.section = judge(q.bySection(found, name))
	}
	return r
}
