package regex

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A token is what a piece of a pattern is there for.
type token uint8

const (
	itself token = iota // a character that stands for itself, also in a class
	opens               // an opening parenthesis with what belongs to it
	closes
)

// tokens reads a pattern, sound or not, and tells found what it is made of, except
// for what is none of the tokens. It is for telling people about their pattern and
// for smart case; syntax.Parse alone decides what the pattern means.
func tokens(pattern string, found func(at int, kind token, r rune)) {
	class := -1 // where the text of the class begins that pattern[i] is in
	for i := 0; i < len(pattern); {
		r, n := utf8.DecodeRuneInString(pattern[i:])
		rest := pattern[i:]
		switch {
		case strings.HasPrefix(rest, `\Q`) && class < 0:
			text, _, _ := strings.Cut(rest[2:], `\E`)
			for at, r := range text {
				found(i+2+at, itself, r)
			}
			n = min(len(text)+4, len(rest))
		case r == '\\':
			if r, n = escape(rest); r >= 0 {
				found(i, itself, r)
			}
		case class >= 0:
			switch {
			case strings.HasPrefix(rest, "[:") && strings.Contains(rest, ":]"):
				n = strings.Index(rest, ":]") + 2
			case r == ']' && i > class:
				class = -1
			default:
				found(i, itself, r)
			}
		case r == '[':
			if strings.HasPrefix(rest, "[^") {
				n = 2
			}
			class = i + n
		case r == '(':
			n = groupHead(rest)
			found(i, opens, r)
		case r == ')':
			found(i, closes, r)
		case !strings.ContainsRune(`|*+?.^$`, r):
			found(i, itself, r)
		}
		i += n
	}
}

// escape reads the escape at the start of s: the character it stands for, or -1 if
// it is a class or an assertion, and its length.
func escape(s string) (rune, int) {
	if len(s) < 2 {
		return -1, len(s)
	}
	r, n := utf8.DecodeRuneInString(s[1:])
	n++
	switch {
	case r == 'p' || r == 'P':
		if strings.HasPrefix(s[n:], "{") {
			if i := strings.IndexByte(s, '}'); i >= 0 {
				return -1, i + 1
			}
		}
		_, m := utf8.DecodeRuneInString(s[n:])
		return -1, n + m
	case r == 'x':
		digits := s[n:min(n+2, len(s))]
		if strings.HasPrefix(s[n:], "{") {
			text, _, ok := strings.Cut(s[n+1:], "}")
			if !ok {
				return -1, n
			}
			digits, n = text, n+2
		}
		if v, err := strconv.ParseUint(digits, 16, 31); err == nil {
			return rune(v), n + len(digits)
		}
		return -1, n
	case r < utf8.RuneSelf && ('a' <= r|0x20 && r|0x20 <= 'z'):
		return -1, n
	}
	return r, n
}

// groupHead returns the length of an opening parenthesis with its name or flags.
func groupHead(s string) int {
	if !strings.HasPrefix(s, "(?") {
		return 1
	}
	end := ":)"
	if strings.HasPrefix(s, "(?P<") || strings.HasPrefix(s, "(?<") && !strings.HasPrefix(s, "(?<=") && !strings.HasPrefix(s, "(?<!") {
		end = ">"
	}
	i := strings.IndexAny(s, end)
	if i < 0 {
		return 2
	}
	if s[i] == ')' {
		return i // (?i) opens and closes
	}
	return i + 1
}
