package library

import (
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/assay-dev/assay/internal/base/text"
)

// A vocabulary turns words into terms, and remembers them. It is for one
// goroutine.
type vocabulary struct{ known map[string][]string }

// maxKnown is how many words are remembered.
const maxKnown = 1 << 16

func newVocabulary() *vocabulary { return &vocabulary{map[string][]string{}} }

// of returns the terms of a word: its stem; or, of one made of several parts, as
// in camelCase and snake_case, the whole without underscores and then the stems of
// its parts, short ones left out.
func (v *vocabulary) of(word []byte) []string {
	if t, ok := v.known[string(word)]; ok {
		return t
	}
	if len(v.known) > maxKnown {
		clear(v.known)
	}
	t := termsOf(string(word))
	v.known[string(word)] = t
	return t
}

// bytesIn returns the memory of s, to be read alone.
func bytesIn(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// A prefixes knows how terms begin. A stem begins as its word does, but for a y that
// becomes an i, so that most words need not be stemmed to know that they are none of a
// few. By the first and the second letter it says which come third; bit 31 says any,
// and so does what ends before.
type prefixes [26][26]uint32

const anyLetter = 1 << 31

func (p *prefixes) add(term string) {
	first, ok := letter(term[0])
	if !ok {
		return // may knows
	}
	second, third := byte(26), byte(26)
	if len(term) > 1 {
		second, _ = letter(term[1])
	}
	if len(term) > 2 {
		third, _ = letter(term[2])
	}
	switch {
	case second == 26:
		for i := range p[first] {
			p[first][i] = anyLetter
		}
	case third == 26:
		p[first][second] |= anyLetter
	default:
		p[first][second] |= 1 << third
	}
}

// letter returns which letter c is, in any case, y as i; or 26 for another byte.
func letter(c byte) (n byte, ok bool) {
	switch c |= 0x20; {
	case c < 'a' || c > 'z':
		return 26, false
	case c == 'y':
		return 'i' - 'a', true
	}
	return c - 'a', true
}

// may reports whether the first term of a word may be one of those added.
func (p *prefixes) may(word []byte) bool {
	first, ok := letter(word[0])
	if !ok || len(word) == 1 {
		return true
	}
	second, ok := letter(word[1])
	if !ok {
		return true
	}
	thirds := p[first][second]
	if thirds == 0 || thirds&anyLetter != 0 || len(word) == 2 {
		return thirds != 0
	}
	third, ok := letter(word[2])
	return !ok || thirds&(1<<third) != 0
}

// compound reports whether a word may have several parts.
func compound(word []byte) bool {
	for i, c := range word {
		if c >= '0' && c <= '9' || c == '_' || c >= utf8.RuneSelf || i > 0 && c >= 'A' && c <= 'Z' {
			return true
		}
	}
	return false
}

func termsOf(word string) []string {
	parts := text.Parts(word)
	whole := fold(strings.ReplaceAll(word, "_", ""))
	if len(parts) <= 1 {
		return []string{text.English(whole)}
	}
	out := []string{whole}
	for _, p := range parts {
		if p = text.English(fold(p)); utf8.RuneCountInString(p) > 1 && p != whole {
			out = append(out, p)
		}
	}
	return out
}

// fold returns s in lower case, and the letters of Western Europe without their
// accents.
func fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(func(r rune) rune {
				if r < 0x300 {
					return plainLetter(unicode.ToLower(r))
				}
				if unicode.Is(unicode.Mn, r) && r < 0x370 {
					return -1
				}
				return unicode.ToLower(r)
			}, s)
		}
	}
	return strings.ToLower(s)
}

func plainLetter(r rune) rune {
	const with, without = "àáâãäåçèéêëìíîïñòóôõöùúûüýÿ", "aaaaaaceeeeiiiinooooouuuuyy"
	if i := strings.IndexRune(with, r); i >= 0 && r >= 0xe0 {
		return rune(without[utf8.RuneCountInString(with[:i])])
	}
	return r
}

// stop reports whether a word, in any case, says nothing of what a question is about.
func stop(word []byte) bool {
	var low [8]byte // no stop word is longer
	if len(word) > len(low) || !stopBegins.may(word) {
		return false
	}
	for i, c := range word {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		low[i] = c
	}
	_, ok := stopWords[string(low[:len(word)])]
	return ok
}

var stopWords = func() map[string]struct{} {
	m := map[string]struct{}{}
	for _, w := range strings.Fields(`
		a about all also am an and any are as at be been being both but by can could did do does doing each either else etc
		ever for from get had has have having he her here his how i if in into is it its just let like may me might more most
		much must my need no not of off on once only or other our out over own please same shall she should show so some such
		than that the their them then there these they this those through to too under until up upon us use used uses using
		very via want was way we were what when where whether which while who whom whose why will with within without would
		you your best explain example examples tell`) {
		m[w] = struct{}{}
	}
	return m
}()

// stopBegins knows how stop words begin.
var stopBegins = func() *prefixes {
	var p prefixes
	for w := range stopWords {
		p.add(w)
	}
	return &p
}()
