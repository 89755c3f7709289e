package syntax

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// How functions flow as values in Go: what is given to calls, what is put into variables, fields and
// containers, and what is returned. A container is not told from its elements: what is put into one is
// bound as what it may be. Values that cannot be functions are left out, as far as a text alone tells.

// A goScope is a function, or a literal of one, as it is walked.
type goScope struct {
	plain   map[string]bool // names of values, and whether they are no functions
	around  *goScope        // of the function that the literal is in
	results []string        // the types of the results, nil in a literal
	depth   int             // of literals
}

// within is the scope of a function literal in s: it sees the names around it.
func (s *goScope) within() *goScope {
	if s == nil {
		return &goScope{}
	}
	return &goScope{around: s, depth: s.depth + 1}
}

// isPlain reports whether a name is of a value that is no function. Names far outside are not looked for.
func (s *goScope) isPlain(name string) bool {
	for range maxLiterals {
		if s == nil {
			break
		}
		if plain, ok := s.plain[name]; ok {
			return plain
		}
		s = s.around
	}
	return false
}

// enter begins a function with its own parameters.
func (w *goBody) enter(recv *ast.FieldList, t *ast.FuncType) {
	for _, list := range []*ast.FieldList{recv, t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, n := range f.Names {
				w.note(n, !w.maybe(f.Type))
			}
		}
	}
}

func (w *goBody) note(n *ast.Ident, plain bool) {
	if w.scope.plain == nil {
		w.scope.plain = map[string]bool{}
	}
	w.scope.plain[n.Name] = plain
}

// plainValue reports whether an expression is no function, whatever the names in it are.
func plainValue(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit, *ast.BinaryExpr:
		return true
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			_, ok := e.X.(*ast.CompositeLit)
			return ok
		}
		return e.Op != token.ARROW
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && (id.Name == "len" || id.Name == "cap" || id.Name == "new" || id.Name == "string" || id.Name == "int" || id.Name == "min" || id.Name == "max")
	}
	return false
}

// returned are the types of the results of a function, "" for those that are no functions.
func (w *goBody) returned(t *ast.FuncType) (out []string) {
	if t.Results == nil {
		return nil
	}
	some := false
	for _, f := range t.Results.List {
		typ := ""
		if w.maybe(f.Type) {
			typ, some = w.quote(f.Type), true
		}
		for range max(1, len(f.Names)) {
			out = append(out, typ)
		}
	}
	if !some {
		return nil
	}
	return out
}

// maybe reports whether values of a type may be functions, or hold them.
func (w *goBody) maybe(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.Ident:
		switch t.Name {
		case "string", "error", "bool", "byte", "rune", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "float32", "float64", "complex64", "complex128":
			return false
		}
	case *ast.SelectorExpr:
		if x, ok := t.X.(*ast.Ident); ok {
			switch x.Name + "." + t.Sel.Name {
			case "context.Context", "time.Duration", "time.Time", "io.Reader", "io.Writer":
				return false
			}
		}
	case *ast.ParenExpr:
		return w.maybe(t.X)
	case *ast.Ellipsis:
		return w.maybe(t.Elt)
	case *ast.ArrayType:
		return w.maybe(t.Elt)
	case *ast.MapType:
		return w.maybe(t.Value)
	case *ast.ChanType:
		return w.maybe(t.Value)
	case *ast.StarExpr, *ast.StructType:
		return false
	}
	return true
}

