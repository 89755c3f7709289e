package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

const namesakes = `
-- go.mod --
module example.com/m

go 1.26
-- store.go --
package m

type Store interface{ Put(k string) error }

type disk struct{}

func (disk) Put(k string) error { return nil }

func Use(s Store) error { return s.Put("a") }
-- other.go --
package m

type Ball struct{}

func (b *Ball) Put(hole int) {}

func Play(b *Ball) { b.Put(1); b.Put(2) }

func guess(x any) {
	// Put is not called here
	y, _ := x.(unknown)
	y.Put("Put")
}
-- store_test.go --
package m

import "testing"

func TestUse(t *testing.T) { Use(disk{}); var s Store = disk{}; s.Put("b") }
-- web/store.ts --
export interface Store { put(k: string): void }
export class Disk implements Store {
  put(k: string) {}
}
-- web/use.ts --
import { Store } from "./store";
export function use(s: Store) { s.put("a"); }
-- web/page.html --
<p>{{ store.put(user) }}</p>
-- web/conf.yaml --
method: put
-- NOTES.md --
See put for details.
-- jar/Finder.java --
package jar;

class Finder {
  void find(Route r) {}
  void find(Stop s) {}
  void all(Route r, Stop s) {
    find(r);
    find(s);
  }
}
`

func asked(t *testing.T, f *graph.Feature, query, pattern string) string {
	t.Helper()
	a, err := f.Structure(t.Context(), graph.StructureInput{QueryType: query, Pattern: pattern, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	return text(t, a)
}

// A question has a text that its answer has, and one that it has not.
type question struct{ name, query, of, want, not string }

func askEach(t *testing.T, f *graph.Feature, questions []question) {
	t.Helper()
	for _, q := range questions {
		t.Run(q.name, func(t *testing.T) {
			if got := asked(t, f, q.query, q.of); !strings.Contains(got, q.want) || strings.Contains(got, q.not) {
				t.Errorf("%s %s: want %q, not %q:\n%s", q.query, q.of, q.want, q.not, got)
			}
		})
	}
}

// TestMentions: no answer is less than a search for the name.
func TestMentions(t *testing.T) {
	_, f := project(t, namesakes)
	tests := []struct {
		name, query, pattern string
		want, not            []string
	}{
		{"callers of an interface's method", "callers", "Store.Put", []string{"     9: func Use(s Store) error { return s.Put(\"a\") }  [in Use, exact]", "     5: func TestUse(t *testing.T)",
			"y.Put(\"Put\")", "SAME NAME IN COMMENTS:", "// Put is not called here", "Ball.Put: 3 in 1 file"}, []string{"no call of it", "Play"}},
		{"uses of an interface's method", "refs", "Store.Put", []string{"return s.Put(\"a\")", "s.Put(\"b\")", "Ball.Put: 3 in 1 file: other.go:5,7\n",
			"OVERRIDES, AND USES THAT MAY MEAN IT:\nstore.go\n     7: func (disk) Put(k string) error { return nil }", "# this is every line that has Put: 2 uses,"}, []string{"no use of it", "b.Put(1)"}},
		{"a method of something else", "refs", "Ball.Put", []string{"func Play(b *Ball) { b.Put(1); b.Put(2) }  [call, exact, in Play]", "y.Put"}, []string{"no use of it"}},
		{"callers of the method of an interface", "callers", "Store.put", []string{"export function use(s: Store) { s.put(\"a\"); }"}, []string{"no call of it is known"}},
		{"callers of a method that implements one", "callers", "Disk.put", []string{"export function use(s: Store) { s.put(\"a\"); }", "web/page.html", "<p>{{ store.put(user) }}</p>",
			"web/conf.yaml", "BY LINES:\n  NOTES.md:1\n"}, []string{"no call of it is known"}},
		{"an overload", "refs", "Finder.find(Route)", []string{"     7: find(r);"}, []string{"find(s)"}},
		{"another overload", "refs", "find(Stop)", []string{"     8: find(s);"}, []string{"find(r)"}},
		{"all overloads", "refs", "Finder.find", []string{"     7: find(r);", "     8: find(s);"}, nil},
		{"a column", "refs", "store.go:9:36", []string{"Store.Put  store.go:3", "s.Put(\"b\")"}, nil},
		{"what a change of an interface's method reaches", "impact", "Store.Put", []string{"return s.Put(\"a\")", "s.Put(\"b\")", "y.Put(\"Put\")"}, []string{"nothing is known"}},
		{"what a change of a member of an interface reaches", "impact", "web/store.ts:Store.put", []string{"USES:\nweb/use.ts\n     2: export function use", "{{ store.put(user) }}"}, []string{"nothing is known"}},
		{"what implements an interface", "implementers", "web/store.ts:Store", []string{"Disk", "1 implement"}, []string{"no type"}},
		{"what overrides a method of an interface", "implementers", "web/store.ts:Store.put", []string{"web/store.ts:3", "Disk.put", "overrides", "# 1 method", "refs web/store.ts:Store.put has every other line"}, []string{"use.ts"}},
		{"what overrides a method of Go", "implementers", "Store.Put", []string{"disk.Put", "overrides"}, []string{"Ball"}},
		{"a method that nothing overrides", "implementers", "Ball.Put", []string{"no method is known to override it"}, []string{"disk"}},
		{"a type that nothing mentions", "implementers", "Ball", []string{"no type of the project is known to be related"}, []string{"SAME NAME"}},
		{"a line", "callers", "other.go:5", []string{"Ball.Put  other.go:5", "b.Put(1)"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := asked(t, f, tt.query, tt.pattern)
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("%s %s lacks %q:\n%s", tt.query, tt.pattern, w, got)
				}
			}
			for _, w := range tt.not {
				if strings.Contains(got, w) {
					t.Errorf("%s %s has %q:\n%s", tt.query, tt.pattern, w, got)
				}
			}
		})
	}
}

