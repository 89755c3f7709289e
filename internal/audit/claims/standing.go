package claims

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/code/rank"
)

// declares returns the places that declare the name that a feature is about: there
// it is, whatever else is said of it.
func (a *Auditor) declares(words []word) []Match {
	if term := subject(words); term != "" {
		return a.stands(term, declared)
	}
	return nil
}

// subject returns the term of the name that a feature is about, or "".
func subject(words []word) string {
	if len(words) == 0 || words[0].weight < weigh().name || !distinct(words[0].term[1:]) {
		return ""
	}
	return words[0].term
}

// leadingChain is a name with what it is of, at the beginning of a text.
var leadingChain = lazy.Regexp("^\\W*(?:\\w+(?:\\.|::|#|->))+(\\w+)")

// chained returns where code declares the end of such a name, or else uses it.
func (a *Auditor) chained(s string) []Match {
	term := chainEnd(s)
	if term == "" {
		return nil
	}
	if out := a.stands(term, declared); out != nil {
		return out
	}
	return a.stands(term, inCode)
}

// chainEnd returns the term of the end of such a name, or "".
func chainEnd(s string) string {
	m := leadingChain.FindStringSubmatch(s)
	if m == nil || !distinct(m[1]) {
		return ""
	}
	return exact(m[1])
}

// stands returns the first place where a term has a role in code of the project.
func (a *Auditor) stands(term string, as role) []Match {
	spot := a.ev.standing(term, as)
	if spot < 0 {
		return nil
	}
	var h Match
	h.stand(a.ev, spot)
	h.measure(rank.ClaimsDeclared, 1)
	return []Match{h}
}

var somePath = lazy.Regexp("`([\\w.@-]+(?:/[\\w.@-]+)+)/?`")

// lies returns the files and folders of code that a text begins with the path of.
func (a *Auditor) lies(s string) []Match {
	m := somePath.FindStringSubmatchIndex(s)
	if m == nil || m[0] > 4 {
		return nil
	}
	// An import path has more before it than the tree knows.
	for p := s[m[2]:m[3]]; ; {
		for _, from := range []string{p, p + "/"} {
			i, _ := slices.BinarySearchFunc(a.Tree.Code, from, func(s Source, p string) int { return strings.Compare(s.Path, p) })
			if i == len(a.Tree.Code) {
				continue
			}
			if at := a.Tree.Code[i].Path; at == p || strings.HasPrefix(at, p+"/") {
				h := Match{Place: Place{at, 1}, Name: p}
				h.measure(rank.ClaimsPath, 1)
				return []Match{h}
			}
		}
		_, rest, ok := strings.Cut(p, "/")
		if !ok || len(rest) < 3 {
			return nil
		}
		p = rest
	}
}

// standing returns the first spot where a term has a role in code of the project, or -1.
func (e *Evidence) standing(term string, as role) int {
	for _, p := range e.posts.Of(term) {
		if role(p.Level()) == as && e.trust[e.spots[p.Place()].file] == 1 {
			return int(p.Place())
		}
	}
	return -1
}
