package named

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/text"
)

// partsOf returns the words that a name is made of, in small letters.
func partsOf(name string) (out []string) {
	for part := range strings.SplitSeq(name, "-") {
		for _, p := range text.Parts(part) {
			out = append(out, strings.ToLower(p))
		}
	}
	return out
}

// knowsPart reports whether some name of the code is made of a word, or of its plural.
func (w *words) knowsPart(part string) bool {
	if w.parts == nil {
		w.parts = map[string]bool{}
		for name := range w.at {
			for _, p := range partsOf(name) {
				w.parts[p] = true
			}
		}
	}
	return w.parts[part] || w.parts[part+"s"] || w.parts[strings.TrimSuffix(part, "s")]
}

// minPart is how many letters a part of a name has at least that tells a misspelling.
const minPart = 3

// misspells reports whether a name is another one with a part that no name of the code has: what differs is no word of the program.
func (w *words) misspells(name, near string) bool {
	others := partsOf(near)
	unknown := 0
	for _, part := range partsOf(name) {
		if slices.Contains(others, part) {
			continue
		}
		if len(part) < minPart || w.knowsPart(part) {
			return false
		}
		unknown++
	}
	return unknown > 0
}

// isPlural reports whether two names differ in the ending of a plural, of one of their parts.
func isPlural(a, b string) bool {
	if a+"s" == b || b+"s" == a {
		return true
	}
	x, y := partsOf(a), partsOf(b)
	if len(x) != len(y) || len(x) < 2 {
		return false
	}
	plurals := 0
	for i := range x {
		switch {
		case x[i] == y[i]:
		case x[i]+"s" == y[i] || y[i]+"s" == x[i]:
			plurals++
		default:
			return false
		}
	}
	return plurals == 1
}

// A nearName is a name of the program that another probably stands for.
type nearName struct {
	name  string
	at    *Place
	level Level
}

// nearDeclared returns the name that the program declares and that a page probably means by another, or nil. It is an error where the
// name of the page is a misspelling; a lost ending of a plural is a warning.
func (c *checker) nearDeclared(p *page, name string, line int, among group) *nearName {
	if isStandard(name) {
		return nil
	}
	for _, near := range c.words.near(name, program) {
		if foldName(near) == foldName(name) || slices.Contains(among.names, near) {
			continue
		}
		if p.says(near, line) {
			return nil // the page tells of both
		}
		known := p.writes(near) || among.surely()
		at := c.declaration(near)
		if at == nil && known && c.words.uses(near)&inCode != 0 {
			at = c.words.place(near)
		}
		if at == nil {
			continue
		}
		// Names of one word are often words of another program.
		isWhole := isCompound(name) || among.surely() || among.owns(at.Path)
		switch {
		case isWhole && c.words.misspells(name, near) && !p.explains(name, near):
			return &nearName{near, at, Error}
		case isPlural(name, near) && (among.surely() || len(near) > len(name)):
			return &nearName{near, at, Warning}
		}
	}
	return nil
}

// minKnown is how many letters a name has at least that is compared with others without their declarations.
const minKnown = 8

// writes reports whether a page has a long name several times.
func (p *page) writes(name string) bool {
	return len(name) >= minKnown && strings.Count(string(p.file.Text), name) >= 2
}

// explains reports whether a page has a part of a name by which it differs from another as a word of its own: the name is made up of it.
func (p *page) explains(name, near string) bool {
	others, text := partsOf(near), bytes.ToLower(p.file.Text)
	return len(others) > 1 && slices.ContainsFunc(partsOf(name), func(part string) bool {
		return !slices.Contains(others, part) && HasWord(text, part)
	})
}

// HasWord reports whether a text has a word, with no letter, digit or underscore beside it.
func HasWord(text []byte, word string) bool {
	isPart := func(c byte) bool { return isWordByte(c) || c >= utf8.RuneSelf }
	for from := 0; word != ""; {
		at := bytes.Index(text[from:], []byte(word))
		if at < 0 {
			return false
		}
		from += at + len(word)
		if (from == len(word) || !isPart(text[from-len(word)-1])) && (from == len(text) || !isPart(text[from])) {
			return true
		}
	}
	return false
}
