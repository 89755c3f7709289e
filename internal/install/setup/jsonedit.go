package setup

import (
	"bytes"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// What setup writes: an object is pairs in order; else a string, a bool, an int
// or a list.
type (
	object []pair
	list   []any
	pair   struct {
		key string
		val any
	}
)

// A layout is how a text is written: setup writes as the rest of it is.
type layout struct {
	nl, unit string // what ends a line; one level of indentation
	tight    bool   // all of it on one line without spaces
}

func (d *jsonDoc) layout() layout {
	l := layout{nl: "\n", unit: "  "}
	if bytes.Contains(d.text, []byte("\r\n")) {
		l.nl = "\r\n"
	}
	l.tight = len(d.root.items) > 0 && !bytes.ContainsAny(d.text[d.root.start:d.root.end], "\n \t")
	for _, it := range d.root.items {
		if in, ok := d.indent(it.at); ok && in != "" {
			l.unit = in
			break
		}
	}
	return l
}

// indent returns the white space before the place at, if there is nothing else
// before it on its line.
func (d *jsonDoc) indent(at int) (string, bool) {
	line := bytes.LastIndexByte(d.text[:at], '\n') + 1
	in := string(d.text[line:at])
	return in, line > 0 && strings.Trim(in, " \t") == ""
}

// render writes v at an indentation; spread over lines, or in one.
func (l layout) render(v any, indent string, spread bool) string {
	switch v := v.(type) {
	case object:
		parts := slice.Map(v, func(p pair) string { return l.item(p.key, p.val, indent+l.unit, spread) })
		return l.wrap("{", "}", parts, indent, spread)
	case list:
		var parts []string
		plain := true
		for _, e := range v {
			_, deep := e.(object)
			plain = plain && !deep
			parts = append(parts, l.render(e, indent+l.unit, spread))
		}
		return l.wrap("[", "]", parts, indent, spread && !plain)
	default:
		return quoted(v)
	}
}

// item writes a member of an object, or an element of an array if key is empty.
func (l layout) item(key string, v any, indent string, spread bool) string {
	switch {
	case key == "":
		return l.render(v, indent, spread)
	case l.tight:
		return quoted(key) + ":" + l.render(v, indent, spread)
	}
	return quoted(key) + ": " + l.render(v, indent, spread)
}

func (l layout) wrap(open, end string, parts []string, indent string, spread bool) string {
	switch {
	case len(parts) == 0:
		return open + end
	case spread:
		in := l.nl + indent + l.unit
		return open + in + strings.Join(parts, ","+in) + l.nl + indent + end
	case l.tight:
		return open + strings.Join(parts, ",") + end
	}
	return open + strings.Join(parts, ", ") + end
}

func quoted(v any) string {
	b, _ := codec.MarshalPlain(v) // strings, numbers and bools only
	return string(b)
}

// An edit replaces a span.
type edit struct {
	span
	with string
}

// apply makes edits that do not overlap.
func apply(text []byte, edits ...edit) []byte {
	sorting.Stable(edits, func(a, b edit) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.start]...), e.with...)
		at = e.end
	}
	return append(out, text[at:]...)
}

// add puts an item at the end of a container; the key is empty in an array.
func (d *jsonDoc) add(c node, key string, v any) []byte {
	l := d.layout()
	if c.end == c.start { // a text without any value, perhaps with comments
		head := string(bytes.TrimRight(d.text, " \t\r\n"))
		if n := len(d.comments); n > 0 {
			head = string(d.text[:d.comments[n-1].end]) + l.nl
		}
		return []byte(head + l.render(object{{key, v}}, "", true) + l.nl)
	}
	spread := d.spread(c)
	outer := d.lineIndent(c.start)
	in := outer + l.unit
	if n := len(c.items); n > 0 {
		if s, ok := d.indent(c.items[n-1].at); ok {
			in = s
		}
	}
	text := l.item(key, v, in, spread)
	if len(c.items) == 0 {
		return d.first(c, text, in, outer, l, spread)
	}
	last := c.items[len(c.items)-1]
	end, comma := last.val.end, ""
	var edits []edit
	if last.comma >= 0 {
		end, comma = last.comma+1, ","
	} else {
		edits = append(edits, edit{span{end, end}, ","})
	}
	switch {
	case spread:
		at := d.lineEnd(end)
		edits = append(edits, edit{span{at, at}, l.nl + in + text + comma})
	case l.tight:
		edits = append(edits, edit{span{end, end}, text + comma})
	default:
		edits = append(edits, edit{span{end, end}, " " + text + comma})
	}
	return apply(d.text, edits...)
}

