package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/testaid"
)

// A piece has its own text and its line, and nothing of what is nested in it; many cost no
// more each than a few.
func TestPieces(t *testing.T) {
	got, top := pieces("a.py", []byte("import os\n\nclass A:\n    \"\"\"Says what.\"\"\"\n    x = 1\n\n    def f(self):\n        return 2\n\n\ny = 3\n"))
	var list []string
	for _, p := range got {
		list = append(list, fmt.Sprintf("%d %s: %s", p.line, p.decl.Name, p.words))
	}
	want := []string{"3 A: class A:  x = 1", "7 f: def f(self): return 2", "11 y: y = 3"}
	if !slices.Equal(list, want) || top != "import os" {
		t.Errorf("%q, top %q; want %q", list, top, want)
	}
	if err := testaid.Linear(8000, func(n int) {
		pieces("a.go", []byte("package p\n"+strings.Repeat("\nfunc f() { g() }\n", n)))
	}); err != nil {
		t.Error(err)
	}
}
