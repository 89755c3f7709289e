package syntax

import (
	"bytes"
	"iter"
)

// MayUse reports whether a text may have a use of one of some names; with values, one that is no call. It looks at the bytes
// alone, which costs a hundredth of reading the tokens.
func MayUse(language string, text []byte, names []string, values bool) bool {
	values = values && !callsWithoutBrackets[language]
	maybe := false
	for begin := range FindNames(text, names, values) {
		line := text[bytes.LastIndexByte(text[:begin], '\n')+1 : begin]
		if language != "go" || !bytes.ContainsAny(line, "/\"`*") {
			return true
		}
		maybe = true // it may be in a comment, or in a text in quotes
	}
	if maybe {
		for range FindNames(blanked(text), names, values) {
			return true
		}
	}
	return false
}

// callsWithoutBrackets are the languages in which a bracket behind a function's name does not show a call.
var callsWithoutBrackets = map[string]bool{"haskell": true}

// FindNames yields where some names are in a text; with values, those without the bracket of a call. A name of letters is no part
// of a longer one.
func FindNames(text []byte, names []string, values bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, name := range names {
			if name == "" {
				continue
			}
			first, last := isPart(name[0]), isPart(name[len(name)-1])
			for at := 0; ; {
				i := bytes.Index(text[at:], []byte(name))
				if i < 0 {
					break
				}
				begin, end := at+i, at+i+len(name)
				at = begin + 1
				startsInside := first && begin > 0 && isPart(text[begin-1])
				endsInside := last && end < len(text) && isPart(text[end])
				if startsInside || endsInside {
					continue
				}
				if values && end < len(text) && text[end] == '(' {
					continue
				}
				if !yield(begin) {
					return
				}
			}
		}
	}
}

// isPart reports whether a byte is a part of names in every language.
func isPart(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// blanked returns a Go text with a line's end in the place of each comment, and a quote in that of each
// text in quotes.
func blanked(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		i := 0
		for i < len(text) && !opening[text[i]] {
			i++
		}
		if i == len(text) {
			break
		}
		out = append(out, text[:i]...)
		text = text[i:]
		switch {
		case bytes.HasPrefix(text, []byte("//")):
			out = append(out, '\n')
			text = behind(text[2:], "\n")
		case bytes.HasPrefix(text, []byte("/*")):
			out = append(out, '\n')
			text = behind(text[2:], "*/")
		case text[0] == '/':
			out = append(out, '/')
			text = text[1:]
		case text[0] == '`':
			out = append(out, '"')
			text = behind(text[1:], "`")
		default:
			out = append(out, '"')
			quote := text[0]
			k := 1
			for k < len(text) && text[k] != quote && text[k] != '\n' {
				if text[k] == '\\' {
					k++
				}
				k++
			}
			text = text[min(k+1, len(text)):]
		}
	}
	return append(out, text...)
}

// opening are the bytes that a comment or a text in quotes begins with in Go.
var opening = [256]bool{'"': true, '\'': true, '`': true, '/': true}

// behind returns what is behind the first of an end in a text.
func behind(text []byte, end string) []byte {
	if i := bytes.Index(text, []byte(end)); i >= 0 {
		return text[i+len(end):]
	}
	return nil
}
