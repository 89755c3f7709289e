package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/feature/graph"
)

// TestCallersOutside holds that the calls of a function which the project does not declare
// are listed, and those of one of its own are not among them.
func TestCallersOutside(t *testing.T) {
	_, f := project(t, `
-- go.mod --
module example.com/x

go 1.26
-- a.go --
package x

import (
	"fmt"
	"os"
)

type log struct{}

func (log) Printf(string) {}

func Say() { fmt.Println("x"); fmt.Fprintln(os.Stderr) }

func Two(l log) {
	fmt.Println("y")
	fmt.Printf("z")
	l.Printf("w")
}
-- b.py --
import os

def here():
    return os.path.join("a", "b")

os.path.join("c")
-- c.ts --
console.log(1)
`)
	for name, want := range map[string]string{
		"fmt.Println":   "a.go:12 Say exact, a.go:15 Two exact",
		"Println":       "a.go:12 Say likely, a.go:15 Two likely",
		"fmt.Println()": "a.go:12 Say exact, a.go:15 Two exact",
		"fmt.Printf":    "a.go:16 Two exact",
		"os.path.join":  "b.py:4 here exact, b.py:6 (top level) exact",
		"path.join":     "b.py:4 here exact, b.py:6 (top level) exact",
	} {
		a, err := f.Callers(t.Context(), graph.CallsInput{Function: name})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, c := range a.Callers {
			got = append(got, fmt.Sprintf("%s:%d %s %s", c.File, c.Line, c.Function, c.Confidence))
		}
		if strings.Join(got, ", ") != want || len(a.Definitions) != 0 || !strings.Contains(told(t, a, nil).text, "the project does not declare it") {
			t.Errorf("%s: %s, want %s; %+v", name, strings.Join(got, ", "), want, a)
		}
	}
	if a, err := f.Callers(t.Context(), graph.CallsInput{Function: "Printf"}); err != nil || len(a.Definitions) != 1 || len(a.Callers) != 1 || a.Callers[0].Line != 17 {
		t.Errorf("a method of the project: %+v, %v", a, err)
	}
	for _, name := range []string{"fmt.Nope", "os.Println", "nope"} {
		if _, err := f.Callers(t.Context(), graph.CallsInput{Function: name}); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Of two pages the second goes on where the first ends.
	a, err := f.Callers(t.Context(), graph.CallsInput{Function: "fmt.Println", Filter: graph.Filter{Limit: 1}})
	if err != nil || len(a.Callers) != 1 || a.Page == nil || a.Page.Cursor == "" {
		t.Fatalf("the first page: %+v, %v", a, err)
	}
	a, err = f.Callers(t.Context(), graph.CallsInput{Filter: graph.Filter{Cursor: a.Page.Cursor}})
	if err != nil || len(a.Callers) != 1 || a.Callers[0].Function != "Two" {
		t.Errorf("the second page: %+v, %v", a, err)
	}
}
