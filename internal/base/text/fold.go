package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold returns s in small letters without the marks of Latin letters, as FTS5's
// unicode61 does.
func Fold(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' {
			return toLower(s, true, false)
		}
	}
	return s
}

// toLower returns s in small letters, without marks if plain is set.
func toLower(s string, plain, noUnderscores bool) string {
	return strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		switch {
		case r == '_' && noUnderscores, plain && r >= 0x300 && r <= 0x36f: // a mark by itself
			return -1
		case plain && r >= 0xdf && r <= 0x17f:
			if base := latin[r-0xdf]; base != 0 {
				return base
			}
		}
		return r
	}, s)
}

// latin is the letter without its marks of each letter from ß on; 0: itself.
var latin = func() (t [0x17f - 0xdf + 1]rune) {
	for base, marked := range map[rune]string{
		'a': "àáâãäåāăą", 'c': "çćĉċč", 'd': "ďđ", 'e': "èéêëēĕėęě", 'g': "ĝğġģ", 'h': "ĥħ", 'i': "ìíîïĩīĭįı", 'j': "ĵ", 'k': "ķ",
		'l': "ĺļľŀł", 'n': "ñńņňŉ", 'o': "òóôõöøōŏő", 'r': "ŕŗř", 's': "śŝşš", 't': "ţťŧ", 'u': "ùúûüũūŭůűų", 'w': "ŵ", 'y': "ýÿŷ", 'z': "źżž",
	} {
		for _, r := range marked {
			t[r-0xdf] = base
		}
	}
	return t
}()

// Letters returns the letters and digits of a text, in small letters: of a heading and of a link to it, they are the part that no forge changes.
func Letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