// first puts an item into an empty container, after the comments in it.
func (d *jsonDoc) first(c node, text, in, outer string, l layout, spread bool) []byte {
	if !spread {
		return apply(d.text, edit{span{c.start + 1, c.start + 1}, text})
	}
	inner := d.text[c.start+1 : c.end-1]
	at := c.start + 1 + len(bytes.TrimRight(inner, " \t\r\n"))
	tail := ""
	if !bytes.Contains(d.text[at:c.end-1], []byte("\n")) {
		tail = l.nl + outer
	}
	return apply(d.text, edit{span{at, at}, l.nl + in + text + tail})
}

// spread reports whether the items of a container are on lines of their own; an
// empty one is as what holds it.
func (d *jsonDoc) spread(c node) bool {
	if len(c.items) > 0 {
		return bytes.Contains(d.text[c.start:c.items[0].at], []byte("\n"))
	}
	return c.start == d.root.start || bytes.Contains(d.text[:c.start], []byte("\n"))
}

// lineIndent returns the indentation of the line that holds the place at.
func (d *jsonDoc) lineIndent(at int) string {
	line := d.text[bytes.LastIndexByte(d.text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// lineEnd returns the end of the line of the place at if nothing but comments
// follow there, else at.
func (d *jsonDoc) lineEnd(at int) int {
	for i := at; ; {
		for i < len(d.text) && (d.text[i] == ' ' || d.text[i] == '\t' || d.text[i] == '\r') {
			i++
		}
		if i < len(d.text) && d.text[i] == '\n' {
			if d.text[i-1] == '\r' {
				i--
			}
			return i
		}
		n := slices.IndexFunc(d.comments, func(c span) bool { return c.start == i })
		if n < 0 || bytes.Contains(d.text[d.comments[n].start:d.comments[n].end], []byte("\n")) {
			return at
		}
		i = d.comments[n].end
	}
}

// set replaces a value.
func (d *jsonDoc) set(old node, v any) []byte {
	spread := bytes.Contains(d.text[old.start:old.end], []byte("\n")) || bytes.Contains(d.text[:old.start], []byte("\n"))
	return apply(d.text, edit{old.span, d.layout().render(v, d.lineIndent(old.start), spread)})
}

// drop takes an item out of a container, and nothing of its neighbours. It undoes
// add.
func (d *jsonDoc) drop(c node, i int) []byte {
	it := c.items[i]
	start, end := it.at, it.val.end
	last := i == len(c.items)-1
	if it.comma >= 0 {
		end = it.comma + 1
	}
	// A line of its own goes with the line's end before it, unless what is left of
	// the line would then be part of a comment.
	line := bytes.LastIndexByte(d.text[:start], '\n')
	own := line >= 0 && len(bytes.TrimLeft(d.text[line+1:start], " \t")) == 0
	if line > 0 && d.text[line-1] == '\r' {
		line--
	}
	blank := d.lineEnd(end) != end || end < len(d.text) && (d.text[end] == '\r' || d.text[end] == '\n')
	switch {
	case own && (blank || last && !d.commented(line)):
		start = line
	case i > 0 && !own:
		start = len(bytes.TrimRight(d.text[:start], " \t"))
	case it.comma >= 0:
		end = len(d.text) - len(bytes.TrimLeft(d.text[end:], " \t"))
	}
	edits := []edit{{span{start, end}, ""}}
	if last && i > 0 && it.comma < 0 {
		before := c.items[i-1].comma
		edits = append(edits, edit{span{before, before + 1}, ""})
	}
	if len(c.items) == 1 && len(bytes.TrimSpace(d.text[c.start+1:start])) == 0 && len(bytes.TrimSpace(d.text[end:c.end-1])) == 0 {
		edits = []edit{{span{c.start + 1, c.end - 1}, ""}}
	}
	return apply(d.text, edits...)
}

// commented reports whether a comment to the end of the line ends at the place at.
func (d *jsonDoc) commented(at int) bool {
	return slices.ContainsFunc(d.comments, func(c span) bool { return c.end == at && d.text[c.start+1] == '/' })
}
