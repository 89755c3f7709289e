package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// TestSpecialised holds that classes of one name that extend each other are looked into once each: as many paths
// lead from one of them to another as there are orders, and a question that follows each never ends.
func TestSpecialised(t *testing.T) {
	const n = 20
	var b strings.Builder
	b.WriteString("-- a.h --\ntemplate <typename T> struct formatter;\ntemplate <typename T> T copy(T x) { return x; }\n")
	for i := range n {
		fmt.Fprintf(&b, "template <> struct formatter<T%d> : formatter<T%d> {\n  int format(int x) { return pass(copy, x); }\n};\n", i, (i+1)%n)
	}
	_, f := project(t, b.String())
	a, err := f.Callers(t.Context(), graph.CallsInput{Function: "copy"})
	if err != nil || len(a.Callers) != n {
		t.Errorf("%d calls, want %d: %v", len(a.Callers), n, err)
	}
}
