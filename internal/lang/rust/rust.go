// Package rust reads Rust, up to the edition of 2024: items, what they use, calls
// of functions, methods and macros, and what is known of the types of variables.
//
// Whatever the text, the spans of declarations lie in it and nest, the text at
// NameAt is the name, and it takes time linear in the text.
package rust

import (
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

var grammar = scan.New(scan.Lexis{
	Line:   []string{"//"},
	Block:  [][2]string{{"/*", "*/"}},
	Nested: true,
	Strings: []scan.String{
		{Open: `"`, Escape: '\\', Lines: true},
	},
	Ops:    []string{"..="},
	NotOps: []string{"?.", "<-", "===", "!==", "&&=", "||=", "??", "??=", "++", "--", "|>", "**", ":="},
	Keywords: `as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self
static struct super trait true type unsafe use where while`,
	Special:  special,
	At:       "r'#",
	Prefix:   prefix,
	PrefixAt: "#",
})

// special reads raw names, characters and lifetimes, and the line for the shell.
func special(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	if len(rest) < 3 {
		return false
	}
	switch rest[0] {
	case 'r':
		if n := letters(rest[2:]); rest[1] == '#' && n > 0 && (rest[2] < '0' || rest[2] > '9') {
			l.Pos += 2
			l.Emit(scan.Word, n)
			return true
		}
	case '#':
		if l.Pos == 0 && rest[1] == '!' && rest[2] != '[' {
			n := scan.LineEnd(rest)
			l.Comment(n)
			return true
		}
	case '\'':
		if rest[1] == '\\' {
			l.Begin(&character, 1)
			return true
		}
		if _, n := utf8.DecodeRune(rest[1:]); len(rest) > n+1 && rest[n+1] == '\'' {
			l.Emit(scan.Text, n+2)
			return true
		}
		if n := letters(rest[1:]); n > 0 {
			l.Emit(scan.Text, n+1)
			return true
		}
	}
	return false
}

// letters returns how many bytes of a name b begins with.
func letters(b []byte) int {
	for i, c := range b {
		if c != '_' && c < 0x80 && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return i
		}
	}
	return len(b)
}

var (
	character = scan.String{Open: `'`, Escape: '\\'}
	quoted    = scan.String{Open: `"`, Escape: '\\', Lines: true}
	raw       = scan.String{Open: `"`, Lines: true}
)

// prefix reads strings that a letter or two stand before.
func prefix(l *scan.Lexer, word string) (*scan.String, int, bool) {
	rest := l.Src[l.Pos+len(word):]
	switch word {
	case "b", "c":
		if rest[0] == '"' {
			return &quoted, 1, true
		}
		if rest[0] == '\'' && word == "b" {
			return &character, 1, true
		}
	case "r", "br", "cr":
		n := 0
		for n < len(rest) && rest[n] == '#' {
			n++
		}
		if n < len(rest) && rest[n] == '"' {
			if n == 0 {
				return &raw, 1, true
			}
			return &scan.String{Open: `"`, Close: `"` + strings.Repeat("#", n), Lines: true}, n + 1, true
		}
	}
	return nil, 0, false
}

// Read returns the facts of a Rust text.
func Read(src []byte) corpus.Facts {
	return grammar.Read(src, func(s *scan.Source) {
		f := &file{Source: s}
		f.push(frame{end: len(s.Toks), sort: module, decl: -1, open: -1})
		f.read()
	})
}

// Tokens cuts a source text into its tokens.
func Tokens(src []byte) *scan.Source { return grammar.Tokens(src) }
