package graph_test

import (
	"math"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/feature/graph"
)

const together = `
-- go.mod --
module example.org/m
-- tax/tax.go --
package tax

// Surcharge is the parcel surcharge, rounding upwards: surchargeRounding.
func Surcharge(cents int) int { return cents / 7 }
-- rules/rules.go --
package rules

var Names []string
-- words/surcharge.go --
package words

// surchargeRounding says how the surcharge of a parcel is rounded: upwards.
const surchargeRounding = "surcharge parcel rounding upwards"
-- far/away.go --
package far

func Away() {}
-- main.go --
package main

import "example.org/m/rules"

func main() { println(rules.Names) }
`

// What a change has to do with is found by what its files import and by its words, and what the score of a
// file is made of is said where it is asked for.
func TestTogether(t *testing.T) {
	_, f := project(t, together)
	const patch = "--- a/main.go\n+++ b/main.go\n@@ -5 +5 @@\n-func main() { println(1) }\n+func main() { println(rules.Names) }\n"
	ask := func(in graph.ImpactInput) *graph.Review {
		a, err := f.Affects(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return a.(*graph.Review)
	}
	find := func(r *graph.Review, file string) *graph.Reached {
		i := slices.IndexFunc(r.Reached, func(x graph.Reached) bool { return x.File == file })
		if i < 0 {
			return nil
		}
		return &r.Reached[i]
	}
	r := ask(graph.ImpactInput{Diff: true, Patch: patch, Explain: true})
	got := find(r, "rules/rules.go")
	if got == nil || !slices.Contains(got.Via, "imported") {
		t.Fatalf("what the changed file imports is not among %+v", r.Reached)
	}
	sum := 0.0
	for _, s := range got.Explain {
		sum += s.Adds
	}
	if len(got.Explain) < 2 || math.Abs(sum-got.Score) > .001 {
		t.Errorf("the score %v is explained as %+v", got.Score, got.Explain)
	}
	if find(r, "far/away.go") != nil {
		t.Errorf("a file that has nothing to do with the change is among %+v", r.Reached)
	}
	const words = "--- a/tax/tax.go\n+++ b/tax/tax.go\n@@ -3 +3,2 @@\n-func Surcharge(cents int) int { return cents }\n+// Surcharge is the parcel surcharge, rounding upwards: surchargeRounding.\n+func Surcharge(cents int) int { return cents / 7 }\n"
	r = ask(graph.ImpactInput{Diff: true, Patch: words})
	if got = find(r, "words/surcharge.go"); got == nil || !slices.Equal(got.Via, []string{"words"}) || got.Explain != nil {
		t.Errorf("what speaks of a surcharge is %+v, of %+v", got, r.Reached)
	}
}
