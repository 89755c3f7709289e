package jsonpath

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// holds reports whether a logical expression is true of a node.
func (w *work) holds(e *expression, current any) bool {
	if w.left--; w.left <= 0 {
		return false
	}
	switch e.kind {
	case isOr:
		return slices.ContainsFunc(e.parts, func(p *expression) bool { return w.holds(p, current) })
	case isAnd:
		return !slices.ContainsFunc(e.parts, func(p *expression) bool { return !w.holds(p, current) })
	case isNot:
		return !w.holds(e.parts[0], current)
	case isTest:
		if e.left.call != nil {
			return w.calls(e.left.call, current) == true
		}
		return len(w.nodes(e.left.query, current)) > 0
	}
	return Compare(w.value(e.left, current), e.op, w.value(e.right, current))
}

// value returns what an operand is, or nothing.
func (w *work) value(o operand, current any) any {
	switch {
	case o.query != nil:
		if found := w.nodes(o.query, current); len(found) == 1 {
			return found[0]
		}
		return nothing
	case o.call != nil:
		return w.calls(o.call, current)
	}
	return o.literal
}

// Compare reports whether two values compare as an operator of the RFC says: ==, !=, <,
// <=, > or >=. Only two numbers or two strings have an order.
func Compare(a any, op string, b any) bool {
	switch op {
	case "==":
		return same(a, b)
	case "!=":
		return !same(a, b)
	case "<":
		return less(a, b)
	case "<=":
		return less(a, b) || same(a, b)
	case ">":
		return less(b, a)
	}
	return less(b, a) || same(a, b)
}

func same(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && Order(a, b) == 0
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, same)
	}
	switch b.(type) {
	case []any, map[string]any:
		return false
	}
	return a == b
}

func less(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && Order(a, b) < 0
	case string:
		b, ok := b.(string)
		return ok && a < b
	}
	return false
}

// calls returns what a function returns: a value, nothing, or true or false.
func (w *work) calls(c *call, current any) any {
	var args []any
	switch c.name {
	case "count":
		return number(len(w.nodes(c.args[0].query, current)))
	case "value":
		if found := w.nodes(c.args[0].query, current); len(found) == 1 {
			return found[0]
		}
		return nothing
	}
	for _, a := range c.args {
		args = append(args, w.value(a, current))
	}
	if c.name == "length" {
		switch v := args[0].(type) {
		case string:
			return number(utf8.RuneCountInString(v))
		case []any:
			return number(len(v))
		case map[string]any:
			return number(len(v))
		}
		return nothing
	}
	text, isText := args[0].(string)
	pattern, also := args[1].(string)
	if !isText || !also {
		return false
	}
	re := c.pattern
	if re == nil {
		re = compile(pattern, c.name == "match")
	}
	w.left -= len(text) / 64
	return re != nil && re.MatchString(text)
}

func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// mostPattern bounds a pattern that comes from a document.
const mostPattern = 4096

// compile reads an I-Regexp (RFC 9485), whose dot matches neither end of a line; nil where
// it is none.
func compile(pattern string, entire bool) *regexp.Regexp {
	if len(pattern) > mostPattern {
		return nil
	}
	var b strings.Builder
	class := false
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			b.WriteByte(c)
			i++
			b.WriteByte(pattern[i])
			continue
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '.' && !class:
			b.WriteString(`[^\n\r]`)
			continue
		}
		b.WriteByte(pattern[i])
	}
	text := b.String()
	if entire {
		text = `\A(?:` + text + `)\z`
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil
	}
	return re
}
