package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/eval/timed"
)

// Options are the command line.
type options struct {
	tree, assay, work, out string
	profile                string
	runs, queries          int
	files                  []int
	only                   []string
}

func main() {
	o := options{files: []int{6000, 100000}}
	flag.StringVar(&o.tree, "tree", "", "the source tree to measure on")
	flag.StringVar(&o.assay, "assay", "", "the assay binary; without it only this process is measured")
	flag.StringVar(&o.work, "work", "", "where copies and indexes lie while it runs (default: a temporary folder)")
	flag.StringVar(&o.out, "out", "", "also write the table to this file")
	flag.StringVar(&o.profile, "profile", "", "also write a profile of this process's processor time to this file")
	flag.IntVar(&o.runs, "n", 5, "runs of each measurement")
	flag.IntVar(&o.queries, "queries", 100, "queries of each kind")
	flag.Func("files", "sizes of the synthetic trees (default 6000,100000)", func(s string) (err error) {
		o.files, err = numbers(s)
		return err
	})
	flag.Func("only", "only these sections, separated by commas: "+strings.Join(sectionNames(), ", "), func(s string) error {
		o.only = strings.Split(s, ",")
		for _, name := range o.only {
			if !slices.Contains(sectionNames(), name) {
				return fmt.Errorf("no section %s", name)
			}
		}
		return nil
	})
	flag.Parse()
	if flag.NArg() > 0 || o.tree == "" && o.only == nil || o.runs < 1 || o.queries < 1 {
		fmt.Fprintln(os.Stderr, "usage: go run ./eval/speed -tree DIR -assay ./assay [flags]")
		flag.PrintDefaults()
		os.Exit(2)
	}
	if err := profiled(o.profile, func() error { return run(context.Background(), o, os.Stdout, os.Stderr) }); err != nil {
		fmt.Fprintf(os.Stderr, "speed: %v\n", err)
		os.Exit(1)
	}
}

// profiled runs f and writes where its processor time went.
func profiled(file string, f func() error) error {
	if file == "" {
		return f()
	}
	w, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(w); err != nil {
		return errors.Join(err, w.Close())
	}
	err = f()
	pprof.StopCPUProfile()
	return errors.Join(err, w.Close())
}

func numbers(s string) (ns []int, err error) {
	for f := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(f)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no number of files", f)
		}
		ns = append(ns, n)
	}
	return ns, nil
}

// A section is one group of measurements.
type section struct {
	name  string
	needs func(*bench) string // why it is left out; empty where it is not
	run   func(*bench, context.Context) error
}

func sections() []section {
	tree := func(b *bench) string {
		if b.tree == "" {
			return "no -tree"
		}
		return ""
	}
	binary := func(b *bench) string {
		if b.o.assay == "" {
			return "no -assay"
		}
		return tree(b)
	}
	return []section{
		{"index", tree, (*bench).index},
		{"refresh", tree, (*bench).refresh},
		{"edit", tree, (*bench).edit},
		{"query", tree, (*bench).query},
		{"process", binary, (*bench).process},
		{"structure", tree, (*bench).structure},
		{"synthetic", func(b *bench) string {
			if len(b.o.files) == 0 {
				return "no -files"
			}
			return ""
		}, (*bench).synthetic},
	}
}

func sectionNames() (names []string) {
	for _, s := range sections() {
		names = append(names, s.name)
	}
	return names
}

// A bench is a run under way.
type bench struct {
	o     options
	work  string // scratch
	tree  string // the copy of -tree; empty where there is none
	log   io.Writer
	table table
}

// settle is how old a file must be for its times to tell a change: younger ones
// are read again by every refresh.
const settle = 2500 * time.Millisecond

// run measures what o asks for, prints the table to w and says on log how far it
// is.
func run(ctx context.Context, o options, w, log io.Writer) error {
	b := &bench{o: o, log: log}
	var err error
	if b.work, err = scratch(o.work); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	if o.assay != "" {
		if b.o.assay, err = filepath.Abs(o.assay); err != nil {
			return err
		}
	}
	if o.tree != "" {
		if b.tree, err = b.copyTree(o.tree); err != nil {
			return err
		}
	}
	var errs []error
	for _, s := range sections() {
		if o.only != nil && !slices.Contains(o.only, s.name) {
			continue
		}
		if why := s.needs(b); why != "" {
			b.table.note("%s omitted: %s", s.name, why)
			continue
		}
		fmt.Fprintf(log, "%s ...\n", s.name)
		b.table.section(s.name)
		if err := s.run(b, ctx); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
			b.table.note("%s failed: %v", s.name, err)
		}
		runtime.GC()
	}
	text := b.head() + b.table.String()
	if _, err := io.WriteString(w, text); err != nil {
		errs = append(errs, err)
	}
	if o.out != "" {
		errs = append(errs, os.WriteFile(o.out, []byte(text), 0o644))
	}
	return errors.Join(errs...)
}

// scratch makes a folder to work in, below dir where that is given.
func scratch(dir string) (string, error) {
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", err
		}
	}
	tmp, err := os.MkdirTemp(dir, "assay-speed-")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(tmp)
}

// head says what was measured, with what and where.
func (b *bench) head() string {
	var s strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&s, "%-9s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("date", "%s", time.Now().UTC().Format(time.DateOnly))
	line("machine", "%s", timed.Machine())
	if b.o.assay != "" {
		line("assay", "%s", b.version())
	}
	if b.tree != "" {
		line("tree", "%s", filepath.Base(filepath.Clean(b.o.tree)))
	}
	line("runs", "%d of each; %d queries of each kind", b.o.runs, b.o.queries)
	return s.String()
}
