package vault

import (
	"bytes"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/text"
)

// windows1252 are the characters of the bytes 0x80 to 0x9f in Windows-1252; 0: none. Those from 0xa0 are Latin-1's.
var windows1252 = [32]rune{'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ'}

// decodeBytes returns a text that is not UTF-8 as UTF-8. It is read as Windows-1252 if none of its characters is one
// of UTF-8 beyond ASCII; else some bytes of it are damaged, and each becomes U+FFFD.
func decodeBytes(raw []byte) []byte {
	for rest := raw; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		undefined := size == 1 && rest[0] >= 0x80 && rest[0] < 0xa0 && windows1252[rest[0]-0x80] == 0
		if size > 1 || undefined || r == 0 {
			return bytes.ToValidUTF8(raw, []byte("\uFFFD"))
		}
		rest = rest[size:]
	}
	out := make([]byte, 0, len(raw)+len(raw)/8)
	for _, b := range raw {
		r := rune(b)
		if b >= 0x80 && b < 0xa0 {
			r = windows1252[b-0x80]
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// otherForm returns the note of the vault whose path is the same in Unicode's other normal form: a Mac writes "é" as
// two characters where others write one. "" where there is none.
func otherForm(vault, rel string, now time.Time) string {
	want, decomposed := markedLetters(rel)
	if !strings.Contains(want, "+") {
		return ""
	}
	l, err := list(vault, now)
	if err != nil {
		return "" // the caller says that the note is not there
	}
	for _, e := range l.entries {
		if has, other := markedLetters(e.path); has == want && other != decomposed {
			return e.path
		}
	}
	return ""
}

// markedLetters returns a text with a + in place of each mark of a letter, and whether marks are characters of their
// own in it.
func markedLetters(s string) (out string, decomposed bool) {
	var b strings.Builder
	for _, r := range s {
		switch folded := text.Fold(string(r)); {
		case folded == "":
			decomposed = true
			b.WriteByte('+')
		case folded != string(unicode.ToLower(r)):
			b.WriteString(folded + "+")
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), decomposed
}
