package main

import (
	"bufio"
	"bytes"
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

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A place is a function in a truth of edges: the top level of a file has no name.
type place struct {
	File string `json:"file"`
	Name string `json:"name"`
	Line int    `json:"line"`
}

// A call is one edge: the kind is "static", "dynamic", or "value" where what is called is a variable
// that holds a function. Other kinds ask for
// nothing: a "possible" edge is neither missed nor false, a call that is "outside"
// has none, and what is seen at an "unknown" one is not judged. Those two have
// only the name that is called in To.
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
	goos, goarch := flags.String("goos", "", "the system that the truth is of, if not this one"), flags.String("goarch", "", "its processor")
	tags := flags.String("tags", "", "its build tags, with commas between them")
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
	src.build = facts.For(*goos, *goarch, strings.FieldsFunc(*tags, func(r rune) bool { return r == ',' }))
	start = time.Now()
	got, tally := src.edges(*sure, scopeOf(want))
	fmt.Fprintf(w, "%d files read in %v, %d calls resolved in %v: %+v\n", len(src.docs), read.Round(time.Millisecond), tally.Total, time.Since(start).Round(time.Millisecond), tally)
	for _, kind := range []string{"static", "dynamic", "value", ""} {
		compareEdges(w, src, kind, want, got, *verbose)
	}
	compareSure(w, want, got)
	return nil
}

// A site is where something is called.
type site struct {
	file, name string
	line       int
}

// A scope is what a truth speaks of: files, less some calls in them.
type scope struct {
	files   map[string]bool
	unknown map[site]bool
	values  bool // it knows calls of functions as values
}

func scopeOf(want []edge) scope {
	in := scope{files: map[string]bool{}, unknown: map[site]bool{}}
	for _, e := range want {
		in.files[e.From.File] = true
		in.values = in.values || e.Kind == "value"
		if e.Kind == "unknown" {
			in.unknown[site{e.From.File, e.To.Name, e.Line}] = true
		}
	}
	return in
}

// truths returns the edges of a truth with their kinds.
func truths(want []edge) map[found]string {
	out := map[found]string{}
	for _, e := range want {
		switch k := (found{e.From, e.To}); {
		case e.Kind == "outside" || e.Kind == "unknown":
		case e.Kind == "" || e.Kind == "static":
			out[k] = "static"
		case out[k] == "" || out[k] == "possible":
			out[k] = e.Kind
		}
	}
	return out
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
	build facts.Build
	lines [][]int
	texts [][]byte
	keyed map[uint32][]int
}

func readTree(root string) (*tree, error) {
	t := &tree{build: facts.Host(), keyed: map[uint32][]int{}}
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
	f.Build = facts.Constraint(language, text)
	head, _ := facts.Encode(&f, func(d *corpus.Decl) bool { return facts.Function(language, d) })
	id := len(t.docs)
	t.docs = append(t.docs, facts.Doc{Path: rel, Language: language, Head: head})
	t.facts = append(t.facts, f)
	t.texts = append(t.texts, text)
	t.lines = append(t.lines, lineStarts(text))
	for _, k := range facts.Keys(language, &f) {
		t.keyed[k] = append(t.keyed[k], id)
	}
}

// Load implements facts.Source.
func (t *tree) Load(doc int) *corpus.Facts { return &t.facts[doc] }

// Decls implements facts.Source.
func (t *tree) Decls(doc int, _ func(string) bool) []corpus.Decl { return t.facts[doc].Decls }

// Text implements facts.Source.
func (t *tree) Text(doc int, _ []byte) []byte { return t.texts[doc] }

// Mentioning implements facts.Source.
func (t *tree) Mentioning(words ...string) (out []int) {
	for doc, text := range t.texts {
		if slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(text, []byte(w)) }) {
			out = append(out, doc)
		}
	}
	return out
}

