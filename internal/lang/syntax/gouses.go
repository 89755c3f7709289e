package syntax

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// goUses finds names in a Go file. The parser knows the scopes of a file, so a name that is bound
// in a function is never taken for one of the package.
func goUses(text []byte, wanted func([]byte) bool) []Use {
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, "", text, 0) // what can be parsed is there beside the error
	if f == nil {
		return nil
	}
	file := fset.File(f.FileStart)
	if file == nil {
		return nil
	}
	w := &goNames{goBody: goBody{goFile: &goFile{file: file, text: text}}, wanted: wanted, about: map[*ast.Ident]Use{}, params: map[*ast.Field]bool{}, top: f.Scope}
	ast.Inspect(f, w.see)
	sorting.Stable(w.out, func(a, b Use) int { return cmp.Compare(a.At, b.At) })
	return w.out
}

// goNames collects the names of a file. What is around a name is seen before the name.
type goNames struct {
	goBody
	wanted func([]byte) bool
	about  map[*ast.Ident]Use
	params map[*ast.Field]bool
	top    *ast.Scope //nolint:staticcheck // scopes are what is wanted, and one file cannot be type-checked
	out    []Use
}

func (w *goNames) see(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.CommentGroup:
		return false
	case *ast.SelectorExpr:
		if w.wanted([]byte(n.Sel.Name)) {
			u := w.about[n.Sel]
			if u.Chain = w.chain(n.X); u.Chain == "" {
				u.Chain = scan.Unknown
			}
			w.about[n.Sel] = u
		}
	case *ast.CallExpr:
		w.mark(n.Fun, func(u *Use) { u.Call = true })
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			for _, l := range n.Lhs {
				w.mark(l, written)
			}
		}
	case *ast.IncDecStmt:
		w.mark(n.X, written)
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			w.mark(n.Key, written)
			w.mark(n.Value, written)
		}
	case *ast.Field:
		if len(n.Names) == 0 && !w.params[n] {
			w.mark(n.Type, func(u *Use) { u.Embed = true })
		}
	case *ast.FuncDecl:
		if n.Recv != nil {
			w.about[n.Name] = Use{Local: true} // a method is nothing by its name alone
			w.plain(n.Recv)
		}
	case *ast.FuncType:
		w.plain(n.TypeParams)
		w.plain(n.Params)
		w.plain(n.Results)
	case *ast.CompositeLit:
		w.literal(n, "")
	case *ast.BranchStmt:
		return false
	case *ast.LabeledStmt:
		ast.Inspect(n.Stmt, w.see)
		return false
	case *ast.Ident:
		w.name(n)
	}
	return true
}

// plain notes that the fields of a list embed nothing, though they may have no names.
func (w *goNames) plain(list *ast.FieldList) {
	if list != nil {
		for _, f := range list.List {
			w.params[f] = true
		}
	}
}

func written(u *Use) { u.Write = true }

// mark notes something of the name that an expression ends in.
func (w *goNames) mark(e ast.Expr, how func(*Use)) {
	e = unwrap(e)
	if x, ok := e.(*ast.SelectorExpr); ok {
		e = x.Sel
	}
	if x, ok := e.(*ast.Ident); ok {
		u := w.about[x]
		how(&u)
		w.about[x] = u
	}
}

// literal says of the keys of a composite literal what they are fields of. typ is the type
// that the literal has where it says none itself.
func (w *goNames) literal(n *ast.CompositeLit, typ string) {
	keyed := true // its keys may be fields
	switch t := n.Type.(type) {
	case nil:
	case *ast.ArrayType, *ast.MapType:
		typ, keyed = "{"+w.quote(t)+"}", false
	case *ast.StructType:
		typ = scan.Unknown
	default:
		typ = "{" + w.quote(n.Type) + "}"
	}
	if typ == "" {
		return // one that is in another is seen from there
	}
	inner := typ + "[]"
	for _, e := range n.Elts {
		value := e
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			value = kv.Value
			if key, ok := kv.Key.(*ast.Ident); ok && keyed {
				u := w.about[key]
				u.Chain, u.Write, u.Maybe = typ, true, true
				w.about[key] = u
			}
			if key, ok := kv.Key.(*ast.CompositeLit); ok && key.Type == nil {
				w.literal(key, typ+"[key]")
			}
		}
		if x, ok := value.(*ast.UnaryExpr); ok && x.Op == token.AND {
			value = x.X
		}
		if lit, ok := value.(*ast.CompositeLit); ok && lit.Type == nil {
			w.literal(lit, inner)
		}
	}
}

func (w *goNames) name(n *ast.Ident) {
	if n.Name == "_" || !w.wanted([]byte(n.Name)) {
		return
	}
	u := w.about[n]
	u.Name, u.At = n.Name, w.offset(n.Pos())
	if u.Chain == "" || u.Maybe {
		u.Local = u.Local || n.Obj != nil && w.top.Lookup(n.Name) != n.Obj
	}
	w.out = append(w.out, u)
}
