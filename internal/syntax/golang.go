package syntax

import (
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/assay-dev/assay/internal/corpus"
)

// golang returns the declarations of a Go file, as far as it can be parsed.
func golang(text []byte) []corpus.Decl {
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if f == nil {
		return nil
	}
	file := fset.File(f.FileStart)
	if file == nil {
		return nil
	}
	g := goFile{file: file, size: len(text)}
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
	file *token.File
	size int
	out  []corpus.Decl
}

func (g *goFile) offset(p token.Pos) int {
	if !p.IsValid() || int(p) < g.file.Base() || int(p) > g.file.Base()+g.file.Size() {
		return g.size
	}
	return g.file.Offset(p)
}

func (g *goFile) add(kind corpus.Kind, name *ast.Ident, scope string, doc *ast.CommentGroup, n ast.Node, body token.Pos) {
	if name == nil || name.Name == "_" {
		return
	}
	start := n.Pos()
	if doc != nil {
		start = doc.Pos()
	}
	d := corpus.Decl{Kind: kind, Name: name.Name, Scope: scope, NameAt: g.offset(name.Pos()), Exported: name.IsExported(),
		Span: corpus.Span{Start: g.offset(start), End: g.offset(n.End())}}
	d.Body = d.Span.End
	if body.IsValid() {
		d.Body = g.offset(body)
	}
	g.out = append(g.out, d)
}

func (g *goFile) function(d *ast.FuncDecl) {
	kind, scope := corpus.Function, ""
	if d.Recv != nil && len(d.Recv.List) > 0 {
		kind, scope = corpus.Method, receiver(d.Recv.List[0].Type)
	} else if len(d.Name.Name) > 4 && d.Name.Name[:4] == "Test" && d.Type.Params != nil && len(d.Type.Params.List) == 1 {
		kind = corpus.TestCase
	}
	var body token.Pos
	if d.Body != nil {
		body = d.Body.Pos()
	}
	g.add(kind, d.Name, scope, d.Doc, d, body)
}

// receiver returns the name of the type that a method is of.
func receiver(e ast.Expr) string {
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
		case *ast.Ident:
			return t.Name
		default:
			return ""
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
			if doc == nil {
				doc = s.Doc
			}
			kind, body := corpus.Type, token.NoPos
			switch t := s.Type.(type) {
			case *ast.StructType:
				kind, body = corpus.Struct, t.Fields.Pos()
			case *ast.InterfaceType:
				kind, body = corpus.Interface, t.Methods.Pos()
			}
			g.add(kind, s.Name, "", doc, n, body)
		case *ast.ValueSpec:
			if doc == nil {
				doc = s.Doc
			}
			kind := corpus.Variable
			if d.Tok == token.CONST {
				kind = corpus.Constant
			}
			if len(s.Names) > 1 {
				n = s
			}
			for i, name := range s.Names {
				if i > 0 {
					n, doc = name, nil
				}
				g.add(kind, name, "", doc, n, token.NoPos)
			}
		}
	}
}
