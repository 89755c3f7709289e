package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
)

// A callSite is a call and what assay says that it means.
type callSite struct {
	doc   int
	line  int
	name  string
	edges []facts.Edge
}

// runRead draws calls of a project for somebody to read, or counts what was read.
func runRead(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("read", flag.ExitOnError)
	root := flags.String("root", "", "the folder of the project to draw from")
	lang := flags.String("lang", "", "the language")
	n := flags.Int("n", 40, "how many calls")
	seed := flags.Uint64("seed", 1, "of the sample")
	around := flags.Int("around", 2, "lines shown before and after each")
	least := flags.String("min-confidence", "likely", "the least sure edges that are shown")
	labels := flags.String("labels", "", "count the verdicts of this file, or of the files of this folder")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case *labels != "" && *root == "" && flags.NArg() == 0:
		return countVerdicts(*labels, w)
	case *root == "" || *lang == "" || flags.NArg() > 0:
		flags.Usage()
		return errors.New("either -labels, or -root and -lang are needed")
	}
	t, err := readTree(*root)
	if err != nil {
		return err
	}
	p := facts.New(t.docs, t)
	sites := t.sites(p, *lang, sureOf(*least))
	rnd := rand.New(rand.NewPCG(*seed, 0))
	rnd.Shuffle(len(sites), func(i, k int) { sites[i], sites[k] = sites[k], sites[i] })
	fmt.Fprintf(w, "%d calls by names that the project declares, of which these were drawn:\n", len(sites))
	for i, s := range sites[:min(*n, len(sites))] {
		fmt.Fprintf(w, "\n%d\t%s:%d\t%s\n", i+1, t.docs[s.doc].Path, s.line, s.name)
		for _, e := range s.edges {
			to := t.place(p, e.To)
			fmt.Fprintf(w, "   -> %s %s:%d %s\n", e.Sure, to.File, to.Line, to.Name)
		}
		if len(s.edges) == 0 {
			fmt.Fprintln(w, "   -> nothing")
		}
		lines := strings.Split(string(t.texts[s.doc]), "\n")
		for k := max(0, s.line-1-*around); k < min(len(lines), s.line+*around); k++ {
			fmt.Fprintf(w, "   %5d  %s\n", k+1, strings.TrimRight(lines[k], "\r"))
		}
	}
	return nil
}

// sites returns the calls in the files of a language that are no tests, by a name that a
// function or type of the project has: others lead out of it.
func (t *tree) sites(p *facts.Project, lang string, least facts.Sure) (out []callSite) {
	declared := map[string]bool{}
	for doc := range t.docs {
		for i := range t.facts[doc].Decls {
			declared[t.facts[doc].Decls[i].Name] = true
		}
	}
	for doc := range t.docs {
		path := strings.ToLower(t.docs[doc].Path)
		if t.docs[doc].Language != lang || strings.Contains(path, "test") || strings.Contains(path, "spec") || strings.Contains(path, "example") {
			continue
		}
		p.Edges(doc, func(c *corpus.Call, _ facts.Ref, edges []facts.Edge, _ bool) {
			if edges = slices.DeleteFunc(edges, func(e facts.Edge) bool { return e.Sure < least }); declared[c.Callee] || len(edges) > 0 {
				out = append(out, callSite{doc, t.line(doc, c.At), c.Callee, edges})
			}
		})
	}
	return out
}

// countVerdicts counts what somebody read of calls: lines of project, commit, file, line, name, verdict and what should
// be, with tabs between them. A verdict is right, wrong (an edge that cannot be meant, where none is right), missed (no edge, and
// the callee is in the project), outside (no edge, and rightly), or unsure, which is not counted.
func countVerdicts(name string, w io.Writer) error {
	names := []string{name}
	if info, err := os.Stat(name); err != nil {
		return err
	} else if info.IsDir() {
		if names, err = filepath.Glob(filepath.Join(name, "*.tsv")); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%-12s %6s %6s %6s %8s %7s  %-14s %-14s\n", "language", "right", "wrong", "missed", "outside", "unsure", "precision", "recall")
	for _, name := range names {
		count := map[string]int{}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		in := bufio.NewScanner(f)
		for at := 1; in.Scan(); at++ {
			if in.Text() == "" || strings.HasPrefix(in.Text(), "#") {
				continue
			}
			cells := strings.Split(in.Text(), "\t")
			if len(cells) < 6 || !slices.Contains([]string{"right", "wrong", "missed", "outside", "unsure"}, cells[5]) {
				_ = f.Close()
				return fmt.Errorf("%s:%d: want project, commit, file, line, name, verdict", name, at)
			}
			count[cells[5]]++
		}
		if err := errors.Join(in.Err(), f.Close()); err != nil {
			return err
		}
		fmt.Fprintf(w, "%-12s %6d %6d %6d %8d %7d  %-14s %-14s\n", strings.TrimSuffix(filepath.Base(name), ".tsv"), count["right"], count["wrong"], count["missed"], count["outside"], count["unsure"],
			part(count["right"], count["right"]+count["wrong"]), part(count["right"], count["right"]+count["missed"]+count["wrong"]))
	}
	return nil
}

// part is a share with its standard error.
func part(n, of int) string {
	if of == 0 {
		return "-"
	}
	p := float64(n) / float64(of)
	return fmt.Sprintf("%.3f (%.3f)", p, math.Sqrt(p*(1-p)/float64(of)))
}