// Keyed implements facts.Source.
func (t *tree) Keyed(keys ...uint32) (out []int) {
	for _, k := range keys {
		out = append(out, t.keyed[k]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (t *tree) line(doc, at int) int {
	s := lineIndex(t.lines[doc])
	return s.line(at)
}

// found is one edge that assay sees: places alone, calls between the same two are
// one.
type found struct{ from, to place }

// A seen is what assay says of an edge, and the first call that it says it of.
type seen struct {
	kind string
	sure facts.Sure
	call *corpus.Call
	line int
	how  string
}

func (t *tree) place(p *facts.Project, r facts.Ref) place {
	at := place{File: t.docs[r.Doc].Path}
	if d := p.Decl(r); d != nil {
		at.Name, at.Line = d.Name, t.line(r.Doc, d.NameAt)
	}
	return at
}

// edges returns what each edge is that assay sees in what a truth speaks of:
// static, or by dispatch.
func (t *tree) edges(least string, in scope) (map[found]seen, facts.Tally) {
	p := facts.New(t.docs, t)
	p.Under(t.build)
	out := map[found]seen{}
	var sum facts.Tally
	for doc := range t.docs {
		file := t.docs[doc].Path
		if !in.files[file] {
			continue
		}
		tally := p.Edges(doc, func(c *corpus.Call, from facts.Ref, edges []facts.Edge, _ bool) {
			line := t.line(doc, c.At)
			if c.Callee == corpus.Unnamed && !in.values {
				return // no other truth has these
			}
			if in.unknown[site{file, c.Callee, line}] {
				return
			}
			for _, e := range edges {
				kind := "static"
				switch {
				case e.How == "dispatch":
					kind = "dynamic"
				case e.How == "argument" && t.docs[doc].Language == "go":
					kind = "value"
				}
				// A truth is of one build: what others have is not judged.
				if e.Sure < sureOf(least) || e.How == facts.Variant || kind == "value" && !in.values {
					continue
				}
				f := found{t.place(p, from), t.place(p, e.To)}
				is, ok := out[f]
				if !ok {
					is = seen{kind, e.Sure, c, line, e.How}
				}
				if kind == "static" {
					is.kind = kind
				}
				is.sure = max(is.sure, e.Sure)
				out[f] = is
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
func compareEdges(w io.Writer, t *tree, kind string, want []edge, got map[found]seen, verbose int) {
	whole := truths(want)
	hit, n, ours := 0, 0, 0
	var missed, extra []string
	lines := map[found]int{}
	for _, e := range want {
		lines[found{e.From, e.To}] = e.Line
	}
	for k, is := range whole {
		if is == "possible" || kind != "" && is != kind {
			continue
		}
		n++
		if _, ok := got[k]; ok {
			hit++
		} else {
			missed = append(missed, show(k, lines[k]))
		}
	}
	right := 0
	for k, is := range got {
		if whole[k] == "possible" || kind != "" && is.kind != kind {
			continue
		}
		ours++
		if whole[k] != "" {
			right++
		} else {
			extra = append(extra, fmt.Sprintf("%s (%s, %s, %q of %q)", show(k, is.line), is.sure, is.how, is.call.Callee, is.call.Receiver))
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

// compareSure shows the precision of the edges of each degree of certainty.
func compareSure(w io.Writer, want []edge, got map[found]seen) {
	whole := truths(want)
	for sure := facts.Exact + 1; sure > 0; {
		sure--
		right, ours := 0, 0
		for k, is := range got {
			if is.sure == sure && whole[k] != "possible" {
				ours++
				if whole[k] != "" {
					right++
				}
			}
		}
		if ours > 0 {
			fmt.Fprintf(w, "%-9s found %6d  P %.4f\n", sure, ours, share(right, ours))
		}
	}
}

func share(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

func show(f found, line int) string {
	return fmt.Sprintf("%s:%d in %s:%d → %s:%d %s", f.from.File, line, f.from.Name, f.from.Line, f.to.File, f.to.Line, f.to.Name)
}

// lineStarts returns the offset at which each line of a text begins.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// A lineIndex holds where each line of a text begins.
type lineIndex []int

// line returns the number of the line of an offset.
func (x lineIndex) line(at int) int {
	i, ok := slices.BinarySearch(x, at)
	if ok {
		return i + 1
	}
	return i
}