// TestMentionsOverBudget: lines that are left out are counted, and the answer says that it is not all.
func TestMentionsOverBudget(t *testing.T) {
	files := "-- a.py --\ndef load(x): pass\n-- b.py --\n" + strings.Repeat("def f(x):\n    x.load(1)\n", 60) + "-- c.py --\nclass A:\n    def load(self): pass\n"
	_, f := project(t, files)
	ask := func(tokens int) *graph.Refs {
		a, err := f.Refs(context.Background(), graph.RefsInput{Symbol: "a.py:load", Tokens: tokens})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	few, all := ask(100), ask(20000)
	if n := len(few.Mentions.Mentions); n == 0 || few.LeftOut != 60-n || few.Complete {
		t.Errorf("100 tokens: %d lines, %d left out, complete %v", n, few.LeftOut, few.Complete)
	}
	if n := len(all.Mentions.Mentions); n != 60 || all.LeftOut != 0 || !all.Complete {
		t.Errorf("20000 tokens: %d lines, %d left out, complete %v", n, all.LeftOut, all.Complete)
	}
	if i := slices.IndexFunc(all.Elsewhere, func(o graph.Owner) bool { return o.Owner == "A.load" }); i < 0 {
		t.Errorf("A.load is not counted: %+v", all.Elsewhere)
	}
}

// TestChains: a line that goes on with a chain is shown with the one where that begins, others as they are.
func TestChains(t *testing.T) {
	const source = "-- a.rs --\nfn use_it(tab: Opaque) {\n    let id = tab\n        .inner()\n        .close_all(1);\n    other.close_all(2);\n    run(\n        tab.close_all(3),\n    );\n}\n" +
		"-- b.rs --\npub struct Tab;\nimpl Tab { pub fn close_all(&self, n: i32) {} }\n"
	tests := []struct{ name, more, about string }{
		{"resolved", "", "[call, likely, in use_it]"},
		{"not resolved", "-- c.rs --\npub struct Pane;\nimpl Pane { pub fn close_all(&self, n: i32) {} }\n", "[in use_it]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, f := project(t, source+tt.more)
			got := asked(t, f, "refs", "Tab.close_all")
			for _, want := range []string{"     4: let id = tab … .close_all(1);", "     5: other.close_all(2);", "     7: tab.close_all(3),"} {
				if want += "  " + tt.about + "\n"; !strings.Contains(got, want) {
					t.Errorf("lacks %q:\n%s", want, got)
				}
			}
		})
	}
}

