package library

import (
	"github.com/assay-dev/assay/internal/code/rank"
)

// takeTurns orders the snippets that were found for a question in words: sections of prose and declarations in turn, because the
// many short entries of a reference would come before the guide that answers. The section comes first, unless there is much more
// evidence for the declaration; a declaration never comes behind more than one section for which there is less. Snippets that
// are found by a name, by one word or without a declaration keep their order. Scores are dealt out again in the new order.
func (s *search) takeTurns(found []ranked) []ranked {
	if len(s.q.names) > 0 || len(s.q.words) < 2 {
		return found
	}
	scored := 0
	var prose, declared []*ranked
	for ; scored < len(found) && found[scored].s.Score > 0; scored++ {
		if r := &found[scored]; r.declares {
			declared = append(declared, r)
		} else {
			prose = append(prose, r)
		}
	}
	if len(prose) == 0 || len(declared) == 0 {
		return found
	}
	declared = namesakesLast(declared)
	out := make([]ranked, 0, len(found))
	for wasProse := false; len(out) < scored; {
		wasProse = isProseNext(prose, declared, wasProse)
		from := &declared
		if wasProse {
			from = &prose
		}
		next := *(*from)[0]
		*from = (*from)[1:]
		next.s.dealScore(&found[len(out)].s, s.explain)
		out = append(out, next)
	}
	return append(out, found[scored:]...)
}

// namesakesLast puts the declarations of a name, such as overloads and implementations of an interface, after the first of each name.
func namesakesLast(declared []*ranked) []*ranked {
	seen := map[string]bool{}
	var first, again []*ranked
	for _, r := range declared {
		if name := member(r.s.Title); seen[name] {
			again = append(again, r)
		} else {
			seen[name] = true
			first = append(first, r)
		}
	}
	return append(first, again...)
}

// isProseNext reports whether the best section comes before the best declaration that is left; wasProse says that one has just come.
func isProseNext(prose, declared []*ranked, wasProse bool) bool {
	if len(prose) == 0 || len(declared) == 0 {
		return len(declared) == 0
	}
	section, entry := evidenceOf(prose[0].s.Score), evidenceOf(declared[0].s.Score)
	if wasProse {
		return section >= entry
	}
	return section >= entry*rank.Docs().Constant("evidence of a guide")
}

// dealScore gives a snippet the score of the one whose place it takes.
func (s *Snippet) dealScore(before *Snippet, explain bool) {
	if explain && s.Score != before.Score {
		s.Breakdown = rank.Raise(s.Breakdown, before.Breakdown, "guides and declarations in turn")
	}
	s.Score = before.Score
}
