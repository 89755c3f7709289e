package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// TestManyParts holds that a question about a name of which a project has thousands of parts, or of aliases, looks at each once: where
// every part was compared with all others, and every alias with all imports around it, it took half a minute.
func TestManyParts(t *testing.T) {
	const n = 3000
	many := func(format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	t.Run("a class of Ruby that is open", func(t *testing.T) {
		_, f := project(t, "-- a.rb --\n"+many("class A\n  include B\n  def f%d; end\nend\n")+"module B\n  def own; end\nend\ndef go\n  A.new.own\nend\n")
		a, err := f.Refs(t.Context(), graph.RefsInput{Symbol: "A"})
		if err != nil || len(a.References) != 1 {
			t.Errorf("%d uses, want 1: %v", len(a.References), err)
		}
	})
	t.Run("extensions of Swift", func(t *testing.T) {
		_, f := project(t, "-- a.swift --\nstruct A { func own() {} }\n"+many("extension A { func f%d() { own() } }\n"))
		a, err := f.Callers(t.Context(), graph.CallsInput{Function: "own"})
		if err != nil || len(a.Callers) != n {
			t.Errorf("%d calls, want %d: %v", len(a.Callers), n, err)
		}
	})
	t.Run("aliases of Python", func(t *testing.T) {
		_, f := project(t, "-- a.py --\n"+many("from b import f as f%[1]d\n")+many("f%[1]d()\n")+"-- b.py --\ndef f(): pass\n")
		a, err := f.Callers(t.Context(), graph.CallsInput{Function: "f"})
		if err != nil || len(a.Callers) != n {
			t.Errorf("%d calls, want %d: %v", len(a.Callers), n, err)
		}
	})
}
