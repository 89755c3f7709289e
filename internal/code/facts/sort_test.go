package facts_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
)

// sorted returns the declarations of a project for which a question is answered with yes.
func sorted(p *facts.Project, yes func(facts.Ref) bool) string {
	var out []string
	for doc := range p.Docs {
		for i := range p.File(doc).Decls {
			if r := (facts.Ref{Doc: doc, Decl: int32(i)}); yes(r) {
				out = append(out, p.Docs[doc].Path+":"+p.Decl(r).Qualified())
			}
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// What a declaration is: one that adds to a type, one in an object, a clause of a function.
func TestSortsOfDeclarations(t *testing.T) {
	p := project(map[string]string{
		"a.rs":    "struct A;\nimpl A { fn f(&self) {} }\ntrait T {}\nimpl T for A {}\n",
		"b.swift": "class B { func g() {} }\nextension B { func h() {} }\n",
		"c.cs":    "partial class C { void F() {} }\nstatic class X { static void G(this C c) {} }\n",
		"d.js":    "const table = { one() {}, two: function () {}, three: 3 };\nclass D { four() {} }\nfunction five() { return { six() {} }; }\n",
		"e.ex":    "defmodule E do\n  def f([]), do: 1\n  def f([h | t]), do: h + f(t)\n  def g(x), do: x\nend\ndefmodule F do\n  def f(x), do: x\nend\n",
		"g.scala": "trait G {\n  def run(): Int\n}\nobject Main {\n  def go(): G = {\n    new G {\n      def run(): Int = 1\n    }\n  }\n  def top(): Int = 2\n}\n",
	})
	if got, want := sorted(p, p.Extends), "a.rs:A a.rs:A b.swift:B"; got != want {
		t.Errorf("types are extended by %q, want %q", got, want)
	}
	if got, want := sorted(p, p.InObject), "d.js:five.six d.js:table.one d.js:table.two g.scala:Main.go.run"; got != want {
		t.Errorf("in objects are %q, want %q", got, want)
	}
	clauses := sorted(p, func(r facts.Ref) bool { return p.FirstClause(r) != r })
	if want := "e.ex:E.f"; clauses != want {
		t.Errorf("clauses that are not the first are %q, want %q", clauses, want)
	}
	var f, g, other facts.Ref
	for i, d := range p.File(4).Decls {
		switch r := (facts.Ref{Doc: 4, Decl: int32(i)}); {
		case d.Qualified() == "E.f":
			f = r
		case d.Qualified() == "E.g":
			g = r
		case d.Qualified() == "F.f":
			other = r
		}
	}
	top := facts.Ref{Doc: 4, Decl: -1}
	if p.SameFunction(f, g) || p.SameFunction(f, other) || !p.SameFunction(f, p.FirstClause(f)) || p.SameFunction(top, top) || p.FirstClause(top) != top {
		t.Error("clauses are taken for those of another function")
	}
}

// A method of a receiver that nothing is known of is guessed where its name says enough.
func TestGuessedByName(t *testing.T) {
	for _, c := range []struct {
		name, file, text, want string
	}{
		{"a name of two words, which one method has", "a.rs", "struct A;\nimpl A { fn drain_valve(&self) {} fn settle(&self) {} fn get_item(&self) {} }\nfn go() { let x = mystery(); x.drain_valve(); x.settle(); x.get_item(); }\n",
			"a.rs:go → a.rs:A.drain_valve likely\na.rs:go → a.rs:A.get_item likely\na.rs:go → a.rs:A.settle name-only"},
		{"short and everyday names say nothing", "a.rs", "struct A;\nimpl A { fn a_b(&self) {} fn set_default(&self) {} fn setdefault(&self) {} }\nfn go() { let x = mystery(); x.a_b(); x.setdefault(); }\n",
			"a.rs:go → a.rs:A.a_b name-only\na.rs:go → a.rs:A.setdefault name-only"},
		{"in a language without types one method of a name is enough", "a.py", "class A:\n    def settle(self): pass\n    def get(self): pass\n\ndef go(x):\n    x.settle()\n    x.get()\n",
			"a.py:go → a.py:A.get name-only\na.py:go → a.py:A.settle likely"},
		{"by two of a name it is not known which", "a.py", "class A:\n    def settle(self): pass\n\nclass B:\n    def settle(self): pass\n\ndef go(x):\n    x.settle()\n",
			"a.py:go → a.py:A.settle name-only\na.py:go → a.py:B.settle name-only"},
		{"what takes other arguments is not meant", "a.py", "class A:\n    def settle(self, one, two): pass\n\ndef go(x):\n    x.settle()\n", ""},
		{"a macro that a crate exports is known where nothing else has its name", "a.rs", "#[macro_export]\nmacro_rules! shout { () => {} }\nfn go() { shout!(); }\n", "a.rs:go → a.rs:shout exact"},
	} {
		if got := edges(project(map[string]string{c.file: c.text})); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Uses of what a project declares are found in its languages without an import, and are said to
// be what they are.
func TestUsesOfGlobals(t *testing.T) {
	for _, c := range []struct {
		name string
		tree map[string]string
		want string
	}{
		{"a constant of C in another file", map[string]string{"a.h": "extern int limit;\n", "a.c": "#include \"a.h\"\nint limit = 3;\n", "b.c": "#include \"a.h\"\nint go() { return limit + 1; }\n"}, "limit b.c"},
		{"a constant of Rust that is brought in with all others", map[string]string{"src/lib.rs": "mod a;\nmod b;\n", "src/a.rs": "pub const LIMIT: i32 = 3;\n", "src/b.rs": "use crate::a::*;\nfn go() -> i32 { LIMIT + 1 }\n"}, "LIMIT src/b.rs"},
		{"a class of Ruby in another file", map[string]string{"a.rb": "class Limit\nend\n", "b.rb": "def go\n  Limit.new\nend\n"}, "Limit b.rb"},
	} {
		p := project(c.tree)
		name, file, _ := strings.Cut(c.want, " ")
		uses, _ := p.Uses(p.Targets(name), func(int) bool { return true })
		if !slices.ContainsFunc(uses, func(u facts.Use) bool { return p.Docs[u.From.Doc].Path == file }) {
			t.Errorf("%s: %+v", c.name, uses)
		}
	}
}

// Overloads of Java are told by their arguments, one that takes any number after the others.
func TestAnyNumberOfArguments(t *testing.T) {
	p := project(map[string]string{"A.java": "class A {\n  static void f(String one) {}\n  static void f(int... all) {}\n  static void f(String one, Object... rest) {}\n  void go(String s, int[] many) { f(s); f(1, 2, 3); f(many); f(s, 1, s); }\n}\n"})
	var got []string
	for doc := range p.Docs {
		p.Edges(doc, func(c *corpus.Call, _ facts.Ref, to []facts.Edge, _ bool) {
			for _, e := range to {
				got = append(got, strings.Join(p.Decl(e.To).Params, ", "))
			}
		})
	}
	if want := []string{"String one", "int... all", "int... all", "String one, Object... rest"}; !slices.Equal(got, want) {
		t.Errorf("called are %q, want %q", got, want)
	}
}
