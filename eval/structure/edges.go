package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/corpus"
	"github.com/assay-dev/assay/internal/facts"
	"github.com/assay-dev/assay/internal/syntax"
)

// A place is a function in a truth of edges: the top level of a file has no name.
type place struct {
	File string `json:"file"`
	Name string `json:"name"`
	Line int    `json:"line"`
}

// A call is one edge: the kind is "static" or "dynamic".
type edge struct {
	From place  `json:"from"`
	To   place  `json:"to"`
	Line int    `json:"line"`
	Kind string `json:"kind"`
}

// runEdges compares the calls that assay resolves with a truth.
func runEdges(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("edges", flag.ExitOnError)
	root := flags.String("root", "", "the folder that the paths of the truth are below (required)")
	name := flags.String("truth", "", "the truth, in JSON lines (required)")
	sure := flags.String("min-confidence", "likely", "the least sure edges that count: exact, likely, name-only")
	verbose := flags.Int("v", 0, "show so many differences of each kind")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *root == "" || *name == "" || flags.NArg() > 0 {
		flags.Usage()
		return fmt.Errorf("-root and -truth are needed, and nothing else")
	}
	want, err := readEdges(*name)
	if err != nil {
		return err
	}
	start := time.Now()
	src, err := readTree(*root)
	if err != nil {
		return err
	}
	read := time.Since(start)
	start = time.Now()
	got, tally := src.edges(*sure, judged(want))
	fmt.Fprintf(w, "%d files read in %v, %d calls resolved in %v: %+v\n", len(src.docs), read.Round(time.Millisecond), tally.Total, time.Since(start).Round(time.Millisecond), tally)
	for _, kind := range []string{"static", "dynamic", ""} {
		compareEdges(w, src, kind, want, got, *verbose)
	}
	return nil
}

// judged returns the files that a truth speaks of.
func judged(want []edge) map[string]bool {
	files := map[string]bool{}
	for _, e := range want {
		files[e.From.File] = true
	}
	return files
}

func readEdges(name string) ([]edge, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []edge
	d := json.NewDecoder(bufio.NewReader(f))
	for d.More() {
		var e edge
		if err := d.Decode(&e); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		out = append(out, e)
	}
	return out, nil
}

// A tree is a folder of sources, its facts in memory.
type tree struct {
	docs  []facts.Doc
	facts []corpus.Facts
	lines [][]int
	keyed map[uint32][]int
}

func readTree(root string) (*tree, error) {
	t := &tree{keyed: map[uint32][]int{}}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "node_modules" || d.Name() == "vendor" || p != root && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel = filepath.ToSlash(rel)
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		language := syntax.Language(rel, text[:min(len(text), 4096)])
		f, ok := syntax.Manifest(rel, text)
		if !ok {
			if syntax.Covers(language) != syntax.Everything {
				return nil
			}
			f = syntax.Facts(rel, language, text)
		}
		t.add(rel, language, text, f)
		return nil
	})
	return t, err
}

func (t *tree) add(rel, language string, text []byte, f corpus.Facts) {
	head, _ := facts.Encode(&f, func(d *corpus.Decl) bool { return facts.Function(language, d) })
	id := len(t.docs)
	t.docs = append(t.docs, facts.Doc{Path: rel, Language: language, Head: head})
	t.facts = append(t.facts, f)
	t.lines = append(t.lines, load(truth{}, text).lines)
	for _, k := range facts.Keys(&f) {
		t.keyed[k] = append(t.keyed[k], id)
	}
}

// Load implements facts.Source.
func (t *tree) Load(doc int) *corpus.Facts { return &t.facts[doc] }

// Keyed implements facts.Source.
func (t *tree) Keyed(keys ...uint32) (out []int) {
	for _, k := range keys {
		out = append(out, t.keyed[k]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (t *tree) line(doc, at int) int {
	s := source{lines: t.lines[doc]}
	return s.line(at)
}

// found is one edge that assay sees: places alone, calls between the same two are
// one.
type found struct{ from, to place }

func (t *tree) place(p *facts.Project, r facts.Ref) place {
	at := place{File: t.docs[r.Doc].Path}
	if d := p.Decl(r); d != nil {
		at.Name, at.Line = d.Name, t.line(r.Doc, d.NameAt)
	}
	return at
}

// edges returns what each edge is that assay sees in some files: static, or by
// dispatch.
func (t *tree) edges(least string, in map[string]bool) (map[found]string, facts.Tally) {
	p := facts.New(t.docs, t)
	out := map[found]string{}
	var sum facts.Tally
	for doc := range t.docs {
		if !in[t.docs[doc].Path] {
			continue
		}
		tally := p.Edges(doc, func(_ *corpus.Call, from facts.Ref, edges []facts.Edge) {
			for _, e := range edges {
				if e.Sure < sureOf(least) {
					continue
				}
				kind := "static"
				if e.How == "dispatch" {
					kind = "dynamic"
				}
				f := found{t.place(p, from), t.place(p, e.To)}
				if out[f] != "static" {
					out[f] = kind
				}
			}
		})
		sum.Total += tally.Total
		sum.Resolved += tally.Resolved
		sum.Ambiguous += tally.Ambiguous
		sum.Unresolved += tally.Unresolved
		sum.External += tally.External
	}
	return out, sum
}

func sureOf(s string) facts.Sure {
	for k := facts.NameOnly; k < facts.Exact; k++ {
		if k.String() == s {
			return k
		}
	}
	return facts.Exact
}

// compareEdges shows precision and recall of the edges of one kind, of all for "".
func compareEdges(w io.Writer, t *tree, kind string, want []edge, got map[found]string, verbose int) {
	truths := map[found]string{}
	for _, e := range want {
		k := found{e.From, e.To}
		if e.Kind == "" {
			e.Kind = "static"
		}
		if truths[k] != "static" {
			truths[k] = e.Kind
		}
	}
	hit, n, ours := 0, 0, 0
	var missed, extra []string
	for k, is := range truths {
		if kind != "" && is != kind {
			continue
		}
		n++
		if _, ok := got[k]; ok {
			hit++
		} else {
			missed = append(missed, show(k))
		}
	}
	right := 0
	for k, is := range got {
		if kind != "" && is != kind {
			continue
		}
		ours++
		if _, ok := truths[k]; ok {
			right++
		} else {
			extra = append(extra, show(k))
		}
	}
	if n == 0 && ours == 0 {
		return
	}
	label := kind
	if label == "" {
		label = "all"
	}
	fmt.Fprintf(w, "%-8s truth %6d  found %6d  P %.4f  R %.4f\n", label, n, ours, share(right, ours), share(hit, n))
	slices.Sort(missed)
	slices.Sort(extra)
	for i := range min(verbose, len(missed)) {
		fmt.Fprintf(w, "  missed %s\n", missed[i*len(missed)/min(verbose, len(missed))])
	}
	for i := range min(verbose, len(extra)) {
		fmt.Fprintf(w, "  extra  %s\n", extra[i*len(extra)/min(verbose, len(extra))])
	}
}

func share(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

func show(f found) string {
	return fmt.Sprintf("%s:%d %s → %s:%d %s", f.from.File, f.from.Line, f.from.Name, f.to.File, f.to.Line, f.to.Name)
}