// TestLibraryResults: a value that a generic function of a library returned may be of a type of the project; one that is
// made of a library's type is not.
func TestLibraryResults(t *testing.T) {
	const source = "-- app/Cache.java --\npackage app;\npublic class Cache {\n  public void load(int n) {}\n}\n-- app/Other.java --\npackage app;\npublic class Other {\n  public void load(int n) {}\n}\n" +
		"-- app/CacheTest.java --\npackage app;\nimport static org.mockito.Mockito.mock;\nimport java.util.ResourceBundle;\nimport java.util.Properties;\n" +
		"class CacheTest {\n  void test(Properties given) {\n    var cache = mock(Cache.class);\n    cache.load(1);\n    var own = new Properties();\n    own.load(2);\n    given.load(3);\n  }\n}\n"
	_, f := project(t, source)
	got := asked(t, f, "refs", "Cache.load")
	for _, want := range []string{"SAME NAME, NOT RESOLVED:\napp/CacheTest.java\n     8: cache.load(1);", "  libraries: 2 in 1 file: app/CacheTest.java:10,11\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}

// TestRelatedByName: a line is said to be of a method that runs in place of another only where more than the name says so.
func TestRelatedByName(t *testing.T) {
	const source = "-- cache.ts --\nexport interface Cache { sync(): void }\nexport class DbCache implements Cache {\n  sync(): void {}\n}\n-- source.ts --\nexport class Source {\n  sync(): void {}\n}\n" +
		"-- use.ts --\nimport { DbCache } from \"./cache\";\nexport function known(db: DbCache) {\n  db.sync();\n}\nexport function guess(x) {\n  x.sync();\n}\n"
	_, f := project(t, source)
	got := asked(t, f, "refs", "Cache.sync")
	for _, want := range []string{"     3: db.sync();  [in known, of DbCache.sync]\n", "SAME NAME, NOT RESOLVED:\nuse.ts\n     6: x.sync();  [in guess]\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}

// TestSeveralDeclarations: where a name means several declarations a use says which, by its file only if the name does not tell.
func TestSeveralDeclarations(t *testing.T) {
	const source = "-- a.py --\nclass A:\n    def save(self): pass\ndef run(a: A): a.save()\n-- b.py --\nclass B:\n    def save(self): pass\ndef run(b: B): b.save()\n"
	tests := []struct {
		name, query, pattern string
		want                 []string
	}{
		{"methods of two classes", "refs", "save", []string{"exact, in run, of A.save]", "exact, in run, of B.save]"}},
		{"callers of methods of two classes", "callers", "save", []string{"exact, calls A.save]", "exact, calls B.save]"}},
		{"functions of one name", "refs", "run", []string{"[call, exact, in (top level), of c.py:run]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, f := project(t, source+"-- c.py --\ndef run(): pass\nrun()\n")
			got := asked(t, f, tt.query, tt.pattern)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("lacks %q:\n%s", want, got)
				}
			}
		})
	}
}

// TestPlainLines: of many lines in one file that are no code the first are shown, and all are named.
func TestPlainLines(t *testing.T) {
	_, f := project(t, "-- a.go --\npackage a\n\nfunc Retry() {}\n\nfunc use(x missing) {\n\tx.Retry()\n\tx.Retry(1)\n\tx.Retry(2)\n\tx.Retry(3)\n\tx.Retry(4)\n}\n-- few.yaml --\nRetry\nRetry\n-- many.yaml --\n"+
		strings.Repeat("Retry\n", 7))
	got := asked(t, f, "refs", "Retry")
	for _, want := range []string{"    10: x.Retry(4)", "few.yaml\n     1: Retry\n     2: Retry\nmany.yaml\n", "     4: Retry\n  also lines 5,6,7\n", "# this is every line that has Retry: 0 uses, 14 more lines"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}

// TestFilesThatAreNoSource: of documents, data, snapshots and generated files the lines are named, and of many of one kind
// counted; source and configuration are shown, and so are such files where nothing else has the name or they are asked for.
func TestFilesThatAreNoSource(t *testing.T) {
	const source = "-- a.go --\npackage a\n\n// Retry is a name.\nfunc Retry() {}\n"
	var snaps, more strings.Builder
	for i := range 12 {
		fmt.Fprintf(&snaps, "-- snapshots/%02d.snap --\nx\nRetry: %d\nRetry\n", i, i)
		fmt.Fprintf(&more, "-- conf/%02d.yaml --\nRetry: %d\n", i, i)
	}
	tests := []struct {
		name, files string
		in          graph.RefsInput
		want, not   []string
	}{
		{"a document", "-- NOTES.md --\nSee Retry.\n\nRetry\n", graph.RefsInput{}, []string{"  NOTES.md:1,3\n", "# this is every line", "// Retry is a name."}, []string{"See Retry"}},
		{"many snapshots", snaps.String(), graph.RefsInput{}, []string{"  snapshots/02.snap:2,3\n  and 9 more files, in all 24 lines: path *.snap shows them\n",
			"# every line is counted"}, []string{"Retry: 1", "03.snap"}},
		{"many with every entry", snaps.String(), graph.RefsInput{Filter: graph.Filter{Limit: -1}}, []string{"and 9 more files"}, []string{"Retry: 1"}},
		{"snapshots that are asked for", snaps.String(), graph.RefsInput{Filter: graph.Filter{Paths: []string{"*.snap"}}},
			[]string{"snapshots/11.snap\n     2: Retry: 11\n"}, []string{"more files"}},
		{"snapshots are of tests", snaps.String(), graph.RefsInput{Filter: graph.Filter{NoTests: true}}, []string{"// Retry is a name."}, []string{".snap"}},
		{"a generated file", "-- g.yaml --\n# Code generated by gen. DO NOT EDIT.\nRetry: 1\n", graph.RefsInput{}, []string{"  g.yaml:2\n"}, []string{"Retry: 1"}},
		{"a fixture", "-- testdata/f.json --\n{\"Retry\": 1}\n", graph.RefsInput{}, []string{"  testdata/f.json:1\n"}, []string{"\"Retry\""}},
		{"configuration", more.String(), graph.RefsInput{}, []string{"conf/11.yaml\n     1: Retry: 11\n"}, []string{"BY LINES"}},
		{"a page", "-- p.html --\n<p>{{ Retry }}</p>\n", graph.RefsInput{}, []string{"     1: <p>{{ Retry }}</p>"}, []string{"BY LINES"}},
		{"code that is generated", "-- g.go --\n// Code generated by gen. DO NOT EDIT.\n\npackage a\n\nfunc g(x missing) { x.Retry() }\n", graph.RefsInput{},
			[]string{"     5: func g(x missing) { x.Retry() }"}, []string{"BY LINES"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, f := project(t, source+tt.files)
			tt.in.Symbol = "Retry"
			a, err := f.Refs(t.Context(), tt.in)
			if err != nil {
				t.Fatal(err)
			}
			got := text(t, a)
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("lacks %q:\n%s", w, got)
				}
			}
			for _, w := range tt.not {
				if strings.Contains(got, w) {
					t.Errorf("has %q:\n%s", w, got)
				}
			}
			for _, m := range a.Mentions.Mentions {
				if m.Text == "" {
					t.Errorf("the text of %s:%d is left out of the answer itself", m.File, m.Line)
				}
			}
		})
	}
}

// TestEveryLine: that no line is left out is said only where it is so.
func TestEveryLine(t *testing.T) {
	_, f := project(t, namesakes+twins(20, "Twin")+twins(21, "Many")+"-- calls/a.py --\nclass A:\n    def far(self): pass\nclass B:\n    def far(self): pass\ndef all(b: B):\n"+strings.Repeat("    b.far()\n", 101))
	const whole, counted = "\n# this is every line that has ", "\n# every line is counted that has "
	tests := []struct {
		name string
		in   graph.RefsInput
		want string
	}{
		{"of the whole project", graph.RefsInput{Symbol: "Store.Put"}, whole},
		{"of tests", graph.RefsInput{Symbol: "Store.Put", Filter: graph.Filter{Tests: true}}, ""},
		{"of a folder", graph.RefsInput{Symbol: "Store.Put", Filter: graph.Filter{Paths: []string{"web"}}}, ""},
		{"of a kind", graph.RefsInput{Symbol: "Store.Put", Kinds: []string{"call"}}, ""},
		{"of a page", graph.RefsInput{Symbol: "Store.Put", Filter: graph.Filter{Limit: 1}}, ""},
		{"of a small budget", graph.RefsInput{Symbol: "Store.Put", Tokens: 50}, ""},
		{"of a tree that was not checked", graph.RefsInput{Symbol: "Store.Put", Filter: graph.Filter{NoRefresh: true}}, ""},
		{"of as many declarations as are shown", graph.RefsInput{Symbol: "Twin"}, whole},
		{"of more declarations than are shown", graph.RefsInput{Symbol: "Many"}, ""},
		{"of the owner of many lines", graph.RefsInput{Symbol: "B.far"}, whole},
		{"where the lines of an owner are not listed", graph.RefsInput{Symbol: "A.far"}, counted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := f.Refs(t.Context(), tt.in)
			if err != nil {
				t.Fatal(err)
			}
			got := text(t, a)
			for _, claim := range []string{whole, counted} {
				if strings.Contains(got, claim) != (claim == tt.want) {
					t.Errorf("want of the claims %q in\n%s", tt.want, got)
				}
			}
		})
	}
}

// twins returns n modules that each declare a function of one name, and one that calls the first.
func twins(n int, name string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "-- %s/m%d.py --\n\"\"\"A module.\"\"\"\ndef %s():\n    pass\n", name, i, name)
	}
	fmt.Fprintf(&b, "-- %s/use.py --\nfrom .m0 import %s\n%s()\n", name, name, name)
	return b.String()
}
