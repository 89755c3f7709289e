package template

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is one of an expression: kind is "name", "string", "int", "float", the
// operator itself, or "" at the end of the tag.
type token struct {
	kind string
	text string
	num  any
	line int
}

var operators = [...]string{
	"**", "//", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "<", ">", "=", "(", ")", "[", "]", "{", "}", ".", ",", ":", "|", "~",
}

// A parser reads a template. Between tags it is at p.at of the text; within one it
// has its tokens.
type parser struct {
	name   string
	src    string
	at     int
	line   int
	trim   bool // what comes next loses the white space at its start
	tokens []token
	pos    int
	depth  int
	loops  int
	blocks map[string]*block
	parent expr
}

func (p *parser) fail(line int, format string, args ...any) {
	panic(&Error{p.name, line, fmt.Sprintf(format, args...)})
}

//go:noinline
func (p *parser) failIf(wrong bool, line int, message string) {
	if wrong {
		panic(&Error{p.name, line, message})
	}
}

// next returns the text up to the next tag and how that begins: "{{", "{%" or ""
// at the end. Comments are no tags.
func (p *parser) next() (text, tag string) {
	var b strings.Builder
	for {
		i := p.tag()
		chunk := p.src[p.at:i]
		p.line += strings.Count(chunk, "\n")
		p.at = i
		if p.trim {
			chunk = strings.TrimLeftFunc(chunk, unicode.IsSpace)
			p.trim = false
		}
		if i == len(p.src) {
			b.WriteString(chunk)
			return b.String(), ""
		}
		tag = p.src[i : i+2]
		if strings.HasPrefix(p.src[i+2:], "-") {
			chunk = strings.TrimRightFunc(chunk, unicode.IsSpace)
		}
		b.WriteString(chunk)
		if tag != "{#" {
			p.at += 2
			return b.String(), tag
		}
		end := strings.Index(p.src[i:], "#}")
		p.failIf(end < 0, p.line, "unclosed comment")
		p.line += strings.Count(p.src[i:i+end], "\n")
		p.trim = end > 2 && p.src[i+end-1] == '-'
		p.at = i + end + 2
	}
}

// tag returns where the next one begins, or the end.
func (p *parser) tag() int {
	for i := p.at; ; i++ {
		n := strings.IndexByte(p.src[i:], '{')
		if n < 0 || i+n+1 >= len(p.src) {
			return len(p.src)
		}
		i += n
		if c := p.src[i+1]; c == '{' || c == '%' || c == '#' {
			return i
		}
	}
}

// open reads the tokens of a tag up to what closes it.
func (p *parser) open(closing string) {
	p.tokens, p.pos = p.tokens[:0], 0
	if p.at < len(p.src) && (p.src[p.at] == '-' || p.src[p.at] == '+') {
		p.at++
	}
	deep := 0
	for {
		p.blank()
		rest := p.src[p.at:]
		p.failIf(rest == "", p.line, "unclosed tag")
		if deep == 0 {
			cut := strings.TrimLeft(rest[:1], "-+")
			if strings.HasPrefix(rest[1-len(cut):], closing) {
				p.trim = rest[0] == '-'
				p.at += 1 - len(cut) + len(closing)
				p.tokens = append(p.tokens, token{line: p.line})
				return
			}
		}
		t := p.token(rest)
		switch t.kind {
		case "(", "[", "{":
			deep++
		case ")", "]", "}":
			deep--
		}
		p.failIf(deep > maxNesting, p.line, "nested too deep")
		p.tokens = append(p.tokens, t)
	}
}

func (p *parser) blank() {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case '\n':
			p.line++
		case ' ', '\t', '\r':
		default:
			return
		}
		p.at++
	}
}

func (p *parser) token(rest string) token {
	t := token{line: p.line}
	c, _ := utf8.DecodeRuneInString(rest)
	switch {
	case c == '"' || c == '\'':
		t.kind, t.text = "string", p.quoted(byte(c))
		return t
	case '0' <= c && c <= '9':
		return p.number(rest)
	case c == '_' || unicode.IsLetter(c):
		n := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if n < 0 {
			n = len(rest)
		}
		p.at += n
		t.kind, t.text = "name", rest[:n]
		return t
	}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			p.at += len(op)
			t.kind, t.text = op, op
			return t
		}
	}
	p.fail(p.line, "unexpected character %q", c)
	return t
}

func (p *parser) number(rest string) token {
	t := token{kind: "int", line: p.line}
	n := 0
	digits := func() {
		for n < len(rest) && ('0' <= rest[n] && rest[n] <= '9' || rest[n] == '_') {
			n++
		}
	}
	digits()
	if n+1 < len(rest) && rest[n] == '.' && '0' <= rest[n+1] && rest[n+1] <= '9' {
		t.kind = "float"
		n++
		digits()
	}
	if n < len(rest) && rest[n]|0x20 == 'e' {
		t.kind = "float"
		if n++; n < len(rest) && (rest[n] == '+' || rest[n] == '-') {
			n++
		}
		digits()
	}
	p.at += n
	t.text = strings.ReplaceAll(rest[:n], "_", "")
	var err error
	if t.kind == "int" {
		t.num, err = strconv.ParseInt(t.text, 10, 64)
	} else {
		t.num, err = strconv.ParseFloat(t.text, 64)
	}
	if err != nil {
		p.fail(p.line, "invalid number %s", t.text)
	}
	return t
}

func (p *parser) quoted(quote byte) string {
	line := p.line
	var b strings.Builder
	for p.at++; p.at < len(p.src); p.at++ {
		c := p.src[p.at]
		switch {
		case c == quote:
			p.at++
			return b.String()
		case c == '\\' && p.at+1 < len(p.src):
			p.at++
			c = p.src[p.at]
			if n := strings.IndexByte("nrtbf", c); n >= 0 {
				b.WriteByte("\n\r\t\b\f"[n])
			} else if c == 'u' && p.at+4 < len(p.src) {
				x, err := strconv.ParseUint(p.src[p.at+1:p.at+5], 16, 32)
				p.failIf(err != nil, p.line, "invalid escape")
				b.WriteRune(rune(x))
				p.at += 4
			} else {
				b.WriteByte(c)
			}
		default:
			if c == '\n' {
				p.line++
			}
			b.WriteByte(c)
		}
	}
	p.fail(line, "unclosed string")
	return ""
}
