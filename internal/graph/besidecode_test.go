package graph_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// TestTestsBesideCode holds that what stands in a test beside the code is a test for every filter, comes after
// the code, and that what is only built without tests is none.
func TestTestsBesideCode(t *testing.T) {
	_, f := project(t, `
-- Cargo.toml --
[package]
name = "t"
-- src/lib.rs --
pub struct Store { items: Vec<String> }

impl Store {
    pub fn put_item(&mut self, item: &str) { self.items.push(item.to_owned()); }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn helper(s: &mut Store) { s.put_item("a"); }
    #[test]
    fn puts() {
        let why = "put_item";
    }
}

#[cfg(not(test))]
pub fn fill(s: &mut Store) { s.put_item("c"); }
`)
	for _, c := range []struct {
		name            string
		tests, noTests  bool
		refs, callers   string
		mentions, names string
	}{
		{"all", false, false, "18 10", "fill tests.helper", "13", "Store.put_item tests.helper tests.puts fill"},
		{"no tests", false, true, "18", "fill", "", "Store.put_item fill"},
		{"tests", true, false, "10", "tests.helper", "13", "tests.helper tests.puts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			filter := graph.Filter{Tests: c.tests, NoTests: c.noTests}
			refs, err := f.Refs(t.Context(), graph.RefsInput{Symbol: "Store.put_item", Filter: filter})
			if err != nil {
				t.Fatal(err)
			}
			var lines, mentions, callers, names []string
			for _, r := range refs.References {
				lines = append(lines, strconv.Itoa(r.Line))
			}
			for _, m := range refs.Mentions.Mentions {
				mentions = append(mentions, strconv.Itoa(m.Line))
			}
			called, err := f.Callers(t.Context(), graph.CallsInput{Function: "Store.put_item", Filter: filter})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range called.Callers {
				callers = append(callers, x.Function)
			}
			list, err := f.Functions(t.Context(), graph.FunctionsInput{Filter: filter})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range list.Functions {
				names = append(names, x.Qualified)
			}
			for _, one := range []struct{ what, got, want string }{
				{"refs", strings.Join(lines, " "), c.refs}, {"callers", strings.Join(callers, " "), c.callers},
				{"mentions", strings.Join(mentions, " "), c.mentions}, {"functions", strings.Join(names, " "), c.names},
			} {
				if one.got != one.want {
					t.Errorf("%s are %q, want %q", one.what, one.got, one.want)
				}
			}
		})
	}
}

// TestManyFilesBesideCode holds that a question without tests may be asked of many files at once.
func TestManyFilesBesideCode(t *testing.T) {
	var tree strings.Builder
	for i := range 60 {
		fmt.Fprintf(&tree, "-- src/m%d.rs --\npub struct S%d;\nimpl S%d { pub fn run(&self) {} }\n#[cfg(test)]\nmod tests { fn helper() {} }\n", i, i, i)
	}
	_, f := project(t, "\n"+tree.String())
	list, err := f.Functions(t.Context(), graph.FunctionsInput{Filter: graph.Filter{NoTests: true, Limit: 100}})
	if err != nil || len(list.Functions) != 60 {
		t.Errorf("%d functions, %v; want 60", len(list.Functions), err)
	}
}
