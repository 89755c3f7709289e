package parse

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A kind is what a token is: an operator or a reserved word by its own text, or
// one of the classes below.
type kind string

const (
	tEOF    kind = "<eof>"
	tName   kind = "<name>"
	tString kind = "<string>"
	tNumber kind = "<number>"
)

// A token is one word of the source. text is what stands there, except that of a
// string it is the value.
type token struct {
	kind kind
	text string
	raw  string // as it stands in the source
	line int
	num  number // of a tNumber
}

// near returns the token as messages quote it.
func (t token) near() string {
	if t.kind == tEOF {
		return string(tEOF)
	}
	return "'" + t.raw + "'"
}

func reserved(s string) bool {
	switch s {
	case "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
		"local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while":
		return true
	}
	return false
}

// operators lists the longest first.
var operators = [...]string{
	"...", "<<", ">>", "//", "==", "~=", "<=", ">=", "::", "..",
	"+", "-", "*", "/", "%", "^", "#", "&", "~", "|", "<", ">", "=", "(", ")", "{", "}", "[", "]", ";", ":", ",", ".",
}

type lexer struct {
	chunk string
	src   string
	at    int
	line  int
}

func newLexer(chunk string, src []byte) *lexer {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	l := &lexer{chunk: chunk, src: string(src), line: 1}
	if strings.HasPrefix(l.src, "#") { // a shebang; its newline stays, so that lines keep their numbers
		if l.at = strings.IndexByte(l.src, '\n'); l.at < 0 {
			l.at = len(l.src)
		}
	}
	return l
}

func (l *lexer) fail(line int, format string, args ...any) {
	panic(&Error{Chunk: l.chunk, Line: line, Message: fmt.Sprintf(format, args...)})
}

// next returns the next token.
func (l *lexer) next() token {
	l.blank()
	t := token{line: l.line}
	if l.at == len(l.src) {
		t.kind = tEOF
		return t
	}
	start := l.at
	switch c := l.src[l.at]; {
	case letter(c):
		for l.at < len(l.src) && (letter(l.src[l.at]) || digit(l.src[l.at])) {
			l.at++
		}
		t.text = l.src[start:l.at]
		if t.kind = tName; reserved(t.text) {
			t.kind = kind(t.text)
		}
	case digit(c), c == '.' && l.at+1 < len(l.src) && digit(l.src[l.at+1]):
		t.kind, t.text = tNumber, l.numeral()
		n, ok := parseNumber(t.text)
		if !ok {
			l.fail(l.line, "malformed number near '%s'", t.text)
		}
		t.num = n
	case c == '"' || c == '\'':
		t.kind, t.text = tString, l.quoted(c)
		t.line = l.line
	default:
		if level := l.longLevel(); level >= 0 {
			t.kind, t.text = tString, l.long(level, "string")
			t.line = l.line
			break
		}
		for _, op := range operators {
			if strings.HasPrefix(l.src[l.at:], op) {
				l.at += len(op)
				t.kind, t.text, t.raw = kind(op), op, op
				return t
			}
		}
		r, _ := utf8.DecodeRuneInString(l.src[l.at:])
		if r < ' ' || r == utf8.RuneError {
			l.fail(l.line, "unexpected symbol near '<\\%d>'", c)
		}
		l.fail(l.line, "unexpected symbol near '%c'", r)
	}
	t.raw = l.src[start:l.at]
	return t
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }
func space(c byte) bool  { return c == ' ' || '\t' <= c && c <= '\r' }

// blank passes over white space and comments.
func (l *lexer) blank() {
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == '\n' || c == '\r':
			l.newline()
		case space(c):
			l.at++
		case strings.HasPrefix(l.src[l.at:], "--"):
			l.at += 2
			if level := l.longLevel(); level >= 0 {
				l.long(level, "comment")
				continue
			}
			n := strings.IndexAny(l.src[l.at:], "\n\r")
			if n < 0 {
				n = len(l.src) - l.at
			}
			l.at += n
		default:
			return
		}
	}
}

// newline passes over the end of a line, which two bytes may be.
func (l *lexer) newline() {
	c := l.src[l.at]
	l.at++
	if l.at < len(l.src) && l.src[l.at] != c && (l.src[l.at] == '\n' || l.src[l.at] == '\r') {
		l.at++
	}
	l.line++
}

// longLevel returns how many = the long bracket here has, or -1 for none.
func (l *lexer) longLevel() int {
	if l.at >= len(l.src) || l.src[l.at] != '[' {
		return -1
	}
	i := l.at + 1
	for i < len(l.src) && l.src[i] == '=' {
		i++
	}
	if i < len(l.src) && l.src[i] == '[' {
		return i - l.at - 1
	}
	return -1
}

