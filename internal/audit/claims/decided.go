package claims

import (
	"context"

	"github.com/assay-dev/assay/internal/code/rank"
)

// Most of what documents promise is in the code, and whoever asks for ghosts wants to know no more of it: the first place
// that is evidence enough ends the search.

// Seek is Judge for who wants what has no code: the class is the one that Judge gives, and of a feature that is Found
// the verdict may have nothing else.
func (a *Auditor) Seek(ctx context.Context, f Feature) (Verdict, error) {
	if f.Name == "" && a.borne(&f) {
		return Verdict{Feature: f, Evidence: []Match{}, Class: Found}, nil
	}
	return a.Judge(ctx, f, "")
}

// borne reports whether the words of a statement suffice to find it. One that is not may be found all the same, by other
// words.
func (a *Auditor) borne(f *Feature) bool {
	words := f.said()
	terms := a.terms(words, false)
	end := chainEnd(f.Text)
	chained := end != "" && (a.ev.standing(end, declared) >= 0 || a.ev.standing(end, inCode) >= 0)
	unnamed := a.unnamed(words, terms) < 1
	if (!unnamed || chained) && a.shown(f, words, terms, chained) || a.settled(f, terms, unnamed) {
		return len(a.refuted(f)) == 0
	}
	return false
}

// settled reports whether settle finds a feature that no place is evidence enough of.
func (a *Auditor) settled(f *Feature, terms []term, unnamed bool) bool {
	if unnamed {
		if at, named := a.byNames(f.Text); named {
			return at.Path != ""
		}
	}
	return a.ev.cover(terms) > 0 && a.agrees(f) // so there is a nearest place
}

// shown reports whether a place is evidence enough of a feature.
func (a *Auditor) shown(f *Feature, words []word, terms []term, chained bool) bool {
	by := rank.Variant{Kind: rank.Question, Meaning: a.near != nil}
	enough := func(signal int, value float64) bool {
		var m measures
		m[signal] = value
		return rank.Claims().Score(by, m.evidence()) >= Enough
	}
	about := subject(words)
	isDeclared := about != "" && a.ev.standing(about, declared) >= 0
	if (chained || isDeclared) && enough(rank.ClaimsDeclared, 1) {
		return true
	}
	if (f.Kind == Prose || f.Kind == Heading || len(a.ev.spots) < weigh().littleCode) && enough(rank.ClaimsProject, a.ev.cover(terms)) {
		return true
	}
	if a.ev.shows(terms, func(score float64) bool { return rank.Claims().Score(by, score) >= Enough }) {
		return true
	}
	if label := labelled(f.Text, words); !chained && !isDeclared && label > 0 && label < len(terms) && len(a.lies(f.Text)) == 0 {
		return a.ev.shows(terms[label:], func(score float64) bool { return enough(rank.ClaimsDescription, score) })
	}
	return false
}

// shows reports whether any spot has enough of the weight of some terms. What is added for a term never makes a score
// less, so that the first spot that has enough ends it.
func (e *Evidence) shows(terms []term, enough func(score float64) bool) bool {
	if len(e.spots) == 0 {
		return false
	}
	s := e.blank(terms)
	defer s.release()
	best := 0.0
	for i := range terms {
		s.add(&terms[i], s.weights[i])
		before := best
		// The best spot of a file is the one that has most in its own lines.
		for _, at := range s.spots {
			best = max(best, s.own(at))
		}
		for _, f := range s.files {
			best = max(best, s.around(f))
		}
		if best > before && enough(min(1, best)) {
			return true
		}
	}
	return false
}
