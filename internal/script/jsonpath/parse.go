package jsonpath

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

type query struct {
	relative bool // begins at the current node, @
	segments []segment
}

type segment struct {
	descend   bool
	selectors []selector
}

// singular reports whether a query selects at most one value, by its form.
func (q *query) singular() bool {
	return !slices.ContainsFunc(q.segments, func(s segment) bool {
		return s.descend || len(s.selectors) != 1 || s.selectors[0].kind > byIndex
	})
}

type selectorKind uint8

const (
	byName selectorKind = iota
	byIndex
	byAny
	bySlice
	byFilter
)

type selector struct {
	kind             selectorKind
	name             string
	index            int
	start, end, step *int
	filter           *expression
}

type expressionKind uint8

const (
	isOr expressionKind = iota
	isAnd
	isNot
	isTest
	isComparison
)

type expression struct {
	kind        expressionKind
	parts       []*expression
	op          string
	left, right operand
}

// An operand is a query, a call or a literal.
type operand struct {
	query   *query
	call    *call
	literal any
}

type call struct {
	name    string
	args    []operand
	pattern *regexp.Regexp // of match and search, where it is a literal
}

type valueKind uint8

const (
	value valueKind = iota
	nodes
	logical
)

func (c *call) kind() valueKind {
	if c.name == "match" || c.name == "search" {
		return logical
	}
	return value
}

// functions are the types of the arguments of those that section 2.4 of the RFC defines.
var functions = map[string][]valueKind{
	"length": {value}, "count": {nodes}, "match": {value, value}, "search": {value, value}, "value": {nodes},
}

// mostDepth bounds how deep parentheses, filters and calls nest.
const mostDepth = 64

type parser struct {
	s     string
	at    int
	depth int
}

func (p *parser) fail(format string, args ...any) error {
	return fmt.Errorf("JSONPath %q, at character %d: %s", p.s, utf8.RuneCountInString(p.s[:p.at])+1, fmt.Sprintf(format, args...))
}

// peek returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.s) {
		return p.s[p.at]
	}
	return 0
}

