package markdown

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/slice"
)

// braces returns the end of an expression that begins with a brace at pos, past strings,
// templates and comments. What is read in vain is taken off waste.
func braces(src string, pos int, waste *int) (int, bool) {
	if *waste <= 0 {
		return 0, false
	}
	end, ok := balance(src, pos, false)
	if !ok {
		*waste -= len(src) - pos
	}
	return end, ok
}

func balance(src string, pos int, toLine bool) (int, bool) {
	var open []byte // of brackets, and '`' for a template
	for i := pos; i < len(src); i++ {
		c := src[i]
		if n := len(open); n > 0 && open[n-1] == '`' {
			switch {
			case c == '\\':
				i++
			case c == '`':
				open = open[:n-1]
			case c == '$' && i+1 < len(src) && src[i+1] == '{':
				open = append(open, '{')
				i++
			}
			continue
		}
		switch c {
		case '{', '(', '[', '`':
			open = append(open, c)
		case '}', ')', ']':
			if len(open) == 0 {
				return 0, false
			}
			open = open[:len(open)-1]
			if len(open) == 0 && !toLine {
				return i + 1, true
			}
		case '"', '\'':
			i = quoted(src, i)
		case '\\':
			i++
		case '/':
			if j := comment(src, i); j > i {
				i = j - 1
			}
		case '\n':
			if toLine && len(open) == 0 && !goesOn(src, pos, i) {
				return i, true
			}
		}
	}
	return len(src), toLine && len(open) == 0
}

// goesOn says whether a statement that may end at i continues on the next line.
func goesOn(src string, pos, i int) bool {
	t := strings.TrimRight(src[pos:i], " \t")
	if t == "" {
		return false
	}
	last := t[len(t)-1]
	return last == '=' || last == ',' || last == '(' || strings.HasSuffix(t, "=>")
}

// quoted returns the index of the quote that ends a string, or of the one that begins
// it where none does on the line: an apostrophe.
func quoted(src string, i int) int {
	for j := i + 1; j < len(src) && src[j] != '\n'; j++ {
		switch src[j] {
		case '\\':
			j++
		case src[i]:
			return j
		}
	}
	return i
}

// comment returns the end of a comment at i, or i.
func comment(src string, i int) int {
	switch {
	case strings.HasPrefix(src[i:], "/*"):
		if j := strings.Index(src[i+2:], "*/"); j >= 0 {
			return i + 2 + j + 2
		}
		return len(src)
	case strings.HasPrefix(src[i:], "//") && (i == 0 || space(src[i-1])):
		if j := strings.IndexByte(src[i:], '\n'); j >= 0 {
			return i + j
		}
		return len(src)
	}
	return i
}

// Kinds of values.
const (
	jsRaw = iota
	jsString
	jsArray
	jsObject
)

// A value is a literal of JavaScript, or the text of another expression.
type value struct {
	kind int
	text string
	keys []string
	list []value
}

// A literals reader reads values.
type literals struct {
	src string
	pos int
}

const maxLiteral = 12 // depth

// literal reads an expression that is nothing but a literal.
func literal(src string) (value, bool) {
	l := &literals{src: src}
	v := l.value(0)
	l.space()
	return v, v.kind != jsRaw && l.pos == len(src)
}

func (l *literals) space() {
	for l.pos < len(l.src) {
		if c := l.src[l.pos]; space(c) {
			l.pos++
		} else if j := comment(l.src, l.pos); c == '/' && j > l.pos {
			l.pos = j
		} else {
			return
		}
	}
}

func (l *literals) value(depth int) value {
	l.space()
	if l.pos >= len(l.src) {
		return value{}
	}
	start := l.pos
	switch c := l.src[l.pos]; c {
	case '"', '\'', '`':
		if v, ok := l.string(c); ok {
			if l.ends() {
				return v
			}
			return l.raw(start)
		}
	case '[', '{':
		if depth < maxLiteral {
			v, ok := l.list(c, depth)
			if ok && (depth == 0 || l.ends()) {
				return v
			}
		}
		l.pos = start
	}
	return l.raw(start)
}

// ends says whether the value is over: what follows goes on with the list.
func (l *literals) ends() bool {
	l.space()
	return l.pos >= len(l.src) || strings.IndexByte(",]}:", l.src[l.pos]) >= 0
}

func (l *literals) string(q byte) (value, bool) {
	for i := l.pos + 1; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '\\':
			i++
		case c == '\n' && q != '`':
			return value{}, false
		case c == q:
			v := value{kind: jsString, text: plainJS(l.src[l.pos+1 : i])}
			l.pos = i + 1
			return v, true
		}
	}
	return value{}, false
}

func (l *literals) list(open byte, depth int) (value, bool) {
	v, stop := value{kind: jsArray}, byte(']')
	if open == '{' {
		v.kind, stop = jsObject, '}'
	}
	l.pos++
	for {
		l.space()
		if l.pos >= len(l.src) {
			return v, false
		}
		if l.src[l.pos] == stop {
			l.pos++
			return v, true
		}
		if l.src[l.pos] == ',' {
			l.pos++
			continue
		}
		at := l.pos
		if v.kind == jsObject {
			key := l.key()
			v.keys = append(v.keys, key)
		}
		v.list = append(v.list, l.value(depth+1))
		if l.pos == at {
			return v, false
		}
	}
}

