package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Options are the command line.
type options struct {
	assay, dir, args, indexArgs string
	sets                        []string
	verbose                     bool
}

func main() {
	o := options{sets: []string{"notes", "docs"}}
	flag.StringVar(&o.assay, "assay", "./assay", "the assay binary")
	flag.StringVar(&o.dir, "dir", "", "where documentation is kept and found again (default: a temporary folder)")
	flag.StringVar(&o.args, "args", "", "arguments added to each search, separated by spaces")
	flag.StringVar(&o.indexArgs, "index-args", "", "arguments added to each index, separated by spaces")
	flag.BoolVar(&o.verbose, "v", false, "list what hybrid search misses or makes worse")
	flag.Func("set", "only this set: notes, which need no network, or docs", func(s string) error {
		if o.sets = []string{s}; s != "notes" && s != "docs" {
			return errors.New("notes or docs")
		}
		return nil
	})
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: go run ./eval/paraphrase [-assay ./assay] [-dir DIR] [-set notes] [-v] [-args \"...\"]")
		flag.PrintDefaults()
		os.Exit(2)
	}
	if err := run(context.Background(), o, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "paraphrase: %v\n", err)
		os.Exit(1)
	}
}

// run asks the sets and prints their figures to w. What could not be fetched or
// asked is told and makes the run end in an error; it does not end it early.
func run(ctx context.Context, o options, w io.Writer) error {
	bin, err := filepath.Abs(o.assay)
	if err != nil {
		return err
	}
	if _, err := os.Stat(bin); err != nil {
		return fmt.Errorf("%v (build it: go build ./cmd/assay)", err)
	}
	if o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "assay-paraphrase-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.dir)
	}
	if o.dir, err = filepath.Abs(o.dir); err != nil {
		return err
	}
	b := bench{o: o, ask: asker{bin, strings.Fields(o.indexArgs), strings.Fields(o.args)}, w: w}
	for _, set := range o.sets {
		dir, err := b.fill(ctx, set)
		if err == nil {
			err = b.set(ctx, set, dir)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", set, err)
		}
	}
	if b.failed > 0 {
		return fmt.Errorf("the figures are not complete: %d times something failed, first: %s", b.failed, b.first)
	}
	return nil
}

// A bench is a run under way.
type bench struct {
	o      options
	ask    asker
	w      io.Writer
	failed int
	first  string
}

func (b *bench) fail(what string) {
	if b.failed++; b.first == "" {
		b.first = what
	}
}

// fill writes the texts of a set below the work folder and returns its folder.
func (b *bench) fill(ctx context.Context, set string) (string, error) {
	dir := filepath.Join(b.o.dir, set)
	if set == "notes" {
		return dir, copyNotes(dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for _, p := range packages {
		if err := p.fetch(ctx, dir); err != nil {
			b.fail(err.Error())
		}
	}
	return dir, nil
}

// set asks the questions of one set about the texts in dir and reports. The notes
// are one project; of the documentation each package is: who asks knows which
// program is meant.
func (b *bench) set(ctx context.Context, set, dir string) error {
	qs, err := loadQuestions(set)
	if err != nil {
		return err
	}
	asked, gone := items(dir, qs)
	for _, g := range gone {
		b.fail(g)
	}
	limit := maxShared
	if set == "docs" {
		limit = maxSharedDocs
	}
	projects := map[string][]item{}
	for _, it := range asked {
		switch {
		case it.Shared > limit:
			b.fail(fmt.Sprintf("%q shares %.2f of its words: %v", it.Ask, it.Shared, it.Words))
		case set == "docs":
			projects[it.Kind] = append(projects[it.Kind], it)
		default:
			projects[""] = append(projects[""], it)
		}
	}
	var rows []row
	for _, name := range slices.Sorted(maps.Keys(projects)) {
		more, err := b.project(ctx, dir, name, projects[name])
		if err != nil {
			return err
		}
		rows = append(rows, more...)
	}
	report(b.w, set, rows)
	if b.o.verbose {
		reportBad(b.w, rows)
	}
	return nil
}

// project indexes the folder name of dir, or dir itself, and asks about it in all
// modes.
func (b *bench) project(ctx context.Context, dir, name string, asked []item) (rows []row, err error) {
	tree := filepath.Join(dir, name)
	if err := b.ask.build(ctx, tree); err != nil {
		return nil, err
	}
	for _, it := range asked {
		r := row{it, map[string]int{}}
		for _, mode := range modes() {
			hits, lack, err := b.ask.search(ctx, tree, mode, it.Ask)
			if err != nil {
				b.fail(fmt.Sprintf("%q: %v", it.Ask, err))
			}
			if lack != "" {
				b.fail(fmt.Sprintf("%q, %s: degraded: %s", it.Ask, mode, lack))
			}
			for i := range hits {
				hits[i].Path = path.Join(name, hits[i].Path)
			}
			r.Rank[mode] = rank(hits, it.Targets)
		}
		rows = append(rows, r)
	}
	return rows, nil
}
