package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/eval/keptaside"
	"github.com/assay-dev/assay/internal/brief"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/graph"
)

type options struct {
	mirrors, changes, work, pools, part string
	most                                int
	only                                []string
	field                               string
	verbose                             bool
	alone                               bool
	peers                               peers
}

func main() {
	var o options
	var fitted, parts string
	var x timing
	keep, traces := false, false
	flag.BoolVar(&traces, "traces", false, "make traces of older commits of the projects, and count the frames that are mapped to where their functions are")
	flag.BoolVar(&keep, "keep", false, "with -fit: keep the weights, and find the midpoint and the steepness")
	flag.StringVar(&parts, "parts", "", "ask the tasks of this folder, for which a page of documentation or a note has what one needs")
	flag.StringVar(&x.dir, "speed", "", "measure how long briefs over this tree take")
	flag.StringVar(&x.index, "index", "", "with -speed: folder of its index")
	flag.StringVar(&x.assay, "assay", "assay", "with -speed and -parts: the program")
	flag.StringVar(&x.tasks, "tasks", "", "with -speed: a file with a task a line")
	flag.StringVar(&x.profile, "profile", "", "with -speed: write a profile of the processor's time to this file")
	flag.IntVar(&x.rounds, "n", 5, "with -speed: how often each is asked")
	flag.StringVar(&o.mirrors, "mirrors", "", "folder of bare repositories, OWNER+NAME/repo")
	flag.StringVar(&o.changes, "changes", "", "the changes: a JSON object a line with repo, commit, parent and files")
	flag.StringVar(&o.work, "work", filepath.Join(os.TempDir(), "assay-brief"), "folder for trees and indexes, which are kept")
	flag.StringVar(&o.pools, "pools", "", "write what the briefs were chosen from to this file")
	flag.StringVar(&o.part, "part", "dev", "dev, test or all: which projects, by a hash of their names")
	flag.IntVar(&o.most, "most", 8, "changes of a project")
	flag.StringVar(&o.field, "field", "full", "subject, or full: subject and body")
	flag.BoolVar(&o.verbose, "v", false, "show what was not found")
	flag.BoolVar(&o.alone, "alone", false, "without the baselines")
	flag.StringVar(&o.peers.repomix, "repomix", "", "compare with this program: repomix --compress, cut to the budget")
	flag.StringVar(&o.peers.aider, "aider", "", "compare with aider's map: a Python in which it is installed")
	flag.StringVar(&fitted, "fit", "", "fit the weights of a profile (files, places, tests) to the pools")
	flag.Func("only", "only projects whose name contains one of these, separated by commas", func(s string) error {
		o.only = strings.Split(s, ",")
		return nil
	})
	flag.Parse()
	if fitted != "" {
		if err := fit(o.pools, fitted, keep); err != nil {
			fmt.Fprintf(os.Stderr, "brief: %v\n", err)
			os.Exit(1)
		}
		return
	}
	if x.dir != "" {
		if err := x.run(context.Background()); err != nil {
			fmt.Fprintf(os.Stderr, "brief: %v\n", err)
			os.Exit(1)
		}
		return
	}
	if parts != "" && o.mirrors != "" {
		if err := o.parts(context.Background(), parts, x.assay); err != nil {
			fmt.Fprintf(os.Stderr, "brief: %v\n", err)
			os.Exit(1)
		}
		return
	}
	if traces && o.mirrors != "" {
		if err := o.traces(context.Background()); err != nil {
			fmt.Fprintf(os.Stderr, "brief: %v\n", err)
			os.Exit(1)
		}
		return
	}
	if flag.NArg() > 0 || o.mirrors == "" || o.changes == "" {
		fmt.Fprintln(os.Stderr, "usage: go run ./eval/brief -mirrors DIR -changes FILE [flags]")
		flag.PrintDefaults()
		os.Exit(2)
	}
	if !o.alone {
		o.peers.absent()
	}
	if err := o.run(context.Background()); err != nil {
		fmt.Fprintf(os.Stderr, "brief: %v\n", err)
		os.Exit(1)
	}
}

// partOf splits projects: two of five judge, and nothing is fitted to them.
func partOf(project string) string {
	h := fnv.New32a()
	h.Write([]byte(project))
	if h.Sum32()%5 < 2 {
		return "test"
	}
	return "dev"
}

func (o *options) run(ctx context.Context) error {
	all, err := judged.ReadChanges(o.changes)
	if err != nil {
		return err
	}
	var projects []string
	for name := range all {
		if _, err := os.Stat(filepath.Join(o.mirrors, name, "repo")); err == nil && o.wants(name) {
			projects = append(projects, name)
		}
	}
	slices.Sort(projects)
	var pools *json.Encoder
	if o.pools != "" {
		f, err := os.Create(o.pools)
		if err != nil {
			return err
		}
		defer f.Close()
		pools = json.NewEncoder(f)
	}
	var rows []row
	for _, name := range projects {
		got, err := o.project(ctx, name, all[name], pools)
		if err != nil {
			fmt.Fprintf(os.Stderr, "brief: %s: %v\n", name, err)
		}
		rows = append(rows, got...)
		report(os.Stderr, name, got)
	}
	report(os.Stdout, fmt.Sprintf("%d projects (%s)", len(projects), o.part), rows)
	return nil
}

// budgets are what the methods may spend, in tokens.
var budgets = []int{1000, 2000, 4000, 8000}

