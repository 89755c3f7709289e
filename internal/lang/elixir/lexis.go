// Package elixir reads Elixir: modules, protocols, functions and macros, calls with
// and without parentheses, what is aliased, imported, required and used, and what is
// known of the types of variables.
//
// Whatever the text, the spans of declarations lie in it, the text at NameAt is
// the name, and it takes time linear in the text.
package elixir

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// sigils are the kinds of sigils by their opening marks; the first ones have
// expressions and escapes in them.
var sigils = func() (out [2]map[string]*scan.String) {
	for k := range out {
		out[k] = map[string]*scan.String{}
		for _, m := range [][2]string{{`"`, `"`}, {`'`, `'`}, {"/", "/"}, {"|", "|"}, {"(", ")"}, {"[", "]"}, {"{", "}"}, {"<", ">"}} {
			s := &scan.String{Open: m[0], Close: m[1], Escape: '\\', Lines: true}
			if k == 0 {
				s.Interp = "#{"
			}
			out[k][m[0]] = s
		}
	}
	return out
}()

// A lexer reads texts that end with a line of their own. The one that goes on does
// so with an expression at offset at.
type lexer struct {
	at  int
	str *scan.String
}

// special reads comments, such texts, sigils, characters, atoms and the signs that
// names end with.
func (x *lexer) special(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	var next byte
	if len(rest) > 1 {
		next = rest[1]
	}
	switch rest[0] {
	case '#':
		if next == '{' && x.str != nil && x.at == l.Pos {
			str := x.str
			x.str = nil
			l.OpenBracket(2, str)
			return true
		}
		n := scan.LineEnd(rest)
		l.Comment(n)
		return true
	case '"', '\'':
		return x.heredoc(l, 0, true)
	case '~':
		return x.sigil(l, rest)
	case '?':
		if suffix(l, next) {
			return true
		}
		if next == '\\' && len(rest) > 2 {
			l.Emit(scan.Text, 3)
			return true
		}
		n := 2
		for n < len(rest) && next >= 0xc0 && rest[n]&0xc0 == 0x80 {
			n++
		}
		l.Emit(scan.Text, n)
		return true
	case '!':
		return suffix(l, next)
	}
	return atom(l, rest, next)
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

// heredoc reads a text between three quotes at Pos+n.
func (x *lexer) heredoc(l *scan.Lexer, n int, interp bool) bool {
	rest := l.Src[l.Pos+n:]
	if len(rest) < 3 || rest[1] != rest[0] || rest[2] != rest[0] {
		return false
	}
	quote := rest[0]
	end, more := lines(l.Src, l.Pos+n+3, quote, interp)
	l.Emit(scan.Text, end-l.Pos)
	if more {
		str := &scan.String{}
		str.Ends = func(src []byte, from int) int {
			end, more := lines(src, from, quote, interp)
			if more {
				x.at, x.str = end, str
			}
			return end
		}
		l.OpenBracket(2, str)
	}
	return true
}

// lines returns where a text ends that a line of three quotes ends, from offset i
// on, or where an expression begins in it.
func lines(src []byte, i int, quote byte, interp bool) (end int, more bool) {
	for i < len(src) {
		switch c := src[i]; {
		case c == '\\' && interp:
			i++
		case c == '#' && interp && i+1 < len(src) && src[i+1] == '{':
			return i, true
		case c == quote && i+2 < len(src) && src[i+1] == quote && src[i+2] == quote:
			k := i
			for k > 0 && (src[k-1] == ' ' || src[k-1] == '\t') {
				k--
			}
			if k == 0 || src[k-1] == '\n' {
				return i + 3, false
			}
			i += 2
		}
		i++
	}
	return len(src), false
}

func (x *lexer) sigil(l *scan.Lexer, rest []byte) bool {
	k, raw := 1, 0
	for k < len(rest) && (upper(rest[k]) || k > 1 && raw == 1 && rest[k] >= '0' && rest[k] <= '9') {
		raw = 1
		k++
	}
	if k == 1 && k < len(rest) && rest[k] >= 'a' && rest[k] <= 'z' {
		k++
	}
	if k == 1 || k >= len(rest) {
		return false
	}
	if (rest[k] == '"' || rest[k] == '\'') && x.heredoc(l, k, raw == 0) {
		return true
	}
	mark := string(rest[k : k+1])
	s := sigils[raw][mark]
	if s == nil {
		return false
	}
	l.Begin(s, k+len(mark))
	return true
}

// suffix makes a sign part of the name before it.
func suffix(l *scan.Lexer, next byte) bool {
	t, ok := l.Last()
	if !ok || l.Fresh() || t.Kind != scan.Word || int(t.End) != l.Pos || upper(l.Src[t.At]) || next == '=' {
		return false
	}
	if c := l.Src[t.End-1]; c == '?' || c == '!' {
		return false
	}
	last := &l.Toks[len(l.Toks)-1]
	last.End++
	last.Key = 0
	l.Pos++
	return true
}

// atom reads :name, :"a name" and :+.
func atom(l *scan.Lexer, rest []byte, next byte) bool {
	if l.Pos > 0 && (scan.Letter(l.Src[l.Pos-1]) || l.Src[l.Pos-1] == ':') && !l.Fresh() {
		return false // a key, or ::
	}
	switch {
	case next == ':' || next == ' ' || next == '\n':
		return false
	case next == '"' || next == '\'':
		if t, ok := l.Last(); ok && t.Kind == scan.Text && int(t.End) == l.Pos {
			return false
		}
		l.Begin(sigils[0][string(next)], 2)
		return true
	case scan.Letter(next) && (next < '0' || next > '9'):
		k := 2
		for k < len(rest) && (scan.Letter(rest[k]) || rest[k] == '@') {
			k++
		}
		if k < len(rest) && (rest[k] == '?' || rest[k] == '!') {
			k++
		}
		l.Emit(scan.Text, k)
		return true
	}
	k := 1
	for k < len(rest) && k < 5 && isOperator(rest[k]) {
		k++
	}
	if k == 1 {
		return false
	}
	l.Emit(scan.Text, k)
	return true
}

func isOperator(c byte) bool {
	switch c {
	case '+', '-', '*', '/', '<', '>', '=', '!', '&', '|', '^', '~', '.', '@', '\\':
		return true
	}
	return false
}

var grammar = scan.New(scan.Lexis{
	Keywords: `after alias and case catch cond def defdelegate defexception defguard defguardp defimpl defmacro defmacrop defmodule defoverridable defp
defprotocol defstruct do else end false fn for if import in nil not or quote receive require rescue true try unless unquote unquote_splicing
use when with`,
	Strings: []scan.String{
		{Open: `"`, Escape: '\\', Lines: true, Interp: "#{"}, {Open: `'`, Escape: '\\', Lines: true, Interp: "#{"},
	},
	Ops:    []string{"<<", ">>", "<>", "+++", "---", `\\`, "=~", "&&&", "|||", "<<<", ">>>", "<<~", "~>>", "<~", "~>", "<~>", "<|>", "^^^", "//"},
	NotOps: []string{"?.", "??", "??=", ":=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "&&=", "||="},
	At:     "~?!:#\"'",
})

// Read returns the facts of an Elixir text.
func Read(src []byte) corpus.Facts {
	return lexing().Read(src, func(s *scan.Source) {
		f := &file{Source: s}
		f.keys()
		if !f.match(false) {
			s.Out.Missed++
			f.match(true)
		}
		f.read()
	})
}

// lexing is the grammar for one text: its lexer remembers what it has seen.
func lexing() *scan.Grammar {
	g := *grammar
	g.Special = (&lexer{}).special
	return &g
}

// Tokens cuts a source text into its tokens.
func Tokens(src []byte) *scan.Source { return lexing().Tokens(src) }
