package facts_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
)

// TestScalaPackages has the members of package objects, extensions, and methods that are called by their names alone.
func TestScalaPackages(t *testing.T) {
	tree := map[string]string{
		"p/package.scala": "package object p {\n  def rd(s: String): Int = 1\n  implicit class Rich(s: String) { def shout: String = s.toUpperCase }\n}\n",
		"A.scala":         "object A {\n  def m = p.rd(\"x\")\n  def n(s: String) = { import p._; rd(s); s.shout }\n}\n",
		"p/B.scala":       "package p\nclass B extends java.util.Date {\n  def size: Int = 1\n  def m = rd(\"\") + p.rd(\"\") + size\n}\nobject C { def k(b: B) = b.size + b.size() }\n",
		"q/sub.scala":     "package q.sub\nclass D(val p: String) { def m = p.length }\n",
		"q/ext.scala":     "package q\nextension [T](x: T) def discard: Unit = ()\nextension [A](c: Seq[A]) def mapAll[B](n: Int)(f: A => B): Seq[B] = c.map(f)\n",
		"q/use.scala":     "package q\ndef use(xs: Seq[Int]) =\n  xs.mapAll(3)(_ + 1).discard\n  xs.discard\n",
		"r/not.scala":     "package r\ndef use(xs: Seq[Int]) =\n  xs.discard\n",
	}
	for symbol, want := range map[string]string{
		"p.rd":    "A.scala:2:13 call exact\nA.scala:3:36 call exact\np/B.scala:4:11 call exact\np/B.scala:4:22 call exact",
		"shout":   "A.scala:3:45 call likely",
		"B.size":  "p/B.scala:4:31 call exact\np/B.scala:6:28 call exact\np/B.scala:6:37 call exact",
		"discard": "q/use.scala:3:23 call likely\nq/use.scala:4:6 call likely\nr/not.scala:3:6 call name-only",
		"mapAll":  "q/use.scala:3:6 call likely",
	} {
		if got := uses(t, tree, symbol); got != want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", symbol, got, want)
		}
	}
}

// TestScalaSelected has functions that take nothing and are called without brackets, far from where they are declared.
func TestScalaSelected(t *testing.T) {
	tree := map[string]string{
		"a/J.scala":      "package a\nclass J(val width: Int) {\n  def compact: String = \"\"\n  def as[T](implicit d: D[T]): T = d(this)\n  def put(n: Int): J = this\n}\nobject J { def make[T]: J = new J(1) }\n",
		"a/syntax.scala": "package a.syntax\nimplicit class Ops[T](value: T) { def toJ: J = new J(1) }\n",
		"b/other.scala":  "package b\nclass R { def toJ: String = \"\" }\n",
		"c/use.scala":    "package c\nimport a.J\nimport a.syntax._\nobject U {\n  def m(j: J, x: Int) = j.compact\n  val n = J.make[Int].as[String]\n  def o(x: Any) = x.toJ.compact + x.width\n  def p(j: J) = Seq(1).map(j.put)\n  val q = x.y.Compact\n}\n",
		"c/named.scala":  "package c\nimport a.syntax.Ops\nobject V { def m(x: K) = x.toJ }\nclass K\n",
		"e/fields.scala": "package e\nclass P(val parametersOf: Int)\nobject Q { def parametersOf: Int = 1; def alternativesOf: Int = 1 }\nobject X { def m(x: Any) = x.next.parametersOf + x.next.alternativesOf }\n",
		"d/unseen.scala": "package d\nobject W { def m(x: Any) = x.toJ }\n",
	}
	for symbol, want := range map[string]string{
		"J.compact":        "c/use.scala:5:27 call exact\nc/use.scala:7:25 call name-only",
		"J.as":             "c/use.scala:6:23 call exact",
		"J.make":           "c/use.scala:6:13 call exact",
		"J.put":            "c/use.scala:8:30 pass exact",
		"Ops.toJ":          "c/named.scala:3:28 call likely\nc/use.scala:7:21 call likely\nd/unseen.scala:2:30 call name-only",
		"Q.parametersOf":   "e/fields.scala:4:35 call name-only",
		"Q.alternativesOf": "e/fields.scala:4:57 call likely",
		"R.toJ":            "d/unseen.scala:2:30 call name-only",
	} {
		if got := uses(t, tree, symbol); got != want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", symbol, got, want)
		}
	}
	// What is no call is counted nowhere.
	if e := project(tree).Edges(0, func(c *corpus.Call, _ facts.Ref, _ []facts.Edge, _ bool) {}); e.Total != 2 {
		t.Errorf("%+v", e)
	}
}

