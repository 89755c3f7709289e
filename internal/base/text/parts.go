package text

import (
	"unicode"
	"unicode/utf8"
)

// Parts returns the parts of a word: "getURLPath_v2" is get, URL, Path, v, 2.
func Parts(word string) (parts []string) {
	const (
		none = iota
		lower
		upper
		digit
	)
	class := func(r rune) int {
		switch {
		case r == '_':
			return none
		case unicode.IsDigit(r):
			return digit
		case unicode.IsUpper(r):
			return upper
		}
		return lower
	}
	start, last := 0, none
	for i, r := range word {
		c := class(r)
		switch {
		case c == none:
			if i > start {
				parts = append(parts, word[start:i])
			}
			start = i + 1
		case last == none || c == last:
			if c == upper && i > start {
				// HTTPServer: the last capital begins the next part.
				if next, _ := utf8.DecodeRuneInString(word[i+utf8.RuneLen(r):]); class(next) == lower && next != utf8.RuneError {
					parts, start = append(parts, word[start:i]), i
				}
			}
		case last == upper && c == lower:
			// Server: a capital and what follows are one part.
		default:
			if i > start {
				parts = append(parts, word[start:i])
			}
			start = i
		}
		last = c
	}
	if start < len(word) {
		parts = append(parts, word[start:])
	}
	return parts
}
