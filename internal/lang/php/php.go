// Package php reads PHP, 5 to 8: functions, classes and what they have, calls,
// what is used and included, and what is known of the types of variables. What
// stands outside of <?php … ?> is no code.
//
// Whatever the text, the spans of declarations lie in it, the text at NameAt is
// the name, and it takes time linear in the text.
package php

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

const keywords = `abstract and array as break case catch class clone const continue declare default die do echo else elseif empty enum eval exit extends false
final finally fn for foreach function global goto if implements include include_once instanceof insteadof interface isset list match
namespace new null or print private protected public readonly require require_once return static switch throw trait true try unset use var
while xor yield`

var quoted = scan.String{Open: `"`, Escape: '\\', Lines: true, Interp: "{$"}

var grammar = scan.New(scan.Lexis{
	Block:    [][2]string{{"/*", "*/"}},
	Strings:  []scan.String{{Open: `'`, Escape: '\\', Lines: true}, quoted, {Open: "`", Escape: '\\', Lines: true, Interp: "{$"}},
	Letters:  `$\`,
	Keywords: keywords,
	Cased:    true,
	Ops:      []string{"?->", "<>", "<=>", "<<", ">>", "<<=", ">>=", "**=", ".="},
	NotOps:   []string{"?.", "..", "<-", "|>", ":="},
	Special:  special,
	At:       "/#<?_",
	Access:   []string{"->", "?->", "::"},
})

// special reads comments, which end where the code does, tags and attributes.
func special(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	var next byte
	if len(rest) > 1 {
		next = rest[1]
	}
	switch rest[0] {
	case '/':
		if next != '/' {
			return false
		}
		l.Comment(comment(rest))
	case '#':
		if next == '[' {
			l.OpenBracket(2, nil)
		} else {
			l.Comment(comment(rest))
		}
	case '<':
		n := tag(rest)
		if n == 0 {
			return false
		}
		l.Pos += n
	case '?':
		if next != '>' {
			return false
		}
		l.Emit(scan.Punct, 2)
		l.Pos += code(l.Src[l.Pos:])
	default:
		const halt = "__halt_compiler"
		if len(rest) < len(halt) || next != '_' || !bytes.EqualFold(rest[:len(halt)], []byte(halt)) {
			return false
		}
		l.Emit(scan.Text, len(rest)) // data
	}
	return true
}

// comment returns the length of the comment up to the end of its line.
func comment(b []byte) int {
	b = b[:scan.LineEnd(b)]
	if n := bytes.Index(b, []byte("?>")); n >= 0 {
		return n
	}
	return len(b)
}

// tag returns the length of the opening tag that b begins with, or 0.
func tag(b []byte) int {
	switch {
	case len(b) < 3 || b[0] != '<' || b[1] != '?':
		return 0
	case len(b) >= 5 && bytes.EqualFold(b[2:5], []byte("php")):
		return 5
	case b[2] == '=':
		return 3
	case b[2] == ' ' || b[2] == '\n' || b[2] == '\r' || b[2] == '\t':
		return 2
	}
	return 0
}

// code returns where the next code begins, after its tag.
func code(b []byte) int {
	for at := 0; ; at += 2 {
		n := bytes.Index(b[at:], []byte("<?"))
		if n < 0 {
			return len(b)
		}
		at += n
		if n := tag(b[at:]); n > 0 {
			return at + n
		}
	}
}

// A lexer reads heredocs. How far it looks ahead for their ends is bounded.
type lexer struct{ budget int }

func (x *lexer) special(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	if len(rest) > 3 && rest[0] == '<' && rest[1] == '<' && rest[2] == '<' && (l.Pos == 0 || l.Src[l.Pos-1] != '<') && x.heredoc(l, rest) {
		return true
	}
	return special(l)
}

func (x *lexer) heredoc(l *scan.Lexer, rest []byte) bool {
	k := 3
	for k < len(rest) && (rest[k] == ' ' || rest[k] == '\t') {
		k++
	}
	quote := byte(0)
	if k < len(rest) && (rest[k] == '\'' || rest[k] == '"') {
		quote = rest[k]
		k++
	}
	from := k
	for k < len(rest) && scan.Letter(rest[k]) {
		k++
	}
	label := rest[from:k]
	if quote != 0 && k < len(rest) && rest[k] == quote {
		k++
	}
	if k < len(rest) && rest[k] == '\r' {
		k++
	}
	if len(label) == 0 || label[0] <= '9' || k >= len(rest) || rest[k] != '\n' {
		return false
	}
	body := rest[k:] // from the line's end on
	begin, end := closing(body, label, x.budget)
	if x.budget -= end; x.budget < 0 {
		return false
	}
	if quote == '\'' || begin == end || !bytes.Contains(body[:begin], []byte("{$")) {
		l.Emit(scan.Text, k+end)
		return true
	}
	l.Begin(&scan.String{Open: "<<<", Close: string(body[begin:end]), Escape: '\\', Lines: true, Interp: "{$"}, k)
	return true
}

// closing returns where the line that ends a heredoc begins, with the end of the
// line before, and where its label ends; the end of b twice where there is none.
func closing(b, label []byte, budget int) (begin, end int) {
	if len(b) > budget {
		b = b[:max(budget, 0)]
	}
	for at := 0; at < len(b); {
		n := bytes.Index(b[at:], label)
		if n < 0 {
			break
		}
		begin, at = at+n, at+n+len(label)
		for begin > 0 && (b[begin-1] == ' ' || b[begin-1] == '\t') {
			begin--
		}
		if begin > 0 && b[begin-1] == '\n' && (at == len(b) || !scan.Letter(b[at])) {
			return begin - 1, at
		}
	}
	return len(b), len(b)
}

// Read returns the facts of a PHP text.
func Read(src []byte) corpus.Facts {
	if n := code(src); tag(src) == 0 && n > 0 {
		// What comes before the code is made space.
		text := make([]byte, len(src))
		copy(text[n:], src[n:])
		for i := range text[:n] {
			text[i] = ' '
			if src[i] == '\n' {
				text[i] = '\n'
			}
		}
		src = text
	}
	return lexing(src).Read(src, func(s *scan.Source) {
		f := &file{Source: s, made: -1, expected: -1}
		f.keys()
		f.read()
	})
}

// lexing is the grammar for one text: where it has heredocs, its lexer remembers what it has seen.
func lexing(src []byte) *scan.Grammar {
	if !bytes.Contains(src, []byte("<<<")) {
		return grammar
	}
	own := *grammar
	own.Special = (&lexer{budget: 16 * len(src)}).special
	return &own
}

// Tokens cuts a source text into its tokens.
func Tokens(src []byte) *scan.Source { return lexing(src).Tokens(src) }
