package graph_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// TestMapFits asks for maps of many sizes: each fits its budget, a larger one shows at
// least as much, and the same question has the same answer.
func TestMapFits(t *testing.T) {
	_, f := project(t, shop)
	last := 0
	for _, tokens := range []int{50, 51, 60, 75, 100, 150, 400, 5000} {
		for _, focus := range [][]string{nil, {"store"}, {"read a key"}} {
			in := graph.MapInput{Tokens: tokens, Focus: focus}
			m, err := f.Map(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if m.Tokens > tokens || m.Shown > m.Total || m.Shown == 0 {
				t.Errorf("%d tokens with focus %q: %d tokens, %d of %d shown", tokens, focus, m.Tokens, m.Shown, m.Total)
			}
			again, err := f.Map(t.Context(), in)
			if err != nil || !reflect.DeepEqual(again, m) {
				t.Errorf("%d tokens with focus %q: another answer the second time: %v\n%+v\n%+v", tokens, focus, err, m, again)
			}
			if focus == nil {
				if m.Shown < last {
					t.Errorf("%d tokens show %d, fewer show %d", tokens, m.Shown, last)
				}
				last = m.Shown
			}
		}
	}
	m, err := f.Map(t.Context(), graph.MapInput{Tokens: 5000})
	if err != nil || m.Shown != m.Total {
		t.Errorf("%d of %d shown where there is room for all: %v", m.Shown, m.Total, err)
	}
	// What other files call comes before what nothing does.
	rank := map[string]float64{}
	for _, file := range m.Files {
		for _, x := range file.Symbols {
			rank[fmt.Sprintf("%s:%s", file.File, x.Name)] = x.Rank
		}
	}
	if rank["store/store.go:Store.Get"] <= rank["server/main.go:unused"] {
		t.Errorf("ranks: %v", rank)
	}
}

// A map shows a type once: what adds to it is a line of its own only where the type is
// declared in another project, and is never called a class.
func TestMapExtensions(t *testing.T) {
	_, f := project(t, `
-- src/lib.rs --
pub struct Recipe { n: u32 }

impl Recipe {
    pub fn n(&self) -> u32 { self.n }
}

impl Drop for Recipe {
    fn drop(&mut self) {}
}
-- src/other.rs --
impl Recipe {
    pub fn twice(&self) -> u32 { self.n() + self.n() }
}

impl Foreign {
    pub fn go(&self) {}
}
`)
	m, err := f.Map(t.Context(), graph.MapInput{Tokens: 1000})
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]int{}
	for _, file := range m.Files {
		for _, x := range file.Symbols {
			if x.Kind != "method" {
				types[x.Signature]++
			}
		}
	}
	if want := map[string]int{"struct Recipe": 1, "impl Foreign": 1}; !reflect.DeepEqual(types, want) {
		t.Errorf("%v, want %v", types, want)
	}
}