func (p *parser) take(s string) bool {
	if strings.HasPrefix(p.s[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *parser) blanks() {
	for p.at < len(p.s) && strings.IndexByte(" \t\n\r", p.s[p.at]) >= 0 {
		p.at++
	}
}

func (p *parser) query() (*query, error) {
	q := &query{relative: p.peek() == '@'}
	p.at++
	for {
		end := p.at
		p.blanks()
		if c := p.peek(); c != '.' && c != '[' {
			p.at = end // blanks after a path are not its own
			return q, nil
		}
		s, err := p.segment()
		if err != nil {
			return nil, err
		}
		q.segments = append(q.segments, s)
	}
}

func (p *parser) segment() (s segment, err error) {
	switch {
	case p.take(".."):
		s.descend = true
		if p.peek() == '[' {
			break
		}
		fallthrough
	case p.take("."):
		if p.take("*") {
			s.selectors = []selector{{kind: byAny}}
			return s, nil
		}
		name := p.shorthand()
		if name == "" {
			return s, p.fail("a name, * or [ must follow the dot")
		}
		s.selectors = []selector{{kind: byName, name: name}}
		return s, nil
	}
	p.at++
	for {
		p.blanks()
		one, err := p.selector()
		if err != nil {
			return s, err
		}
		s.selectors = append(s.selectors, one)
		p.blanks()
		switch {
		case p.take(","):
		case p.take("]"):
			return s, nil
		default:
			return s, p.fail("expected , or ]")
		}
	}
}

// shorthand reads the name after a dot.
func (p *parser) shorthand() string {
	start := p.at
	for p.at < len(p.s) {
		r, size := utf8.DecodeRuneInString(p.s[p.at:])
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80 && (r != utf8.RuneError || size > 1)
		if !letter && (p.at == start || r < '0' || r > '9') {
			break
		}
		p.at += size
	}
	return p.s[start:p.at]
}

func (p *parser) selector() (s selector, err error) {
	switch c := p.peek(); {
	case c == '\'' || c == '"':
		s.name, err = p.text()
		return s, err
	case p.take("*"):
		return selector{kind: byAny}, nil
	case p.take("?"):
		p.blanks()
		s.kind = byFilter
		s.filter, err = p.or()
		return s, err
	}
	s.start, err = p.integer()
	if err != nil {
		return s, err
	}
	end := p.at
	p.blanks()
	if !p.take(":") {
		if s.start == nil {
			return s, p.fail("expected a name in quotes, a number, a slice, * or a filter")
		}
		p.at = end
		return selector{kind: byIndex, index: *s.start}, nil
	}
	s.kind = bySlice
	p.blanks()
	if s.end, err = p.integer(); err != nil {
		return s, err
	}
	p.blanks()
	if p.take(":") {
		p.blanks()
		s.step, err = p.integer()
	}
	return s, err
}

// integer reads an integer, if there is one, in the range that doubles hold exactly.
func (p *parser) integer() (*int, error) {
	start := p.at
	p.take("-")
	digits := p.digits()
	text := p.s[start:p.at]
	switch {
	case text == "":
		return nil, nil
	case digits == "" || digits[0] == '0' && text != "0":
		return nil, p.fail("%q is not an integer", text)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if const53 := int64(1)<<53 - 1; err != nil || n > const53 || n < -const53 {
		return nil, p.fail("%s is out of range", text)
	}
	v := int(n)
	return &v, nil
}

func (p *parser) digits() string {
	start := p.at
	for p.peek() >= '0' && p.peek() <= '9' {
		p.at++
	}
	return p.s[start:p.at]
}

// text reads a string in single or double quotes.
func (p *parser) text() (string, error) {
	quote := p.peek()
	p.at++
	var b strings.Builder
	for {
		switch c := p.peek(); {
		case c < ' ':
			return "", p.fail("a string must end with %c, and have control characters escaped", quote)
		case c == quote:
			p.at++
			return b.String(), nil
		case c == '\\':
			p.at++
			r, err := p.escaped(quote)
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
		default:
			b.WriteByte(c)
			p.at++
		}
	}
}

func (p *parser) escaped(quote byte) (rune, error) {
	c := p.peek()
	p.at++
	if i := strings.IndexByte("bfnrt/\\", c); i >= 0 && c != 0 {
		return rune("\b\f\n\r\t/\\"[i]), nil
	}
	switch {
	case c == quote:
		return rune(c), nil
	case c != 'u':
		return 0, p.fail("unknown escape")
	}
	r, err := p.hex()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if r < 0xDC00 && p.take(`\u`) {
		low, err := p.hex()
		if err != nil {
			return 0, err
		}
		if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
			return r, nil
		}
	}
	return 0, p.fail("half of a surrogate pair")
}

func (p *parser) hex() (rune, error) {
	if p.at+4 > len(p.s) {
		return 0, p.fail(`\u needs four hexadecimal digits`)
	}
	n, err := strconv.ParseUint(p.s[p.at:p.at+4], 16, 16)
	if err != nil {
		return 0, p.fail(`\u needs four hexadecimal digits`)
	}
	p.at += 4
	return rune(n), nil
}

// literal reads a number, a string, true, false or null.
func (p *parser) literal() (v any, ok bool, err error) {
	switch c := p.peek(); {
	case c == '\'' || c == '"':
		v, err = p.text()
		return v, true, err
	case c == '-' || c >= '0' && c <= '9':
		v, err = p.number()
		return v, true, err
	case p.take("true"):
		return true, true, nil
	case p.take("false"):
		return false, true, nil
	case p.take("null"):
		return nil, true, nil
	}
	return nil, false, nil
}

func (p *parser) number() (json.Number, error) {
	start := p.at
	p.take("-")
	whole := p.digits()
	bad := whole == "" || len(whole) > 1 && whole[0] == '0'
	if p.take(".") {
		bad = p.digits() == "" || bad
	}
	if p.take("e") || p.take("E") {
		if !p.take("+") {
			p.take("-")
		}
		bad = p.digits() == "" || bad
	}
	if bad {
		return "", p.fail("%q is not a number", p.s[start:p.at])
	}
	return json.Number(p.s[start:p.at]), nil
}
