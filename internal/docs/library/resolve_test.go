package library

import (
	"fmt"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/code/rank"
)

// What fits better comes first, whatever it is trusted; among those that fit alike, trust
// decides, then the words of the query, then the size.
func TestFitting(t *testing.T) {
	var all []Library
	var want []string
	for i, l := range []Library{
		{Title: "reactor"}, {Title: "reactor.js"}, {Title: "reactorkit"}, {Title: "big reactor"}, {Title: "bigreactor"}, {Title: "reactar"}, {Title: "rexctar"},
		{Title: "other", Description: "Not a reactor"},
	} {
		l.ID, l.Trust = fmt.Sprintf("/x/%d", i), float64(i)
		all, want = append(all, l), append(want, l.ID)
	}
	alike := []Library{
		{ID: "/z/4", Title: "turbine"}, {ID: "/z/5", Title: "turbine"}, {ID: "/z/3", Title: "turbine", Snippets: 1},
		{ID: "/z/2", Title: "turbine", Description: "for gas", Snippets: 1}, {ID: "/z/1", Title: "turbine", Trust: 1},
	}
	for name, c := range map[string]struct {
		of   []Library
		want []string
	}{"reactor": {append(all, alike...), want}, "turbine": {alike, []string{"/z/1", "/z/2", "/z/3", "/z/4", "/z/5"}}} {
		slices.Reverse(c.of)
		var got []string
		for _, l := range fitting(c.of, []string{name}, "turn on the gas", rank.NumNames-1, 20) {
			got = append(got, l.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := fitting(all, []string{"reactor"}, "", rank.NumNames-1, 2); len(got) != 2 {
		t.Errorf("%d libraries, want the best 2", len(got))
	}
}
