package graph_test

import (
	"slices"
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
