// Package ruby reads Ruby: classes, modules and methods, calls with and without
// parentheses, what is required, and what is known of the types of variables.
//
// Whatever the text, the spans of declarations lie in it, the text at NameAt is
// the name, and it takes time linear in the text.
package ruby

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A lexer reads what depends on what came before: strings, heredocs, regular
// expressions, names that end with a sign.
type lexer struct {
	budget int // how far heredocs may look ahead for their ends
	// str goes on with an expression at offset at; the bodies of heredocs have
	// theirs further below.
	at     int
	str    *scan.String
	bodies map[int]*scan.String
	own    bool // the lexer's text is a copy, without the bodies of heredocs
	// The bodies of the heredocs on the line that ends at eol reach to body.
	eol, body int
}

func (x *lexer) special(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	var next byte
	if len(rest) > 1 {
		next = rest[1]
	}
	switch rest[0] {
	case '"', '`':
		if rest[0] == '`' && after(l, scan.KDef) {
			return false
		}
		x.literal(l, 1, &text{open: rest[0], close: rest[0], interp: true})
	case '\'':
		x.literal(l, 1, &text{open: '\'', close: '\''})
	case '/':
		return x.regexp(l, rest)
	case '%':
		return x.percent(l, rest)
	case '<':
		return next == '<' && x.heredoc(l, rest)
	case ':':
		return x.symbol(l, rest, next)
	case '?':
		return suffix(l, rest, next) || character(l, rest, next)
	case '!':
		return suffix(l, rest, next)
	case '=':
		return documentation(l, rest)
	case '#':
		if next == '{' && x.resumed(l) {
			return true
		}
		l.Comment(scan.LineEnd(rest))
	case '$':
		return global(l, next)
	case '\\':
		switch next {
		case '\n':
			l.Pos += 2
		case '\r':
			l.Pos += min(3, len(rest))
		default:
			return false
		}
	default:
		if next != '_' || !line(l, rest, "__END__") {
			return false
		}
		l.Emit(scan.Text, len(rest))
	}
	return true
}

// line reports whether a line is this word alone.
func line(l *scan.Lexer, rest []byte, word string) bool {
	if l.Pos > 0 && l.Src[l.Pos-1] != '\n' || !bytes.HasPrefix(rest, []byte(word)) {
		return false
	}
	return len(rest) == len(word) || rest[len(word)] == '\n' || rest[len(word)] == '\r'
}

// documentation reads =begin … =end.
func documentation(l *scan.Lexer, rest []byte) bool {
	if l.Pos > 0 && l.Src[l.Pos-1] != '\n' || !bytes.HasPrefix(rest, []byte("=begin")) {
		return false
	}
	n := bytes.Index(rest, []byte("\n=end"))
	if n < 0 {
		n = len(rest) - 1
	}
	l.Comment(n + 1 + scan.LineEnd(rest[n+1:]))
	return true
}

// global reads a variable like $! and $-w.
func global(l *scan.Lexer, next byte) bool {
	switch {
	case next == '-':
		l.Emit(scan.Word, 3)
	case next != 0 && strings.IndexByte("~*$?!@/\\;,.=:\"&`'+<>", next) >= 0:
		l.Emit(scan.Word, 2)
	default:
		return false
	}
	return true
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0 }

// after reports whether the token before is a keyword.
func after(l *scan.Lexer, key scan.Key) bool {
	t, ok := l.Last()
	return ok && t.Key == key
}

type place uint8

const (
	operator place = iota
	operand
	either // behind the name of a method, or of a variable
)

// stands says what can stand at Pos.
func stands(l *scan.Lexer) place {
	t, ok := l.Last()
	if !ok || l.Fresh() {
		return operand
	}
	switch t.Kind {
	case scan.Number, scan.Text, scan.Close:
		return operator
	case scan.Open:
		return operand
	case scan.Punct:
		if c := l.Src[t.End-1]; c == '.' && (t.End-t.At == 1 || l.Src[t.At] == '&') {
			return operator // the name of a method comes
		}
		return operand
	}
	if named(l) {
		return either
	}
	switch t.Key {
	case 0:
		if c := l.Src[t.At]; c == '@' || c == '$' {
			return operator
		}
		return either
	case scan.KEnd, scan.KSelf, scan.KTrue, scan.KFalse, scan.KNil, scan.KFileName, scan.KLineNumber, scan.KDef, scan.KRedo, scan.KRetry:
		return operator
	case scan.KYield, scan.KSuper, scan.KDefined:
		return either
	}
	return operand
}

