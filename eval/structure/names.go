package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
)

// runNames draws functions whose name nothing else of a project has, and counts of how many calls by these names the callee
// is known. What is called may be of a library all the same, so that the share says something beside that of another program
// alone.
func runNames(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("names", flag.ExitOnError)
	n := flags.Int("n", 50, "how many functions of each project")
	seed := flags.Uint64("seed", 1, "of the sample")
	verbose := flags.Bool("v", false, "name the functions that have two calls or more without a callee")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || *n < 1 {
		return errors.New("the folder of a project is needed, or several, and -n above 0")
	}
	fmt.Fprintf(w, "%-24s %5s %7s %9s %10s %11s  %s\n", "project", "names", "calls", "resolved", "ambiguous", "unresolved", "share")
	for _, root := range flags.Args() {
		t, err := readTree(root)
		if err != nil {
			return err
		}
		p := facts.New(t.docs, t)
		names := t.single(p)
		rnd := rand.New(rand.NewPCG(*seed, 0))
		rnd.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
		names = names[:min(*n, len(names))]
		var sum facts.Tally
		var left []string
		for _, r := range names {
			_, tally := p.Callers([]facts.Ref{r})
			sum.Add(tally)
			if tally.Unresolved > 1 {
				at := t.place(p, r)
				left = append(left, fmt.Sprintf("    %s %s:%d: %d of %d", at.Name, at.File, at.Line, tally.Unresolved, tally.Total))
			}
		}
		fmt.Fprintf(w, "%-24s %5d %7d %9d %10d %11d  %.2f\n", filepath.Base(root), len(names), sum.Total, sum.Resolved, sum.Ambiguous, sum.Unresolved,
			float64(sum.Resolved)/float64(max(sum.Total, 1)))
		for i := 0; *verbose && i < len(left); i++ {
			fmt.Fprintln(w, left[i])
		}
	}
	return nil
}

// single returns the functions that no test declares and that share their name with nothing, of six letters and more:
// shorter ones are often a library's too.
func (t *tree) single(p *facts.Project) (out []facts.Ref) {
	count := map[string]int{}
	for doc := range t.docs {
		for i := range t.facts[doc].Decls {
			count[t.facts[doc].Decls[i].Name]++
		}
	}
	for doc := range t.docs {
		if t.docs[doc].Flags&corpus.Test != 0 {
			continue
		}
		for i := range t.facts[doc].Decls {
			d := &t.facts[doc].Decls[i]
			if (d.Kind == corpus.Function || d.Kind == corpus.Method) && d.Traits&(corpus.Constructor|corpus.Local) == 0 && count[d.Name] == 1 && len(d.Name) >= 6 {
				out = append(out, facts.Ref{Doc: doc, Decl: int32(i)})
			}
		}
	}
	return out
}
