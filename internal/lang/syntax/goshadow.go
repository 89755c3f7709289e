package syntax

import (
	"go/ast"
	"maps"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// restoreShadowed binds names again at the ends of the blocks that bind them otherwise: behind for _, l := range lines {} the
// name l is the receiver once more. Bindings have no end of their own.
func (g *goFile) restoreShadowed(from int, body *ast.BlockStmt) {
	bound := map[string][]corpus.Binding{}
	again := false
	for _, b := range g.out.Bindings[from:] {
		bound[b.Name] = append(bound[b.Name], b)
		again = again || len(bound[b.Name]) > 1 && isWord(b.Name)
	}
	if !again {
		return
	}
	blocks := g.blocks(body)
	innermost := func(at int) corpus.Span {
		in := corpus.Span{Start: 0, End: g.offset(body.End())}
		for _, s := range blocks { // outer ones first
			if s.Start <= at && at < s.End {
				in = s
			}
		}
		return in
	}
	for _, name := range slices.Sorted(maps.Keys(bound)) {
		bs := bound[name]
		if len(bs) < 2 || !isWord(bs[0].Name) {
			continue
		}
		ended := map[corpus.Span]bool{}
		for i, b := range bs {
			in := innermost(b.At)
			for k := i - 1; k >= 0 && !ended[in]; k-- {
				if around := innermost(bs[k].At); around.Start < in.Start && in.End <= around.End && around != in {
					ended[in] = true
					g.out.Bindings = append(g.out.Bindings, corpus.Binding{Name: b.Name, Type: bs[k].Type, Value: bs[k].Value, At: in.End})
				}
			}
		}
	}
}

// isWord reports whether a binding is of a variable: others are of what a function returns or holds.
func isWord(name string) bool {
	return name != "" && scan.Letter(name[0])
}

// blocks returns where the blocks of a function are, outer ones before those inside.
func (g *goFile) blocks(body *ast.BlockStmt) (out []corpus.Span) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.BlockStmt, *ast.RangeStmt, *ast.ForStmt, *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.CaseClause, *ast.CommClause, *ast.FuncLit:
			if n != ast.Node(body) {
				out = append(out, corpus.Span{Start: g.offset(n.Pos()), End: g.offset(n.End())})
			}
		}
		return true
	})
	return out
}
