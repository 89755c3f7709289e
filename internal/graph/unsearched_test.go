package graph_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// TestUnsearched: an answer about a name says which files and uses it did not look at, and only then.
func TestUnsearched(t *testing.T) {
	const source = "-- a.go --\npackage a\n\nfunc Retry() {}\n\nfunc operatorName() { operatorName() }\n"
	const python = "-- v.py --\nclass V:\n    def __init__(self): pass\n    def __add__(self, o): return self\nv = V() + V()\n"
	const fields = "-- o.ts --\nexport interface Opt { onDone: (x: number) => void }\nexport function run(o: Opt) { o.onDone(1); }\n-- sub/x.ts --\nlet y = 1;\n"
	tests := []struct {
		name, files, symbol string
		callers             bool
		paths               []string
		want, not           string
	}{
		{"a file of secrets", source + "-- .env --\nRetry=1\n", "Retry", false, nil, "the name was not looked for in: 1 secret (.env)", ""},
		{"no secret in what has every line", source + "-- .env --\nRetry=1\n", "operatorName", false, nil, "\n# in the files looked at, this is every line that has operatorName", ""},
		{"a binary file", source + "-- late.txt --\n" + strings.Repeat("x\n", 6000) + "Retry\n\x00\n", "Retry", false, nil, "no use of it is known", "1 binary"},
		{"a binary file in what has every line", source + "-- late.txt --\n" + strings.Repeat("x\n", 6000) + "operatorName\n\x00\n", "operatorName", false, nil,
			"\n# in the files looked at, this is every line that has operatorName", "1 binary"},
		{"all are texts", source + "-- env --\nRetry=1\n", "Retry", false, nil, "", "not looked for"},
		{"all texts in what has every line", source, "operatorName", false, nil, "\n# this is every line that has operatorName", "in the files"},
		{"an operator", "-- c.cpp --\nstruct P { int x; };\nbool operator==(const P& a, const P& b) { return a.x == b.x; }\n", "operator==", false, nil, "also calls operator== without its name", ""},
		{"an operator with a space", "-- c.cpp --\nstruct P { int x; };\nbool operator<(P a, P b) { return a.x < b.x; }\nauto f = &operator <;\n", "operator<", false, nil, "f = &operator <", ""},
		{"another operator", "-- c.cpp --\nstruct P { int x; };\nbool operator==(P a, P b);\nbool operator!=(P a, P b);\n", "operator==", false, nil, "", "operator!="},
		{"a name that begins like one", source, "operatorName", false, nil, "", "without its name"},
		{"a special method", python, "V.__add__", true, nil, "also calls __add__ without its name", ""},
		{"a special method that is resolved", python, "V.__init__", true, nil, "[in (top level)", "without its name"},
		{"a field outside the path", fields, "Opt.onDone", true, []string{"sub"}, "1 call found, but none passes", "no call of it is known"},
		{"a field that nothing calls", strings.Replace(fields, "o.onDone(1);", "", 1), "Opt.onDone", true, []string{"sub"}, "no call of it is known", "none passes"},
		{"more lines than any budget shows", source + "-- log.txt --\n" + strings.Repeat("Retry\n", 20000), "Retry", false, nil, "left out: narrow it by path", "tokens "},
		{"more lines than this budget shows", source + "-- log.txt --\n" + strings.Repeat("Retry\n", 4500), "Retry", false, nil, "left out: tokens ", "narrow"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, f := project(t, tt.files)
			filter := graph.Filter{Paths: tt.paths}
			var a graph.StructureAnswer
			var err error
			if tt.callers {
				a, err = f.Callers(context.Background(), graph.CallsInput{Function: tt.symbol, Filter: filter})
			} else {
				a, err = f.Refs(context.Background(), graph.RefsInput{Symbol: tt.symbol, Filter: filter})
			}
			if err != nil {
				t.Fatal(err)
			}
			got := text(t, a)
			if !strings.Contains(got, tt.want) || tt.not != "" && strings.Contains(got, tt.not) {
				t.Errorf("want %q, not %q:\n%s", tt.want, tt.not, got)
			}
		})
	}
}

// TestUnsearchedTree: an answer from the index as it is says that it did not look at the tree.
func TestUnsearchedTree(t *testing.T) {
	_, f := project(t, "-- a.go --\npackage a\n\nfunc Retry() {}\n\nfunc use() { Retry() }\n")
	for _, frozen := range []bool{false, true} {
		a, err := f.Refs(context.Background(), graph.RefsInput{Symbol: "Retry", Filter: graph.Filter{NoRefresh: frozen}})
		if err != nil {
			t.Fatal(err)
		}
		if got := text(t, a); strings.Contains(got, "the tree was not checked") != frozen {
			t.Errorf("frozen %v:\n%s", frozen, got)
		}
	}
}

// TestPrivateName: the # of a private name of JavaScript is a part of it, and between a class and its method it is not.
func TestPrivateName(t *testing.T) {
	_, f := project(t, "-- a.js --\nclass A { #secret() { return 1 } run() { return this.#secret(); } }\n")
	for _, name := range []string{"A.#secret", "#secret", "A#run"} {
		a, err := f.Refs(context.Background(), graph.RefsInput{Symbol: name})
		if err != nil || len(a.Definitions) != 1 {
			t.Errorf("%s: %v, %v", name, a.Definitions, err)
		}
	}
}
