package facts

import (
	"bytes"
	"iter"
)

// uses reports whether a Go text may have a use of one of some names; of functions, one that is
// no call. It looks at the bytes alone, which costs a hundredth of parsing them.
func uses(text []byte, names []string, functions bool) bool {
	doubt := false
	for begin := range named(text, names, functions) {
		line := text[bytes.LastIndexByte(text[:begin], '\n')+1 : begin]
		if !bytes.ContainsAny(line, "/\"`*") {
			return true
		}
		doubt = true // it may be in a comment, or in a text in quotes
	}
	if doubt {
		for range named(blanked(text), names, functions) {
			return true
		}
	}
	return false
}

// named yields where some names are in a text; of functions, those that are no call.
func named(text []byte, names []string, functions bool) iter.Seq[int] {
	part := func(c byte) bool {
		return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return func(yield func(int) bool) {
		for _, name := range names {
			for at := 0; ; {
				i := bytes.Index(text[at:], []byte(name))
				if i < 0 {
					break
				}
				begin := at + i
				at = begin + len(name)
				if begin > 0 && part(text[begin-1]) || at < len(text) && part(text[at]) {
					continue
				}
				if functions && bytes.HasPrefix(bytes.TrimLeft(text[at:], " \t"), []byte("(")) {
					continue
				}
				if !yield(begin) {
					return
				}
			}
		}
	}
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
