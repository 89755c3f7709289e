package lazy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func TestPattern(t *testing.T) {
	p := Regexp(`(\w)(\d)`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if m := p.FindStringSubmatch("-a1-"); len(m) != 3 || m[0] != "a1" || !p.MatchString("b2") || p.ReplaceAllString("x1", "$2$1") != "1x" {
				t.Errorf("FindStringSubmatch = %q", m)
			}
		})
	}
	wg.Wait()
}

// Each method does what the one of package regexp does.
func TestMethods(t *testing.T) {
	p, re := reflect.ValueOf(Regexp(`(\w)(\d)`)), reflect.ValueOf(regexp.MustCompile(`(\w)(\d)`))
	for i := range p.NumMethod() {
		name := p.Type().Method(i).Name
		if name == "Get" {
			continue
		}
		args := make([]reflect.Value, p.Method(i).Type().NumIn())
		for k := range args {
			switch in := p.Method(i).Type().In(k); in.Kind() {
			case reflect.String:
				args[k] = reflect.ValueOf("-a1-b2-")
			case reflect.Slice:
				args[k] = reflect.ValueOf([]byte("-a1-b2-"))
			case reflect.Int:
				args[k] = reflect.ValueOf(-1)
			case reflect.Func:
				args[k] = reflect.ValueOf(strings.ToUpper)
			default:
				t.Fatalf("%s takes a %s", name, in)
			}
		}
		got, want := p.Method(i).Call(args)[0].Interface(), re.MethodByName(name).Call(args)[0].Interface()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// Every expression of the program compiles: nobody else would see it before its
// first use.
func TestExpressions(t *testing.T) {
	for at, s := range expressions(t) {
		if _, err := regexp.Compile(s); err != nil {
			t.Errorf("%s: %v", at, err)
		}
	}
}

// expressions returns those of the program, by where they are.
func expressions(t *testing.T) map[token.Position]string {
	t.Helper()
	constants, patterns := map[string]ast.Expr{}, map[token.Position]func() (string, bool){}
	files := token.NewFileSet()
	tree := os.DirFS("../../..")
	err := fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		src, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(files, name, src, 0)
		if err != nil {
			return err
		}
		dir := path.Dir(name) + "."
		ast.Inspect(f, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.ValueSpec:
				for i, id := range node.Names {
					if i < len(node.Values) {
						constants[dir+id.Name] = node.Values[i]
					}
				}
			case *ast.CallExpr:
				if isRegexp(node) {
					patterns[files.Position(node.Pos())] = func() (string, bool) { return text(constants, dir, node.Args[0]) }
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	out := map[token.Position]string{}
	for at, expr := range patterns {
		s, ok := expr()
		if !ok {
			t.Errorf("%s: the expression is not a constant", at)
			continue
		}
		out[at] = s
	}
	if len(out) < 50 {
		t.Fatalf("only %d expressions were found", len(out))
	}
	return out
}

func isRegexp(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "Regexp" || len(call.Args) != 1 {
		return false
	}
	id, ok := f.X.(*ast.Ident)
	return ok && id.Name == "lazy"
}

// text returns the value of an expression of string constants.
func text(constants map[string]ast.Expr, dir string, e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		a, ok := text(constants, dir, e.X)
		b, also := text(constants, dir, e.Y)
		return a + b, ok && also && e.Op == token.ADD
	case *ast.Ident:
		v, ok := constants[dir+e.Name]
		if !ok {
			return "", false
		}
		return text(constants, dir, v)
	}
	return "", false
}

func TestWords(t *testing.T) {
	s := Words("one two\n\tthree")
	for word, want := range map[string]bool{"one": true, "three": true, "": false, "one two": false, "four": false} {
		if got := s.Has(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
	if got := s.List(); len(got) != 3 || got[2] != "three" {
		t.Errorf("%q", got)
	}
}
