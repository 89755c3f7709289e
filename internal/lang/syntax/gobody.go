package syntax

import (
	"go/ast"
	"go/token"
	"strconv"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// goBody collects calls and bindings of expressions and statements.
type goBody struct {
	*goFile
	scope *goScope
}

func (w *goBody) block(b *ast.BlockStmt) {
	ast.Inspect(b, w.visit)
}

func (w *goBody) expr(e ast.Expr) {
	ast.Inspect(e, w.visit)
}

func (w *goBody) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		w.call(n)
	case *ast.FuncLit:
		w.parameters(n.Type, false)
		inner := goBody{goFile: w.goFile, scope: w.scope.within()}
		inner.enter(nil, n.Type)
		for k, name := range w.called(n) {
			if name == "" {
				continue
			}
			w.out.Bindings = append(w.out.Bindings, corpus.Binding{Name: "=" + name, Value: w.literal(n) + "^" + strconv.Itoa(k), At: w.offset(n.Body.Pos())})
		}
		inner.block(n.Body)
		return false
	case *ast.ReturnStmt:
		w.result(n)
	case *ast.CompositeLit:
		if n.Type != nil {
			w.composite(n, "", nil)
		}
	case *ast.SendStmt:
		w.putInto(n.Chan, n.Value)
	case *ast.AssignStmt:
		w.assign(n)
	case *ast.RangeStmt:
		w.ranged(n)
	case *ast.DeclStmt:
		if d, ok := n.Decl.(*ast.GenDecl); ok {
			w.local(d)
		}
	case *ast.TypeSwitchStmt:
		w.typeSwitch(n)
	}
	return true
}

// call records a call of something that has a name.
func (w *goBody) call(c *ast.CallExpr) {
	name, at, receiver := "", token.NoPos, ""
	fun := ast.Unparen(c.Fun)
	switch x := fun.(type) { // f[T](…)
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch f := fun.(type) {
	case *ast.Ident:
		name, at = f.Name, f.Pos()
	case *ast.SelectorExpr:
		name, at = f.Sel.Name, f.Sel.Pos()
		if receiver = w.chain(f.X); receiver == "" {
			receiver = "?"
		}
	}
	switch fun.(type) {
	case *ast.CallExpr, *ast.UnaryExpr: // f()(…), (<-c)(…)
		if receiver = w.chain(fun); receiver == "" || receiver[0] == '{' {
			return
		}
		name, at = corpus.Unnamed, c.Lparen
	}
	if name == "" || name == "_" {
		return
	}
	given := ""
	if !w.outside[receiver] {
		given = w.given(c)
	}
	w.out.Calls = append(w.out.Calls, corpus.Call{Callee: name, Receiver: receiver, Given: given, At: w.offset(at), Args: int16(min(len(c.Args), 1000))})
}

// maxGoChain bounds how deep an expression is followed.
const maxGoChain = 24

// chain returns an expression as a chain; "" for what is none. "{T}" stands for a
// value that is known to be of type T.
func (w *goBody) chain(e ast.Expr) string { return w.chainOf(e, maxGoChain) }

func (w *goBody) chainOf(e ast.Expr, depth int) string {
	if depth == 0 {
		return ""
	}
	with := func(x ast.Expr, suffix string) string {
		if c := w.chainOf(x, depth-1); c != "" {
			return c + suffix
		}
		return ""
	}
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return with(e.X, "."+e.Sel.Name)
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && len(e.Args) > 0 {
			switch id.Name {
			case "new":
				return "{*" + w.quote(e.Args[0]) + "}"
			case "make":
				return "{" + w.quote(e.Args[0]) + "}"
			case "append":
				return w.chainOf(e.Args[0], depth-1)
			}
		}
		switch f := ast.Unparen(e.Fun).(type) {
		case *ast.SelectorExpr: // the same elements
			if x, ok := f.X.(*ast.Ident); ok && x.Name == "slices" && len(e.Args) > 0 {
				switch f.Sel.Name {
				case "All", "Backward", "Clone", "Concat", "Compact", "Delete", "DeleteFunc", "Insert", "Sorted", "Collect", "Grow", "Clip":
					return w.chainOf(e.Args[0], depth-1)
				}
			}
		case *ast.ArrayType, *ast.MapType, *ast.StarExpr, *ast.InterfaceType, *ast.FuncType: // a conversion
			return "{" + w.quote(f) + "}"
		case *ast.IndexListExpr:
			return with(f.X, "()")
		}
		return with(e.Fun, "()")
	case *ast.IndexExpr:
		return with(e.X, "[]")
	case *ast.SliceExpr:
		return w.chainOf(e.X, depth-1)
	case *ast.ParenExpr:
		return w.chainOf(e.X, depth-1)
	case *ast.StarExpr:
		return w.chainOf(e.X, depth-1)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			return w.chainOf(e.X, depth-1)
		case token.ARROW:
			return with(e.X, "[]")
		}
	case *ast.TypeAssertExpr:
		if e.Type != nil {
			return "{" + w.quote(e.Type) + "}"
		}
	case *ast.CompositeLit:
		if e.Type != nil {
			return "{" + w.quote(e.Type) + "}"
		}
	case *ast.FuncLit:
		if r := e.Type.Results; r != nil && len(r.List) == 1 {
			return "{func() " + w.quote(r.List[0].Type) + "}"
		}
	}
	return ""
}