// project asks for the changes of a project.
func (o *options) project(ctx context.Context, name string, changes []judged.Change, pools *json.Encoder) (rows []row, err error) {
	t, done, err := o.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	repo, dir, m := t.repo, t.dir, t.methods
	for _, c := range judged.Sample(ctx, repo, changes, o.most) {
		t, err := truthOf(ctx, repo, &c)
		if err != nil {
			return rows, err
		}
		if _, err := judged.Git(ctx, dir, "checkout", "-q", "-f", c.Parent); err != nil {
			fmt.Fprintf(os.Stderr, "brief: %s: %v\n", name, err)
			continue
		}
		task := c.Subject
		if o.field == "full" && c.Body != "" {
			task += "\n" + c.Body
		}
		if pools != nil {
			if err := m.pool(ctx, pools, name, task, &t); err != nil {
				return rows, err
			}
		}
		for _, method := range append(m.all(o.alone), o.peers.methods(dir)...) {
			for _, tokens := range budgets {
				got, err := method.ask(ctx, task, tokens)
				if err != nil {
					return rows, fmt.Errorf("%s: %w", method.name, err)
				}
				r := got.score(&t)
				r.project, r.method, r.tokens = name, method.name, tokens
				rows = append(rows, r)
				if o.verbose && method.name == "brief" && tokens == 4000 {
					got.missed(os.Stderr, name, c.Commit, task, &t)
				}
			}
		}
	}
	return rows, nil
}

// An opened is a project with a work tree and an index of its own.
type opened struct {
	methods
	repo string
}

// open clones a project where it is not there yet, and opens its tree.
func (o options) open(ctx context.Context, name string) (*opened, func() error, error) {
	repo, err := filepath.Abs(filepath.Join(o.mirrors, name, "repo"))
	if err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(o.work, 0o755); err != nil {
		return nil, nil, err
	}
	work, err := filepath.EvalSymlinks(o.work)
	if err != nil {
		return nil, nil, err
	}
	dir := filepath.Join(work, name)
	if _, err := os.Stat(dir); err != nil {
		if _, err := judged.Git(ctx, work, "clone", "-q", "--shared", "--no-checkout", "--", repo, dir); err != nil {
			return nil, nil, err
		}
	}
	trees := workspace.New(workspace.Config{WorkDir: dir, IndexDir: dir + ".index", Embedder: func(string) (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static"}) }})
	m := methods{brief: brief.New(trees, nil, nil), code: code.New(trees, code.Config{Piped: true}), graph: graph.New(trees), trees: trees, dir: dir}
	return &opened{m, repo}, trees.Close, nil
}

// mirrored returns the projects of the folder of mirrors that are of the part, but for
// those that are kept aside.
func (o options) mirrored() (out []string, err error) {
	list, err := os.ReadDir(o.mirrors)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		name := e.Name()
		if _, err := os.Stat(filepath.Join(o.mirrors, name, "repo")); err == nil && keptaside.Check(name) == nil && o.wants(name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// wants reports whether a project is of the part, and of those that were named.
func (o options) wants(name string) bool {
	return (o.part == "all" || partOf(name) == o.part) &&
		(len(o.only) == 0 || slices.ContainsFunc(o.only, func(s string) bool { return strings.Contains(name, s) }))
}

// A row is what one method found of one change.
type row struct {
	project, method   string
	tokens            int
	any, all          float64
	decls             float64 // NaN-free: counted only where there are any
	hasDecls, hasTest bool
	tests             float64
	spent             int
}

// report prints the means over projects of the means over changes.
func report(w *os.File, title string, rows []row) {
	fmt.Fprintf(w, "%s, %d changes\n", title, count(rows))
	type key struct {
		method string
		tokens int
	}
	var keys []key
	for _, r := range rows {
		if k := (key{r.method, r.tokens}); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	slices.SortStableFunc(keys, func(a, b key) int { return cmp.Compare(a.tokens, b.tokens) })
	for _, k := range keys {
		var of []row
		for _, r := range rows {
			if r.method == k.method && r.tokens == k.tokens {
				of = append(of, r)
			}
		}
		all := func(r row) bool { return true }
		fmt.Fprintf(w, "  %5d %-8s any %.3f all %.3f declarations %.3f tests %.3f spent %5.0f\n", k.tokens, k.method,
			macro(of, all, func(r row) float64 { return r.any }), macro(of, all, func(r row) float64 { return r.all }),
			macro(of, func(r row) bool { return r.hasDecls }, func(r row) float64 { return r.decls }),
			macro(of, func(r row) bool { return r.hasTest }, func(r row) float64 { return r.tests }),
			macro(of, all, func(r row) float64 { return float64(r.spent) }))
	}
}

func count(rows []row) (n int) {
	for _, r := range rows {
		if r.method == rows[0].method && r.tokens == rows[0].tokens {
			n++
		}
	}
	return n
}

// macro is the mean over projects of the means of a value over some rows.
func macro(rows []row, pass func(row) bool, value func(row) float64) float64 {
	sum, n := map[string]float64{}, map[string]float64{}
	for _, r := range rows {
		if pass(r) {
			sum[r.project] += value(r)
			n[r.project]++
		}
	}
	if len(n) == 0 {
		return 0
	}
	total := 0.0
	for p := range n {
		total += sum[p] / n[p]
	}
	return total / float64(len(n))
}
