package scan

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// A Kind is what a token is.
type Kind uint8

// The kinds of token.
const (
	Punct     Kind = iota // an operator or another sign
	Word                  // a name or a keyword
	Number                // a literal
	Text                  // a string, or a piece of one with expressions in it
	Open                  // ( [ { or what begins an expression in a string
	Close                 // ) ] }
	Directive             // a line for the preprocessor
)

// A Token is a piece of source text.
type Token struct {
	At, End uint32
	// Pair is the token that an Open ends with: its Close or, where that is
	// missing, the Close of the bracket around or the number of all tokens. Of a
	// Close it is the Open, or -1 where there is none. Of others -1.
	Pair int32
	Kind Kind
	Key  Key  // 0 where it is none
	Line bool // it is the first of its line
}

// A Lexer is one pass over one text. Its fields are for the functions of a Lexis.
type Lexer struct {
	*Grammar
	*tables
	Src      []byte
	Pos      int
	Toks     []Token
	Comments []corpus.Span
	open     []open
	fresh    bool // nothing on this line yet
}

type open struct {
	tok int32
	str *String // the string that goes on after the bracket
}

// maxOpen bounds how deep brackets are matched; deeper ones pair with nothing.
const maxOpen = 4096

// Lex cuts text into tokens.
func (g *Grammar) lex(src []byte, toks []Token) ([]Token, []corpus.Span) {
	l := &Lexer{Grammar: g, tables: g.made(), Src: src, Toks: toks[:0], fresh: true}
	for l.Pos < len(src) {
		l.next()
	}
	n := int32(len(l.Toks))
	for _, o := range l.open {
		l.Toks[o.tok].Pair = n
	}
	return l.Toks, l.Comments
}

func (l *Lexer) next() {
	src, i := l.Src, l.Pos
	c := src[i]
	switch l.class[c] {
	case newline:
		l.fresh = true
		l.Pos++
		return
	case space:
		l.Pos++
		return
	case letter:
		// A byte order mark, wherever files were joined, and a space that does not
		// break lines are part of no word.
		if c == 0xef && has(src[i:], "\ufeff") {
			l.Pos += 3
			return
		}
		if c == 0xc2 && has(src[i:], "\u00a0") {
			l.Pos += 2
			return
		}
		if l.special[c] && l.Special(l) {
			return
		}
		l.word()
		return
	case digit:
		if l.special[c] && l.Special(l) {
			return
		}
		l.number()
		return
	}
	if l.comments[c] && l.comment() {
		return
	}
	if l.special[c] && l.Special(l) {
		return
	}
	for k := range l.strings[c] {
		if s := &l.strings[c][k]; has(src[i:], s.Open) {
			l.Begin(s, len(s.Open))
			return
		}
	}
	switch l.class[c] {
	case opener:
		l.OpenBracket(1, nil)
	case closer:
		l.closeBracket(c)
	default:
		for _, op := range l.ops[c] {
			if has(src[i:], op) {
				l.Emit(Punct, len(op))
				return
			}
		}
		l.Emit(Punct, 1)
	}
}

// Emit adds a token of n bytes at Pos and moves past it.
func (l *Lexer) Emit(kind Kind, n int) {
	l.Toks = append(l.Toks, Token{At: uint32(l.Pos), End: uint32(min(l.Pos+n, len(l.Src))), Pair: -1, Kind: kind, Line: l.fresh})
	l.fresh = false
	l.Pos = min(l.Pos+n, len(l.Src))
}

// Last returns the token before, and false where there is none.
func (l *Lexer) Last() (Token, bool) {
	if len(l.Toks) == 0 {
		return Token{}, false
	}
	return l.Toks[len(l.Toks)-1], true
}

// Fresh reports whether nothing stands on the line before Pos.
func (l *Lexer) Fresh() bool { return l.fresh }

func (l *Lexer) word() {
	src, i := l.Src, l.Pos
	for i < len(src) && (l.class[src[i]] == letter || l.class[src[i]] == digit) {
		if src[i] == 0xc2 && has(src[i:], "\u00a0") {
			break
		}
		i++
	}
	if l.Prefix != nil && i < len(src) && i-l.Pos <= 8 && (src[i] == '"' || src[i] == '\'' || src[i] == '`' || strings.IndexByte(l.PrefixAt, src[i]) >= 0) {
		if s, mark, ok := l.Prefix(l, string(src[l.Pos:i])); ok {
			l.Begin(s, i-l.Pos+mark)
			return
		}
	}
	var key Key
	if n := i - l.Pos; n <= l.longest && l.first[src[l.Pos]] {
		key = l.keys[string(src[l.Pos:i])]
	}
	l.Toks = append(l.Toks, Token{At: uint32(l.Pos), End: uint32(i), Pair: -1, Kind: Word, Key: key, Line: l.fresh})
	l.fresh = false
	l.Pos = i
}

