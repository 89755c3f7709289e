package syntax

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// golang returns the facts of a Go file, as far as it can be parsed.
func golang(text []byte) corpus.Facts {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if f == nil {
		return corpus.Facts{Missed: 1}
	}
	file := fset.File(f.FileStart)
	if file == nil {
		return corpus.Facts{Missed: 1}
	}
	g := &goFile{file: file, text: text, outside: map[string]bool{}, literals: map[*ast.FuncLit][]string{}}
	if err != nil {
		g.out.Missed = 1
	}
	if f.Name != nil {
		g.out.Module = f.Name.Name
	}
	for _, s := range f.Imports {
		g.imported(s)
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			g.function(d)
		case *ast.GenDecl:
			g.group(d)
		}
	}
	return g.out
}

type goFile struct {
	file     *token.File
	text     []byte
	out      corpus.Facts
	literals map[*ast.FuncLit][]string // what called returned
	outside  map[string]bool           // the names of packages that call none of the functions that they are given
}

func (g *goFile) offset(p token.Pos) int {
	if !p.IsValid() || int(p) < g.file.Base() || int(p) > g.file.Base()+g.file.Size() {
		return len(g.text)
	}
	return g.file.Offset(p)
}

// quote returns the source of a node, on one line.
func (g *goFile) quote(n ast.Node) string {
	if n == nil {
		return ""
	}
	from, to := g.offset(n.Pos()), g.offset(n.End())
	if from >= to || to-from > 2000 {
		return ""
	}
	s := string(g.text[from:to])
	if strings.ContainsAny(s, "\n\t") {
		s = strings.Join(strings.Fields(s), " ")
	}
	return s
}

func (g *goFile) imported(s *ast.ImportSpec) {
	path, err := strconv.Unquote(s.Path.Value)
	if err != nil || path == "" {
		g.out.Missed++
		return
	}
	m := corpus.Import{Path: path, At: g.offset(s.Path.Pos()) + 1}
	if s.Name != nil {
		m.Alias = s.Name.Name
		if m.Alias == "." {
			m.Alias, m.Names = "", []corpus.Name{{Name: "*"}}
		}
	}
	switch path {
	case "fmt", "strings", "errors", "strconv", "bytes", "os", "path", "path/filepath", "time", "log", "math", "encoding/json", "reflect", "unsafe", "sync/atomic", "testing":
		if m.Alias == "" {
			g.outside[path[strings.LastIndexByte(path, '/')+1:]] = true
		}
	}
	g.out.Imports = append(g.out.Imports, m)
}

// add appends a declaration and returns it; nil for one without a name.
func (g *goFile) add(kind corpus.Kind, name *ast.Ident, doc *ast.CommentGroup, n ast.Node, body token.Pos) *corpus.Decl {
	if name == nil || name.Name == "_" {
		return nil
	}
	d := corpus.Decl{Kind: kind, Name: name.Name, NameAt: g.offset(name.Pos()), Exported: name.IsExported(),
		Span: corpus.Span{Start: g.offset(n.Pos()), End: g.offset(n.End())}}
	if doc != nil {
		d.Span.Start = g.offset(doc.Pos())
		d.Doc = corpus.Span{Start: d.Span.Start, End: g.offset(doc.End())}
	}
	d.Body = d.Span.End
	if body.IsValid() {
		d.Body = g.offset(body)
	}
	g.out.Decls = append(g.out.Decls, d)
	return &g.out.Decls[len(g.out.Decls)-1]
}

func (g *goFile) function(f *ast.FuncDecl) {
	kind := corpus.Function
	if f.Recv != nil && len(f.Recv.List) > 0 {
		kind = corpus.Method
	} else if len(f.Name.Name) > 4 && f.Name.Name[:4] == "Test" && f.Type.Params != nil && len(f.Type.Params.List) == 1 {
		kind = corpus.TestCase
	}
	var body token.Pos
	if f.Body != nil {
		body = f.Body.Pos()
	}
	at := len(g.out.Decls)
	if d := g.add(kind, f.Name, f.Doc, f, body); d != nil {
		if kind == corpus.Method {
			d.Scope = receiver(f.Recv.List[0].Type)
			if _, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
				d.Traits |= corpus.Pointer
			}
		}
		d.Traits.AddIf(f.Body == nil, corpus.Abstract)
		g.signature(d, f.Type)
	}
	from, call := len(g.out.Bindings), len(g.out.Calls)
	if kind == corpus.Method {
		for _, p := range f.Recv.List {
			g.bindAll(p.Names, g.quote(p.Type), "", 0)
		}
	}
	g.parameters(f.Type, true)
	if f.Body != nil {
		w := goBody{goFile: g, scope: &goScope{}}
		w.enter(f.Recv, f.Type)
		w.scope.results = w.returned(f.Type)
		w.block(f.Body)
		g.endBlocks(from, call, f.Body)
	}
	if len(g.out.Decls) > at {
		g.out.Decls = g.out.Decls[:at+1]
	}
}

