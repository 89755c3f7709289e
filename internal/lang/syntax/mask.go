package syntax

import "bytes"

// A lexis says what a language's comments and strings look like.
type lexis struct {
	line   []string // beginnings of comments that end with the line
	block  [][2]string
	nested bool     // block comments nest
	quotes string   // bytes that begin and end a string of one line; \ escapes
	long   []string // marks that begin and end a string of several lines
}

// mask returns a copy of text in which comments and the insides of strings are
// spaces, line breaks kept: words and brackets in it are code.
func (l *lexis) mask(text []byte) []byte {
	out := bytes.Clone(text)
	for i := 0; i < len(text); {
		n, opener := l.skip(text, i)
		if n == 0 {
			i++
			continue
		}
		end := min(i+n, len(text))
		for k := i + opener; k < end; k++ {
			if out[k] != '\n' {
				out[k] = ' '
			}
		}
		i = end
	}
	return out
}

// skip returns how long the comment or string at i is, and how much of it is to
// stay visible: a string's first quote, so that it still counts as a word.
func (l *lexis) skip(text []byte, i int) (n, visible int) {
	rest := text[i:]
	for _, b := range l.block {
		if has(rest, b[0]) {
			return l.blockEnd(rest, b), 0
		}
	}
	for _, c := range l.line {
		if has(rest, c) && (c != "#" || i == 0 || text[i-1] <= ' ' || text[i-1] == ';') {
			if n := bytes.IndexByte(rest, '\n'); n >= 0 {
				return n, 0
			}
			return len(rest), 0
		}
	}
	for _, q := range l.long {
		if has(rest, q) {
			return closed(rest, q), 1
		}
	}
	c := rest[0]
	if bytes.IndexByte([]byte(l.quotes), c) < 0 {
		return 0, 0
	}
	for k := 1; k < len(rest); k++ {
		switch rest[k] {
		case '\\':
			k++
		case '\n':
			return k, 1 // never closed: the line is all it can have
		case c:
			return k + 1, 1
		}
	}
	return len(rest), 1
}

func has(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

func (l *lexis) blockEnd(rest []byte, b [2]string) int {
	depth := 0
	for k := 0; k < len(rest); {
		switch {
		case has(rest[k:], b[0]) && (depth == 0 || l.nested):
			depth++
			k += len(b[0])
		case has(rest[k:], b[1]):
			depth--
			k += len(b[1])
			if depth == 0 {
				return k
			}
		default:
			k++
		}
	}
	return len(rest)
}

func closed(rest []byte, mark string) int {
	for k := len(mark); k < len(rest); k++ {
		if rest[k] == '\\' {
			k++
			continue
		}
		if has(rest[k:], mark) {
			return k + len(mark)
		}
	}
	return len(rest)
}

func word(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}
