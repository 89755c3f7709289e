// Package toml reads and writes TOML 1.0 (toml.io/en/v1.0.0), and the braces of 1.1, as map[string]any, []any,
// string, int64, float64 and bool. Dates and times are strings as RFC 3339 writes them.
//
// It takes time and memory in proportion to the document, whatever that holds, and nests
// no deeper than 512 tables. Parse reads the text that Encode writes as the same value.
//
// The library that the program has for clients' settings keeps a document's form and uses
// reflection: it would be a fiftieth of the program that is made for containers.
package toml

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep tables and lists may lie in each other.
const maxDepth = 512

// An origin is how a table came to be, which says who may add to it.
type origin uint8

const (
	implicit origin = iota // by the header of one within it
	header                 // by its own
	dotted                 // by a key with dots
	inline                 // by braces: nobody may
)

// A table is one that is being read. Its fields are tables, lists of them, or values.
type table struct {
	fields  map[string]any
	origin  origin
	section int // of a dotted one: keys of another section may not add to it
}

// A tables is a list that headers of two brackets have made.
type tables struct{ items []*table }

type reader struct {
	s       string
	at      int
	depth   int
	section int
}

// A parseError is raised by the methods of a reader, and returned by Parse.
type parseError string

// Parse reads a document.
func Parse(src string) (m map[string]any, err error) {
	if !utf8.ValidString(src) {
		return nil, fmt.Errorf("the document is not UTF-8")
	}
	r := &reader{s: src}
	defer func() {
		if e, ok := recover().(parseError); ok {
			err = fmt.Errorf("line %d: %s", 1+strings.Count(r.s[:min(r.at, len(r.s))], "\n"), string(e))
		}
	}()
	root := newTable(header)
	here := root
	for r.blank(); r.at < len(r.s); r.blank() {
		if r.s[r.at] == '[' {
			here = r.header(root)
		} else {
			r.pair(here)
		}
		r.lineEnd()
	}
	return root.plain(), nil
}

func newTable(o origin) *table { return &table{fields: map[string]any{}, origin: o} }

// plain returns a table as its reader is given it.
func (t *table) plain() map[string]any {
	for k, v := range t.fields {
		t.fields[k] = plain(v)
	}
	return t.fields
}

func plain(v any) any {
	switch v := v.(type) {
	case *table:
		return v.plain()
	case *tables:
		out := make([]any, len(v.items))
		for i, t := range v.items {
			out[i] = t.plain()
		}
		return out
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	}
	return v
}

func (r *reader) fail(format string, args ...any) { panic(parseError(fmt.Sprintf(format, args...))) }

// has reports whether a text comes next.
func (r *reader) has(text string) bool { return strings.HasPrefix(r.s[r.at:], text) }

// take skips a text if it comes next.
func (r *reader) take(text string) bool {
	if !r.has(text) {
		return false
	}
	r.at += len(text)
	return true
}

func (r *reader) want(text string) {
	if !r.take(text) {
		r.fail("expected %s", text)
	}
}

func (r *reader) spaces() {
	for r.at < len(r.s) && (r.s[r.at] == ' ' || r.s[r.at] == '\t') {
		r.at++
	}
}

// blank skips to the next that means something.
func (r *reader) blank() {
	for {
		r.spaces()
		r.comment()
		if !r.take("\n") && !r.take("\r\n") {
			return
		}
	}
}

func (r *reader) comment() {
	if !r.has("#") {
		return
	}
	for ; r.at < len(r.s) && r.s[r.at] != '\n' && !r.has("\r\n"); r.at++ {
		if isControl(r.s[r.at]) {
			r.fail("control character in a comment")
		}
	}
}

// isControl reports whether a byte may stand neither in a comment nor in a string.
func isControl(c byte) bool { return c < ' ' && c != '\t' || c == 0x7f }

func (r *reader) lineEnd() {
	r.spaces()
	r.comment()
	if r.at < len(r.s) && !r.take("\n") && !r.take("\r\n") {
		r.fail("expected the end of the line")
	}
}

// header reads [a.b] or [[a.b]] and returns the table that the keys after it are of.
func (r *reader) header(root *table) *table {
	r.section++
	r.at++
	isList := r.take("[")
	path := r.path()
	r.want("]")
	if isList {
		r.want("]")
	}
	t := root
	for _, k := range path[:len(path)-1] {
		switch v := t.fields[k].(type) {
		case nil:
			child := newTable(implicit)
			t.fields[k] = child
			t = child
		case *tables:
			t = v.items[len(v.items)-1]
		case *table:
			if v.origin == inline {
				r.fail("%s was defined in braces, and nothing can be added to it", k)
			}
			t = v
		default:
			r.fail("%s is not a table", k)
		}
	}
	return r.define(t, path[len(path)-1], isList)
}

// define makes the table of a header within another one.
func (r *reader) define(in *table, k string, isList bool) *table {
	switch v := in.fields[k].(type) {
	case nil:
		t := newTable(header)
		in.fields[k] = t
		if isList {
			in.fields[k] = &tables{[]*table{t}}
		}
		return t
	case *tables:
		if isList {
			v.items = append(v.items, newTable(header))
			return v.items[len(v.items)-1]
		}
	case *table:
		if v.origin == implicit && !isList {
			v.origin = header
			return v
		}
	}
	r.fail("%s is already defined", k)
	return nil
}

// path reads a key, which may have dots.
func (r *reader) path() (path []string) {
	for {
		r.spaces()
		path = append(path, r.key())
		if len(path) > maxDepth {
			r.fail("nested more than %d deep", maxDepth)
		}
		r.spaces()
		if !r.take(".") {
			return path
		}
	}
}

func (r *reader) key() string {
	switch {
	case r.has(`"`):
		return r.basic()
	case r.has("'"):
		return r.literal()
	}
	start := r.at
	for r.at < len(r.s) && isBare(r.s[r.at]) {
		r.at++
	}
	if r.at == start {
		r.fail("expected a key")
	}
	return r.s[start:r.at]
}

// isBare reports whether a byte can be in a key without quotation marks.
func isBare(c byte) bool {
	lower := c | 0x20
	isLetter := 'a' <= lower && lower <= 'z'
	return isLetter || isDigit(c) || c == '_' || c == '-'
}

// pair reads a key and its value into a table.
func (r *reader) pair(t *table) {
	path := r.path()
	r.want("=")
	r.spaces()
	for _, k := range path[:len(path)-1] {
		switch v := t.fields[k].(type) {
		case nil:
			child := newTable(dotted)
			child.section = r.section
			t.fields[k] = child
			t = child
		case *table:
			if v.origin != dotted || v.section != r.section {
				r.fail("%s is already defined", k)
			}
			t = v
		default:
			r.fail("%s is not a table", k)
		}
	}
	last := path[len(path)-1]
	if _, ok := t.fields[last]; ok {
		r.fail("%s is already defined", last)
	}
	t.fields[last] = r.value()
}
