package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/graph"
)

// runGrep asks about names that a project declares, and looks whether the answers account for every place where a text search
// finds the name as a word.
func runGrep(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("grep", flag.ExitOnError)
	n := flags.Int("n", 200, "how many names of each project")
	seed := flags.Uint64("seed", 1, "of the sample")
	verbose := flags.Int("v", 0, "show so many places that no answer accounts for")
	tokens := flags.Int("tokens", 200000, "of an answer; answers that leave lines out are counted")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || *n < 1 {
		return errors.New("the folder of a project is needed, or several, and -n above 0")
	}
	for _, root := range flags.Args() {
		g := &grepped{w: w, verbose: *verbose, tokens: *tokens, byQuery: map[string]*grepTally{}}
		if err := g.project(root, *n, *seed); err != nil {
			return err
		}
	}
	return nil
}

// grepped is a comparison of answers with a text search.
type grepped struct {
	w       io.Writer
	root    string
	f       *graph.Feature
	index   string
	verbose int
	tokens  int
	byQuery map[string]*grepTally
}

// A grepTally counts places: those that were found, and in which part of the answers they are.
type grepTally struct {
	asked, found, shown, mentioned, counted, missing int
	cut                                              int // answers that left lines out
	tokens                                           []int
}

// A placed is a line of a file.
type placed struct {
	file string
	line int
}

// An accounted is what one answer accounts for.
type accounted struct {
	shown, mentioned map[placed]bool
	counted          int
	left             int
	text             int
}

func (g *grepped) project(root string, n int, seed uint64) error {
	dir, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	g.root = dir
	if g.index, err = os.MkdirTemp("", "grep"); err != nil {
		return err
	}
	defer os.RemoveAll(g.index)
	trees := code.New(workspace.New(workspace.Config{WorkDir: dir}), code.Config{})
	defer func() { _ = trees.Close() }()
	g.f = graph.New(trees.Workspace())
	names, err := g.names(n, seed)
	if err != nil {
		return err
	}
	for _, x := range names {
		if err := g.ask(x); err != nil {
			return fmt.Errorf("%s:%s: %w", x.File, x.Qualified, err)
		}
	}
	for _, q := range slices.Sorted(maps.Keys(g.byQuery)) {
		t := g.byQuery[q]
		slices.Sort(t.tokens)
		fmt.Fprintf(g.w, "%-20s %-12s %4d names %6d places: %6d resolved, %6d lines shown besides, %6d counted by owner or kind, %4d in none; %d answers cut; tokens median %d, p90 %d\n",
			filepath.Base(dir), q, t.asked, t.found, t.shown, t.mentioned, t.counted, t.missing, t.cut, t.tokens[len(t.tokens)/2], t.tokens[len(t.tokens)*9/10])
	}
	return nil
}

// names draws declarations of all kinds, those whose name is a word.
func (g *grepped) names(n int, seed uint64) (out []graph.Function, err error) {
	word := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	for _, kind := range []string{"", "type", "field", "constant", "variable"} {
		all, err := g.f.Functions(context.Background(), graph.FunctionsInput{Kind: kind, Filter: graph.Filter{IndexDir: g.index}})
		if err != nil {
			return nil, err
		}
		out = append(out, all.Functions...)
	}
	out = slices.DeleteFunc(out, func(x graph.Function) bool { return !word.MatchString(x.Name) })
	rnd := rand.New(rand.NewPCG(seed, 0))
	rnd.Shuffle(len(out), func(i, k int) { out[i], out[k] = out[k], out[i] })
	return out[:min(n, len(out))], nil
}

// ask asks all that can be asked about a name.
func (g *grepped) ask(x graph.Function) error {
	ctx, name, filter := context.Background(), x.File+":"+x.Qualified, graph.Filter{IndexDir: g.index}
	found, err := g.search(x.Name)
	if err != nil {
		return err
	}
	refs, err := g.f.Refs(ctx, graph.RefsInput{Symbol: name, Tokens: g.tokens, Filter: filter})
	if fault.KindOf(err) == fault.NotFound { // a field that is not the class's own
		return nil
	}
	if err != nil {
		return err
	}
	a := accounted{shown: map[placed]bool{}}
	for _, r := range refs.References {
		a.shown[placed{r.File, r.Line}] = true
	}
	a.add(refs.Definitions, &refs.Mentions, refs)
	g.compare("refs", x, found, &a)
	if x.Kind != "function" && x.Kind != "method" {
		return nil
	}
	callers, err := g.f.Callers(ctx, graph.CallsInput{Function: name, Tokens: g.tokens, Filter: filter})
	if err != nil {
		return err
	}
	a = accounted{shown: map[placed]bool{}}
	for _, r := range callers.Callers {
		a.shown[placed{r.File, r.Line}] = true
	}
	a.add(callers.Definitions, &callers.Mentions, callers)
	g.compare("callers", x, found, &a)
	return nil
}

// add adds the parts that all answers have.
func (a *accounted) add(defined []graph.Definition, m *graph.Mentions, said graph.StructureAnswer) {
	a.mentioned = map[placed]bool{}
	for _, d := range defined {
		a.shown[placed{d.File, d.Line}] = true
	}
	for _, x := range m.Mentions {
		a.mentioned[placed{x.File, x.Line}] = true
	}
	for _, o := range m.Elsewhere {
		a.counted += o.Mentions
	}
	for _, k := range m.OtherUses {
		a.counted += k
	}
	a.left = m.LeftOut
	var b bytes.Buffer
	if said.WriteText(&b, false) == nil {
		a.text = b.Len()
	}
}

// compare counts the places that a search found by the part of the answer that they are in.
func (g *grepped) compare(query string, x graph.Function, found []placed, a *accounted) {
	t := g.byQuery[query]
	if t == nil {
		t = &grepTally{}
		g.byQuery[query] = t
	}
	t.asked++
	t.found += len(found)
	t.tokens = append(t.tokens, a.text*25/86)
	if a.left > 0 {
		t.cut++
	}
	var rest []placed
	for _, at := range found {
		switch {
		case a.shown[at]:
			t.shown++
		case a.mentioned[at]:
			t.mentioned++
		default:
			rest = append(rest, at)
		}
	}
	counted := min(len(rest), a.counted+a.left)
	t.counted += counted
	missing := len(rest) - counted
	t.missing += missing
	for i := 0; i < missing && g.verbose > 0; i++ {
		g.verbose--
		fmt.Fprintf(g.w, "    %s %s:%s: %s:%d (%d of %d are counted)\n", query, x.File, x.Qualified, rest[i].file, rest[i].line, counted, len(rest))
	}
}

// found is a line of git grep.
var foundLine = regexp.MustCompile(`(?m)^(.+?):(\d+):\d+:`)

// search finds the places of a word in the files that are not ignored.
func (g *grepped) search(name string) (out []placed, err error) {
	said, err := exec.Command("git", "-C", g.root, "grep", "--no-index", "--exclude-standard", "-n", "--column", "-o", "-w", "-I", "-F", "-e", name).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, m := range foundLine.FindAllSubmatch(said, -1) {
		line, _ := strconv.Atoi(string(m[2]))
		out = append(out, placed{string(m[1]), line})
	}
	return out, nil
}
