package graph

import (
	"cmp"
	"strings"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
)

// mostNear is how many names an error suggests.
const mostNear = 5

// near returns the names that are like a word, best first: those that differ in a
// letter or two, then those that hold it or that it holds. last takes from a name
// the part that people remember.
func near(word string, names []string, last func(string) string) []string {
	type candidate struct {
		name string
		rank int
	}
	folded := strings.ToLower(last(word))
	var found []candidate
	seen := map[string]bool{}
	for _, n := range names {
		if n == "" || seen[n] {
			continue
		}
		seen[n] = true
		l := strings.ToLower(last(n))
		if d := typos(folded, l); d >= 0 {
			found = append(found, candidate{n, d})
		} else if d := typos(word, n); d >= 0 {
			found = append(found, candidate{n, d})
		} else if len(folded) > 2 && strings.Contains(l, folded) || len(l) > 3 && strings.Contains(folded, l) {
			found = append(found, candidate{n, 3 + max(len(l)-len(folded), len(folded)-len(l))})
		}
	}
	sorting.Stable(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(len(a.name), len(b.name)), strings.Compare(a.name, b.name))
	})
	var out []string
	for _, c := range found[:min(len(found), mostNear)] {
		out = append(out, c.name)
	}
	return out
}

// typos is the distance of two words where it is small for their length, else -1.
func typos(a, b string) int {
	most := min(2, len(a)/3)
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return -1
	}
	if d := text.Distance(a, b); d <= most {
		return d
	}
	return -1
}
