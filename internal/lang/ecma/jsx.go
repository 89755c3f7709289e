package ecma

import (
	"bytes"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// An element with all that is in it becomes a bracket: its first < is an Open, its
// last > the Close. Between them tags and text are Text tokens, and expressions
// stand in braces. A Text before such a brace remembers what goes on behind it:
// its Pair is the Open, its Key how many elements are open, and whether a tag is.
const (
	inTag    = 0x80
	maxNest  = 0x7e // elements in one another; deeper ones are not told apart
	noMarkup = 2000 // how far to look for what tells types from tags
)

// markup reports whether a < where an operand may begin begins an element, not the
// type parameters of a function.
func markup(rest []byte, ts bool) bool {
	if len(rest) < 2 {
		return false
	}
	if rest[1] == '>' {
		return true
	}
	n := 1
	for n < len(rest) && nameByte(rest[n]) {
		n++
	}
	if n == 1 {
		return false
	}
	if !ts {
		return true
	}
	if len(rest[:n]) == 6 && string(rest[1:n]) == "const" && n < len(rest) && rest[n] == ' ' {
		return false // <const T>
	}
	after := bytes.TrimLeft(rest[n:min(len(rest), n+100)], " \t\r\n")
	switch {
	case len(after) == 0, after[0] == ',', after[0] == '=', bytes.HasPrefix(after, []byte("extends ")):
		return false
	case after[0] == '>' && len(after) > 1 && after[1] == '(':
		return !signature(rest[n+bytes.IndexByte(rest[n:], '>')+1:])
	}
	return true
}

// signature reports whether the parentheses at the beginning of rest are followed
// by an arrow or a type.
func signature(rest []byte) bool {
	depth := 0
	for i, c := range rest[:min(len(rest), noMarkup)] {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				after := bytes.TrimLeft(rest[i+1:], " \t\r\n")
				return len(after) > 1 && (after[0] == ':' || after[0] == '=' && after[1] == '>')
			}
		}
	}
	return false
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '-' || c == '.' || c == ':' || c >= 0x80
}

func beginMarkup(l *scan.Lexer) {
	root := len(l.Toks)
	l.Emit(scan.Open, 1)
	// In a text that ends too early it holds nothing.
	l.Toks[root].Pair = int32(root) + 1
	if l.Pos < len(l.Src) && l.Src[l.Pos] == '>' {
		l.Emit(scan.Text, 1)
		goMarkup(l, root, 1, false, l.Pos)
		return
	}
	goMarkup(l, root, 1, true, l.Pos)
}

// inMarkup goes on with an element after an expression in it.
func inMarkup(l *scan.Lexer) bool {
	t, ok := l.Last()
	if !ok || t.Kind != scan.Close || t.Pair < 1 || l.Src[t.At] != '}' {
		return false
	}
	state := &l.Toks[t.Pair-1]
	if state.Kind != scan.Text || state.Key == 0 {
		return false
	}
	root, key := int(state.Pair), state.Key
	state.Key, state.Pair = 0, -1
	goMarkup(l, root, int(key&^inTag), key&inTag != 0, l.Pos)
	return true
}

// goMarkup reads an element from Pos on, up to its end or to the next expression.
func goMarkup(l *scan.Lexer, root, depth int, tag bool, i int) {
	src := l.Src
	for i < len(src) {
		c := src[i]
		switch {
		case c == '{':
			stop(l, root, depth, tag, i)
			return
		case c == '\n':
			if i++; i < len(src) && statement(src[i:]) {
				// The element was never closed.
				endMarkup(l, root, i, 0)
				return
			}
		case !tag && c == '<' && i+1 < len(src) && src[i+1] == '/':
			n := bytes.IndexByte(src[i:], '>')
			if n < 0 {
				n = len(src) - i - 1
			}
			i += n + 1
			if depth--; depth == 0 {
				endMarkup(l, root, i, 1)
				return
			}
		case !tag && c == '<':
			depth = min(depth+1, maxNest)
			tag = true
			i++
		case tag && c == '>':
			i++
			tag = false
			if src[i-2] == '/' {
				if depth--; depth == 0 {
					endMarkup(l, root, i, 1)
					return
				}
			}
		case tag && (c == '"' || c == '\''):
			n := bytes.IndexByte(src[i+1:], c)
			if n < 0 {
				n = len(src)
			}
			i = min(i+n+2, len(src))
		case tag && c == '<':
			i = typeArguments(src, i)
		case tag && c == '/' && i+1 < len(src) && (src[i+1] == '*' || src[i+1] == '/'):
			n := scan.LineEnd(src[i:])
			if src[i+1] == '*' {
				if n = bytes.Index(src[i+2:], []byte("*/")); n < 0 {
					n = len(src)
				}
				n += 4
			}
			i = min(i+n, len(src))
		default:
			i++
		}
	}
	endMarkup(l, root, len(src), 0)
}

// stop leaves an element for the expression at offset i.
func stop(l *scan.Lexer, root, depth int, tag bool, i int) {
	l.Emit(scan.Text, i-l.Pos)
	t := &l.Toks[len(l.Toks)-1]
	t.Pair, t.Key = int32(root), scan.Key(depth)
	if tag {
		t.Key |= inTag
	}
	l.OpenBracket(1, nil)
}

// endMarkup ends the element before offset i; its Close has n bytes.
func endMarkup(l *scan.Lexer, root, i, n int) {
	if i-n > l.Pos {
		l.Emit(scan.Text, i-n-l.Pos)
	}
	l.Emit(scan.Close, i-l.Pos)
	last := len(l.Toks) - 1
	l.Toks[root].Pair, l.Toks[last].Pair = int32(last), int32(root)
}

// typeArguments returns the offset after the <…> at i in a tag.
func typeArguments(src []byte, i int) int {
	depth := 0
	for k := i; k < min(len(src), i+noMarkup); k++ {
		switch src[k] {
		case '<':
			depth++
		case '>':
			if src[k-1] == '=' {
				continue
			}
			if depth--; depth == 0 {
				return k + 1
			}
		}
	}
	return i + 1
}

// statement reports whether a line is one that no text between tags would be: the
// beginning of a declaration.
func statement(line []byte) bool {
	if len(line) == 0 || line[0] != 'e' && line[0] != 'f' && line[0] != 'c' && line[0] != 'i' {
		return false
	}
	for _, s := range [...]string{"export default ", "export const ", "export function ", "export class ", "export type ", "export interface ", "export async ", "function ", "const ", "class ", "import ", "interface "} {
		if !bytes.HasPrefix(line, []byte(s)) {
			continue
		}
		rest := line[len(s):]
		rest = rest[:scan.LineEnd(rest)]
		return bytes.ContainsAny(rest, "{(='\"")
	}
	return false
}
