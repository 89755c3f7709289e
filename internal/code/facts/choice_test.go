package facts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// Of several methods of a name a call means the one whose parameters fit best: the very type,
// then a wider number, then its box, a class above that, and any object last.
func TestBestOverload(t *testing.T) {
	for _, c := range []struct{ methods, call, want string }{
		{"Number Object", "1", "Number"}, {"Object Integer", "1", "Integer"}, {"Number Integer", "1", "Integer"}, {"long Integer", "1", "long"}, {"int long", "1", "int"},
		{"Comparable Object", "1", "Comparable"}, {"long double", "'a'", "long"}, {"Object boolean", "true", "boolean"}, {"Object Boolean", "true", "Boolean"},
		{"Object Object[]", "new int[1]", "Object"}, {"Object Object[]", "new String[1]", "Object[]"}, {"Object Object[]", "new int[1][2]", "Object[]"},
		{"Object String", "\"x\"", "String"}, {"Object CharSequence", "new A()", "Object"},
	} {
		var text strings.Builder
		text.WriteString("class A {\n")
		for m := range strings.FieldsSeq(c.methods) {
			fmt.Fprintf(&text, "  void f(%s x) {}\n", m)
		}
		fmt.Fprintf(&text, "  void go() { f(%s); }\n}\n", c.call)
		p := project(map[string]string{"A.java": text.String()})
		edges, _ := p.Callees(p.Lookup("A.go")[0])
		var got []string
		for _, e := range edges {
			if d := p.Decl(e.To); d.Name == "f" {
				got = append(got, strings.TrimSuffix(d.Params[0], " x")+" "+e.Sure.String())
			}
		}
		if !slices.Equal(got, []string{c.want + " exact"}) {
			t.Errorf("f(%s) of %s is %q, want %s", c.call, c.methods, got, c.want)
		}
	}
}

// A class has what its own parts extend, and nothing of another one of its name.
func TestClassesOfOneName(t *testing.T) {
	p := project(map[string]string{
		"A.cs": "namespace A;\n\nclass P { public void Own() {} }\n\npartial class X { }\n\npartial class X : P { }\n\nclass Use { void Go(X x) { x.Own(); x.Other(); } }\n",
		"B.cs": "namespace B;\n\nclass Q { public void Other() {} public void Own() {} }\n\nclass X : Q { }\n",
	})
	edges, _ := p.Callees(p.Lookup("Use.Go")[0])
	var got []string
	for _, e := range edges {
		if e.Sure == facts.Exact {
			got = append(got, p.Docs[e.To.Doc].Path+" "+p.Decl(e.To).Name)
		}
	}
	if !slices.Equal(got, []string{"A.cs Own"}) {
		t.Errorf("Use.Go surely calls %q", got)
	}
}

// The keys by which a file is found are in order and each is there once: they are merged with
// those of other files as they come.
func TestKeysInOrder(t *testing.T) {
	for name, text := range map[string]string{
		"a.go": "package a\n\ntype T struct{}\n\nfunc (T) Do() { zeta(); alpha(); zeta() }\n\nfunc use(h func()) { use(alpha); use(zeta) }\n\nfunc alpha() {}\n\nfunc zeta() {}\n",
		"a.py": "from b import c, d\n\nclass E(c):\n    def f(self): d(); self.f(); d()\n",
	} {
		language := syntax.Language(name, []byte(text))
		f := syntax.Facts(name, language, []byte(text))
		keys := facts.Keys(language, &f)
		if !slices.IsSorted(keys) || len(slices.Compact(slices.Clone(keys))) != len(keys) || len(keys) < 4 {
			t.Errorf("%s: the keys %v", name, keys)
		}
		if i := slices.IndexFunc(f.Calls, func(c corpus.Call) bool { return !slices.Contains(keys, facts.Key(facts.Called, c.Callee)) }); i >= 0 {
			t.Errorf("%s: the call of %s has no key", name, f.Calls[i].Callee)
		}
	}
}
