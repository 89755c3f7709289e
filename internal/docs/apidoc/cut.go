package apidoc

import (
	"strings"
	"unicode/utf8"
)

// cutBalanced returns a signature, or where it is longer than most bytes, its beginning with "…" for the rest and with the
// brackets closed that are open there: a reader, and a parser, see where a type ends.
func cutBalanced(s, lang string, most int) string {
	if len(s) <= most {
		return s
	}
	var open []byte
	best, bestOpen := 0, ""
	for i := 0; i < most; i++ {
		if n := quotedLen(s[i:], lang); n > 0 {
			i += n - 1
			continue
		}
		switch c := s[i]; c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case ',', ';', '\n', '|', '&':
			if isReference := c == '&' && i+1 < len(s) && s[i+1] != ' '; isReference {
				continue
			}
			// Far from the beginning the least deep place is best, since most of what is around it stays.
			if i > most/3 && best > most/3 && len(open) > len(bestOpen) {
				continue
			}
			best, bestOpen = i, string(open)
			continue
		default:
			continue
		}
		if best == 0 {
			bestOpen = string(open)
		}
	}
	if best == 0 { // nothing divides it
		best, bestOpen = most, string(open)
		for best > 0 && !utf8.RuneStart(s[best]) {
			best--
		}
	}
	cut := strings.TrimRight(s[:best], " \t\r\n,;|&") + " …"
	for i := len(bestOpen) - 1; i >= 0; i-- {
		cut += map[byte]string{'(': ")", '[': "]", '{': "}"}[bestOpen[i]]
	}
	return cut
}

// isCharacter reports whether an apostrophe begins a text: in Rust and C++ it may begin the name of a lifetime or divide digits.
func isCharacter(s, lang string) bool {
	if lang != "rust" && lang != "cpp" {
		return true
	}
	return len(s) > 2 && (s[2] == '\'' || s[1] == '\\')
}

// quotedLen returns how long the text between quotation marks or the comment is that s begins with, 0 for none.
func quotedLen(s, lang string) int {
	end := func(mark string, from int) int {
		if n := strings.Index(s[from:], mark); n >= 0 {
			return from + n + len(mark)
		}
		return len(s)
	}
	switch {
	case strings.HasPrefix(s, "/*"):
		return end("*/", 2)
	case strings.HasPrefix(s, "//") && lang != "python" && lang != "ruby" && lang != "elixir":
		return end("\n", 2) - 1
	case s[0] == '#' && (lang == "python" || lang == "ruby" || lang == "elixir"):
		return end("\n", 1) - 1
	case s[0] != '"' && s[0] != '\'' && s[0] != '`', s[0] == '\'' && !isCharacter(s, lang):
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == s[0]:
			return i + 1
		case s[i] == '\n' && s[0] != '`':
			return 0 // an apostrophe
		}
	}
	return 0
}