func (w *goBody) assign(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE {
		if s.Tok == token.ASSIGN && len(s.Lhs) == len(s.Rhs) {
			for i := range s.Lhs {
				w.putInto(s.Lhs[i], s.Rhs[i])
			}
		}
		return
	}
	var names []*ast.Ident
	for _, l := range s.Lhs {
		id, _ := l.(*ast.Ident)
		if id == nil {
			return
		}
		names = append(names, id)
	}
	w.define(names, nil, s.Rhs)
}

// define binds names to a type or to values: one each, or the results of one.
func (w *goBody) define(names []*ast.Ident, typ ast.Expr, values []ast.Expr) {
	t := ""
	if typ != nil {
		t = w.quote(typ)
	}
	for i, n := range names {
		value := ""
		switch {
		case len(values) == len(names):
			value = w.chain(values[i])
			if value == "" && t == "" {
				if lit, ok := values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					value = "{string}"
				}
			}
		case len(values) == 1:
			value = w.chain(values[0])
			if _, ok := ast.Unparen(values[0]).(*ast.CallExpr); ok && value != "" {
				value += "#" + strconv.Itoa(i)
			} else if i > 0 { // the ok of v, ok := m[k], x.(T), <-c
				value = ""
			}
		}
		w.bind(n, t, value, 0)
		plain := typ != nil && !w.maybe(typ) || typ == nil && len(values) == len(names) && plainValue(values[i])
		if w.scope != nil {
			w.note(n, plain || n.Name == "err" || n.Name == "ok")
		}
		if plain {
			continue
		}
		if len(values) == len(names) {
			switch values[i].(type) {
			case *ast.CallExpr, *ast.CompositeLit, *ast.IndexExpr: // more than the chain says
				w.put(n.Name, "", n.Pos(), values[i])
			}
		}
	}
}

func (w *goBody) ranged(s *ast.RangeStmt) {
	over := w.chain(s.X)
	if key, ok := s.Key.(*ast.Ident); ok && s.Tok == token.DEFINE {
		if w.scope != nil && s.Value != nil {
			w.note(key, true) // neither an index nor a key of a map is a function
		}
		value := ""
		if over != "" {
			value = over + "[key]"
		}
		w.bind(key, "", value, 0)
	}
	if v, ok := s.Value.(*ast.Ident); ok && s.Tok == token.DEFINE {
		value := ""
		if over != "" {
			value = over + "[]"
		}
		w.bind(v, "", value, 0)
	}
}

// local binds what a declaration in a function declares. Types that are declared
// there hide others of their name: they are bound as themselves.
func (w *goBody) local(d *ast.GenDecl) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.ValueSpec:
			w.define(s.Names, s.Type, s.Values)
		case *ast.TypeSpec:
			w.bind(s.Name, "type", "", 0)
		}
	}
}

// typeSwitch binds the name again in every case, as what the case says it is.
func (w *goBody) typeSwitch(s *ast.TypeSwitchStmt) {
	a, ok := s.Assign.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 {
		return
	}
	name, ok := a.Lhs[0].(*ast.Ident)
	if !ok {
		return
	}
	for _, c := range s.Body.List {
		c, ok := c.(*ast.CaseClause)
		if !ok {
			continue
		}
		b := corpus.Binding{Name: name.Name, At: w.offset(c.Pos())}
		if len(c.List) == 1 {
			b.Type = w.quote(c.List[0])
		} else if x, ok := a.Rhs[0].(*ast.TypeAssertExpr); ok {
			b.Value = w.chain(x.X)
		}
		w.out.Bindings = append(w.out.Bindings, b)
	}
}