// key reads a name and its colon; what has none is a value that names itself.
func (l *literals) key() string {
	at := l.pos
	v := value{}
	if c := l.src[at]; c == '"' || c == '\'' {
		v, _ = l.string(c)
	} else {
		for l.pos < len(l.src) && nameByte(l.src[l.pos]) && l.src[l.pos] != ':' && l.src[l.pos] != '.' {
			l.pos++
		}
		v.text = l.src[at:l.pos]
	}
	l.space()
	if l.pos < len(l.src) && l.src[l.pos] == ':' {
		l.pos++
		return v.text
	}
	l.pos = at
	return ""
}

// raw reads an expression up to what ends it.
func (l *literals) raw(start int) value {
	depth := 0
	i := max(l.pos, start)
scan:
	for ; i < len(l.src); i++ {
		switch c := l.src[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				break scan
			}
			depth--
		case ',':
			if depth == 0 {
				break scan
			}
		case '"', '\'':
			i = quoted(l.src, i)
		case '\\':
			i++
		case '`':
			if j := strings.IndexByte(l.src[i+1:], '`'); j >= 0 {
				i += 1 + j
			}
		}
	}
	i = min(i, len(l.src))
	l.pos = i
	return value{kind: jsRaw, text: strings.TrimSpace(l.src[start:i])}
}

// plainJS resolves the escapes of a string.
func plainJS(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, " ", `\"`, `"`, `\'`, "'", "\\`", "`", `\$`, "$", "\\\n", "").Replace(s)
}

// tagged is a template with a function before it, as in dedent`…`.
var tagged = lazy.Regexp("^[\\w.]+`([^`]*)`$")

// cell is a value on one line.
func (v value) cell() string {
	switch v.kind {
	case jsArray:
		return strings.Join(slice.Map(v.list, func(e value) string { return e.cell() }), ", ")
	case jsObject:
		var parts []string
		for i, e := range v.list {
			parts = append(parts, v.keys[i]+": "+e.cell())
		}
		return strings.Join(parts, ", ")
	case jsRaw:
		if m := tagged.FindStringSubmatch(v.text); m != nil {
			return strings.Join(strings.Fields(plainJS(m[1])), " ")
		}
		return words(v.text)
	}
	return strings.Join(strings.Fields(v.text), " ")
}

// spread is what follows rows that are made by a function of them.
var spread = lazy.Regexp(`^\s*\.(?:flatMap|map)\(\s*\(\s*(?:\[([\w\s,]*)\]|([\w]+))\s*\)\s*=>\s*\(?\s*`)

// tableRows returns the rows of an expression that is a list of lists or of objects, as
// in rows={[["p-1", "padding: 4px"]]}, also where a function makes them of shorter ones.
func tableRows(src string) ([]string, bool) {
	if !strings.HasPrefix(src, "[") {
		return nil, false
	}
	l := &literals{src: src}
	v := l.value(0)
	if v.kind != jsArray || len(v.list) == 0 {
		return nil, false
	}
	rest := src[l.pos:]
	if m := spread.FindStringSubmatchIndex(rest); m != nil && m[2] >= 0 {
		names := strings.FieldsFunc(rest[m[2]:m[3]], func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
		inner := (&literals{src: rest[m[1]:]}).value(0)
		if rows := expand(v, inner, names, 4*len(src)+64); len(rows) > 0 {
			return rows, true
		}
	}
	return v.rows()
}

func (v value) rows() ([]string, bool) {
	var rows []string
	tabular := false
	for i, e := range v.list {
		switch e.kind {
		case jsArray:
			cells := slice.Map(e.list, func(c value) string { return c.cell() })
			rows = append(rows, strings.Join(cells, " | "))
			tabular = true
		case jsObject:
			var keys, cells []string
			for k, c := range e.list {
				if c.kind != jsRaw || c.text != "true" && c.text != "false" {
					keys, cells = append(keys, e.keys[k]), append(cells, c.cell())
				}
			}
			if i == 0 && len(keys) > 1 {
				rows = append(rows, strings.Join(keys, " | "))
			}
			rows = append(rows, strings.Join(cells, " | "))
			tabular = true
		default:
			rows = append(rows, e.cell())
		}
	}
	return rows, tabular
}

// expand makes rows of a template for each of outer, at most room bytes.
func expand(outer, inner value, names []string, room int) []string {
	if inner.kind != jsArray {
		return nil
	}
	lines := []value{inner}
	if len(inner.list) > 0 && inner.list[0].kind == jsArray {
		lines = inner.list
	}
	var rows []string
	for _, o := range outer.list {
		var pairs []string
		for i, n := range names {
			switch {
			case o.kind == jsArray && i < len(o.list):
				pairs = append(pairs, "${"+n+"}", o.list[i].cell())
			case o.kind == jsString && i == 0:
				pairs = append(pairs, "${"+n+"}", o.cell())
			}
		}
		r := strings.NewReplacer(pairs...)
		for _, l := range lines {
			cells := slice.Map(l.list, func(c value) string { return c.cell() })
			row := r.Replace(strings.Join(cells, " | "))
			if room -= len(row) + 1; room < 0 {
				return rows
			}
			rows = append(rows, row)
		}
	}
	return rows
}
