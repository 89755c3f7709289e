package golden

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A place is where an answer stands: a file, or the lines of one declaration or
// section of it. The lines come from Go's own parser, so that a fault in the
// program's reading of sources cannot hide itself.
type place struct {
	file, name  string
	first, last int // one-based, inclusive
}

// whole is past the last line of any file.
const whole = 1 << 30

func (p *place) find(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.file)))
	if err != nil {
		return err
	}
	switch {
	case p.name == "":
		p.first, p.last = 1, whole
	case strings.HasSuffix(p.file, ".go"):
		p.first, p.last, err = declaration(text, p.name)
	default:
		p.first, p.last, err = section(string(text), p.name)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.file, err)
	}
	return nil
}

func (p place) holds(file string, first, last int) bool {
	return file == p.file && first <= p.last && last >= p.first
}

// declaration returns the lines of a top-level declaration with its comment. A
// method is named "Type.Method".
func declaration(src []byte, name string) (first, last int, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return 0, 0, err
	}
	for _, d := range f.Decls {
		var n ast.Node
		var doc *ast.CommentGroup
		switch d := d.(type) {
		case *ast.FuncDecl:
			if funcName(d) == name {
				n, doc = d, d.Doc
			}
		case *ast.GenDecl:
			n, doc = specOf(d, name)
		}
		if n == nil {
			continue
		}
		first, last = fset.Position(n.Pos()).Line, fset.Position(n.End()).Line
		if doc != nil {
			first = fset.Position(doc.Pos()).Line
		}
		return first, last, nil
	}
	return 0, 0, fmt.Errorf("declares no %s", name)
}

func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}

// specOf returns what declares name in d: d itself where it declares nothing
// else.
func specOf(d *ast.GenDecl, name string) (ast.Node, *ast.CommentGroup) {
	for _, s := range d.Specs {
		var names []*ast.Ident
		var doc *ast.CommentGroup
		switch s := s.(type) {
		case *ast.TypeSpec:
			names, doc = []*ast.Ident{s.Name}, s.Doc
		case *ast.ValueSpec:
			names, doc = s.Names, s.Doc
		}
		for _, id := range names {
			if id.Name != name {
				continue
			}
			if len(d.Specs) == 1 {
				return d, d.Doc
			}
			return s, doc
		}
	}
	return nil, nil
}

// section returns the lines below a Markdown heading, down to the next one.
func section(text, name string) (first, last int, err error) {
	line, fenced := 0, false
	for l := range strings.Lines(text) {
		line++
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "```") {
			fenced = !fenced
		}
		if fenced || !strings.HasPrefix(l, "#") {
			continue
		}
		if first > 0 {
			return first, line - 1, nil
		}
		if strings.TrimSpace(strings.TrimLeft(l, "#")) == name {
			first = line
		}
	}
	if first == 0 {
		return 0, 0, fmt.Errorf("has no heading %q", name)
	}
	return first, line, nil
}

func TestPlaces(t *testing.T) {
	const src = `package p

// T is here.
type T[K any] struct {
	x int
}

const (
	one = 1
	// two has a comment.
	two = 2
)

// M is
// a method.
func (t *T[K]) M() {
}

func F() {}

var v = 3
`
	for _, c := range []struct {
		name        string
		first, last int
	}{{"T", 3, 6}, {"one", 9, 9}, {"two", 10, 11}, {"T.M", 14, 17}, {"F", 19, 19}, {"v", 21, 21}, {"M", 0, 0}} {
		first, last, err := declaration([]byte(src), c.name)
		if first != c.first || last != c.last || (err == nil) != (c.first > 0) {
			t.Errorf("declaration(src, %s) = %d, %d, %v, want %d, %d", c.name, first, last, err, c.first, c.last)
		}
	}
	const md = "# A\ntext\n```\n# no heading\n```\n## B C\nmore\nend\n"
	for _, c := range []struct {
		name        string
		first, last int
	}{{"A", 1, 5}, {"B C", 6, 8}, {"no heading", 0, 0}} {
		first, last, err := section(md, c.name)
		if first != c.first || last != c.last || (err == nil) != (c.first > 0) {
			t.Errorf("section(md, %s) = %d, %d, %v, want %d, %d", c.name, first, last, err, c.first, c.last)
		}
	}
	p := place{file: "a.go", first: 10, last: 20}
	for _, c := range []struct {
		file        string
		first, last int
		want        bool
	}{{"a.go", 1, 9, false}, {"a.go", 1, 10, true}, {"a.go", 12, 13, true}, {"a.go", 20, 30, true}, {"a.go", 21, 30, false}, {"b.go", 10, 20, false}} {
		if got := p.holds(c.file, c.first, c.last); got != c.want {
			t.Errorf("holds(%s, %d, %d) = %v, want %v", c.file, c.first, c.last, got, c.want)
		}
	}
}
