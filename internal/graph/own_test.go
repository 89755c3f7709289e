package graph_test

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// TestMapOfOwn holds that a map is of the program's own code, and of what is copied into it
// or an example where somebody asks about that.
func TestMapOfOwn(t *testing.T) {
	_, f := project(t, `
-- src/a.py --
from vendor.lib import deep

def work():
    return deep()

def again():
    return work()
-- src/b.py --
from src.a import work

def start():
    work()
-- vendor/lib.py --
def deep():
    return low() + low()

def low():
    return 1
-- vendor/more.py --
from vendor.lib import deep, low

def more():
    return deep() + low()
-- examples/show.py --
from src.a import again

def show():
    return again()
`)
	names := func(in graph.MapInput) string {
		m, err := f.Map(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, file := range m.Files {
			for _, s := range file.Symbols {
				out = append(out, s.Name)
			}
		}
		return strings.Join(out, " ")
	}
	if got := names(graph.MapInput{}); strings.Contains(got, "deep") || strings.Contains(got, "show") || !strings.Contains(got, "work") {
		t.Errorf("a map has %s", got)
	}
	if got := names(graph.MapInput{Paths: []string{"vendor"}}); !strings.Contains(got, "deep") {
		t.Errorf("a map of vendor has %s", got)
	}
	if got := names(graph.MapInput{Focus: []string{"low"}}); !strings.Contains(got, "low") {
		t.Errorf("a map around low has %s", got)
	}
}