func (g *goFile) signature(d *corpus.Decl, t *ast.FuncType) {
	if t.Params != nil {
		for _, p := range t.Params.List {
			typ := g.quote(p.Type)
			if len(p.Names) == 0 {
				d.Params = append(d.Params, typ)
			}
			for _, n := range p.Names {
				d.Params = append(d.Params, n.Name+" "+typ)
			}
		}
	}
	if r := t.Results; r != nil {
		d.Result = g.quote(r)
		if len(r.List) == 1 && len(r.List[0].Names) == 0 {
			d.Result = g.quote(r.List[0].Type)
		}
	}
}

// parameters binds those of a function, or of a function literal.
func (g *goFile) parameters(t *ast.FuncType, own bool) {
	n := int16(0)
	if t.Params != nil {
		for _, p := range t.Params.List {
			typ := g.quote(p.Type)
			if len(p.Names) == 0 {
				n++
			}
			for _, name := range p.Names {
				n++
				at := n
				if !own {
					at = 0
				}
				g.bind(name, typ, "", at)
			}
		}
	}
	if t.Results != nil {
		for _, p := range t.Results.List {
			g.bindAll(p.Names, g.quote(p.Type), "", 0)
		}
	}
}

func (g *goFile) bindAll(names []*ast.Ident, typ, value string, param int16) {
	for _, n := range names {
		g.bind(n, typ, value, param)
	}
}

func (g *goFile) bind(name *ast.Ident, typ, value string, param int16) {
	if name.Name == "_" {
		return
	}
	g.out.Bindings = append(g.out.Bindings, corpus.Binding{Name: name.Name, Type: typ, Value: value, At: g.offset(name.Pos()), Param: param})
}

// receiver returns the name of the type that a method is of.
func receiver(e ast.Expr) string {
	if name, ok := unwrap(e).(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// unwrap returns the expression below stars, parentheses, indexes and type arguments.
func unwrap(e ast.Expr) ast.Expr {
	for {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.ParenExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		default:
			return e
		}
	}
}

// group adds the names of a declaration of types, constants or variables. One
// name alone spans the whole declaration; in a group each spans its own line.
func (g *goFile) group(d *ast.GenDecl) {
	for _, s := range d.Specs {
		var n ast.Node = s
		doc := (*ast.CommentGroup)(nil)
		if len(d.Specs) == 1 {
			n, doc = d, d.Doc
		}
		switch s := s.(type) {
		case *ast.TypeSpec:
			doc = cmp.Or(doc, s.Doc)
			g.typ(s, doc, n)
		case *ast.ValueSpec:
			doc = cmp.Or(doc, s.Doc)
			g.values(d.Tok, s, doc, n)
		}
	}
}

func (g *goFile) values(tok token.Token, s *ast.ValueSpec, doc *ast.CommentGroup, n ast.Node) {
	kind := corpus.Variable
	if tok == token.CONST {
		kind = corpus.Constant
	}
	if len(s.Names) > 1 {
		n = s
	}
	for i, name := range s.Names {
		if i > 0 {
			n, doc = name, nil
		}
		if d := g.add(kind, name, doc, n, token.NoPos); d != nil {
			d.Result = g.quote(s.Type)
		}
	}
	w := goBody{goFile: g}
	w.define(s.Names, s.Type, s.Values)
	for _, v := range s.Values {
		w.expr(v)
	}
}

func (g *goFile) typ(s *ast.TypeSpec, doc *ast.CommentGroup, n ast.Node) {
	kind, body := corpus.Type, token.NoPos
	switch t := s.Type.(type) {
	case *ast.StructType:
		kind, body = corpus.Struct, t.Fields.Pos()
	case *ast.InterfaceType:
		kind, body = corpus.Interface, t.Methods.Pos()
	}
	d := g.add(kind, s.Name, doc, n, body)
	if d == nil {
		return
	}
	switch t := s.Type.(type) {
	case *ast.StructType:
		g.fields(d, t.Fields)
	case *ast.InterfaceType:
		g.methods(d, t.Methods)
	default:
		d.Result = g.quote(s.Type)
	}
}

func (g *goFile) fields(d *corpus.Decl, list *ast.FieldList) {
	for _, f := range list.List {
		typ := g.quote(f.Type)
		g.bindAll(f.Names, typ, "", 0)
		if len(f.Names) == 0 {
			d.Bases = append(d.Bases, typ)
		}
		// Fields of unnamed structs are reached through the field around.
		if t, ok := f.Type.(*ast.StructType); ok {
			g.fields(&corpus.Decl{}, t.Fields)
		}
	}
}

func (g *goFile) methods(d *corpus.Decl, list *ast.FieldList) {
	var bases []string
	at := len(g.out.Decls) - 1
	for _, f := range list.List {
		t, ok := f.Type.(*ast.FuncType)
		if !ok || len(f.Names) == 0 {
			bases = append(bases, g.quote(f.Type))
			continue
		}
		if m := g.add(corpus.Method, f.Names[0], f.Doc, f, token.NoPos); m != nil {
			m.Traits |= corpus.Abstract
			m.Scope = g.out.Decls[at].Name
			g.signature(m, t)
		}
	}
	g.out.Decls[at].Bases = bases
}
