package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// Options are the command line.
type options struct {
	assay, tree, work string
	files, kills      int
	searchers         int
	last              time.Duration
	full              bool
	seed              uint64
}

func main() {
	o := options{}
	flag.StringVar(&o.assay, "assay", "./assay", "the assay binary")
	flag.StringVar(&o.tree, "tree", "", "a source tree to copy and plant in (default: one made of -files files)")
	flag.StringVar(&o.work, "work", "", "where the tree and its index lie while it runs (default: a temporary folder)")
	flag.IntVar(&o.files, "files", 3000, "files of the tree that is made")
	flag.IntVar(&o.kills, "kills", 50, "processes to kill")
	flag.IntVar(&o.searchers, "searchers", 8, "processes that search at once")
	flag.DurationVar(&o.last, "for", 30*time.Second, "how long the crowd lasts")
	flag.BoolVar(&o.full, "full", false, "let the crowd's indexer build the index anew every fifth time")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "of the random choices; the moments of processes stay their own")
	flag.Parse()
	if flag.NArg() > 0 || o.files < 1 {
		fmt.Fprintln(os.Stderr, "usage: go run ./eval/soak -assay ./assay [flags]")
		flag.PrintDefaults()
		os.Exit(2)
	}
	if err := run(context.Background(), o, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "soak: %v\n", err)
		os.Exit(1)
	}
}

// run makes the tree, kills and crowds, and prints what happened to w. It fails
// at the first wrong answer, with the tree and its index left where they are.
func run(ctx context.Context, o options, w io.Writer) error {
	bin, err := filepath.Abs(o.assay)
	if err != nil {
		return err
	}
	if o.work != "" {
		if err := os.MkdirAll(o.work, 0o755); err != nil {
			return err
		}
	}
	work, err := os.MkdirTemp(o.work, "assay-soak-")
	if err != nil {
		return err
	}
	if work, err = filepath.EvalSymlinks(work); err != nil {
		return err
	}
	fmt.Fprintf(w, "seed %d\n", o.seed)
	rng := rand.New(rand.NewPCG(o.seed, 1))
	g, err := newGarden(filepath.Join(work, "tree"), o, rng)
	if err != nil {
		return err
	}
	s := &soak{o: o, bin: bin, garden: g, index: filepath.Join(work, "index"), log: w}
	err = s.all(ctx)
	s.report()
	if err != nil {
		return fmt.Errorf("%w\nleft for a look: %s", err, work)
	}
	return os.RemoveAll(work)
}

func (s *soak) all(ctx context.Context) error {
	if err := s.kill(ctx, s.o.kills); err != nil {
		return err
	}
	if s.o.last > 0 {
		if err := s.crowd(ctx, s.o.last); err != nil {
			return err
		}
	}
	return s.check(ctx)
}
