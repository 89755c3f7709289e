// Command go prints the calls of a Go module as golang.org/x/tools sees them: one
// JSON line for each pair of functions of the module of which one calls the other.
// Static calls have one callee by their types; dynamic ones go through interfaces:
// to all that implement them, or with -vta to those that flow there. With -vta there are also those
// of the kind "value": calls of functions that flow there as values.
//
//	cd eval/structure/truth/go && go run . MODULE-FOLDER > edges.jsonl
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

type place struct {
	File string `json:"file"`
	Name string `json:"name"`
	Line int    `json:"line"`
}

type edge struct {
	From place  `json:"from"`
	To   place  `json:"to"`
	Line int    `json:"line"`
	Kind string `json:"kind"`
}

func main() {
	precise := flag.Bool("vta", false, "follow interfaces by variable type analysis, not by class hierarchy")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: go run . [-vta] MODULE-FOLDER")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *precise); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir string, precise bool) error {
	root, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	cfg := &packages.Config{Mode: packages.LoadAllSyntax, Dir: root}
	pkgs, err := packages.Load(cfg, "./...")
	if err != nil {
		return err
	}
	mode := ssa.BuilderMode(0) // a call on a type parameter is dynamic, as it is written
	if precise {
		mode = ssa.InstantiateGenerics
	}
	prog, _ := ssautil.AllPackages(pkgs, mode)
	prog.Build()
	graph := cha.CallGraph(prog)
	if precise {
		graph = vta.CallGraph(ssautil.AllFunctions(prog), graph)
	}
	seen := map[edge]bool{}
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	out := json.NewEncoder(w)
	var edges []edge
	callgraph.GraphVisitEdges(graph, func(e *callgraph.Edge) error {
		if e.Site == nil || e.Caller.Func == nil || e.Callee.Func == nil {
			return nil
		}
		if o := e.Callee.Func.Origin(); e.Caller.Func.Origin() != nil && (o == e.Caller.Func.Origin() || e.Callee.Func == e.Caller.Func.Origin()) && e.Caller.Func.Synthetic != "" {
			return nil // what an instance of a generic function calls is the function
		}
		from, ok := where(prog, root, e.Caller.Func)
		if e.Caller.Func.Synthetic == "package initializer" {
			from, ok = top(prog, root, e.Pos())
		}
		if !ok {
			return nil
		}
		kind := "dynamic"
		if e.Site.Common().StaticCallee() != nil {
			kind = "static"
		} else if !e.Site.Common().IsInvoke() {
			if !precise {
				return nil // through a function value: by its type alone it may be any
			}
			kind = "value"
		}
		for _, f := range behind(e.Callee) {
			to, ok := where(prog, root, f)
			if got := (edge{From: from, To: to, Kind: kind}); ok && f.Parent() == nil && !seen[got] {
				seen[got] = true
				edges = append(edges, got)
			}
		}
		return nil
	})
	slices.SortFunc(edges, func(a, b edge) int { return strings.Compare(key(a), key(b)) })
	for _, e := range edges {
		if err := out.Encode(e); err != nil {
			return err
		}
	}
	return nil
}

// behind returns what runs where a node is called: of a method that stands as a value, x.M or T.M, the
// methods that the compiler's wrapper of it calls.
func behind(n *callgraph.Node) []*ssa.Function {
	if s := n.Func.Synthetic; !strings.HasPrefix(s, "bound method wrapper") && !strings.HasPrefix(s, "thunk") {
		return []*ssa.Function{n.Func}
	}
	var out []*ssa.Function
	for _, e := range n.Out {
		out = append(out, e.Callee.Func)
	}
	return out
}

func key(e edge) string {
	return fmt.Sprintf("%s:%06d %s:%06d %s", e.From.File, e.From.Line, e.To.File, e.To.Line, e.Kind)
}

// where returns the named function around f; not ok for those of other modules and
// those that no source declares.
func where(prog *ssa.Program, root string, f *ssa.Function) (place, bool) {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if o := f.Origin(); o != nil {
		f = o
	}
	if f.Synthetic != "" && f.Name() != "init" || !f.Pos().IsValid() {
		return place{}, false
	}
	pos := prog.Fset.Position(f.Pos())
	rel, err := filepath.Rel(root, pos.Filename)
	if err != nil || strings.HasPrefix(rel, "..") {
		return place{}, false
	}
	name, _, _ := strings.Cut(f.Name(), "#") // of several init functions
	return place{filepath.ToSlash(rel), name, pos.Line}, true
}

// top returns the top level of the file that a position is in.
func top(prog *ssa.Program, root string, at token.Pos) (place, bool) {
	if !at.IsValid() {
		return place{}, false
	}
	rel, err := filepath.Rel(root, prog.Fset.Position(at).Filename)
	if err != nil || strings.HasPrefix(rel, "..") {
		return place{}, false
	}
	return place{File: filepath.ToSlash(rel)}, true
}
