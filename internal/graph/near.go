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
// letter or two, then those that hold it or that it holds, of either those that say the same
// before it. last takes from a name the part that people remember. one says that the first is
// surely meant: it differs in a letter or two, says the same before it, and is alone in that.
func near(word string, names []string, last func(string) string) (out []string, one bool) {
	type candidate struct {
		name        string
		rank, apart int
	}
	folded := strings.ToLower(last(word))
	before := func(s string) string {
		return strings.Trim(strings.ToLower(s[:max(0, strings.LastIndex(s, last(s)))]), `.:#\/`)
	}
	scope := before(word)
	ends := func(s, end string) bool {
		rest, ok := strings.CutSuffix(s, end)
		return ok && (rest == "" || strings.ContainsAny(rest[len(rest)-1:], `.:#\/`))
	}
	apart := func(n string) int {
		of := before(n)
		if of == scope || scope != "" && of != "" && (ends(of, scope) || ends(scope, of)) {
			return 0
		}
		return 1
	}
	var found []candidate
	seen := map[string]bool{}
	for _, n := range names {
		if n == "" || seen[n] {
			continue
		}
		seen[n] = true
		l := strings.ToLower(last(n))
		if d := typos(folded, l); d >= 0 {
			found = append(found, candidate{n, d, apart(n)})
		} else if d := typos(word, n); d >= 0 {
			found = append(found, candidate{n, d, apart(n)})
		} else if len(folded) > 2 && strings.Contains(l, folded) || len(l) > 3 && strings.Contains(folded, l) {
			found = append(found, candidate{n, 3 + max(len(l)-len(folded), len(folded)-len(l)), apart(n)})
		}
	}
	sorting.Stable(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.apart, b.apart), cmp.Compare(len(a.name), len(b.name)), strings.Compare(a.name, b.name))
	})
	if len(found) > 0 {
		f := found[0]
		one = f.rank < 3 && (f.apart == 0 || scope == "") && (len(found) == 1 || found[1].rank != f.rank || found[1].apart != f.apart)
	}
	for _, c := range found[:min(len(found), mostNear)] {
		out = append(out, c.name)
	}
	return out, one
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
