package claims

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A statement without a name is a ghost only where a document lists it among what the program offers.

// frontPage reports whether a document is the README of the project.
func frontPage(p string) bool {
	return !strings.Contains(p, "/") && strings.HasPrefix(strings.ToLower(p), "readme")
}

var featuresPage = lazy.Regexp(`(?i)(^|/)(features?|prd|sdd|requirements|design|architecture|inventory)\.\w+$`)

// titled returns what a title names that the code has no word of, or "".
func (a *Auditor) titled(title string) string {
	k := a.names()
	for _, w := range nounLike.FindAllString(spans.ReplaceAllString(title, " "), -1) {
		if low := strings.ToLower(w); len(w) > 2 && w != low && !generic()[low] && !wellKnown.MatchString(w) && !k.own[fold2(w)] && !a.spoken(w) && !a.spoken(strings.TrimSuffix(low, "s")) && strings.Contains(w[1:], strings.ToLower(w[1:])) {
			return w
		}
	}
	return ""
}

// unsure says why a statement that no code bears out may be none of what the program
// does, or "". One with an id, a story or an item of a checklist is a promise as it is.
func (a *Auditor) unsure(v *Verdict) string {
	front := frontPage(v.Path) || featuresPage.MatchString(v.Path)
	if v.Kind == Requirement || v.Kind == Story || v.Kind == Checklist && front || v.Name != "" || v.Path == "" {
		return ""
	}
	if persuades.MatchString(v.Text) {
		return "it tells what its reader gains"
	}
	// Of what public projects say in sentences without a name that the code has no word of, nothing was found
	// to be wrong (eval/runs/2026-11-27-audit.txt): only a document that is there to say what is to be counts,
	// and a README's list is for a person to look at.
	switch invited := front && senseOf(strings.Split(v.Section, " › ")).invited; {
	case invited && !frontPage(v.Path):
		return ""
	case invited && v.Kind != Heading && v.Kind != Row:
		return little + "the program is to do it: no name in it, and the README lists it"
	}
	if v.Kind == Heading || v.Kind == Row {
		return "a title or a row without a name promises little"
	}
	return "no name in it says that it is the program's, and no list of what the program offers has it"
}
