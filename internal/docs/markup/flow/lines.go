package flow

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// Split cuts text into lines without white space at their ends. Their numbers count from one, or are all num.
func Split[L any](src string, num int, line func(text string, num int) L) []L {
	src = strings.TrimPrefix(src, "\ufeff")
	if !utf8.ValidString(src) {
		src = strings.ToValidUTF8(src, "\ufffd")
	}
	lines := make([]L, 0, strings.Count(src, "\n")+1)
	for src != "" {
		text, rest, _ := strings.Cut(src, "\n")
		src = rest
		lines = append(lines, line(strings.TrimRight(text, " \t\r\f\v"), cmp.Or(num, len(lines)+1)))
	}
	return lines
}
