package vm

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A token is the kind of a word of the source: a byte for operators of one
// character, or one of the constants below.
type token int

const (
	tAnd token = iota + 256
	tBreak
	tDo
	tElse
	tElseif
	tEnd
	tFalse
	tFor
	tFunction
	tGoto
	tIf
	tIn
	tLocal
	tNil
	tNot
	tOr
	tRepeat
	tReturn
	tThen
	tTrue
	tUntil
	tWhile
	tIDiv
	tConcat
	tDots
	tEq
	tGe
	tLe
	tNe
	tShl
	tShr
	tColons
	tEOF
	tNumber
	tName
	tString
)

var tokenNames = [...]string{
	"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil", "not", "or",
	"repeat", "return", "then", "true", "until", "while", "//", "..", "...", "==", ">=", "<=", "~=", "<<", ">>", "::",
	"<eof>", "<number>", "<name>", "<string>",
}

func reserved(s string) token {
	if len(s) < 2 || len(s) > 8 {
		return 0
	}
	for i, w := range tokenNames[:tWhile-tAnd+1] {
		if w == s {
			return tAnd + token(i)
		}
	}
	return 0
}

func (t token) String() string {
	switch {
	case t >= tEOF:
		return tokenNames[t-tAnd]
	case t >= tAnd:
		return "'" + tokenNames[t-tAnd] + "'"
	case ' ' <= t && t < 127:
		return fmt.Sprintf("'%c'", rune(t))
	}
	return fmt.Sprintf("'<\\%d>'", int(t))
}

// A lexeme is a token with its text.
type lexeme struct {
	kind token
	text string // of a name: itself; of a string: its value
	raw  string // as messages quote it
	num  Value  // of a number
}

// Parsing panics with a syntaxError.
type syntaxError struct{ message string }

type lexer struct {
	chunk string // as messages call it
	src   string
	at    int
	line  int // of the token that is being read
}

// fail raises an error of syntax at a line, near a text of the source.
func (l *lexer) fail(line int, message, near string) {
	message = fmt.Sprintf("%s:%d: %s", l.chunk, line, message)
	if near != "" {
		message += " near " + near
	}
	panic(syntaxError{message})
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }

// next returns the next token.
func (l *lexer) next() lexeme {
	l.blank()
	if l.at == len(l.src) {
		return lexeme{kind: tEOF}
	}
	start := l.at
	c := l.src[l.at]
	switch {
	case isLetter(c):
		for l.at < len(l.src) && (isLetter(l.src[l.at]) || isDigit(l.src[l.at])) {
			l.at++
		}
		text := l.src[start:l.at]
		if w := reserved(text); w != 0 {
			return lexeme{kind: w}
		}
		return lexeme{kind: tName, text: text, raw: text}
	case isDigit(c), c == '.' && l.at+1 < len(l.src) && isDigit(l.src[l.at+1]):
		text := l.numeral()
		n := parseNumeral(text)
		if n.IsNil() {
			l.fail(l.line, "malformed number", "'"+text+"'")
		}
		return lexeme{kind: tNumber, num: n, raw: text}
	case c == '"' || c == '\'':
		return l.quoted(c)
	case c == '[':
		if level := l.longLevel(); level >= 0 {
			text := l.long(level, "string")
			return lexeme{kind: tString, text: text, raw: l.src[start:l.at]}
		} else if level == -2 {
			l.fail(l.line, "invalid long string delimiter", "'"+l.src[start:l.at+strings.IndexFunc(l.src[l.at+1:]+"x", func(r rune) bool { return r != '=' })+1]+"'")
		}
	}
	return lexeme{kind: l.operator()}
}

// operator reads one, the longest that fits.
func (l *lexer) operator() token {
	rest := l.src[l.at:]
	if strings.HasPrefix(rest, "...") {
		l.at += 3
		return tDots
	}
	if len(rest) > 1 {
		for k := tIDiv; k <= tColons; k++ {
			if name := tokenNames[k-tAnd]; len(name) == 2 && rest[:2] == name {
				l.at += 2
				return k
			}
		}
	}
	l.at++
	return token(rest[0])
}

