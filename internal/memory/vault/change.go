package vault

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// A note may say in a sentence that another one is over: it begins as the older one does and names, after
// "no longer" or before "replaced by", the thing that the older one says. Both are required, because of
// notes of one form ("The billing worker uses …", "The mail worker uses …") most words are the same.

// A changeForm is a word of change, and how a clause with it names the matter that is over. A second word of change
// ends what the first begins.
type changeForm struct {
	words []string
	until string
	ends  func(old, before, after []string) bool
}

var changeForms = []changeForm{
	{words: []string{"no", "longer"}, ends: endsWhole},
	{words: []string{"nicht", "mehr"}, ends: endsWhole},
	{words: []string{"replaced", "by"}, ends: endsSubject},
	{words: []string{"instead", "of"}, ends: endsInstead},
	{words: []string{"statt"}, ends: endsInstead},
	{words: []string{"moved", "from"}, until: "to", ends: endsFrom},
	{words: []string{"switched", "from"}, until: "to", ends: endsFrom},
	{words: []string{"migrated", "from"}, until: "to", ends: endsFrom},
	{words: []string{"changed", "from"}, until: "to", ends: endsFrom},
}

// endsWhole is for "S is no longer V": without the word of change it is how the older note begins.
func endsWhole(old, before, after []string) bool {
	over := slices.Concat(before, after)
	return len(over) >= 2 && beginsWith(old, over)
}

// endsSubject is for "S V was replaced by W".
func endsSubject(old, before, _ []string) bool { return len(before) >= 2 && beginsWith(old, before) }

// endsInstead is for "S does W instead of V": the older note says of the same S nothing but V.
func endsInstead(old, before, after []string) bool {
	same := inCommon(old, before)
	if same == len(before) || len(after) == 0 {
		return false
	}
	for n := same; n > 0; n-- { // "port 90 instead of port 80" repeats a word of S
		if beginsWith(old[n:], after) {
			return true
		}
	}
	return false
}

// endsFrom is for "S moved from V to W": the older note begins with S and names V.
func endsFrom(old, before, after []string) bool {
	if len(before) == 0 || len(after) == 0 || !beginsWith(old, before) {
		return false
	}
	for i := len(before); i < len(old); i++ {
		if beginsWith(old[i:], after) {
			return true
		}
	}
	return false
}

// A sentence is a statement of a note as it is compared with those of others.
type sentence struct {
	words   []string   // its stems, without grammar
	clauses [][]string // its folded words, grammar included
}

// sentencesOf divides a text, without its title, into sentences. A line ends one.
func sentencesOf(s string) (out []sentence) {
	clauses := strings.NewReplacer(", ", "\n", ": ", "\n", "; ", "\n", " but ", "\n", " sondern ", "\n")
	for _, said := range sentences(prose(s)) {
		words := foldedWords(said)
		next := sentence{words: contentWords(words, text.Language(words))}
		if len(next.words) == 0 {
			continue
		}
		for clause := range strings.SplitSeq(clauses.Replace(said), "\n") {
			next.clauses = append(next.clauses, foldedWords(clause))
		}
		out = append(out, next)
	}
	return out
}

// endsStatement reports whether one of the clauses says that an older sentence is over.
func (s *sentence) endsStatement(old []string) bool {
	for _, clause := range s.clauses {
		lang := text.Language(clause)
		for _, f := range changeForms {
			before, after, ok := cutWords(clause, f.words...)
			if ok && f.until != "" {
				after, _, ok = cutWords(after, f.until)
			}
			if ok && f.ends(old, contentWords(before, lang), contentWords(after, lang)) {
				return true
			}
		}
	}
	return false
}

func contentWords(words []string, lang int) (out []string) {
	for _, w := range words {
		if !text.Grammar(lang, w) {
			out = append(out, text.English(w))
		}
	}
	return out
}

// cutWords divides words at the first place where some follow each other.
func cutWords(words []string, at ...string) (before, after []string, ok bool) {
	for i := 0; i+len(at) <= len(words); i++ {
		if slices.Equal(words[i:i+len(at)], at) {
			return words[:i], words[i+len(at):], true
		}
	}
	return nil, nil, false
}

func beginsWith(words, start []string) bool { return inCommon(words, start) == len(start) }

// inCommon is how many words two texts begin with alike.
func inCommon(a, b []string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// addChanged adds to the notes that are replaced those of the candidates that a later one says to be over, and
// returns the later ones beside which an older note says more than the sentence that is over.
func addChanged(cs []*candidate, replaced map[string]*succession) (newer map[string]string) {
	newer = map[string]string{}
	sentences := map[*candidate][]sentence{}
	read := func(c *candidate) []sentence {
		said, known := sentences[c]
		if !known {
			said = sentencesOf(c.text)
			sentences[c] = said
		}
		return said
	}
	for _, later := range cs {
		if !later.isDatedNote() || !speaksOfChange(later.text) {
			continue
		}
		said := read(later)
		for _, old := range cs {
			if replaced[old.path] != nil || !old.precedes(later) {
				continue
			}
			had := read(old)
			ends := func(was sentence) bool {
				return slices.ContainsFunc(said, func(s sentence) bool { return s.endsStatement(was.words) })
			}
			switch {
			case !slices.ContainsFunc(had, ends), !old.titleIn(later):
			case len(had) == 1 && old.whole:
				replaced[old.path] = &succession{path: later.path, day: later.when()}
			default:
				newer[old.path] = later.path
			}
		}
	}
	followReplaced(replaced)
	return newer
}

// isDatedNote reports whether a candidate is a note that may be compared in time. The digest of a session is
// of its day.
func (c *candidate) isDatedNote() bool {
	return c.kind == notes && c.session == "" && c.moment() != 0
}

// precedes reports whether a candidate is an earlier note of the same project.
func (c *candidate) precedes(later *candidate) bool {
	return c.isDatedNote() && c.file != later.file && c.project == later.project && c.moment() < later.moment()
}

// titleIn reports whether all words of a note's own title are in a later note: under different titles
// the same sentence is about different things.
func (c *candidate) titleIn(later *candidate) bool {
	title := firstHeading(strings.Split(c.text, "\n"))
	if title == "" {
		return true
	}
	has := foldedWords(later.title + " " + later.text)
	return !slices.ContainsFunc(foldedWords(title), func(w string) bool { return !slices.Contains(has, w) })
}

// speaksOfChange reports whether a text has the longest word of a word of change: a quick test, because most
// have none.
func speaksOfChange(s string) bool {
	low := strings.ToLower(s)
	return slices.ContainsFunc(changeForms, func(f changeForm) bool {
		return strings.Contains(low, slices.MaxFunc(f.words, func(a, b string) int { return cmp.Compare(len(a), len(b)) }))
	})
}
