// Package python reads the structure of Python source, of versions 2 and 3 and of
// stubs.
//
// Whatever the text, the spans it returns lie in it and nest, and the text at
// NameAt is the name. It takes time linear in the text.
package python

import (
	"strings"

	"github.com/assay-dev/assay/internal/lang/scan"
)

var grammar = scan.New(scan.Lexis{
	Line: []string{"#"},
	Strings: []scan.String{
		{Open: `"""`, Escape: '\\', Lines: true}, {Open: `'''`, Escape: '\\', Lines: true},
		{Open: `"`, Escape: '\\'}, {Open: `'`, Escape: '\\'},
	},
	Ops:    []string{"<<", ">>", "//", "//=", "**=", "<<=", ">>=", "@="},
	NotOps: []string{"=>", "::", "?.", "&&", "||", "??", "..", "<-", "|>", "===", "!==", "&&=", "||=", "??=", "++", "--"},
	Keywords: `and as assert async await break class continue def del elif else except False=false finally for from global if import in is lambda None=none
nonlocal not or pass raise return True=true try while with yield`,
	Special: special,
	At:      `\:`,
	Prefix:  prefix,
	Access:  []string{"."},
	Before:  []string{"await"},
})

// The kinds of formatted strings by their marks: as they are, and without escapes.
var formatted = [2][4]scan.String{
	{
		{Open: `"""`, Escape: '\\', Lines: true, Interp: "{", InterpTwice: true}, {Open: `'''`, Escape: '\\', Lines: true, Interp: "{", InterpTwice: true},
		{Open: `"`, Escape: '\\', Interp: "{", InterpTwice: true}, {Open: `'`, Escape: '\\', Interp: "{", InterpTwice: true},
	}, {
		{Open: `"""`, Lines: true, Interp: "{", InterpTwice: true}, {Open: `'''`, Lines: true, Interp: "{", InterpTwice: true},
		{Open: `"`, Interp: "{", InterpTwice: true}, {Open: `'`, Interp: "{", InterpTwice: true},
	},
}

var plain = [4]scan.String{
	{Open: `"""`, Escape: '\\', Lines: true}, {Open: `'''`, Escape: '\\', Lines: true},
	{Open: `"`, Escape: '\\'}, {Open: `'`, Escape: '\\'},
}

// prefix says what string the letters before a quote make of it.
func prefix(l *scan.Lexer, word string) (s *scan.String, mark int, ok bool) {
	at := l.Pos + len(word)
	c := l.Src[at]
	if len(word) > 2 || c != '"' && c != '\'' {
		return nil, 0, false
	}
	format := false
	for k := range len(word) {
		switch word[k] | 0x20 {
		case 'r', 'b', 'u':
		case 'f', 't':
			format = true
		default:
			return nil, 0, false
		}
	}
	which := 0
	if c == '\'' {
		which = 1
	}
	mark = 3
	if at+2 >= len(l.Src) || l.Src[at+1] != c || l.Src[at+2] != c {
		which += 2
		mark = 1
	}
	if !format {
		return &plain[which], mark, true
	}
	if bare(l.Src[at+mark:], plain[which].Open) {
		return &formatted[1][which], mark, true
	}
	return &formatted[0][which], mark, true
}

// bare reports whether a formatted string has a backslash before a brace, which
// it does not escape, and none before a quote.
func bare(text []byte, end string) bool {
	found := false
	for k := 0; k < len(text); k++ {
		switch c := text[k]; {
		case c == '\\' && k+1 < len(text):
			k++
			switch text[k] {
			case '{', '}':
				found = true
			case end[0], '\n', '\r':
				return false
			case '\\':
				if k+1 < len(text) && text[k+1] == end[0] {
					return false
				}
				k--
			}
		case c == '\n' && len(end) == 1:
			return found
		case c == end[0] && strings.HasPrefix(string(text[k:min(k+3, len(text))]), end):
			return found
		}
	}
	return found
}

// special joins lines at a backslash, and takes what says how a value in a string
// is formatted, which may hold quotes and number signs, as one sign.
func special(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	if rest[0] == '\\' {
		switch {
		case len(rest) > 1 && rest[1] == '\n':
			l.Pos += 2
		case len(rest) > 2 && rest[1] == '\r' && rest[2] == '\n':
			l.Pos += 3
		default:
			return false
		}
		return true
	}
	odd := false
	for k := 1; k < min(len(rest), 60); k++ {
		switch rest[k] {
		case '\n':
			return false
		case '"', '\'', '#', '\\':
			odd = true
		case '{', '}':
			if !odd || !inText(l) {
				return false
			}
			l.Emit(scan.Punct, k)
			return true
		}
	}
	return false
}

const maxBack = 100 // tokens

// inText reports whether Pos is directly inside an expression of a formatted
// string: one on the same line.
func inText(l *scan.Lexer) bool {
	for k, n := len(l.Toks)-1, 0; k > 0 && n < maxBack; k, n = k-1, n+1 {
		t := &l.Toks[k]
		switch {
		case t.Kind == scan.Close && t.Pair >= 0:
			k = int(t.Pair)
		case t.Kind == scan.Open:
			before := &l.Toks[k-1]
			return l.Src[t.At] == '{' && before.End == t.At && (before.Kind == scan.Text || before.Kind == scan.Close && l.Src[before.At] == '}')
		}
		if t.Line && t.Kind != scan.Close {
			return false
		}
	}
	return false
}
