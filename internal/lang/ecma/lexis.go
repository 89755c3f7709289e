package ecma

import (
	"bytes"

	"github.com/assay-dev/assay/internal/lang/scan"
)

var keywords = `abstract accessor as asserts async await break case catch class const continue debugger declare default delete do else enum export extends
finally for from function get global if implements import in infer instanceof interface is keyof let module namespace new of override
private protected public readonly require return satisfies set static super switch this throw try type typeof unique using var void while
with yield`

var (
	script = scan.New(lexis(special(true, false), everything, false))
	typed  = scan.New(lexis(special(false, true), "/<>=|?#.\xef", true))
	typedX = scan.New(lexis(special(true, true), everything, true))
)

// everything is all bytes that a token may begin with: text between JSX tags goes
// on after an expression in it with any of them.
var everything = func() string {
	b := make([]byte, 0, 256)
	for c := '!'; c < 256; c++ {
		b = append(b, byte(c))
	}
	return string(b)
}()

func lexis(special func(*scan.Lexer) bool, at string, generic bool) scan.Lexis {
	return scan.Lexis{
		Strings: []scan.String{{Open: `"`, Escape: '\\'}, {Open: "'", Escape: '\\'}, {Open: "`", Escape: '\\', Lines: true, Interp: "${"}},
		Letters: `$\`, Ops: []string{"<<", "<<="}, NotOps: []string{"->", "::", ":=", "<-", "|>", ".."},
		Keywords: keywords, Special: special, At: at,
		Before: []string{"new", "await"}, Postfix: "!", Generic: generic, Keys: true,
	}
}

// special reads what depends on the tokens before it: comments, which JSX text
// does not have, regular expressions, and JSX.
func special(jsx, ts bool) func(*scan.Lexer) bool {
	return func(l *scan.Lexer) bool {
		if jsx && inMarkup(l) {
			return true
		}
		rest := l.Src[l.Pos:]
		switch rest[0] {
		case '/':
			return slash(l, rest)
		case '<':
			if l.Conflict() {
				return true
			}
			if bytes.HasPrefix(rest, []byte("<!--")) {
				l.Comment(scan.LineEnd(rest))
				return true
			}
			if jsx && begins(l) && markup(rest, ts) {
				beginMarkup(l)
				return true
			}
		case '=', '>', '|':
			return l.Conflict()
		case '?':
			if len(rest) > 2 && rest[1] == '.' && rest[2] >= '0' && rest[2] <= '9' {
				l.Emit(scan.Punct, 1)
				return true
			}
		case '.':
			if len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9' {
				l.Emit(scan.Number, fraction(rest))
				return true
			}
		case 0xef:
			if bytes.HasPrefix(rest, []byte("\uFEFF")) {
				l.Pos += 3
				return true
			}
		case '#':
			if l.Pos == 0 && len(rest) > 1 && rest[1] == '!' {
				l.Comment(scan.LineEnd(rest))
				return true
			}
			// A private name begins a word but never goes on with one: static#x.
			if n := private(rest); n > 1 {
				l.Emit(scan.Word, n)
				return true
			}
		}
		return false
	}
}

// private returns the length of the private name at the beginning of rest.
func private(rest []byte) int {
	n := 1
	for n < len(rest) && nameByte(rest[n]) && rest[n] != '-' && rest[n] != '.' && rest[n] != ':' {
		n++
	}
	return n
}

// fraction returns the length of the number that begins with a dot.
func fraction(rest []byte) int {
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c >= '0' && c <= '9' || c == '_' || c == 'e' || c == 'E':
		case (c == '-' || c == '+') && (rest[i-1] == 'e' || rest[i-1] == 'E'):
		default:
			return i
		}
	}
	return len(rest)
}

// slash reads a comment or a regular expression; false for a division.
func slash(l *scan.Lexer, rest []byte) bool {
	switch {
	case len(rest) > 1 && rest[1] == '/':
		l.Comment(scan.LineEnd(rest))
		return true
	case len(rest) > 1 && rest[1] == '*':
		n := bytes.Index(rest[2:], []byte("*/"))
		if n < 0 {
			n = len(rest)
		}
		l.Comment(n + 4)
		return true
	}
	if !begins(l) {
		return false
	}
	class := false
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\n':
			return false
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for i++; i < len(rest) && (rest[i] >= 'a' && rest[i] <= 'z' || rest[i] >= 'A' && rest[i] <= 'Z'); {
				i++
			}
			l.Emit(scan.Text, i)
			return true
		}
	}
	return false
}

// begins reports whether an operand may begin after the last token: whether / and
// < are no operators there.
func begins(l *scan.Lexer) bool {
	t, ok := l.Last()
	if !ok {
		return true
	}
	c := l.Src[t.End-1]
	switch t.Kind {
	case scan.Number, scan.Text:
		return false
	case scan.Open:
		return true
	case scan.Word:
		switch t.Key {
		case scan.KReturn, scan.KTypeof, scan.KCase, scan.KDo, scan.KElse, scan.KIn, scan.KOf, scan.KInstanceof, scan.KNew, scan.KDelete, scan.KVoid, scan.KThrow, scan.KYield, scan.KAwait, scan.KDefault, scan.KExtends:
			return !member(l, len(l.Toks)-1)
		}
		return false
	case scan.Close:
		switch c {
		case ')':
			// A condition ends here, or an expression does.
			if t.Pair > 0 {
				switch w := l.Toks[t.Pair-1]; w.Key {
				case scan.KIf, scan.KWhile, scan.KFor, scan.KWith:
					return w.Kind == scan.Word && !member(l, int(t.Pair)-1)
				}
			}
			return false
		case '}':
			return true
		}
		return false
	}
	switch {
	case t.End-t.At == 2 && (c == '+' || c == '-') && l.Src[t.At] == c:
		return false
	case c == '!' && t.End-t.At == 1 && len(l.Toks) > 1:
		// Behind a name it says that it is not null.
		b := l.Toks[len(l.Toks)-2]
		return b.End != t.At || b.Kind != scan.Word && b.Kind != scan.Close || b.Kind == scan.Word && b.Key == scan.KReturn
	}
	return true
}

func member(l *scan.Lexer, i int) bool {
	return i > 0 && l.Src[l.Toks[i-1].End-1] == '.' && l.Toks[i-1].Kind == scan.Punct && l.Toks[i-1].End-l.Toks[i-1].At <= 2
}
