package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Options are the command line.
type options struct {
	data, assay, workdir, args, json, beside string
	level                                    level
	repos                                    []string
	cold, verbose                            bool
	model, float, read                       string
	share                                    float64
	changes, list, field                     string
	most, letters                            int
}

func main() {
	o := options{level: chunkLevel}
	flag.StringVar(&o.data, "data", "", "folder with manifest.json, annotations/ and repos/ (required; see README.md)")
	flag.StringVar(&o.assay, "assay", "./assay", "the assay binary")
	flag.StringVar(&o.workdir, "workdir", "", "where copies of the trees are kept and found again (default: a temporary folder)")
	flag.StringVar(&o.args, "args", "", "arguments added to each search, separated by spaces")
	flag.StringVar(&o.json, "json", "", "also write the figures and every query's score to this file")
	flag.StringVar(&o.beside, "beside", "semble BM25+ranking", "the published figure shown beside each project")
	flag.StringVar(&o.model, "model", "", "instead of assay, rank chunks by this embedding model alone")
	flag.StringVar(&o.float, "float", "", "with -model, the table of float32 that it was rounded from, as train -float writes it")
	flag.Float64Var(&o.share, "share", 0, "with -model, what a chunk's path, and its scope with what it declares, count of its code, a vector each (default: all is one text, as in the program)")
	flag.StringVar(&o.read, "read", "", "with -model, ask the questions of this file, eval/evidence/testdata/read.jsonl, in repos/OWNER+NAME of -data, which has the root alone")
	flag.StringVar(&o.changes, "changes", "", "instead of -data: folder of clones, OWNER+NAME each, whose changes are asked for")
	flag.StringVar(&o.list, "list", "", "with -changes, changes.jsonl: each is asked for in the tree before it (default: the newest of each -repo)")
	flag.StringVar(&o.field, "field", "full", "with -changes, what is asked: subject, full (the message) or report (message, lines of tests, template)")
	flag.IntVar(&o.most, "most", 60, "with -changes, how many of each project")
	flag.IntVar(&o.letters, "letters", 0, "with -changes, only questions of at least so many bytes")
	flag.BoolVar(&o.cold, "cold", false, "delete a tree's .assay folder before indexing, so that the time is that of a first run")
	flag.BoolVar(&o.verbose, "v", false, "print every query's score, and the hits of those under .9")
	flag.Func("level", "what a result is: chunk or file (default chunk)", func(s string) error {
		if o.level = level(s); o.level != chunkLevel && o.level != fileLevel {
			return fmt.Errorf("chunk or file")
		}
		return nil
	})
	flag.Func("repo", "only this project (repeats; commas separate)", func(s string) error {
		o.repos = append(o.repos, strings.Split(s, ",")...)
		return nil
	})
	flag.Parse()
	if flag.NArg() > 0 || (o.data == "") == (o.changes == "") {
		fmt.Fprintln(os.Stderr, "usage: go run ./eval/codesearch -data DIR | -changes DIR [-assay ./assay] [flags]")
		flag.PrintDefaults()
		os.Exit(2)
	}
	if err := run(context.Background(), o, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "codesearch: %v\n", err)
		os.Exit(1)
	}
}

// run drives the benchmark and prints its figures to w. A command that fails is
// reported, scores 0 and makes the run end in an error; it does not end it early.
func run(ctx context.Context, o options, w io.Writer) error {
	if o.changes != "" {
		return runChanges(ctx, o, w)
	}
	if o.model != "" {
		return runModel(o, o.model, w)
	}
	projects, err := loadProjects(o.data, o.repos)
	if err != nil {
		return err
	}
	pub, err := loadPublished(o.data)
	if err != nil {
		return err
	}
	bin, err := filepath.Abs(o.assay)
	if err != nil {
		return err
	}
	if _, err := os.Stat(bin); err != nil {
		return fmt.Errorf("%v (build it: go build ./cmd/assay)", err)
	}
	if o.workdir == "" {
		if o.workdir, err = os.MkdirTemp("", "assay-codesearch-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.workdir)
	}
	if o.workdir, err = filepath.Abs(o.workdir); err != nil {
		return err
	}
	b := bench{o: o, ask: asker{bin, strings.Fields(o.args)}, w: w, pub: pub}
	b.head()
	for _, p := range projects {
		if err := b.project(ctx, p); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	s := summarize(b.rows)
	b.report(s)
	if o.json != "" {
		raw, err := json.MarshalIndent(struct {
			summary
			Level   level              `json:"level"`
			P50     float64            `json:"p50_ms"`
			P95     float64            `json:"p95_ms"`
			IndexMS map[string]float64 `json:"index_ms"`
			Rows    []row              `json:"rows"`
		}{s, o.level, percentile(b.millis(), 50), percentile(b.millis(), 95), b.indexMS, b.rows}, "", " ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(o.json, append(raw, '\n'), 0o644); err != nil {
			return err
		}
	}
	if b.failed > 0 {
		return fmt.Errorf("%d commands failed; the first: %v", b.failed, b.first)
	}
	return nil
}

// A bench is a run under way.
type bench struct {
	o       options
	ask     asker
	w       io.Writer
	pub     map[string]map[string]float64
	rows    []row
	indexMS map[string]float64
	bad     int // output lines that were no hit
	strays  int // hits whose path is no file below the tree
	failed  int
	first   error
}

func (b *bench) fail(err error) {
	if b.failed++; b.first == nil {
		b.first = err
	}
}

// project copies, indexes and questions one tree, and prints its line.
func (b *bench) project(ctx context.Context, p project) error {
	queries, err := loadQueries(b.o.data, p.Name)
	if err != nil {
		return err
	}
	tree := filepath.Join(b.o.workdir, filepath.FromSlash(p.IndexDir))
	if err := copyTree(filepath.Join(b.o.data, filepath.FromSlash(p.IndexDir)), tree); err != nil {
		return err
	}
	if b.o.cold {
		if err := os.RemoveAll(filepath.Join(tree, ".assay")); err != nil {
			return err
		}
	}
	took, err := b.ask.index(ctx, tree)
	if err != nil {
		b.fail(fmt.Errorf("%s: %v", p.Name, err))
	}
	if b.indexMS == nil {
		b.indexMS = map[string]float64{}
	}
	b.indexMS[p.Name] = ms(took)
	first := len(b.rows)
	for _, q := range queries {
		hits, bad, took, err := b.ask.search(ctx, tree, q.Text)
		if err != nil {
			b.fail(fmt.Errorf("%s: %q: %v", p.Name, q.Text, err))
		}
		b.bad += bad
		for _, h := range hits {
			if fi, err := os.Stat(filepath.Join(tree, h.Path)); err != nil || fi.IsDir() {
				b.strays++ // the suffix rule would still score it
			}
		}
		r := row{p.Name, p.Language, q.Category, q.Text, ndcg(hits, q.Targets, b.o.level), answers(hits, q.Targets, b.o.level), ms(took)}
		b.rows = append(b.rows, r)
		if b.o.verbose {
			b.query(r, q, hits)
		}
	}
	b.line(p, b.rows[first:])
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