func (l *Lexer) number() {
	src, i := l.Src, l.Pos
	for i < len(src) {
		c := src[i]
		switch {
		case c >= '0' && c <= '9' || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		case c == '.' && i+1 < len(src) && src[i+1] >= '0' && src[i+1] <= '9':
		case (c == '+' || c == '-') && (src[i-1] == 'e' || src[i-1] == 'E') && i+1 < len(src) && src[i+1] >= '0' && src[i+1] <= '9' && !has(src[l.Pos:], "0x"):
		default:
			l.Emit(Number, i-l.Pos)
			return
		}
		i++
	}
	l.Emit(Number, i-l.Pos)
}

// comment reads a comment at Pos, if one begins there.
func (l *Lexer) comment() bool {
	rest := l.Src[l.Pos:]
	for _, b := range l.Block {
		if has(rest, b[0]) {
			l.Comment(BlockEnd(rest, b, l.Nested))
			return true
		}
	}
	for _, c := range l.Line {
		if has(rest, c) {
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.Comment(n)
			return true
		}
	}
	return false
}

// Comment takes n bytes at Pos as a comment. A line after it is as fresh as before.
func (l *Lexer) Comment(n int) {
	end := min(l.Pos+n, len(l.Src))
	l.Comments = append(l.Comments, corpus.Span{Start: l.Pos, End: end})
	if bytes.IndexByte(l.Src[l.Pos:end], '\n') >= 0 {
		l.fresh = true
	}
	l.Pos = end
}

// BlockEnd returns the length of the block comment that a text begins with.
func BlockEnd(rest []byte, b [2]string, nested bool) int {
	if !nested {
		if n := bytes.Index(rest[len(b[0]):], []byte(b[1])); n >= 0 {
			return len(b[0]) + n + len(b[1])
		}
		return len(rest)
	}
	depth := 0
	for k := 0; k < len(rest); {
		switch {
		case has(rest[k:], b[0]):
			depth++
			k += len(b[0])
		case has(rest[k:], b[1]):
			depth--
			k += len(b[1])
			if depth == 0 {
				return k
			}
		default:
			k++
		}
	}
	return len(rest)
}

// Begin reads a string that begins at Pos with a mark of so many bytes, up to its
// end or to the first expression in it.
func (l *Lexer) Begin(s *String, mark int) { l.str(s, l.Pos+mark) }

// str reads on in a string from an offset; the token begins at Pos.
func (l *Lexer) str(s *String, i int) {
	src := l.Src
	if s.Ends != nil {
		l.Emit(Text, min(max(s.Ends(src, i), i), len(src))-l.Pos)
		return
	}
	end := s.Close
	if end == "" {
		end = s.Open
	}
	for i < len(src) {
		c := src[i]
		switch {
		case c == end[0] && has(src[i:], end):
			i += len(end)
			if s.Double && has(src[i:], end) {
				i += len(end)
				continue
			}
			l.Emit(Text, i-l.Pos)
			return
		case s.Interp != "" && c == s.Interp[0] && has(src[i:], s.Interp):
			if s.InterpTwice && has(src[i+len(s.Interp):], s.Interp) {
				i += 2 * len(s.Interp)
				continue
			}
			if i > l.Pos {
				l.Emit(Text, i-l.Pos)
			}
			l.OpenBracket(s.bracket(), s)
			return
		case s.Escape != 0 && c == s.Escape:
			i += 2
			if i <= len(src) && src[i-1] == '\r' && i < len(src) && src[i] == '\n' {
				i++ // an escaped line end of two bytes
			}
		case c == '\n' && !s.Lines:
			l.Emit(Text, i-l.Pos) // never closed: the line is all it can have
			return
		default:
			i++
		}
	}
	l.Emit(Text, len(src)-l.Pos)
}

// bracket returns how much of what begins an expression is the bracket, which comes
// last or has the expression's first sign behind it.
func (s *String) bracket() int {
	if n := len(s.Interp) - 1; n > 0 && s.Interp[n] == '$' {
		return n
	}
	return len(s.Interp)
}

// OpenBracket emits an Open of n bytes; after its Close the string s goes on, if
// it is not nil.
func (l *Lexer) OpenBracket(n int, s *String) {
	l.Emit(Open, n)
	if len(l.open) < maxOpen {
		l.open = append(l.open, open{int32(len(l.Toks) - 1), s})
	} else {
		l.Toks[len(l.Toks)-1].Pair = int32(len(l.Toks))
	}
}

var partner = [256]byte{')': '(', ']': '[', '}': '{'}

// closeBracket emits a Close and pairs it with the innermost Open of its sort.
// Those that are open inside that one end here too.
func (l *Lexer) closeBracket(c byte) {
	l.Emit(Close, 1)
	at := int32(len(l.Toks) - 1)
	for k := len(l.open) - 1; k >= 0; k-- {
		o := l.open[k]
		if l.Src[l.Toks[o.tok].End-1] != partner[c] {
			// A parenthesis never closes a block.
			if c != '}' && l.Src[l.Toks[o.tok].End-1] == '{' {
				return
			}
			continue
		}
		for _, inner := range l.open[k:] {
			l.Toks[inner.tok].Pair = at
		}
		l.Toks[at].Pair = o.tok
		l.open = l.open[:k]
		if o.str != nil && l.Pos < len(l.Src) {
			l.str(o.str, l.Pos)
		}
		return
	}
}

func has(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }
