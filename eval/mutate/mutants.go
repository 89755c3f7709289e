package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
)

// A mutant is one change of a file.
type mutant struct {
	file       string
	line       int
	start, end int // bytes of the file that text replaces
	old, text  string
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d: %s → %s", m.file, m.line, short(m.old), short(m.text))
}

// short keeps a report readable.
func short(s string) string {
	const most = 60
	r := []rune(strconv.Quote(s))
	r = r[1 : len(r)-1]
	if len(r) > most {
		r = append(r[:most], '…')
	}
	if len(r) == 0 {
		return "nothing"
	}
	return string(r)
}

// apply returns the changed file.
func (m mutant) apply(src []byte) []byte {
	out := append([]byte{}, src[:m.start]...)
	return append(append(out, m.text...), src[m.end:]...)
}

// swaps are the operators that stand in for each other.
var swaps = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND, token.AND: token.OR, token.OR: token.AND, token.AND_NOT: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.OR_ASSIGN: token.AND_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN, token.AND_NOT_ASSIGN: token.OR_ASSIGN, token.INC: token.DEC, token.DEC: token.INC,
}

// A finder collects the mutants of a file.
type finder struct {
	fset *token.FileSet
	src  []byte
	file string
	out  []mutant
}

// mutants returns the changes of a source file, in its order.
func mutants(file string, src []byte) ([]mutant, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(tree) {
		return nil, nil
	}
	f := &finder{fset: fset, src: src, file: file}
	var results []*ast.FieldList // of the functions around
	var nodes []ast.Node
	ast.Inspect(tree, func(n ast.Node) bool {
		if n == nil {
			switch nodes[len(nodes)-1].(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				results = results[:len(results)-1]
			}
			nodes = nodes[:len(nodes)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.CommentGroup:
			return false
		case *ast.FuncDecl:
			results = append(results, n.Type.Results)
		case *ast.FuncLit:
			results = append(results, n.Type.Results)
		case *ast.ReturnStmt:
			f.zero(n, results[len(results)-1])
		default:
			f.node(n)
		}
		nodes = append(nodes, n)
		return true
	})
	return f.out, nil
}

func (f *finder) text(start, end token.Pos) string {
	return string(f.src[f.fset.Position(start).Offset:f.fset.Position(end).Offset])
}

func (f *finder) add(start, end token.Pos, text string) {
	p := f.fset.Position(start)
	f.out = append(f.out, mutant{f.file, p.Line, p.Offset, f.fset.Position(end).Offset, f.text(start, end), text})
}

func (f *finder) swap(at token.Pos, op token.Token) {
	if to, ok := swaps[op]; ok {
		f.add(at, at+token.Pos(len(op.String())), to.String())
	}
}

func (f *finder) negate(cond ast.Expr) {
	if cond != nil {
		f.add(cond.Pos(), cond.End(), "!("+f.text(cond.Pos(), cond.End())+")")
	}
}

func (f *finder) drop(n ast.Node) { f.add(n.Pos(), n.End(), "") }

// node finds the changes of a node itself.
func (f *finder) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.negate(n.Cond)
	case *ast.ForStmt:
		f.negate(n.Cond)
	case *ast.CaseClause:
		for _, e := range n.List {
			if b, ok := e.(*ast.BinaryExpr); ok && b.Op.Precedence() <= token.EQL.Precedence() {
				f.negate(e)
			}
		}
	case *ast.BinaryExpr:
		f.swap(n.OpPos, n.Op)
	case *ast.IncDecStmt:
		f.swap(n.TokPos, n.Tok)
		f.drop(n)
	case *ast.AssignStmt:
		f.swap(n.TokPos, n.Tok)
		if n.Tok != token.DEFINE {
			f.drop(n)
		}
	case *ast.ExprStmt:
		f.drop(n)
	case *ast.BranchStmt:
		f.drop(n)
	case *ast.BasicLit:
		f.number(n)
	}
}

// number changes a number.
func (f *finder) number(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if x, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			f.add(n.Pos(), n.End(), strconv.FormatInt(x+1, 10))
		}
	case token.FLOAT:
		if x, err := strconv.ParseFloat(n.Value, 64); err == nil {
			f.add(n.Pos(), n.End(), strconv.FormatFloat(2*x+.5, 'g', -1, 64))
		}
	}
}

// zero returns zero values instead of others.
func (f *finder) zero(n *ast.ReturnStmt, of *ast.FieldList) {
	if of == nil || len(n.Results) == 0 {
		return
	}
	var types []ast.Expr
	for _, field := range of.List {
		for range max(1, len(field.Names)) {
			types = append(types, field.Type)
		}
	}
	if len(types) != len(n.Results) {
		return // the results of another function
	}
	text, same := "", true
	for i, t := range types {
		if i > 0 {
			text += ", "
		}
		switch is := f.text(n.Results[i].Pos(), n.Results[i].End()); is {
		case "nil", "0", "false", `""`:
			text += is
		default:
			same = false
			text += "*new(" + f.text(t.Pos(), t.End()) + ")"
		}
	}
	if !same {
		f.add(n.Results[0].Pos(), n.Results[len(n.Results)-1].End(), text)
	}
}
