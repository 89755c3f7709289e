package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	audit "github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/workspace"
)

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "with -cite: what is planted")
	flag.StringVar(&o.modes, "mode", "scan", "what answers: scan (no index), words (an index), model (an index and the model)")
	flag.BoolVar(&o.cite, "cite", false, "plant citations, true and others, of all FOLDERs together")
	flag.StringVar(&o.split, "natural", "", "judge the projects of a split by the labels of their orphans and their drift; FOLDER has their checkouts")
	flag.StringVar(&o.only, "only", "", "with -natural: only these projects")
	flag.StringVar(&o.history, "history", "", "judge the labelled corrections of documents of a split, named-dev or named-test and others, at the commits before them; FOLDER has OWNER/NAME.git of each project")
	flag.StringVar(&o.program, "memory", "", "what processes of this program take to audit each FOLDER")
	flag.BoolVar(&o.links, "links", false, "hold audit ci against a plain check of the links of each FOLDER")
	flag.BoolVar(&o.verbose, "v", false, "show what was judged wrong")
	flag.Parse()
	if err := run(context.Background(), o, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "audit:", err)
		os.Exit(1)
	}
}

type options struct {
	seed    uint64
	modes   string
	verbose bool
	cite    bool
	history string
	links   bool
	program string
	split   string // of the natural set
	only    string
}

func run(ctx context.Context, o options, roots []string, w io.Writer) error {
	if len(roots) == 0 {
		roots = []string{"."}
	}
	if o.split != "" {
		_, err := natural(ctx, o, roots[0], w)
		return err
	}
	if o.history != "" {
		return histories(ctx, o, roots[0], w)
	}
	if o.cite {
		_, err := citeAll(ctx, o, roots, w)
		return err
	}
	if o.program == "" && !o.links {
		return errors.New("say what to measure: -natural, -history, -cite, -links or -memory")
	}
	for _, root := range roots {
		root, err := filepath.Abs(root)
		if err != nil {
			return err
		}
		if o.links {
			err = compareLinks(ctx, o, root, w)
		} else {
			err = processes(ctx, o.program, root, w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// featureOf returns a feature that answers in a mode.
func featureOf(mode, dir string) (f *audit.Feature, done func(), err error) {
	cfg := audit.Config{WorkDir: dir, Project: func(p string) (string, error) { return p, nil }}
	done = func() {}
	if mode == "scan" {
		return audit.New(cfg), done, nil
	}
	c := workspace.Config{WorkDir: dir, CacheDir: filepath.Join(dir, "cache"), IndexDir: filepath.Join(dir, "index-"+mode), Embedder: func(string) (embed.Provider, error) { return nil, nil }}
	if mode == "model" {
		c.Embedder = func(string) (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static"}) }
	}
	trees := workspace.New(c)
	cfg.Ask = trees.Ask
	return audit.New(cfg), func() { _ = trees.Close() }, nil // it was only read
}
