package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	audit "github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/embed/static"
	"github.com/assay-dev/assay/internal/code/workspace"
)

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "what is planted")
	flag.StringVar(&o.modes, "mode", "scan,words,model", "what answers: scan (no index), words (an index), model (an index and the model)")
	flag.BoolVar(&o.drift, "drift", false, "mend half of what was planted, and look what the second report resolves")
	flag.BoolVar(&o.time, "time", false, "how long a first and a second report take; nothing is planted and nothing written to FOLDER")
	flag.BoolVar(&o.cite, "cite", false, "plant citations, true and others, of all FOLDERs together")
	flag.StringVar(&o.split, "natural", "", "judge the projects of a split, dev or test, as they are and with natural plants; FOLDER has their checkouts")
	flag.StringVar(&o.only, "only", "", "with -natural: only these projects")
	flag.StringVar(&o.history, "history", "", "judge the labelled corrections of documents of a split, learn, test, later or newest, at the commits before them; FOLDER has OWNER/NAME.git of each project")
	flag.BoolVar(&o.mine, "mine", false, "write the corrections of documents in the history of each FOLDER, a git directory, for a reader to label")
	flag.BoolVar(&o.calls, "calls", false, "compare the calls in examples with what they call, and show those that are reported; each FOLDER has projects")
	flag.StringVar(&o.program, "memory", "", "what processes of this program take to audit each FOLDER")
	flag.BoolVar(&o.verbose, "v", false, "show what was judged wrong")
	flag.Parse()
	if err := run(context.Background(), o, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "audit:", err)
		os.Exit(1)
	}
}

// words is what the program has to tell which words there are.
func words() func(string) bool {
	m, err := static.Default()
	if err != nil {
		return nil
	}
	return m.Has
}

type options struct {
	seed    uint64
	modes   string
	verbose bool
	drift   bool
	time    bool
	cite    bool
	history string
	mine    bool
	calls   bool
	program string
	split   string // of the natural set
	only    string
}

// planted is how many of each sort a project gets at most.
const planted = 12

func run(ctx context.Context, o options, roots []string, w io.Writer) error {
	if len(roots) == 0 {
		roots = []string{"."}
	}
	if o.split != "" {
		if o.modes == "scan,words,model" {
			o.modes = "scan"
		}
		_, err := natural(ctx, o, roots[0], w)
		return err
	}
	if o.mine {
		return mine(ctx, roots, w)
	}
	if o.history != "" {
		if o.modes == "scan,words,model" {
			o.modes = "scan"
		}
		return histories(ctx, o, roots[0], w)
	}
	if o.calls {
		if o.modes == "scan,words,model" {
			o.modes = "scan"
		}
		return called(ctx, o, roots, w)
	}
	if o.cite {
		_, err := citeAll(ctx, o, roots, w)
		return err
	}
	sums := map[string]*figures{}
	modes := strings.Split(o.modes, ",")
	for _, root := range roots {
		root, err := filepath.Abs(root)
		if err != nil {
			return err
		}
		if o.program != "" {
			if err := processes(ctx, o.program, root, w); err != nil {
				return err
			}
			continue
		}
		if o.time {
			if err := timeAll(ctx, modes, root, w); err != nil {
				return fmt.Errorf("%s: %w", root, err)
			}
			continue
		}
		if o.drift {
			if err := fixAll(ctx, o, modes, root, w); err != nil {
				return fmt.Errorf("%s: %w", root, err)
			}
			continue
		}
		got, err := measure(ctx, o, modes, root, w)
		if err != nil {
			return fmt.Errorf("%s: %w", root, err)
		}
		for mode, f := range got {
			if sums[mode] == nil {
				sums[mode] = &figures{}
			}
			sums[mode].add(f)
		}
	}
	for _, mode := range modes {
		if f := sums[mode]; f != nil {
			fmt.Fprintf(w, "all %-6s %s\n", mode, f)
		}
	}
	return nil
}

// measure plants in one project and scores each mode.
func measure(ctx context.Context, o options, modes []string, root string, w io.Writer) (map[string]*figures, error) {
	p, r, err := open(ctx, o, root)
	if err != nil {
		return nil, err
	}
	ghosts := p.ghosts(r, planted, planted)
	shadows := p.shadows(r, planted)
	tmp, err := os.MkdirTemp("", "audit")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(tmp) }() // it was only ours
	dirs := map[string]*project{"ghosts": ghosts.project, "shadows": shadows.project}
	for name, q := range dirs {
		if err := q.write(filepath.Join(tmp, name)); err != nil {
			return nil, err
		}
	}
	out := map[string]*figures{}
	for _, mode := range modes {
		f := &figures{}
		feature, done, err := featureOf(mode, tmp)
		if err != nil {
			return nil, err
		}
		g, err := feature.Ghosts(ctx, audit.GhostsInput{Explain: true, Scope: audit.Scope{Project: audit.Project{Root: filepath.Join(tmp, "ghosts")}}})
		if err == nil {
			f.ghosts(ghosts, g, o.verbose, w)
			var s *audit.Shadows
			if s, err = feature.Shadows(ctx, audit.ShadowsInput{Explain: true, Scope: audit.Scope{Project: audit.Project{Root: filepath.Join(tmp, "shadows")}}}); err == nil {
				f.shadows(shadows, s, o.verbose, w)
			}
		}
		done()
		if err != nil {
			return nil, err
		}
		out[mode] = f
		fmt.Fprintf(w, "%-28s %-6s %s\n", filepath.Base(root), mode, f)
	}
	return out, nil
}

// open reads a project, and what decides what is planted in it.
func open(ctx context.Context, o options, root string) (*project, *rand.Rand, error) {
	tree, err := claims.Read(ctx, root, nil)
	if err != nil {
		return nil, nil, err
	}
	if len(tree.Docs) == 0 || len(tree.Code) == 0 {
		return nil, nil, fmt.Errorf("%d documents and %d files of code: nothing to compare", len(tree.Docs), len(tree.Code))
	}
	decls, err := (&claims.Scan{Tree: tree}).Declarations(ctx)
	if err != nil {
		return nil, nil, err
	}
	return load(tree, decls), rand.New(rand.NewPCG(o.seed, uint64(len(tree.Code)))), nil
}

// featureOf returns a feature that answers in a mode.
func featureOf(mode, dir string) (f *audit.Feature, done func(), err error) {
	cfg := audit.Config{WorkDir: dir, Patience: time.Hour, Words: words(), Project: func(p string) (string, error) { return p, nil }}
	done = func() {}
	if mode == "scan" {
		return audit.New(cfg), done, nil
	}
	c := workspace.Config{WorkDir: dir, CacheDir: filepath.Join(dir, "cache"), IndexDir: filepath.Join(dir, "index-"+mode), Embedder: func(string) (embed.Provider, error) { return nil, nil }}
	if mode == "model" {
		m, err := static.Default()
		if err != nil {
			return nil, nil, err
		}
		cfg.Model = func() *claims.Model { return &claims.Model{Dims: m.Dims, Embed: m.Embed} }
		c.Embedder = func(string) (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static"}) }
	}
	trees := workspace.New(c)
	cfg.Ask = trees.Ask
	return audit.New(cfg), func() { _ = trees.Close() }, nil // it was only read
}
