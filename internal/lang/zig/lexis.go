package zig

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
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
			n := scan.LineEnd(rest)
			l.Emit(scan.Text, n)
			return true
		}
	case '@':
		if rest[1] == '"' {
			return quotedName(l, rest)
		}
	default:
		return l.Conflict()
	}
	return false
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
	return !slices.ContainsFunc(b[1:], func(c byte) bool { return c < '0' || c > '9' })
}

// imported returns the token after @import(…) and the members of that, at token
// value, where that is all of a statement; -1 where it is not.
func (r *reader) imported(value int) int {
	if key := r.Key(value); key != scan.KAtImport && key != scan.KAtCImport || !r.Opens(value+1, '(') {
		return -1
	}
	k := r.Past(value + 1)
	for n := 0; r.Sign(k, '.') && r.Name(k+1) && n < maxChain; n++ {
		k += 2
	}
	if r.Sign(k, ';') || k >= len(r.Toks) {
		return k
	}
	return -1
}

// imports reads @import("…") or @cInclude("…") at token i.
func (r *reader) imports(i int) {
	text := i + 2
	if !r.Opens(i+1, '(') || r.Kind(text) != scan.Text || text >= len(r.Toks) || r.End(text)-r.At(text) < 3 || r.Src[r.At(text)] != '"' {
		return
	}
	m := corpus.Import{Path: strings.Trim(r.Str(text), `"`), At: r.At(text) + 1}
	if m.Path == "" {
		return
	}
	m.Kind.AddIf(r.depth > 0, corpus.Conditional)
	switch {
	case r.Key(i) == scan.KAtCInclude:
		m.Kind |= corpus.System
		if i < r.included {
			m.Alias = r.includer
		}
	case i == r.value && r.constant < 0: // usingnamespace
		m.Kind |= corpus.Reexport
		m.Names = []corpus.Name{{Name: "*"}}
	default:
		r.alias(&m, i)
	}
	m.Kind.AddIf(strings.HasSuffix(m.Path, ".zig") || strings.HasSuffix(m.Path, ".zon"), corpus.Relative)
	r.Out.Imports = append(r.Out.Imports, m)
}

// alias says what is taken of the import at token i, and by what name it is known.
func (r *reader) alias(m *corpus.Import, i int) {
	first := r.Past(i+1) + 1
	taken := r.Sign(first-1, '.') && r.Name(first)
	if taken {
		m.Names = []corpus.Name{{Name: r.Str(first)}}
	}
	end := -1
	if i == r.value {
		end = r.imported(i)
	}
	if end < 0 {
		return
	}
	if _, exported, _ := r.start(r.constant - 1); exported {
		m.Kind |= corpus.Reexport
	}
	switch name := r.Str(r.constant); {
	case !taken:
		m.Alias = name
	case first+1 < end: // a member of what is taken
		chain, _ := r.chain(first, 0)
		r.bind(r.constant, "", chain, 0)
	case name != m.Names[0].Name:
		m.Names[0].Alias = name
	}
}
