// Package lua reads Lua, 5.1 to 5.4 and LuaJIT: functions and what they are
// assigned to, tables, calls, requires, and what is known of the types of names.
//
// Whatever the text, the spans of declarations lie in it, the text at NameAt is
// the name, and it takes time linear in the text.
package lua

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

var grammar = scan.New(scan.Lexis{
	Keywords: `and break do else elseif end false for function if in local nil not or repeat return then true until while`,
	Ops:      []string{"~=", "//", "<<", ">>"},
	NotOps:   []string{"<-", "->", "=>", "?.", "&&", "||", "??", "|>", "&&=", "||=", "??=", "**", "++", "--"},
	Access:   []string{".", ":"},
	Special:  special,
	At:       "-[\"'#",
})

// special reads comments, long strings, and strings, which \z carries over lines.
func special(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	switch rest[0] {
	case '-':
		if len(rest) < 2 || rest[1] != '-' {
			return false
		}
		if n := long(rest[2:]); n > 0 {
			l.Comment(2 + n)
		} else {
			l.Comment(scan.LineEnd(rest))
		}
	case '#':
		if l.Pos > 0 || len(rest) < 2 || rest[1] != '!' {
			return false
		}
		l.Comment(scan.LineEnd(rest))
	case '[':
		n := long(rest)
		if n == 0 {
			return false
		}
		l.Emit(scan.Text, n)
	default:
		l.Emit(scan.Text, quoted(rest))
	}
	return true
}

// long returns the length of the long bracket that b begins with: [[…]], [==[…]==];
// 0 where it begins with none.
func long(b []byte) int {
	if len(b) < 2 || b[0] != '[' {
		return 0
	}
	level := 0
	for 1+level < len(b) && b[1+level] == '=' {
		level++
	}
	if 1+level >= len(b) || b[1+level] != '[' {
		return 0
	}
	end := append(append([]byte{']'}, b[1:1+level]...), ']')
	if n := bytes.Index(b[2+level:], end); n >= 0 {
		return 2 + level + n + len(end)
	}
	return len(b)
}

// quoted returns the length of the string that b begins with.
func quoted(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case b[0]:
			return i + 1
		case '\n':
			return i // never closed: the line is all it can have
		case '\\':
			i++
			if i+1 < len(b) && b[i] == '\r' && b[i+1] == '\n' {
				i++
			}
			if i < len(b) && b[i] == 'z' {
				for i+1 < len(b) && b[i+1] <= ' ' {
					i++
				}
			}
		}
	}
	return len(b)
}

// Read returns the facts of a Lua text.
func Read(src []byte) corpus.Facts {
	return grammar.Read(src, func(s *scan.Source) {
		f := &file{Source: s, annotated: bytes.Contains(src, []byte("---@")) || bytes.Contains(src, []byte("--- @"))}
		if !f.match(false) {
			s.Out.Missed++
			f.match(true)
		}
		f.read()
	})
}

// Tokens cuts a source text into its tokens.
func Tokens(src []byte) *scan.Source { return grammar.Tokens(src) }