// blank passes over white space and comments.
func (l *lexer) blank() {
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == '\n' || c == '\r':
			l.newline()
		case isSpace(c):
			l.at++
		case c == '-' && strings.HasPrefix(l.src[l.at:], "--"):
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

// longLevel returns how many = the long bracket here has: -1 for none, -2 for one that
// only begins.
func (l *lexer) longLevel() int {
	if l.at >= len(l.src) || l.src[l.at] != '[' {
		return -1
	}
	i := l.at + 1
	for i < len(l.src) && l.src[i] == '=' {
		i++
	}
	switch {
	case i < len(l.src) && l.src[i] == '[':
		return i - l.at - 1
	case i > l.at+1:
		return -2
	}
	return -1
}

// long reads a long string or comment; kind is its name in messages.
func (l *lexer) long(level int, kind string) string {
	start := l.line
	l.at += level + 2
	end := strings.Index(l.src[l.at:], "]"+strings.Repeat("=", level)+"]")
	stop := l.at + end
	if end < 0 {
		stop = len(l.src)
	}
	if l.at < stop && (l.src[l.at] == '\n' || l.src[l.at] == '\r') {
		l.newline()
	}
	from, plain := l.at, true
	var b strings.Builder
	for l.at < stop {
		n := strings.IndexAny(l.src[l.at:stop], "\n\r")
		if n < 0 {
			b.WriteString(l.src[l.at:stop])
			l.at = stop
			break
		}
		b.WriteString(l.src[l.at : l.at+n])
		l.at += n
		was := l.at
		l.newline()
		plain = plain && l.at == was+1 && l.src[was] == '\n'
		b.WriteByte('\n')
	}
	if end < 0 {
		l.fail(l.line, fmt.Sprintf("unfinished long %s (starting at line %d)", kind, start), "<eof>")
	}
	l.at = stop + level + 2
	if plain {
		return l.src[from:stop]
	}
	return b.String()
}

// numeral returns the text that looks like a number: everything that a person would take for part
// of it, so that 3x is one malformed number and not two words.
func (l *lexer) numeral() string {
	start := l.at
	exp := byte('e')
	if strings.HasPrefix(l.src[l.at:], "0x") || strings.HasPrefix(l.src[l.at:], "0X") {
		exp = 'p'
		l.at += 2
	}
	for l.at < len(l.src) {
		c := l.src[l.at]
		if c|0x20 == exp {
			l.at++
			if l.at < len(l.src) && (l.src[l.at] == '+' || l.src[l.at] == '-') {
				l.at++
			}
			continue
		}
		if !isLetter(c) && !isDigit(c) && c != '.' {
			break
		}
		l.at++
	}
	return l.src[start:l.at]
}

// quoted reads a string between quotes.
func (l *lexer) quoted(quote byte) lexeme {
	start := l.at
	l.at++
	if n := strings.IndexAny(l.src[l.at:], "\\\n\r"+string(rune(quote))); n >= 0 && l.src[l.at+n] == quote {
		text := l.src[l.at : l.at+n]
		l.at += n + 1
		return lexeme{kind: tString, text: text, raw: l.src[start:l.at]}
	}
	b := []byte{}
	for {
		if l.at >= len(l.src) {
			l.fail(l.line, "unfinished string", "<eof>")
		}
		switch c := l.src[l.at]; c {
		case quote:
			l.at++
			q := string(rune(quote))
			return lexeme{kind: tString, text: string(b), raw: q + string(b) + q}
		case '\n', '\r':
			l.fail(l.line, "unfinished string", "'"+string(rune(quote))+string(b)+"'")
		case '\\':
			b = l.escape(b, quote)
		default:
			b = append(b, c)
			l.at++
		}
	}
}

// escape reads the escape that begins with the backslash here, in a string of which b has been read.
func (l *lexer) escape(b []byte, quote byte) []byte {
	from := l.at
	bad := func(message string) {
		end := min(l.at+1, len(l.src))
		l.fail(l.line, message, "'"+string(rune(quote))+string(b)+l.src[from:end]+"'")
	}
	l.at++
	if l.at >= len(l.src) {
		l.fail(l.line, "unfinished string", "<eof>")
	}
	c := l.src[l.at]
	if i := strings.IndexByte(`abfnrtv\"'`, c); i >= 0 {
		l.at++
		return append(b, "\a\b\f\n\r\t\v\\\"'"[i])
	}
	switch {
	case c == '\n' || c == '\r':
		l.newline()
		return append(b, '\n')
	case c == 'x':
		v := 0
		for range 2 {
			l.at++
			h := -1
			if l.at < len(l.src) {
				h = hexDigit(l.src[l.at])
			}
			if h < 0 {
				bad("hexadecimal digit expected")
			}
			v = v<<4 | h
		}
		l.at++
		return append(b, byte(v))
	case c == 'z':
		l.at++
		for l.at < len(l.src) && isSpace(l.src[l.at]) {
			if l.src[l.at] == '\n' || l.src[l.at] == '\r' {
				l.newline()
			} else {
				l.at++
			}
		}
		return b
	case isDigit(c):
		v := 0
		for i := 0; i < 3 && l.at < len(l.src) && isDigit(l.src[l.at]); i++ {
			v = v*10 + int(l.src[l.at]-'0')
			l.at++
		}
		if v > 255 {
			bad("decimal escape too large")
		}
		return append(b, byte(v))
	case c == 'u':
		return l.unicode(b, bad)
	}
	bad("invalid escape sequence")
	return nil
}

// unicode reads the rest of \u{HEX}, up to 2^31, as UTF-8 once could encode.
func (l *lexer) unicode(b []byte, bad func(string)) []byte {
	l.at++
	if l.at >= len(l.src) || l.src[l.at] != '{' {
		bad("missing '{' in \\u{xxxx}")
	}
	v, n := uint64(0), 0
	for l.at++; l.at < len(l.src) && hexDigit(l.src[l.at]) >= 0; l.at++ {
		if v = v<<4 | uint64(hexDigit(l.src[l.at])); v > 0x7fffffff {
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
	return appendUTF8(b, uint32(v))
}

// appendUTF8 appends the encoding of x, which may lie beyond Unicode: up to 2^31, in up
// to six bytes, as RFC 2279 had it.
func appendUTF8(b []byte, x uint32) []byte {
	if x < utf8.RuneSelf {
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
