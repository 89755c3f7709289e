package zig

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// The words async and await are names since the language has none for them.
const keywords = `addrspace align allowzero and anyframe anytype asm break callconv catch comptime const continue defer else enum errdefer error
export extern fn for if inline linksection noalias noinline nosuspend opaque or orelse packed pub resume return struct suspend switch test
threadlocal try union unreachable usingnamespace var volatile while @import @cImport @cInclude @This`

// builtins are the keywords that are functions.
var builtins = scan.KeySet("@import @cImport @cInclude @This")

var grammar = scan.New(scan.Lexis{
	Line: []string{"//"},
	Strings: []scan.String{
		{Open: `"`, Escape: '\\'},
		{Open: `'`, Escape: '\\'},
	},
	Letters:  "@",
	Ops:      []string{"<<", "+%", "-%", "*%"},
	NotOps:   []string{"?.", "<-", "::", "===", "!==", "&&", "&&=", "||=", "??", "??=", "--", "|>", ":=", "**"},
	Keywords: keywords,
	Special:  special,
	At:       `@.\<=>`,
})

// special reads names in quotes, lines of strings, and what follows a pointer or an
// optional to get at what it holds: that is one sign, ".*" or ".?".
func special(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	if len(rest) < 2 {
		return false
	}
	switch rest[0] {
	case '.':
		if rest[1] == '?' || rest[1] == '*' {
			l.Emit(scan.Punct, 2)
			return true
		}
	case '\\':
		if rest[1] == '\\' {
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.Emit(scan.Text, n)
			return true
		}
	case '@':
		if rest[1] == '"' {
			return quotedName(l, rest)
		}
	default:
		return conflict(l, rest)
	}
	return false
}

// conflict skips a line that marks a conflict of versions: seven signs.
func conflict(l *scan.Lexer, rest []byte) bool {
	if !l.Fresh() || len(rest) < 7 || string(rest[:7]) != strings.Repeat(string(rest[:1]), 7) {
		return false
	}
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		n = len(rest)
	}
	l.Pos += n
	return true
}

// quotedName reads @"…". What could do without the quotes is the name that is in
// them.
func quotedName(l *scan.Lexer, rest []byte) bool {
	plain := true
	for n := 2; n < len(rest) && rest[n] != '\n'; n++ {
		switch c := rest[n]; {
		case c == '\\':
			plain = false
			n++
		case c == '"':
			switch {
			case n == 2:
				return false
			case plain:
				l.Pos += 2
				l.Emit(scan.Word, n-2)
				l.Pos++
			default:
				l.Emit(scan.Word, n+1)
			}
			return true
		case c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9' || n == 2):
			plain = false
		}
	}
	return false
}

// primitive reports whether a name is that of a type of the language, which no
// one constructs.
func primitive(b []byte) bool {
	switch string(b) {
	case "void", "bool", "anyerror", "anyopaque", "noreturn", "type", "usize", "isize":
		return true
	}
	if len(b) < 2 || len(b) > 6 || b[0] != 'u' && b[0] != 'i' && b[0] != 'f' {
		return false
	}
	for _, c := range b[1:] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
