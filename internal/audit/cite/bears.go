package cite

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A Lack is why a quote that stands word for word proves nothing of its claim.
type Lack string

// What a quote may lack.
const (
	Substance Lack = "substance" // words of any program, or a single one
	Relation  Lack = "relation"  // nothing that the claim speaks of
)

// maxAround is how many lines above a quote are read for the blocks that it is in.
const maxAround = 400

// Bears returns what a quote that Verify found at a line lacks to bear on its claim, or
// nothing. It has to have substance, which a keyword has not, and to share a word with
// the claim: itself, by the name of its file, or by the heads of the blocks that it is
// in, because a line of a function is evidence of what that function is called for.
func (c *Checker) Bears(claim Claim, cite Citation, found int) Lack {
	rel, ok := c.within(strings.Replace(cite.Path, "${PROJECT_ROOT}", c.root, 1))
	if !ok {
		return Relation
	}
	src, err := c.read(rel)
	if err != nil || found < 1 || found > len(src.lines) {
		return Relation
	}
	said := claim.words()
	quoted, keywords := terms(cite.Quote)
	whole := joined(src.lines[found-1]) == joined(cite.Quote)
	switch {
	case len(quoted) == 0 && (len(keywords) < 2 || !whole && !allOf(keywords, said)):
		return Substance
	case len(quoted) == 1 && len(keywords) == 0 && !whole && !strings.ContainsFunc(joined(cite.Quote), sign):
		return Substance
	}
	if foreign(claim.Text) || anyOf(append(quoted, keywords...), said) {
		return ""
	}
	if near, _ := terms(filepath.ToSlash(rel) + " " + src.around(found)); anyOf(near, said) {
		return ""
	}
	return Relation
}

// words returns what a claim speaks of: its words without its quotes and places. What
// only labels evidence speaks of its decision.
func (c *Claim) words() []string {
	said := c.Text
	if aside.MatchString(said) {
		_, said, _ = strings.Cut(said, ":")
		said += " " + c.Title
	}
	for _, q := range c.Citations {
		said = strings.Replace(said, joined(q.Quote), " ", 1)
	}
	out, keywords := terms(flag.ReplaceAllString(place.ReplaceAllString(said, " "), " "))
	return append(out, keywords...)
}

// sign reports whether a rune is an operator, a bracket or a blank: part of an
// expression, which a single word is not.
func sign(r rune) bool { return !wordy(r) }

// around returns the lines above a line that are less indented, each than those below
// it: the heads of the blocks that it is in.
func (s *source) around(line int) string {
	var out []string
	depth := indent(s.lines[line-1])
	for i := line - 2; i >= max(0, line-maxAround) && depth > 0; i-- {
		if l := s.lines[i]; strings.TrimSpace(l) != "" && indent(l) < depth {
			depth = indent(l)
			out = append(out, l)
		}
	}
	return strings.Join(out, " ")
}

func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// terms returns the stems of the parts of a text's words, keywords of languages apart.
func terms(s string) (names, keywords []string) {
	text.EachWord(s, func(w []byte) {
		reserved := scan.Reserved(string(w))
		for _, part := range text.Parts(string(w)) {
			low := strings.ToLower(part)
			switch {
			case text.Stop(low):
			case reserved:
				keywords = append(keywords, text.Stem(low))
			case utf8.RuneCountInString(low) > 1 || low[0] >= '0' && low[0] <= '9':
				names = append(names, text.Stem(low))
			}
		}
	})
	return names, keywords
}

func anyOf(of, in []string) bool {
	return slices.ContainsFunc(of, func(w string) bool { return has(in, w) })
}

func allOf(of, in []string) bool {
	return !slices.ContainsFunc(of, func(w string) bool { return !has(in, w) })
}

// has reports whether one of some stems is another's, or shortens it: err and error.
func has(in []string, stem string) bool {
	for _, w := range in {
		short, long := min(len(w), len(stem)), max(len(w), len(stem))
		if w == stem || short >= 3 && short < long && w[:short] == stem[:short] {
			return true
		}
	}
	return false
}

// foreign reports whether a claim is in a script that code hardly has: no word of it
// can be expected there.
func foreign(s string) bool {
	wide, letters := 0, 0
	for _, r := range place.ReplaceAllString(outsideCode(s), " ") {
		if wordy(r) {
			letters++
			if r >= 0x250 {
				wide++
			}
		}
	}
	return 2*wide > letters
}