// flows returns the chains of what an expression may be as a function: "T()~f" is f converted to T,
// where T turns out to be a type, and otherwise what T returns.
func (w *goBody) flows(e ast.Expr, depth int) []string {
	if depth == 0 {
		return nil
	}
	switch e := e.(type) {
	case *ast.Ident:
		switch {
		case e.Name == "_", e.Name == "nil", e.Name == "true", e.Name == "false", e.Name == "iota", w.scope.isPlain(e.Name):
			return nil
		}
		return []string{e.Name}
	case *ast.SelectorExpr:
		if c := w.chain(e); c != "" {
			return []string{c}
		}
	case *ast.ParenExpr:
		return w.flows(e.X, depth-1)
	case *ast.StarExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			return []string{id.Name} // of pointers alone what they point at may be a function
		}
		return w.flows(e.X, depth-1)
	case *ast.FuncLit:
		if w.called(e) != nil {
			return []string{w.literal(e)}
		}
	case *ast.TypeAssertExpr:
		return w.flows(e.X, depth-1)
	case *ast.IndexExpr: // an element, or a function with its types
		return w.flows(e.X, depth-1)
	case *ast.IndexListExpr:
		return w.flows(e.X, depth-1)
	case *ast.SliceExpr:
		return w.flows(e.X, depth-1)
	case *ast.UnaryExpr:
		if e.Op == token.AND || e.Op == token.ARROW {
			return w.flows(e.X, depth-1)
		}
	case *ast.CallExpr:
		return w.flowsOfCall(e, depth)
	case *ast.CompositeLit:
		var out []string
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			switch e.Type.(type) {
			case *ast.ArrayType, *ast.MapType:
				out = append(out, w.flows(x, depth-1)...)
			}
		}
		return out
	}
	return nil
}

func (w *goBody) flowsOfCall(e *ast.CallExpr, depth int) (out []string) {
	if id, ok := e.Fun.(*ast.Ident); ok {
		switch id.Name {
		case "append":
			for _, a := range e.Args {
				out = append(out, w.flows(a, depth-1)...)
			}
			return out
		case "len", "cap", "make", "new", "string", "int", "copy", "min", "max", "byte", "error", "float64", "int64":
			return nil
		}
	}
	c := w.chain(e)
	if len(e.Args) == 1 {
		if _, ok := ast.Unparen(e.Fun).(*ast.FuncType); ok {
			return w.flows(e.Args[0], depth-1)
		}
		if c != "" && c[0] != '{' {
			for _, a := range w.flows(e.Args[0], depth-1) {
				if !strings.Contains(a, "~") {
					out = append(out, c+"~"+a)
				}
			}
		}
	}
	if len(out) == 0 && c != "" && c[0] != '{' {
		out = append(out, c)
	}
	return out
}

// put binds what may be a function under the name of what holds it: "=f" for a variable, or for a field
// of what owner is.
func (w *goBody) put(name, owner string, at token.Pos, value ast.Expr) {
	for _, c := range w.flows(value, maxGoChain) {
		w.out.Bindings = append(w.out.Bindings, corpus.Binding{Name: "=" + name, Type: owner, Value: c, At: w.offset(at)})
	}
}

// putInto is put for the left side of an assignment.
func (w *goBody) putInto(to, value ast.Expr) {
	switch to := to.(type) {
	case *ast.Ident:
		if to.Name != "_" && !w.scope.isPlain(to.Name) {
			w.put(to.Name, "", to.Pos(), value)
		}
	case *ast.SelectorExpr:
		if owner := w.chain(to.X); owner != "" {
			w.put(to.Sel.Name, owner, to.Sel.Pos(), value)
		}
	case *ast.IndexExpr:
		w.putInto(to.X, value)
	case *ast.StarExpr:
		if id, ok := to.X.(*ast.Ident); ok {
			w.put(id.Name, "", id.Pos(), value)
			return
		}
		w.putInto(to.X, value)
	case *ast.ParenExpr:
		w.putInto(to.X, value)
	}
}