// named reports whether the token before is the name of a method.
func named(l *scan.Lexer) bool {
	n := len(l.Toks) - 2
	if n < 0 {
		return false
	}
	p := l.Toks[n]
	return p.Key == scan.KDef || p.Kind == scan.Punct && l.Src[p.End-1] == '.' && (p.End-p.At == 1 || l.Src[p.At] == '&')
}

// begins reports whether a literal may begin at Pos with a sign that may be an
// operator too.
func begins(l *scan.Lexer, next byte) bool {
	switch stands(l) {
	case operand:
		return !after(l, scan.KAlias)
	case either:
		return l.Pos > 0 && blank(l.Src[l.Pos-1]) && !blank(next) && next != '='
	}
	return false
}

// A text is a literal under way.
type text struct {
	open, close byte
	depth       int // of brackets inside
	interp      bool
	flags       bool // letters may follow the close
}

// read reads on from offset i and returns where it ends, or where an expression
// begins in it.
func (t *text) read(src []byte, i int) (end int, more bool) {
	for i < len(src) {
		switch c := src[i]; {
		case c == '\\':
			i += 2
			continue
		case c == t.close && t.depth == 0:
			i++
			for t.flags && i < len(src) && src[i] >= 'a' && src[i] <= 'z' {
				i++
			}
			return i, false
		case c == t.close:
			t.depth--
		case c == t.open:
			t.depth++
		case c == '#' && t.interp && i+1 < len(src) && src[i+1] == '{':
			return i, true
		}
		i++
	}
	return len(src), false
}

// literal reads a literal at Pos whose opening mark is n bytes.
func (x *lexer) literal(l *scan.Lexer, n int, t *text) {
	end, more := t.read(l.Src, l.Pos+n)
	l.Emit(scan.Text, end-l.Pos)
	if more {
		str := &scan.String{}
		str.Ends = func(src []byte, from int) int {
			end, more := t.read(src, from)
			if more {
				x.at, x.str = end, str
			}
			return end
		}
		l.OpenBracket(2, str)
	}
}

// resumed opens the expression at Pos of a string that goes on.
func (x *lexer) resumed(l *scan.Lexer) bool {
	if x.str != nil && x.at == l.Pos {
		str := x.str
		x.str = nil
		l.OpenBracket(2, str)
		return true
	}
	if str := x.bodies[l.Pos]; str != nil {
		l.OpenBracket(2, str)
		return true
	}
	return false
}

func (x *lexer) regexp(l *scan.Lexer, rest []byte) bool {
	var next byte
	if len(rest) > 1 {
		next = rest[1]
	}
	if !begins(l, next) {
		return false
	}
	if stands(l) == either {
		// It may divide a variable: then its line has no other.
		if n := bytes.IndexByte(rest[1:], '/'); n < 0 || n > scan.LineEnd(rest[1:]) {
			return false
		}
	}
	x.literal(l, 1, &text{open: '/', close: '/', interp: true, flags: true})
	return true
}

// percent reads %w[…], %q(…), %r{…}, %(…) and other literals that begin with %.
func (x *lexer) percent(l *scan.Lexer, rest []byte) bool {
	if len(rest) < 3 || !begins(l, rest[1]) {
		return false
	}
	kind, n := byte('Q'), 2
	if c := rest[1]; strings.IndexByte("wWiIqQrxs", c) >= 0 && !scan.Letter(rest[2]) && !blank(rest[2]) {
		kind, n = c, 3
	} else if scan.Letter(c) || blank(c) || c == '=' && stands(l) != operand {
		return false
	}
	t := &text{open: rest[n-1], close: rest[n-1], interp: strings.IndexByte("WIQrx", kind) >= 0, flags: kind == 'r'}
	if k := strings.IndexByte("([{<", t.open); k >= 0 {
		t.close = ")]}>"[k]
	}
	x.literal(l, n, t)
	return true
}

