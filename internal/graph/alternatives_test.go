package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// TestAlternatives holds that a pattern may name either of several, and that an operator is one name.
func TestAlternatives(t *testing.T) {
	_, f := project(t, shop+"\n-- Ops.hs --\nmodule Ops where\n\n(<|>) :: Int -> Int -> Int\na <|> b = a\n")
	for pattern, want := range map[string][]string{
		"helper|Read":              {"Cache.Read", "helper"},
		"main|web/app.ts":          {"main", "show"},
		"helper|helper":            {"helper"},
		"Store.Get|Cache.Re":       {"Cache.Read", "Store.Get"},
		"<|>":                      {"<|>"},
		"nothing_of_this|nor_that": nil,
	} {
		a, err := f.Functions(t.Context(), graph.FunctionsInput{Pattern: pattern})
		if (err != nil) != (want == nil) {
			t.Errorf("%s: %v", pattern, err)
			continue
		}
		var got []string
		if err == nil {
			for _, x := range a.Functions {
				got = append(got, x.Qualified)
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
	a, err := f.Inventory(t.Context(), graph.InventoryInput{Pattern: "tools|web/api"})
	if err != nil || len(a.Modules) != 3 {
		t.Errorf("inventory of either: %+v, %v", a, err)
	}
}

// TestSeveralNames: refs and callers take A|B; a name that nothing declares is noted where another is declared, and only where none
// is it is the error.
func TestSeveralNames(t *testing.T) {
	_, f := project(t, "-- a.go --\npackage a\n\nfunc one() {}\n\nfunc two() {}\n\nfunc use() { one(); local := 1; two(); _ = local }\n-- conf.yaml --\nplain_word: 1\n")
	tests := []struct {
		name, query, pattern string
		want, not            []string
		fails                bool
	}{
		{"uses of either", "refs", "one|two", []string{"of one]", "# 2 uses: 2 call"}, []string{"no declaration"}, false},
		{"callers of either", "callers", "one|two", []string{"calls one]", "# 2 calls"}, []string{"no function"}, false},
		{"one that nothing declares", "refs", "one|three", []string{"# 1 use: 1 call", `no declaration is called "three"`}, nil, false},
		{"a caller of one that nothing declares", "callers", "one|three", []string{"# 1 call", `no function is called "three"`}, nil, false},
		{"a local variable", "refs", "local", []string{"     7: func use() {", "this is every line that has local: 0 uses, 1 more line", `no declaration is called "local"`}, nil, false},
		{"a word of configuration", "refs", "plain_word", []string{"     1: plain_word: 1"}, nil, false},
		{"a part of a word", "refs", "plain", nil, nil, true},
		{"a name that no line has", "refs", "three", nil, nil, true},
		{"two names that no line has", "refs", "three|four", nil, nil, true},
		{"a caller of no function", "callers", "three|four", nil, nil, true},
		{"what calls a local variable", "callers", "local", nil, nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := f.Structure(t.Context(), graph.StructureInput{QueryType: tt.query, Pattern: tt.pattern, Limit: 50})
			if (err != nil) != tt.fails {
				t.Fatal(err)
			}
			if err != nil {
				return
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
		})
	}
}

// TestSeveralNamed holds that a note counts declarations of one name apart from those of several.
func TestSeveralNamed(t *testing.T) {
	_, f := project(t, "\n-- a.py --\nclass A:\n    def put(self): pass\n\nclass B:\n    def put(self): pass\n\ndef take(): pass\n")
	askEach(t, f, []question{
		{"one name", "refs", "put", "# 2 declarations of that name, and all", "these names"},
		{"two names", "refs", "A.put|take", "# 2 declarations of these names, and all", "that name"},
	})
}
