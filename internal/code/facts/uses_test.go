package facts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code/facts"
)

// uses writes the uses of a symbol, one a line.
func uses(t *testing.T, tree map[string]string, symbol string) string {
	t.Helper()
	p := project(tree)
	of := p.Targets(symbol)
	if len(of) == 0 {
		t.Fatalf("%s is not found", symbol)
	}
	got, tally := p.Uses(of, func(int) bool { return true })
	var out []string
	for _, u := range got {
		text := tree[p.Docs[u.From.Doc].Path]
		from := 1 + strings.LastIndexByte(text[:u.At], '\n')
		out = append(out, fmt.Sprintf("%s:%d:%d %s %s", p.Docs[u.From.Doc].Path, 1+strings.Count(text[:u.At], "\n"), u.At-from+1, u.Kind, u.Sure))
	}
	slices.Sort(out)
	if n := tally.Resolved + tally.Ambiguous + tally.Unresolved; n != tally.Total {
		t.Errorf("%s: the parts of %+v do not add up", symbol, tally)
	}
	return strings.Join(out, "\n")
}

var goTree = map[string]string{
	"go.mod": "module example.com/m\n",
	"a/a.go": "package a\n\ntype Conf struct{ Size, Max int }\n\nconst Limit = 3\n\nvar Default = Conf{Size: Limit}\n\ntype Big struct{ Conf }\n\n" +
		"func Handle(c Conf) int { return c.Size }\n\ntype Doer interface{ Do() }\n\ntype Table map[int]string\n",
	"a/b.go": "package a\n\nfunc use() {\n\tLimit := 4\n\t_ = Limit\n\tb := []*Conf{{Max: Limit}}\n\tb[0].Max++\n\tvar x Big\n\tx.Size = 2\n\t_ = Table{Size: \"\"}\n}\n\nconst Size = 1\n",
	"c/c.go": "package c\n\nimport \"example.com/m/a\"\n\ntype T struct{}\n\nfunc (T) Do() {}\n\nvar handlers = map[string]func(a.Conf) int{\"x\": a.Handle}\n\n" +
		"func f(g func(a.Conf) int) { g(a.Default); f(a.Handle); a.Handle(a.Conf{}) }\n",
	"c/d_windows.go": "package c\n\nimport \"example.com/m/a\"\n\nvar max = a.Limit\n",
}

func TestUsesOfGo(t *testing.T) {
	for symbol, want := range map[string]string{
		"Limit":     "a/a.go:7:26 read exact\nc/d_windows.go:5:13 read likely",
		"Default":   "c/c.go:11:34 read exact",
		"Handle":    "c/c.go:11:48 pass exact\nc/c.go:11:59 call exact\nc/c.go:9:51 pass exact",
		"Conf":      "a/a.go:11:15 type exact\na/a.go:7:15 type exact\na/a.go:9:18 embed exact\na/b.go:6:10 type exact\nc/c.go:11:17 type exact\nc/c.go:11:68 type exact\nc/c.go:9:34 type exact",
		"Conf.Size": "a/a.go:11:36 read exact\na/a.go:7:20 write exact\na/b.go:9:4 write exact",
		"Conf.Max":  "a/b.go:6:16 write exact\na/b.go:7:7 write exact",
		"Size":      "a/b.go:10:12 write exact",
		"Doer":      "c/c.go:5:6 implement likely",
	} {
		if got := uses(t, goTree, symbol); got != want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", symbol, got, want)
		}
	}
}

