package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/graph"
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

// TestCalledWithoutName holds that functions which are called as elements and results are callees and
// callers like others, and that what such calls mean is shown as it is written.
func TestCalledWithoutName(t *testing.T) {
	_, f := project(t, `
-- a.py --
import os

def one(): pass
def two(): return one

table = {"x": one}

def run(name):
    table[name]()
    two()()
    os.environ["HOME"]()
    {"a": name, "b": os}["a"]()
    [name].sort()
`)
	a, err := f.Callees(t.Context(), graph.CallsInput{Function: "run"})
	if err != nil {
		t.Fatal(err)
	}
	flat := strings.Join(strings.Fields(text(t, a)), " ")
	for _, want := range []string{"a.py:9 one a.py:3 exact", "a.py:10 two a.py:4 exact", "a.py:10 one a.py:3 exact", "outside: os.environ[HOME], sort"} {
		if !strings.Contains(flat, want) {
			t.Errorf("want %q in\n%s", want, flat)
		}
	}
	if strings.ContainsAny(flat, "@=") {
		t.Errorf("a chain is shown as it is kept: %s", flat)
	}
	callers, err := f.Callers(t.Context(), graph.CallsInput{Function: "one"})
	if err != nil {
		t.Fatal(err)
	}
	flat = strings.Join(strings.Fields(text(t, callers)), " ")
	if !strings.Contains(flat, "9: table[name]() [in run, exact]") || !strings.Contains(flat, "10: two()() [in run, exact]") {
		t.Errorf("callers are %s", flat)
	}
	symbols, err := f.Define(t.Context(), graph.DefineInput{Name: "a.py:9"})
	if err != nil || len(symbols.Symbols) > 0 {
		t.Errorf("on a line where nothing is called by name, %+v is declared (%v)", symbols, err)
	}
}

// TestCallersOfFields holds that a field, which Haskell calls as a function, is not said to be undeclared.
func TestCallersOfFields(t *testing.T) {
	_, f := project(t, `
-- M.hs --
module M where
data Widget = Widget { render :: Int -> Int }
draw w = render w 1
`)
	a, err := f.Callers(t.Context(), graph.CallsInput{Function: "render"})
	if err != nil {
		t.Fatal(err)
	}
	if flat := strings.Join(strings.Fields(text(t, a)), " "); !strings.Contains(flat, "it is a field, Widget.render in M.hs") || !strings.Contains(flat, "3: draw w = render w 1 [in draw, exact]") {
		t.Errorf("callers of a field are %s", flat)
	}
}