// suffix makes a sign part of the name before it.
func suffix(l *scan.Lexer, rest []byte, next byte) bool {
	t, ok := l.Last()
	if !ok || l.Fresh() || t.Kind != scan.Word || int(t.End) != l.Pos || t.At == t.End {
		return false
	}
	last := &l.Toks[len(l.Toks)-1]
	if next == '=' && (len(rest) < 3 || rest[2] != '=' && rest[2] != '~' && rest[2] != '>') {
		return false
	}
	if c := l.Src[t.At]; c == '@' || c == '$' || upper(c) && !named(l) {
		return false
	}
	if c := l.Src[t.End-1]; c == '?' || c == '!' {
		return false
	}
	last.End++
	if last.Key != scan.KDefined || rest[0] != '?' {
		last.Key = 0
	}
	l.Pos++
	return true
}

// character reads ?a.
func character(l *scan.Lexer, rest []byte, next byte) bool {
	if blank(next) || !begins(l, next) {
		return false
	}
	_, n := utf8.DecodeRune(rest[1:])
	if next == '\\' {
		for n = 2; 1+n < len(rest) && (scan.Letter(rest[1+n]) || rest[1+n] == '-'); n++ {
		}
	} else if 1+n < len(rest) && scan.Letter(rest[1+n]) {
		return false
	}
	l.Emit(scan.Text, 1+n)
	return true
}

// aliased reports whether the second name of an alias comes.
func aliased(l *scan.Lexer) bool {
	n := len(l.Toks) - 2
	return n >= 0 && l.Toks[n].Key == scan.KAlias && !l.Fresh()
}

var operators = []string{"[]=", "[]", "<=>", "===", "==", "=~", "!=", "!~", "!", "**", "+@", "-@", "~", "+", "-", "*", "/", "%", "<<", "<=", "<", ">>", ">=", ">", "&", "|", "^", "`"}

func (x *lexer) symbol(l *scan.Lexer, rest []byte, next byte) bool {
	if next == ':' {
		if len(rest) > 2 && rest[2] == '"' && stands(l) == operand {
			l.Emit(scan.Punct, 1)
			return true
		}
		return false
	}
	if p := stands(l); p == operator && !aliased(l) || p == either && l.Pos > 0 && !blank(l.Src[l.Pos-1]) {
		return false
	}
	switch {
	case scan.Letter(next) && (next < '0' || next > '9') || next == '@' || next == '$':
		k := 1
		if next == '$' && len(rest) > 2 && !scan.Letter(rest[2]) {
			k = 3
		}
		for k < len(rest) && (scan.Letter(rest[k]) || rest[k] == '@' || rest[k] == '$') {
			k++
		}
		if k < len(rest) {
			var then, third byte
			if k+1 < len(rest) {
				then = rest[k+1]
			}
			if k+2 < len(rest) {
				third = rest[k+2]
			}
			switch rest[k] {
			case '?', '!':
				if then != '=' || third == '>' || third == '=' || third == '~' {
					k++
				}
			case '=':
				if then != '=' && then != '~' && then != '>' {
					k++
				}
			}
		}
		l.Emit(scan.Text, k)
		return true
	case next == '"':
		x.literal(l, 2, &text{open: '"', close: '"', interp: true})
		return true
	case next == '\'':
		x.literal(l, 2, &text{open: '\'', close: '\''})
		return true
	}
	for _, op := range operators {
		if bytes.HasPrefix(rest[1:], []byte(op)) {
			l.Emit(scan.Text, 1+len(op))
			return true
		}
	}
	return false
}

var grammar = scan.New(scan.Lexis{
	Letters: "@$",
	Keywords: `BEGIN END __FILE__ __LINE__ alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or
redo rescue retry return self super then true undef unless until when while yield`,
	Ops:    []string{"&.", "=~", "!~", "<=>", "<<", ">>", "<<=", ">>=", "**="},
	NotOps: []string{"?.", "??", "??=", "<-", "|>", ":=", "!==", "++", "--"},
	At:     "\"'`/%<:?!=#$\\_",
})

// Read returns the facts of a Ruby text.
func Read(src []byte) corpus.Facts {
	return lexing(src).Read(src, func(s *scan.Source) {
		f := &file{Source: s, classBody: -1}
		f.keys()
		if !f.match(false) {
			s.Out.Missed++
			f.match(true)
		}
		f.read()
	})
}

// lexing is the grammar for one text: its lexer remembers what it has seen.
func lexing(src []byte) *scan.Grammar {
	g := *grammar
	g.Special = (&lexer{budget: 16 * len(src)}).special
	return &g
}

// Tokens cuts a source text into its tokens.
func Tokens(src []byte) *scan.Source { return lexing(src).Tokens(src) }