// long reads a long string or comment, of which what says which.
func (l *lexer) long(level int, what string) string {
	start := l.line
	l.at += level + 2
	end := strings.Index(l.src[l.at:], "]"+strings.Repeat("=", level)+"]")
	if end < 0 {
		end = len(l.src) - l.at
	}
	var b strings.Builder
	for stop := l.at + end; l.at < stop; {
		n := strings.IndexAny(l.src[l.at:stop], "\n\r")
		if n < 0 {
			n = stop - l.at
		}
		b.WriteString(l.src[l.at : l.at+n])
		if l.at += n; l.at < stop {
			l.newline()
			b.WriteByte('\n')
		}
	}
	if l.at == len(l.src) {
		l.fail(l.line, "unfinished long %s (starting at line %d) near '<eof>'", what, start)
	}
	l.at += level + 2
	return strings.TrimPrefix(b.String(), "\n")
}

// numeral returns what looks like a number: everything that a person would take
// for part of it, so that 3x is one malformed number and not two words.
func (l *lexer) numeral() string {
	start := l.at
	exp := "eE"
	if strings.HasPrefix(l.src[l.at:], "0x") || strings.HasPrefix(l.src[l.at:], "0X") {
		exp = "pP"
		l.at += 2
	}
	for l.at < len(l.src) {
		c := l.src[l.at]
		if strings.IndexByte(exp, c) >= 0 {
			l.at++
			if l.at < len(l.src) && (l.src[l.at] == '+' || l.src[l.at] == '-') {
				l.at++
			}
			continue
		}
		if !letter(c) && !digit(c) && c != '.' {
			break
		}
		l.at++
	}
	return l.src[start:l.at]
}

// quoted reads a string between quotes.
func (l *lexer) quoted(quote byte) string {
	start := l.at
	l.at++
	var b strings.Builder
	for {
		if l.at >= len(l.src) {
			l.fail(l.line, "unfinished string near '<eof>'")
		}
		switch c := l.src[l.at]; c {
		case quote:
			l.at++
			return b.String()
		case '\n', '\r':
			l.fail(l.line, "unfinished string near '%s'", l.src[start:l.at])
		case '\\':
			l.escape(&b, start)
		default:
			b.WriteByte(c)
			l.at++
		}
	}
}

// escape reads what begins with the backslash here. start is where its string began.
func (l *lexer) escape(b *strings.Builder, start int) {
	bad := func(message string) {
		end := min(l.at+1, len(l.src))
		l.fail(l.line, "%s near '%s'", message, l.src[start:end])
	}
	l.at++
	if l.at >= len(l.src) {
		l.fail(l.line, "unfinished string near '<eof>'")
	}
	c := l.src[l.at]
	if i := strings.IndexByte(`abfnrtv\"'`, c); i >= 0 {
		b.WriteByte("\a\b\f\n\r\t\v\\\"'"[i])
		l.at++
		return
	}
	switch {
	case c == '\n' || c == '\r':
		l.newline()
		b.WriteByte('\n')
	case c == 'x':
		v := 0
		for range 2 {
			l.at++
			h := -1
			if l.at < len(l.src) {
				h = hex(l.src[l.at])
			}
			if h < 0 {
				bad("hexadecimal digit expected")
			}
			v = v<<4 | h
		}
		l.at++
		b.WriteByte(byte(v))
	case c == 'z':
		l.at++
		for l.at < len(l.src) && space(l.src[l.at]) {
			if l.src[l.at] == '\n' || l.src[l.at] == '\r' {
				l.newline()
			} else {
				l.at++
			}
		}
	case digit(c):
		v := 0
		for i := 0; i < 3 && l.at < len(l.src) && digit(l.src[l.at]); i++ {
			v = v*10 + int(l.src[l.at]-'0')
			l.at++
		}
		if v > 255 {
			bad("decimal escape too large")
		}
		b.WriteByte(byte(v))
	case c == 'u':
		l.unicode(b, bad)
	default:
		bad("invalid escape sequence")
	}
}

// unicode reads the rest of \u{XXX}. Like Lua it takes what UTF-8 once could
// encode: up to 2^31.
func (l *lexer) unicode(b *strings.Builder, bad func(string)) {
	l.at++
	if l.at >= len(l.src) || l.src[l.at] != '{' {
		bad("missing '{' in \\u{xxxx}")
	}
	v, n := uint64(0), 0
	for l.at++; l.at < len(l.src) && hex(l.src[l.at]) >= 0; l.at++ {
		if v = v<<4 | uint64(hex(l.src[l.at])); v > 0x7fffffff {
			bad("UTF-8 value too large")
		}
		n++
	}
	if n == 0 {
		bad("hexadecimal digit expected")
	}
	if l.at >= len(l.src) || l.src[l.at] != '}' {
		bad("missing '}' in \\u{xxxx}")
	}
	l.at++
	b.Write(AppendUTF8(nil, uint32(v)))
}

func hex(c byte) int {
	switch {
	case digit(c):
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// AppendUTF8 appends the encoding of x, which may lie beyond Unicode: up to
// 2^31, in up to six bytes, as RFC 2279 had it.
func AppendUTF8(b []byte, x uint32) []byte {
	if x < 0x80 {
		return append(b, byte(x))
	}
	var tail [6]byte
	n, first := 0, uint32(0x3f)
	for ; x > first; n++ {
		tail[n] = byte(0x80 | x&0x3f)
		x >>= 6
		first >>= 1
	}
	b = append(b, byte(^first<<1|x))
	for n--; n >= 0; n-- {
		b = append(b, tail[n])
	}
	return b
}
