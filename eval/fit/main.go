package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/code/rank"
)

type options struct {
	profiles string
	penalty  float64
	without  string
	only     string
	keep     string
	write    bool
	answered float64
	midpoint bool

	pools   string
	rows    string
	against string
	from    int
	mode    string
	test    bool
}

func main() {
	var o options
	flag.StringVar(&o.profiles, "profiles", "internal/code/rank/profiles", "the folder of the profiles")
	flag.Float64Var(&o.penalty, "penalty", .01, "on the squared logarithm of each factor of a weight")
	flag.StringVar(&o.without, "without", "", "projects to leave out, separated by commas")
	flag.StringVar(&o.only, "only", "", "fit the weights of these signals alone, separated by commas: of one that is new")
	flag.StringVar(&o.keep, "keep", "", "with -pools, signals whose weights stay as they are, separated by commas")
	flag.BoolVar(&o.write, "write", false, "write the fitted weights, where they are better on what was held out")
	flag.Float64Var(&o.answered, "answered", .5, "which part of the questions people ask has an answer, for the midpoint")
	flag.BoolVar(&o.midpoint, "midpoint", false, "calibrate the score midpoint alone")
	flag.StringVar(&o.pools, "pools", "", "fit to the pools of this folder, as eval/evidence writes them, in place of FILE")
	flag.StringVar(&o.mode, "mode", "hybrid", "with -pools, rank as a search of this mode: hybrid, semantic or lexical")
	flag.IntVar(&o.from, "from", -1, "with -pools, start from the weights of this variant; -1: each from its own")
	flag.StringVar(&o.rows, "rows", "", "with -pools, write to this file what a learner of trees reads, and fit nothing (see trees.py)")
	flag.StringVar(&o.against, "against", "", "with -pools, say how the profile does beside the one of this folder, on all questions, and fit nothing")
	flag.BoolVar(&o.test, "test", false, "with -pools, print the figures of the test projects too: for a last look")
	flag.Parse()
	if err := o.run(flag.Args(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "fit: %v\n", err)
		os.Exit(1)
	}
}

// run fits a profile to the questions of a file, or of standard input.
func (o options) run(args []string, in io.Reader, w io.Writer) error {
	if len(args) < 1 || len(args) > 2 {
		return errors.New("usage: fit [flags] PROFILE [FILE]")
	}
	if len(args) == 2 {
		f, err := os.Open(args[1])
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	path := filepath.Join(o.profiles, args[0]+".txt")
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text := string(data)
	p, err := rank.ParseProfile(text)
	if err != nil {
		return err
	}
	if o.pools != "" {
		return o.fitPools(p, text, path, w)
	}
	qs, err := judged.Read(in)
	if err != nil {
		return err
	}
	all, foreign, err := read(p, qs, strings.Split(o.without, ","))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %d questions, %d of them with a right candidate and a wrong one\n", args[0], len(qs), len(all))
	byColumn, strangers := map[int][]example{}, map[int][]example{}
	for _, e := range all {
		c := p.Column(e.variant)
		byColumn[c] = append(byColumn[c], e)
	}
	for _, e := range foreign {
		c := p.Column(e.variant)
		strangers[c] = append(strangers[c], e)
	}
	var worse []string
	for c := range p.Columns() {
		if len(byColumn[c]) == 0 {
			continue
		}
		better := false
		if !o.midpoint {
			if better, err = o.crossValidate(p, text, c, byColumn[c], w); err != nil {
				return err
			}
		}
		if better {
			if text, err = rewritten(text, c, p.Columns(), fitted(p, c, byColumn[c], o.penalty, o.signals())); err != nil {
				return err
			}
		} else {
			worse = append(worse, fmt.Sprint(c))
		}
		now, err := rank.ParseProfile(text)
		if err != nil {
			return err
		}
		if midpoint, better := calibrate(now, byColumn[c], strangers[c], o.answered, w); better {
			if text, err = withMidpoint(text, c, p.Columns(), midpoint); err != nil {
				return err
			}
		}
	}
	if !o.write {
		return nil
	}
	if text == string(data) {
		return fmt.Errorf("nothing is written: no variant of %s is better where it was held out", args[0])
	}
	if worse != nil {
		fmt.Fprintf(w, "left as they are: variants %s\n", strings.Join(worse, ", "))
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// signals returns the signals to fit; nil: all.
func (o options) signals() []string {
	if o.only == "" {
		return nil
	}
	return strings.Split(o.only, ",")
}

// crossValidate holds out each project in turn, and says whether fitting helps.
func (o options) crossValidate(p *rank.Profile, text string, column int, all []example, w io.Writer) (better bool, err error) {
	var projects []string
	for _, e := range all {
		if !slices.Contains(projects, e.project) {
			projects = append(projects, e.project)
		}
	}
	slices.Sort(projects)
	var was, is figure
	up, down := 0, 0
	_, midpoint := mean(p, all)
	fmt.Fprintf(w, "variant %d: of 95 in 100 questions the evidence of the best right answer is above %.3f\n", column, midpoint)
	for _, name := range projects {
		var held, rest []example
		for _, e := range all {
			if e.project == name {
				held = append(held, e)
			} else {
				rest = append(rest, e)
			}
		}
		if len(rest) == 0 {
			return false, nil
		}
		changed, err := rewritten(text, column, p.Columns(), fitted(p, column, rest, o.penalty, o.signals()))
		if err != nil {
			return false, err
		}
		q, err := rank.ParseProfile(changed)
		if err != nil {
			return false, err
		}
		before, _ := mean(p, held)
		after, _ := mean(q, held)
		fmt.Fprintf(w, "  %-32s %4d  ndcg %.3f → %.3f  mrr %.3f → %.3f\n", name, len(held), before.ndcg, after.ndcg, before.reciprocal, after.reciprocal)
		part := float64(len(held)) / float64(len(all))
		was.ndcg, was.reciprocal = was.ndcg+part*before.ndcg, was.reciprocal+part*before.reciprocal
		is.ndcg, is.reciprocal = is.ndcg+part*after.ndcg, is.reciprocal+part*after.reciprocal
		switch {
		case after.ndcg > before.ndcg:
			up++
		case after.ndcg < before.ndcg:
			down++
		}
	}
	better = is.ndcg > was.ndcg && is.reciprocal > was.reciprocal && up > down
	fmt.Fprintf(w, "  %-32s %4d  ndcg %.3f → %.3f  mrr %.3f → %.3f  better in %d projects, worse in %d\n", "held out", len(all), was.ndcg, is.ndcg, was.reciprocal, is.reciprocal, up, down)
	return better, nil
}
