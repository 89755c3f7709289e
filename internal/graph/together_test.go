package graph_test

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
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

// What this program itself writes into a project is no change of it, in a patch and in the work tree.
func TestOwnFilesAreNoChange(t *testing.T) {
	root, f := project(t, together)
	const report = "--- /dev/null\n+++ b/.assay/reports/drift-report.md\n@@ -0,0 +1 @@\n+Surcharge\n"
	const patch = report + "--- a/tax/tax.go\n+++ b/tax/tax.go\n@@ -4 +4 @@\n-func Surcharge(cents int) int { return cents / 7 }\n+func Surcharge(cents int) int { return cents / 8 }\n"
	changed := func(in graph.ImpactInput) (out []string) {
		t.Helper()
		a, err := f.Affects(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range a.(*graph.Review).Files {
			out = append(out, x.File)
		}
		return out
	}
	want := []string{"tax/tax.go"}
	if got := changed(graph.ImpactInput{Diff: true, Patch: patch}); !slices.Equal(got, want) {
		t.Errorf("a patch changes %q, want %q", got, want)
	}
	git := func(args ...string) error {
		return exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-C", root}, args...)...).Run()
	}
	if git("init", "-q") != nil {
		return // without git there is no other change than a patch
	}
	if err := errors.Join(git("add", "-A"), git("commit", "-qm", "x"), os.MkdirAll(filepath.Join(root, ".assay", "reports"), 0o777),
		os.WriteFile(filepath.Join(root, ".assay", "reports", "drift-report.md"), []byte("# Drift\n"), 0o666),
		os.WriteFile(filepath.Join(root, "tax", "tax.go"), []byte("package tax\n\nfunc Surcharge(cents int) int { return cents / 8 }\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	if got := changed(graph.ImpactInput{Diff: true}); !slices.Equal(got, want) {
		t.Errorf("in the work tree are changed %q, want %q", got, want)
	}
}