// TestScalaApplied has objects that are called, which is what their apply does, beside the class of their name.
func TestScalaApplied(t *testing.T) {
	tree := map[string]string{
		"a/Flag.scala": "package a\nclass Flag(n: Int)\nobject Flag {\n  def apply(n: Int): Flag = new Flag(n)\n}\ncase class Pair(a: Int, b: Int)\nobject Pair { def apply(s: String): Pair = Pair(1, 2) }\n",
		"b/use.scala":  "package b\nimport a._\nobject U {\n  def m = Flag(3)\n  def n = Pair(\"\")\n  def o = Pair(1, 2)\n}\n",
	}
	want := "a/Flag.scala:Flag.apply → a/Flag.scala:Flag exact\na/Flag.scala:Pair.apply → a/Flag.scala:Pair exact\n" +
		"b/use.scala:U.m → a/Flag.scala:Flag.apply exact\nb/use.scala:U.n → a/Flag.scala:Pair.apply exact\nb/use.scala:U.o → a/Flag.scala:Pair exact"
	p := project(tree)
	if got := edges(p); got != want {
		t.Errorf("edges:\n%s\nwant:\n%s", got, want)
	}
	for symbol, want := range map[string]int{"Flag": 2, "Flag.apply": 1, "Pair.apply": 1} {
		if got := calls(p, symbol); len(got) != want {
			t.Errorf("%s has %d callers, want %d", symbol, len(got), want)
		}
	}
}

// TestScalaLists tells overloads apart by their first list of parameters, and by the types in it.
func TestScalaLists(t *testing.T) {
	tree := map[string]string{"A.scala": "case class Conf(n: Int)\nclass Schedule\nclass A {\n" +
		"  def retry[T](c: Conf, f: Int => Int)(op: => T)(using x: Ex): T = op\n" +
		"  def retry[T](c: Conf)(op: => T): T = retry(c, x => 1)(op)\n" +
		"  def retry[T](s: Schedule)(using Ex): T = retry(Conf(1))(1)\n" +
		"  def go[T](implicit e: Ex): T = go\n  def go[T](a: Int, b: Int)(c: Int): T = go(1)(2)\n  def go[T](a: Int)(b: Int): T = go(1, 2)(3)\n}\n"}
	want := "A.scala:A.go → A.scala:A.go exact\nA.scala:A.go → A.scala:A.go exact\n" +
		"A.scala:A.retry → A.scala:A.retry exact\nA.scala:A.retry → A.scala:A.retry exact\nA.scala:A.retry → A.scala:Conf exact"
	p := project(tree)
	if got := edges(p); got != want {
		t.Errorf("edges:\n%s\nwant:\n%s", got, want)
	}
	for at, line := range map[int]int{5: 4, 6: 5, 8: 9, 9: 8} {
		for _, e := range lineEdges(p, tree["A.scala"], at) {
			if e != line && e != 1 {
				t.Errorf("line %d calls what line %d declares, want %d", at, e, line)
			}
		}
	}
}

// lineEdges returns the lines that those things are declared on which the calls on a line of the only file mean.
func lineEdges(p *facts.Project, text string, line int) (out []int) {
	of := func(at int) int { return 1 + strings.Count(text[:at], "\n") }
	p.Edges(0, func(c *corpus.Call, _ facts.Ref, to []facts.Edge, _ bool) {
		for _, e := range to {
			if of(c.At) == line {
				out = append(out, of(p.Decl(e.To).NameAt))
			}
		}
	})
	return out
}

// TestOverloadsOfInterfaces has a class of C# whose overloads an interface asks for.
func TestOverloadsOfInterfaces(t *testing.T) {
	text := "namespace N;\npublic interface I { int F(int a, int b); int F(int t, int a, int b); }\npublic class A : Base, I {\n" +
		"  public int F(int a, int b) { return F(1, a, b); }\n  public int F(int t, int a, int b) { return t; }\n}\npublic class Base {}\n" +
		"public class C { A _a; I _i; int K() { return _a.F(1, 2); }\n  int M() { return _i.F(1, 2); } }\n"
	p := project(map[string]string{"a.cs": text})
	for line, want := range map[int]string{4: "[5]", 8: "[4]", 9: "[2]"} {
		if got := fmt.Sprint(lineEdges(p, text, line)); got != want {
			t.Errorf("line %d calls what lines %s declare, want %s", line, got, want)
		}
	}
	if got, want := edges(p), "a.cs:N.A.F → a.cs:N.A.F exact\na.cs:N.C.K → a.cs:N.A.F exact\na.cs:N.C.M → a.cs:N.I.F exact"; got != want {
		t.Errorf("edges:\n%s\nwant:\n%s", got, want)
	}
}

// calls returns the calls that may run what a symbol names.
func calls(p *facts.Project, symbol string) []facts.Edge {
	var of []facts.Ref
	for _, t := range p.Targets(symbol) {
		of = append(of, t.Ref)
	}
	out, _ := p.Callers(of)
	return out
}