func TestUsesElsewhere(t *testing.T) {
	py := map[string]string{
		"p/__init__.py": "from .a import LIMIT as LIMIT, Shape, area\n\n__all__ = [\"LIMIT\"]\n",
		"p/a.py": "LIMIT = 3\n\nclass Shape:\n    size = 1\n    def area(self):\n        \"\"\"LIMIT and area.\"\"\"\n        return area(self)\n\n" +
			"def area(s: \"Shape\") -> Shape:\n    s.size = LIMIT\n    return s\n",
		"main.py": "import p.a\nfrom p import (\n    area,\n    Shape,\n)\n\nclass Square(Shape):\n    def __init__(self):\n        self.side = p.LIMIT\n\n" +
			"def go(LIMIT):\n    print(LIMIT, side=1)\n    return Square().side\n\nhandlers = {\"a\": area}\n",
	}
	ts := map[string]string{
		"a.ts": "export const LIMIT = 3;\nexport function run(n: number) { return n }\nexport interface Conf { size: number }\n",
		"b.ts": "import { LIMIT, run } from './a';\nimport type { Conf } from './a';\n// LIMIT\nconst o = { LIMIT: 1, run };\n[1].map(run);\nexport class C implements Conf { size = LIMIT }\nrun(LIMIT);\n",
	}
	java := map[string]string{
		"a/A.java": "package a;\n\npublic class A {\n  private int size;\n  public int size() { return size; }\n  void set(A o) { this.size = o.size(); }\n}\n",
	}
	rust := map[string]string{
		"src/lib.rs": "pub struct Conf { pub size: u32 }\n\nimpl Conf {\n    pub fn size(&self) -> u32 { self.size }\n}\n\nfn f(c: Conf) -> u32 { c.size() + c.size }\n",
	}
	for _, c := range []struct {
		tree         map[string]string
		symbol, want string
	}{
		{py, "LIMIT", "main.py:9:23 read exact\np/__init__.py:1:16 import exact\np/__init__.py:1:25 import exact\np/__init__.py:3:13 import exact\np/a.py:10:14 read exact"},
		{py, "p/a.py:area", "main.py:15:18 pass exact\nmain.py:3:5 import exact\np/__init__.py:1:39 import exact\np/a.py:7:16 call exact"},
		{py, "Shape", "main.py:4:5 import exact\nmain.py:7:14 implement exact\np/__init__.py:1:32 import exact\np/a.py:9:14 type exact\np/a.py:9:25 type exact"},
		{py, "Shape.size", "p/a.py:10:7 write exact"},
		{py, "Square.side", "main.py:12:18 write name-only\nmain.py:13:21 read exact"},
		{ts, "LIMIT", "b.ts:1:10 import exact\nb.ts:4:13 write name-only\nb.ts:6:41 read exact\nb.ts:7:5 read exact"},
		{ts, "run", "b.ts:1:17 import exact\nb.ts:4:23 pass exact\nb.ts:5:9 pass exact\nb.ts:7:1 call exact"},
		{ts, "Conf", "b.ts:2:15 import exact\nb.ts:6:27 implement exact"},
		{java, "A.size", "a/A.java:6:33 call exact"},
		{rust, "Conf.size", "src/lib.rs:7:26 call exact"},
	} {
		if got := uses(t, c.tree, c.symbol); got != c.want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", c.symbol, got, c.want)
		}
	}
}

// TestPasses holds that a function that stands as a value has an edge from where it does.
func TestPasses(t *testing.T) {
	p := project(goTree)
	edges, files := p.Passes(p.Lookup("Handle"), func(int) bool { return true })
	var got []string
	for _, e := range edges {
		from := "top"
		if d := p.Decl(e.From); d != nil {
			from = d.Name
		}
		got = append(got, fmt.Sprintf("%s %s %s", from, e.Sure, e.How))
	}
	slices.Sort(got)
	if want := []string{"f likely passes", "top likely passes"}; !slices.Equal(got, want) || files != 2 {
		t.Errorf("%d files: %q, want %q", files, got, want)
	}
}

func TestFields(t *testing.T) {
	p := project(map[string]string{
		"a.go": "package a\n\ntype T struct{ Open, shut int }\n", "b.py": "class C:\n    def __init__(self):\n        self.x = 1\n        self.x = 2\n        self._y = 1\n",
		"src/lib.rs": "pub struct R { pub a: u8, b: u8 }\n", "D.java": "public class D { public int a; int b; }\n",
	})
	var got []string
	for doc := range p.Docs {
		for _, f := range p.FieldsIn(doc) {
			got = append(got, fmt.Sprintf("%s %s %v", p.Docs[doc].Path, f.Name, f.Exported))
		}
	}
	slices.Sort(got)
	want := []string{"D.java a true", "D.java b false", "a.go Open true", "a.go shut false", "b.py _y false", "b.py x true", "src/lib.rs a true", "src/lib.rs b false"}
	if !slices.Equal(got, want) {
		t.Errorf("fields %q,\nwant %q", got, want)
	}
	if of := p.Targets("C.x"); len(of) != 1 || of[0].Name != "x" {
		t.Errorf("C.x is %+v", of)
	}
	if of := p.Targets("b.py:D.a"); len(of) != 0 {
		t.Errorf("b.py has no D.a, but %+v", of)
	}
}