// composite binds the fields of a struct that is written out. Its type may be left out within a list.
func (w *goBody) composite(c *ast.CompositeLit, owner string, typ ast.Expr) {
	if c.Type != nil {
		typ = c.Type
		owner = "{" + w.quote(typ) + "}"
	}
	var inner ast.Expr
	switch t := typ.(type) {
	case *ast.ArrayType:
		inner = t.Elt
	case *ast.MapType:
		inner = t.Value
	}
	if s, ok := inner.(*ast.StarExpr); ok {
		inner = s.X
	}
	within := owner + "[]"
	if inner != nil {
		within = "{" + w.quote(inner) + "}"
	}
	if owner == "" || len(owner) > 200 && inner == nil {
		return
	}
	for i, e := range c.Elts {
		value, name := e, fieldAt(typ, i)
		at := e.Pos()
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			value, name = kv.Value, ""
			if id, ok := kv.Key.(*ast.Ident); ok {
				name, at = id.Name, id.Pos()
			}
		}
		if lit, ok := value.(*ast.CompositeLit); ok && lit.Type == nil {
			w.composite(lit, within, inner)
			continue
		}
		if inner == nil && name != "" {
			w.put(name, owner, at, value)
		}
	}
}

// fieldAt names the k-th field of a struct: "#k" where its type is written elsewhere.
func fieldAt(typ ast.Expr, k int) string {
	s, ok := typ.(*ast.StructType)
	if !ok {
		return "#" + strconv.Itoa(k)
	}
	for _, f := range s.Fields.List {
		if k < len(f.Names) {
			return f.Names[k].Name
		}
		k -= max(1, len(f.Names))
		if k < 0 {
			break
		}
	}
	return ""
}

// result binds what a function returns that may be a function: under "()", with "#k" as its type where it
// is one of several.
func (w *goBody) result(s *ast.ReturnStmt) {
	if w.scope == nil || w.scope.results == nil {
		return
	}
	for i, e := range s.Results {
		if len(s.Results) == len(w.scope.results) && w.scope.results[i] == "" {
			continue
		}
		typ := ""
		if len(w.scope.results) > 1 {
			typ = "#" + strconv.Itoa(i)
		}
		for _, c := range w.flows(e, maxGoChain) {
			w.out.Bindings = append(w.out.Bindings, corpus.Binding{Name: "()", Type: typ, Value: c, At: w.offset(e.Pos())})
		}
	}
}

// given returns the arguments of a call that may be functions, as chains with commas between them and "?"
// for others; several that one may be have "|" between them.
func (w *goBody) given(c *ast.CallExpr) string {
	var b strings.Builder
	some := false
	for i, a := range c.Args {
		if i > 0 {
			b.WriteByte(',')
		}
		if got := w.flows(a, maxGoChain); len(got) > 0 && len(got) <= maxGoGiven {
			some = true
			b.WriteString(strings.Join(got, "|"))
			continue
		}
		b.WriteByte('?')
	}
	if !some {
		return ""
	}
	return b.String()
}

// maxGoGiven bounds what one argument may be.
const maxGoGiven = 40

// literal names a function literal by its place.
func (w *goBody) literal(e *ast.FuncLit) string { return "@" + strconv.Itoa(w.offset(e.Pos())) }

// called returns the parameters that a function literal calls, in order, "" for those that it does not; nil where
// there are none. Literals in literals are read again for each that is around them, up to a depth.
func (w *goBody) called(e *ast.FuncLit) []string {
	if got, ok := w.literals[e]; ok {
		return got
	}
	var names []string
	for _, f := range e.Type.Params.List {
		for _, n := range f.Names {
			names = append(names, n.Name)
		}
	}
	runs := map[string]bool{}
	if len(names) > 0 && (w.scope == nil || w.scope.depth < maxLiterals) {
		ast.Inspect(e.Body, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if id, ok := c.Fun.(*ast.Ident); ok && slices.Contains(names, id.Name) {
					runs[id.Name] = true
				}
			}
			return true
		})
	}
	for i, n := range names {
		if !runs[n] {
			names[i] = ""
		}
	}
	if len(runs) == 0 {
		names = nil
	}
	w.literals[e] = names
	return names
}

// maxLiterals bounds how deep function literals in others are looked into.
const maxLiterals = 6
