package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A function is one that a trace may name.
type function struct {
	file, language string
	pkg            string // of Java
	name, own      string // qualified, and alone
	constructs     bool
	first, named   int // lines: of its span, of its name
	last           int
	text           []string       // its lines
	calls          map[string]int // the last line where something of a name is called
}

func (f *function) String() string {
	if f == nil {
		return "gone"
	}
	return fmt.Sprintf("%s:%d-%d %s", f.file, f.first, f.last, f.name)
}

// scope is the innermost name around a function.
func (f *function) scope() string {
	_, last, _ := cutLast(f.name[:max(0, len(f.name)-len(f.own)-1)], ".")
	return last
}

// inside is a line of its body: that of a call where there is one.
func (f *function) inside() int {
	line := 0
	for _, at := range f.calls {
		line = max(line, at)
	}
	if line == 0 {
		line = min(f.named+1, f.last)
	}
	return line
}

// tracedLanguages are those whose traces are made.
var tracedLanguages = []string{"python", "javascript", "typescript", "java", "go", "rust", "ruby"}

var packageLine = regexp.MustCompile(`(?m)^package ([\w.]+);`)

// functionsOf returns the functions of a file that have bodies.
func functionsOf(name string, text []byte) (out []*function) {
	language := syntax.Language(name, text[:min(len(text), 4096)])
	if language == "jsx" || language == "tsx" {
		language = "typescript"
	}
	if !slices.Contains(tracedLanguages, language) || discover.PathFlags(name)&(corpus.Test|corpus.Vendored|corpus.Generated) != 0 {
		return nil
	}
	f := syntax.Facts(name, syntax.Language(name, text[:min(len(text), 4096)]), text)
	starts := []int{0}
	for i, b := range text {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	line := func(at int) int {
		i, _ := slices.BinarySearch(starts, at+1)
		return i
	}
	lines := strings.Split(string(text), "\n")
	pkg := ""
	if m := packageLine.FindSubmatch(text); m != nil && language == "java" {
		pkg = string(m[1])
	}
	at := map[int32]*function{}
	for i := range f.Decls {
		d := &f.Decls[i]
		if !facts.Function(language, d) || d.Body >= d.Span.End || d.Traits&(corpus.Local|corpus.Abstract) != 0 {
			continue
		}
		x := &function{file: name, language: language, pkg: pkg, name: d.Qualified(), own: d.Name, constructs: d.Traits&corpus.Constructor != 0,
			first: line(d.Span.Start), named: line(d.NameAt), last: line(max(d.Span.End-1, 0)), calls: map[string]int{}}
		x.text = lines[x.first-1 : x.last]
		at[int32(i)] = x
		out = append(out, x)
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		if x := at[c.In]; x != nil && line(c.At) > x.named {
			x.calls[c.Callee] = line(c.At)
		}
	}
	return out
}

// A tree is the functions of the newer tree.
type tree struct {
	byFile map[string][]*function
	byName map[string][]*function
}

// treeOf reads a work tree.
func treeOf(ctx context.Context, dir string) (*tree, error) {
	list, err := judged.Git(ctx, dir, "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	t := &tree{map[string][]*function{}, map[string][]*function{}}
	for name := range strings.SplitSeq(list, "\x00") {
		if !slices.Contains(append(tracedLanguages, "jsx", "tsx"), syntax.Language(name, nil)) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || len(text) > 1<<20 {
			continue
		}
		t.byFile[name] = functionsOf(name, text)
		for _, f := range t.byFile[name] {
			t.byName[f.own] = append(t.byName[f.own], f)
		}
	}
	return t, nil
}

// A changed is what an older commit has in files that have changed since.
type changed struct {
	here      *tree
	renamed   map[string]string // by the older name
	functions []*function
	known     map[*function]*function
}

const mostChanged = 300 // files of a commit that are read

// changedSince reads the files of a commit that are not the same in a newer one.
func changedSince(ctx context.Context, repo, then, head string, here *tree) (*changed, error) {
	status, err := judged.Git(ctx, repo, "diff", "--name-status", "-M", "-l", "2000", "--diff-filter=MRD", then, head)
	if err != nil {
		return nil, err
	}
	c := &changed{here: here, renamed: map[string]string{}, known: map[*function]*function{}}
	var names []string
	for line := range strings.Lines(status) {
		parts := strings.Split(strings.TrimSpace(line), "\t")
		if len(functionsOf(parts[1], nil)) > 0 || !slices.Contains(append(tracedLanguages, "jsx", "tsx"), syntax.Language(parts[1], nil)) {
			continue
		}
		if len(parts) == 3 {
			c.renamed[parts[1]] = parts[2]
		}
		names = append(names, parts[1])
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(order(a), order(b)) })
	for _, name := range names[:min(len(names), mostChanged)] {
		text, err := judged.Git(ctx, repo, "show", then+":"+name)
		if err != nil {
			return nil, err
		}
		for _, f := range functionsOf(name, []byte(text)) {
			if f.last > f.named+1 { // no one-liners
				c.functions = append(c.functions, f)
			}
		}
	}
	slices.SortStableFunc(c.functions, func(a, b *function) int {
		return cmp.Compare(order(a.file+a.name), order(b.file+b.name))
	})
	return c, nil
}

const (
	alikeElsewhere = .5 // of the lines of a function: it is the same in another file
	alikeUnnamed   = .7 // it is the same by another name, or of another type
	leastUnnamed   = 4  // lines that it then has
)

// now returns where a function is in the newer tree: that of its name in its file, in what
// git says that its file is called now, in a file of that name, or, of a type, in its folder,
// the most alike of several; else the most alike of its name in another file, or of another name in its file. It is nil
// where nothing is.
func (c *changed) now(f *function) *function {
	if g, ok := c.known[f]; ok {
		return g
	}
	file := f.file
	if to := c.renamed[file]; to != "" {
		file = to
	}
	same := func(g *function) bool { return g.name == f.name }
	g := mostAlike(f, c.here.byFile[file], same)
	if g == nil && c.here.byFile[f.file] == nil && c.renamed[f.file] == "" {
		g = mostAlike(f, c.here.byName[f.own], func(g *function) bool { return same(g) && path.Base(g.file) == path.Base(f.file) })
	}
	if g == nil && f.scope() != "" {
		g = mostAlike(f, c.here.byName[f.own], func(g *function) bool { return same(g) && path.Dir(g.file) == path.Dir(f.file) })
	}
	if g == nil {
		g = mostAlike(f, c.here.byName[f.own], func(g *function) bool { return g.language == f.language })
		if least := alikeElsewhere; g != nil {
			if g.scope() != f.scope() {
				least = alikeUnnamed
			}
			if a := alike(f, g); a < least || least == alikeUnnamed && len(f.text) < leastUnnamed {
				g = nil
			}
		}
	}
	if g == nil && len(f.text) >= leastUnnamed {
		if g = mostAlike(f, c.here.byFile[file], func(*function) bool { return true }); g != nil && alike(f, g) < alikeUnnamed {
			g = nil
		}
	}
	c.known[f] = g
	return g
}

func mostAlike(f *function, of []*function, pass func(*function) bool) (best *function) {
	most := -1.0
	for _, g := range of {
		if pass(g) {
			if a := alike(f, g); a > most {
				best, most = g, a
			}
		}
	}
	return best
}

// alike is the share of the lines of two functions that they have in common (Dice).
func alike(f, g *function) float64 {
	n := map[string]int{}
	all, both := 0, 0
	for _, line := range f.text {
		if line = strings.TrimSpace(line); len(line) > 1 {
			n[line]++
			all++
		}
	}
	for _, line := range g.text {
		if line = strings.TrimSpace(line); len(line) > 1 {
			all++
			if n[line] > 0 {
				n[line]--
				both++
			}
		}
	}
	return 2 * float64(both) / float64(max(1, all))
}
