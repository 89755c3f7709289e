package vault

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/text"
)

// forms appends to dst the forms of a word as text.Words yields it: the whole,
// folded; and of a word made of several parts (camelCase, snake_case, letters and
// digits) each part of two or more characters. The index holds them as they are,
// since FTS5 stems for itself.
func forms(dst []string, word string) []string {
	parts := text.Parts(word)
	whole := fold(strings.ReplaceAll(word, "_", ""))
	dst = append(dst, whole)
	if len(parts) < 2 {
		return dst
	}
	for _, p := range parts {
		if p = fold(p); utf8.RuneCountInString(p) > 1 && p != whole {
			dst = append(dst, p)
		}
	}
	return dst
}

// simple reports whether a word has one form: small letters of ASCII, the first of
// them perhaps a capital.
func simple(w []byte) bool {
	for i, c := range w {
		if (c < 'a' || c > 'z') && (i > 0 || c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// fold returns s in small letters without the marks of Latin letters, as FTS5's
// unicode61 does.
func fold(s string) string {
	plain := true
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	return strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		switch {
		case r < 0xdf:
			return r
		case r <= 0x17f:
			if base := latin[r-0xdf]; base != 0 {
				return base
			}
		case r >= 0x300 && r <= 0x36f: // a mark by itself
			return -1
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

// spell returns s as the index is given it: the forms of its words, separated by
// blanks.
func spell(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	var buf []string
	text.Words([]byte(s), func(w []byte) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if simple(w) {
			if c := w[0]; c <= 'Z' {
				b.WriteByte(c | 0x20)
				w = w[1:]
			}
			b.Write(w)
			return
		}
		buf = forms(buf[:0], string(w))
		for i, f := range buf {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(f)
		}
	})
	return b.String()
}

// A stemmer remembers the stems of forms. It is for one goroutine.
type stemmer map[string]string

func (m stemmer) of(form string) string {
	if s, ok := m[form]; ok {
		return s
	}
	if len(m) > 1<<15 {
		clear(m)
	}
	s := text.English(form)
	m[strings.Clone(form)] = s
	return s
}

func alnumRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func (m stemmer) ofBytes(form []byte) string {
	if s, ok := m[string(form)]; ok {
		return s
	}
	return m.of(string(form))
}
