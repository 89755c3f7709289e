package vault

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/memory/transcript"
)

// The sections of a digest that the next session of its project is told.
const (
	DecidedSection = "Decided"
	OpenSection    = "Open"
)

var (
	// An open point in a sentence, and the line before a list of them.
	leavesOpen = lazy.Regexp(`(?i)\b(still (open|to do|missing|fails?|failing|needs?)|not (yet|done yet)|left to do|remains? (open|to be)|` +
		`to ?do|open (question|point|issue)|next steps?|follow-?up|noch (offen|zu tun|nicht)|offen (ist|sind|bleibt)|nächste schritte)\b|未完了|残って`)
	openList = lazy.Regexp(`(?i)^[#*\s]*(open( points| questions)?|to ?do|next steps?|remaining|left to do|still open|` +
		`offen|offene punkte|nächste schritte|noch zu tun)\b[^.]{0,30}:?[*\s]*$`)
	// A decision that refers to something that was said before it.
	refers    = lazy.Regexp(`(?i)\b(it|that|this|these|those|them|one|first|second|third|former|latter|option|das|dies|die|erste|zweite)\b|\b[1-9]\b`)
	optionOf  = lazy.Regexp(`\b([1-9])\b`)
	optionRow = lazy.Regexp(`^\s*(?:\*\*)?([1-9])[.):]\s+(.*)`)
)

// openPoints returns the open points of the last answer of a session: the lists that are named so, and the sentences
// that say so.
func openPoints(outcome string) (out []string) {
	listed := false
	for line := range strings.SplitSeq(outcome, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case openList.MatchString(line):
			listed = true
			continue
		case line == "":
			continue
		case listed && isPoint(line):
			out = addOnce(out, shorten(strings.TrimLeft(line, "-*+0123456789.) "), maxSaid))
			continue
		}
		listed = false
		for _, said := range sentences(line) {
			if leavesOpen.MatchString(said) {
				out = addOnce(out, shorten(said, maxSaid))
			}
		}
	}
	return out
}

// withAntecedents adds to decisions that refer to something said before, as "Go with 2." does, the option or the
// sentence that they refer to.
func withAntecedents(s *transcript.Session, decided []string) []string {
	out := slices.Clone(decided)
	for i, said := range decided {
		if len(strings.Fields(said)) > maxReferring || !refers.MatchString(said) {
			continue
		}
		if before := antecedent(s, said); before != "" {
			out[i] = shorten(said+" ("+before+")", 2*maxSaid)
		}
	}
	return out
}

// maxReferring is how many words a decision has at most that says nothing by itself.
const maxReferring = 8

// antecedent returns the option that a sentence of a session names by its number, else the last sentence that the
// other one said before it.
func antecedent(s *transcript.Session, said string) string {
	for i, t := range s.Turns {
		at := strings.Index(t.Text, said)
		if at < 0 || i == 0 {
			continue
		}
		before := s.Turns[i-1].Text
		if m := optionOf.FindStringSubmatch(said); m != nil {
			for line := range strings.SplitSeq(before, "\n") {
				if row := optionRow.FindStringSubmatch(line); row != nil && row[1] == m[1] {
					return strings.TrimSpace(row[2])
				}
			}
		}
		if all := sentences(before); len(all) > 0 {
			return all[len(all)-1]
		}
	}
	return ""
}
