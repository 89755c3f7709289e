package syntax

import (
	"go/ast"
	"slices"
	"strconv"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// endBlocks says of the variables of a function that are declared in a block of it where that ends: behind for _, l := range lines {}
// the name l means the receiver, or a function of the package. Others than those bound twice, or called, need no end.
func (g *goFile) endBlocks(binding, call int, body *ast.BlockStmt) {
	bound := map[string]int{}
	for _, c := range g.out.Calls[call:] {
		if c.Receiver == "" {
			bound[c.Callee] = 1
		}
	}
	added := g.out.Bindings[binding:]
	again := false
	for _, b := range added {
		bound[b.Name]++
		again = again || bound[b.Name] > 1
	}
	if !again {
		return
	}
	blocks := g.blocks(body)
	for _, b := range added {
		if bound[b.Name] < 2 || !isWord(b.Name) {
			continue
		}
		for _, s := range slices.Backward(blocks) { // inner ones first
			if s.Start <= b.At && b.At < s.End {
				g.out.Bindings = append(g.out.Bindings, corpus.Binding{Name: corpus.BlockMark + b.Name, Value: strconv.Itoa(s.Len()), At: s.Start})
				break
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
