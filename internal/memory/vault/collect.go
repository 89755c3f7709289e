package vault

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/rank"
)

// Questions that want everything there is about something, not the best of it: "list all decisions about the queue", "how many
// incidents were there". They begin so; "on every commit" within a question is no such word.
var (
	collecting = lazy.Regexp(`(?i)^\s*(?:please\s+|(?:can|could) you\s+|bitte\s+)?(?:` +
		`(?:(?:list|enumerate|show|give|tell|name|collect|find|summari[sz]e|what (?:are|were))\s+(?:me\s+)?)?(?:all|every|each)\b(?:\s+of)?|(?:list|enumerate)\b(?:\s+me)?|` +
		`how (?:many|often)\b|(?:(?:liste|nenne?|zeige?)\s+(?:mir\s+)?)?alle[nrsm]?\b|wie (?:viele|oft)\b)(?:\s+(?:the|our|my|die|der|unsere[nr]?))?\s*`)
	collected = lazy.Regexp(`(?i)^(?:(decisions?|entscheidungen)|(preferences?|vorlieben)|(facts?|fakten)|(?:notes?|notizen|memories|sessions?|times|things|everything))\b(?:\s+(?:that\s+)?(?:about|on|regarding|concerning|for|of|to do with|with|we (?:made|took|have)|zu[rm]?|über|für))*(?:\s+(?:about|on|regarding|concerning|for|the|our))*\s*`)
)

// maxCollected is how many hits a question for everything has that does not say.
const maxCollected = 30

// collects returns what a question for everything is about, and the category of what it wants; false: it is no such question.
func collects(text string) (about, category string, ok bool) {
	at := collecting.FindStringIndex(text)
	if at == nil {
		return text, "", false
	}
	about = text[at[1]:]
	if m := collected.FindStringSubmatchIndex(about); m != nil {
		for i, c := range []string{"decisions", "preferences", "facts"} {
			if m[2*i+2] >= 0 {
				category = c
			}
		}
		about = about[m[1]:]
	}
	if strings.Trim(about, " \t?!.") == "" {
		return text, category, true // about nothing in particular
	}
	return about, category, true
}

// collect chooses what is shown of the candidates, which are in order, where everything is wanted: a hit for each note and each session
// that speaks of it, those of the category that was asked for first. It returns how many there are, shown or not.
func (s *searcher) collect(cs []*candidate) (out []*picked, total int) {
	if len(cs) == 0 {
		return nil, 0
	}
	least := rank.Memory().Constant("collected") * cs[0].evidence
	seen := map[int64]bool{}
	for _, c := range cs {
		if c.evidence < least || c.onlyAsks() || seen[c.file] {
			continue
		}
		seen[c.file] = true
		p := newPicked(c)
		if i := slices.IndexFunc(out, func(o *picked) bool {
			return digests(o.candidate, c) || digests(c, o.candidate) || p.isCopyOf(o)
		}); i >= 0 {
			out[i].addCopy(c)
			continue
		}
		out = append(out, p)
	}
	sorting.Stable(out, func(a, b *picked) int { return s.unwanted(a) - s.unwanted(b) })
	return out[:min(len(out), s.qu.Max)], len(out)
}

// unwanted is 1 for what is not of the category that was asked for.
func (s *searcher) unwanted(p *picked) int {
	if s.category == "" || p.category == s.category {
		return 0
	}
	return 1
}
