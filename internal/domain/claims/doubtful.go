package claims

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A statement without a name is a ghost only where a document promises it of the program
// itself, and one word of it tells what should be there.

var (
	// What a sentence begins with that tells its reader what to do, or goes on from one before.
	instructs = lazy.Regexp(`(?i)^\W*(?:this|these|that|those|here|now|then|next|first|finally|open|select|press|click|type|choose|run|add|go|make|create|copy|paste|check|enter|start|stop|put|save|edit|install|write|read|look|try|set|call|pass|define|specify|provide|visit|navigate|configure|enable|disable|remove|delete|replace|change|update|build|deploy|push|pull|follow|bypass|ensure|verify|test|its|their|his|her|\d+\.)\b`)
	since     = lazy.Regexp(`(?i)\bsince (?:version |release )?v?\d|\bin (?:version |release )?v?\d+\.\d`)
	passive   = lazy.Regexp(`(?i)^(?:is|are|can be|may be|gets?|be|also|even|automatically|optionally)\b`)
	// What a sentence says that something goes without.
	spared = lazy.Regexp(`(?i)\b(?:without|never|nor|neither|free (?:of|from)|no need (?:for|of|to))\s[^.;]*$`)
	joined = lazy.Regexp(`(?:,|\b(?:of|in|from|as|for|to|and|or|with))\s+$`)
	// What says that the rest of a sentence is set down, or comes from, elsewhere.
	laidDown = lazy.Regexp(`(?i)\b(?:defined|described|specified|introduced|standardi[sz]ed|documented|outlined|laid down) (?:in|by)\b`)
	saysWhat = lazy.Regexp("^\\W*`?([A-Za-z][\\w.-]*)`? (?:is|are) (?:an?|the|one) ")
	hosted   = lazy.Regexp(`(?i)\b(?:hosted|published|released|available|discussed|announced|external|third.party|plugins?|integration|extension|company|team|customers?|users?|solution|service provider|tutorial|guide|chapter|article)\b`)
)

// frontPage reports whether a document is the README of the project.
func frontPage(p string) bool {
	return !strings.Contains(p, "/") && strings.HasPrefix(strings.ToLower(p), "readme")
}

var featuresPage = lazy.Regexp(`(?i)(^|/)(features?|prd|sdd|requirements|design|architecture|inventory|index|overview)\.\w+$`)

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
	if senseOf(strings.Split(v.Section, " › ")).invited && front {
		return ""
	}
	switch {
	case v.Kind == Heading || v.Kind == Row:
		return "a title or a row without a name promises little"
	case instructs.MatchString(v.Text):
		return "it tells the reader what to do, or goes on from another sentence"
	case since.MatchString(v.Text):
		return "it tells of a version"
	case a.definesOther(v.Text):
		return "it says what something is, and not what the program does"
	case hosted.MatchString(v.Text):
		return "it may speak of what others offer"
	}
	if !frontPage(v.Path) {
		return "beside the README much is said of what is not the program's own"
	}
	tells := a.telling(v.Text)
	switch r, _ := utf8.DecodeRuneInString(v.Text); {
	case len(tells) == 0:
		return "no one word of it tells what should be there"
	case unicode.IsLower(r) && v.Kind == Prose:
		return "it is no sentence"
	}
	if at := strings.LastIndex(v.Section, "› "); at >= 0 {
		if w := a.titled(v.Section[at+len("› "):]); w != "" {
			return "its section is about " + w
		}
	}
	verb := acts.FindStringIndex(v.Text)
	for _, w := range tells {
		at := strings.Index(v.Text, w)
		switch {
		case laidDown.MatchString(v.Text[:at]):
			return "it names " + w + " of what is written elsewhere"
		case spared.MatchString(v.Text[:at]):
			return "it says that it goes without " + w
		case verb != nil && at < verb[0] && !(passive.MatchString(v.Text[verb[0]:]) && joined.MatchString(v.Text[:at])):
			return "its subject is " + w
		case strings.Contains(v.Section, w) || strings.Contains(strings.ToLower(v.Path), strings.ToLower(w)):
			return "its section is about " + w
		case a.says.has(fold(w)) >= Insisting:
			return "the documents speak of " + w + " as of something that is there"
		}
	}
	return ""
}

// definesOther reports whether a sentence says what something is that is not the project.
func (a *Auditor) definesOther(s string) bool {
	m := saysWhat.FindStringSubmatch(s)
	return m != nil && !a.names().own[fold2(m[1])] && !senseless.MatchString(m[1])
}

// senseless are words that a sentence about the project itself may begin with.
var senseless = lazy.Regexp(`(?i)^(?:it|this|there|here|that|these|they|what|which|the|a|an|all|each|every|everything)$`)
