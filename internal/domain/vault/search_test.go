package vault

import (
	"fmt"
	"slices"
	"testing"
)

// Notes of other projects, however many and however much better they match, do not crowd
// out those of the project that is asked for, nor the note that says the same already.
func TestProjectIsFound(t *testing.T) {
	m := fresh(t, nil)
	for i := range 120 {
		write(t, m, fmt.Sprintf("big/n%d.md", i), fmt.Sprintf("---\nproject: github.com/a/big\n---\n# Valve pressure %d\n\nThe valve pressure of line %d.\n", i, i))
	}
	write(t, m, "small.md", "---\nproject: github.com/a/small\n---\n# Plumbing\n\nAmong many other things that are written about the house, its doors and its windows, there is also a valve.\n")
	write(t, m, "none.md", "# Heating\n\nAmong many other things that are written about the house, its stairs and its cellar, there is also a valve.\n")
	sync1(t, m)
	for _, mode := range []Mode{Hybrid, Words, Meaning} {
		if got := paths(t, m, Query{Text: "valve pressure", Project: "small", Mode: mode}); !slices.Equal(got, []string{"small.md"}) {
			t.Errorf("mode %d: %q", mode, got)
		}
		got := paths(t, m, Query{Text: "valve pressure", Own: "github.com/a/small", Mode: mode})
		if slices.Sort(got); !slices.Equal(got, []string{"none.md", "small.md"}) {
			t.Errorf("mode %d: %q", mode, got)
		}
	}

	const said = "The valve pressure is limited to six bars by the regulator, which is set once a year."
	for i := range 20 {
		keep(t, m, Note{Title: "Valve pressure", Content: fmt.Sprintf("%s Line %d.", said, i), Project: "github.com/a/big"})
	}
	old := keep(t, m, Note{Title: "Limits", Content: said, Project: "github.com/a/small"})
	if s := keep(t, m, Note{Title: "Limits again", Content: "The valve pressure is limited to six bars by the regulator which is set once a year", Project: "github.com/a/small"}); !s.Exists || s.Path != old.Path {
		t.Errorf("%+v, want %s", s, old.Path)
	}
}