// A search for uses ends where look no longer accepts, also between the documents that it has begun to go through.
func TestUsesEnd(t *testing.T) {
	tree := map[string]string{"go.mod": "module example.com/m\n", "a.go": "package a\n\nconst Limit = 3\n\nfunc Open() {}\n"}
	for i := range 200 {
		tree[fmt.Sprintf("b%03d.go", i)] = fmt.Sprintf("package a\n\nvar v%d = Limit\n\nvar f%d = Open\n", i, i)
	}
	p := project(tree)
	for name, ask := range map[string]func(look func(int) bool) (edges, files int){
		"Users": func(look func(int) bool) (int, int) {
			edges, _, files := p.Users(p.Targets("Limit"), look)
			return len(edges), files
		},
		"Passes": func(look func(int) bool) (int, int) {
			edges, files := p.Passes(p.Lookup("Open"), look)
			return len(edges), files
		},
	} {
		if edges, files := ask(func(int) bool { return true }); edges != 200 || files < 200 {
			t.Errorf("%s: %d edges of %d files", name, edges, files)
		}
		asked := 0
		edges, files := ask(func(int) bool { asked++; return asked <= 220 })
		if edges > 20 || files > 64 {
			t.Errorf("%s goes on: %d edges of %d files", name, edges, files)
		}
	}
}

// A use without its type, or through the exports of another file: a name that a place expects is likely that of the only
// type that has it.
func TestUsesByName(t *testing.T) {
	for _, c := range []struct {
		symbol, want string
		tree         map[string]string
	}{
		{"Color.crimson", "a.swift:2:41 read likely", map[string]string{"a.swift": "enum Color { case crimson, blue }\nfunc f(c: Color) -> Bool { return c == .crimson }\n"}},
		{"Color.crimson", "a.swift:3:41 read name-only", map[string]string{"a.swift": "enum Color { case crimson, blue }\nenum Paint { case crimson, white }\nfunc f(c: Color) -> Bool { return c == .crimson }\n"}},
		{"Color.Red", "src/lib.rs:3:49 read exact\nsrc/lib.rs:5:23 read likely", map[string]string{"Cargo.toml": "[package]\nname = \"m\"\n",
			"src/lib.rs": "pub enum Color { Red, Blue }\n\npub fn f(c: Color) -> bool { matches!(c, Color::Red) }\nuse Color::*;\npub fn g() -> Color { Red }\n"}},
		{"Thing", "b.ts:1:8 import exact\nb.ts:2:10 type exact", map[string]string{"a.ts": "export default class Thing {}\n", "b.ts": "import T from './a';\nconst x: T = null;\n"}},
		{"Thing", "c.ts:1:10 import exact\nc.ts:2:10 type exact", map[string]string{"a.ts": "export class Thing {}\n", "b.ts": "export * from './a';\n", "c.ts": "import { Thing } from './b';\nconst x: Thing = null;\n"}},
		{"Thing", "b.py:2:4 type exact", map[string]string{"a.py": "class Thing: pass\n", "b.py": "from a import *\nx: Thing = None\n"}},
		{"f", "b.c:2:12 call exact", map[string]string{"a.h": "void f(int x);\n", "a.c": "#include \"a.h\"\nvoid f(int x) {}\n", "b.c": "#include \"a.h\"\nvoid g() { f(1); }\n"}},
	} {
		if got := uses(t, c.tree, c.symbol); got != c.want {
			t.Errorf("uses of %s in %v:\n%s\nwant\n%s", c.symbol, c.tree, got, c.want)
		}
	}
}

// What an import is of: the library of the language, the project, or another library.
func TestOrigins(t *testing.T) {
	p := project(map[string]string{"z/A.java": "package z;\nimport java.util.List;\nimport javax.swing.JFrame;\nimport com.other.Thing;\nimport z.B;\nclass A {}\n", "z/B.java": "package z;\nclass B {}\n"})
	f := p.File(0)
	var got []string
	for i := range f.Imports {
		m := p.Import(0, &f.Imports[i])
		got = append(got, fmt.Sprintf("%s %v %d", f.Imports[i].Path, m.Origin == facts.Standard, len(m.Docs)))
	}
	if want := "java.util.List true 0|javax.swing.JFrame true 0|com.other.Thing false 0|z.B false 1"; strings.Join(got, "|") != want {
		t.Errorf("%s, want %s", strings.Join(got, "|"), want)
	}
}
