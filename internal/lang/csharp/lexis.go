package csharp

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

const (
	keywords = `abstract as base case catch class const default delegate else enum event explicit extern fixed for foreach if implicit in interface internal
is lock namespace new operator out override params private protected public readonly ref return sealed sizeof stackalloc static struct
switch this throw typeof unsafe using virtual void volatile while checked unchecked do break continue goto try finally null true false`
	// These are names as well, where they stand for one.
	names = `and async await by equals file from global into join let not on or orderby partial record required scoped select var when where yield
extension`
)

// The sets of keywords that questions are about.
var (
	modifiers = scan.KeySet(`abstract const explicit extern fixed implicit internal new override private protected public readonly ref sealed static
unsafe virtual volatile async file partial required scoped global`)
	access = scan.KeySet("public private protected internal")
	// Before a parenthesis these are not called.
	uncalled = scan.KeySet(`as case catch default delegate else fixed for foreach if in is lock new operator out ref return sizeof stackalloc static
switch throw typeof using void while checked unchecked params readonly do null true false and await by equals from into
join let not on or orderby scoped select var when where yield`)
)

var grammar = scan.New(scan.Lexis{
	Line:  []string{"//"},
	Block: [][2]string{{"/*", "*/"}},
	Strings: []scan.String{
		{Open: `"`, Escape: '\\'},
		{Open: "'", Escape: '\\'},
	},
	// A closing >> is two ends of type arguments.
	Ops:      []string{"??=", "<<="},
	Keywords: keywords,
	Soft:     names,
	Special:  special,
	At:       `"$@#<=>`,
	Access:   []string{".", "?.", "::", "->"},
	Before:   []string{"new", "await", "ref"},
	Postfix:  "!?",
	Generic:  true,
	Casts:    true,
})

// The strings that a table cannot tell by what they begin with.
var (
	verbatim  = &scan.String{Open: `"`, Lines: true, Double: true}
	filled    = &scan.String{Open: `"`, Escape: '\\', Interp: "{", InterpTwice: true}
	filledAll = &scan.String{Open: `"`, Lines: true, Double: true, Interp: "{", InterpTwice: true}
	raw       = &scan.String{Open: `"""`, Lines: true}
	rawFilled = &scan.String{Open: `"""`, Lines: true, Interp: "{"}
)

// special reads strings with marks, names with @, and the lines of the preprocessor.
func special(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	switch rest[0] {
	case '#':
		return directive(l, rest)
	case '<', '=', '>':
		return l.Conflict()
	}
	n, dollars, at := 0, 0, false
	for n < len(rest) && n < 16 && (rest[n] == '$' || rest[n] == '@') {
		if rest[n] == '$' {
			dollars++
		} else {
			at = true
		}
		n++
	}
	quotes := 0
	for n+quotes < len(rest) && rest[n+quotes] == '"' {
		quotes++
	}
	switch {
	case quotes == 0:
		return n == 1 && at && word(l, rest)
	case at:
		l.Begin(pick(dollars > 0, filledAll, verbatim), n+1)
	case quotes >= 3:
		l.Begin(rawString(quotes, dollars), n+quotes)
	case dollars > 0:
		l.Begin(filled, n+1)
	default:
		return false
	}
	return true
}

func pick(first bool, a, b *scan.String) *scan.String {
	if first {
		return a
	}
	return b
}

func rawString(quotes, dollars int) *scan.String {
	switch {
	case quotes == 3 && dollars == 0:
		return raw
	case quotes == 3 && dollars == 1:
		return rawFilled
	}
	return &scan.String{Open: strings.Repeat(`"`, quotes), Lines: true, Interp: strings.Repeat("{", dollars)}
}

// word reads a name that @ keeps from being a keyword.
func word(l *scan.Lexer, rest []byte) bool {
	n := 1
	for n < len(rest) && (rest[n] == '_' || rest[n] >= 0x80 || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z' || n > 1 && rest[n] >= '0' && rest[n] <= '9') {
		n++
	}
	if n == 1 {
		return false
	}
	l.Emit(scan.Word, n)
	return true
}

// directive makes tokens of the lines that choose between texts, and skips others.
func directive(l *scan.Lexer, rest []byte) bool {
	if !l.Fresh() {
		return false
	}
	n := scan.LineEnd(rest)
	if branch(rest[:n]) != other {
		l.Emit(scan.Directive, n)
	} else {
		l.Pos += n
	}
	return true
}

// The kinds of lines that choose.
const (
	other = iota
	opens
	turns
	closes
)

func branch(line []byte) int {
	line = bytes.TrimLeft(line[1:], " \t")
	n := 0
	for n < len(line) && line[n] >= 'a' && line[n] <= 'z' {
		n++
	}
	switch string(line[:n]) {
	case "if":
		return opens
	case "else", "elif":
		return turns
	case "endif":
		return closes
	}
	return other
}

// branches takes the lines that choose out of the tokens.
func (r *reader) branches() {
	outer := -1 // where the outermost choice begins
	r.Choose(false, func(c *scan.Choices, t scan.Token, _ int) {
		switch branch(r.Src[t.At:t.End]) {
		case opens:
			if len(c.Open) == 0 {
				outer = int(t.At)
			}
			c.Begin(scan.Choice{})
		case turns:
			c.Turn()
		case closes:
			if c.End(); len(c.Open) == 0 && outer >= 0 {
				r.chosen = append(r.chosen, corpus.Span{Start: outer, End: int(t.End)})
				outer = -1
			}
		}
	})
	if outer >= 0 {
		r.chosen = append(r.chosen, corpus.Span{Start: outer, End: len(r.Src)})
	}
}
