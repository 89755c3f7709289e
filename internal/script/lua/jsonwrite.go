package lua

import (
	"errors"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/script/vm"
)

func jsonEncode(c call) int {
	b, err := c.appendJSON(nil, c.Arg(1))
	c.Check("json.encode", err)
	return c.Return(c.Bytes(b))
}

// appendJSON appends v, the members of an object in the order of their names.
func (c call) appendJSON(b []byte, v value) ([]byte, error) {
	w := jsonWriter{c: c, b: b}
	err := w.value(v, 0)
	return w.b, err
}

type jsonWriter struct {
	c     call
	b     []byte
	count int
	seen  int
	held  []member // of the objects that are being written
}

func (w *jsonWriter) value(v value, depth int) error {
	if w.count++; w.count&0xff == 0 {
		w.c.Step(0x100)
	}
	w.c.grown(len(w.b), &w.seen)
	if depth > maxNesting {
		return errNesting
	}
	switch v.Kind() {
	case vm.KindNil, vm.KindNull:
		w.b = append(w.b, "null"...)
	case vm.KindTrue, vm.KindFalse:
		w.b = strconv.AppendBool(w.b, v.Truth())
	case vm.KindString:
		s, _ := v.AsString()
		return w.str(s)
	case vm.KindInt:
		n, _ := v.AsInt()
		w.b = strconv.AppendInt(w.b, n, 10)
	case vm.KindFloat:
		f, _ := v.AsFloat()
		return w.number(f)
	case vm.KindTable:
		return w.table(v.AsTable(), depth)
	default:
		return fmt.Errorf("unsupported Lua type for JSON: %s", v.TypeName())
	}
	return nil
}

// number writes a float; one without a fraction as an integer, which is the same number
// in JSON and what servers take where they want one.
func (w *jsonWriter) number(f float64) error {
	if n := int64(f); float64(n) == f && -1<<53 <= n && n <= 1<<53 {
		w.b = strconv.AppendInt(w.b, n, 10)
		return nil
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return fmt.Errorf("cannot encode %v as JSON number", strings.ToLower(strings.TrimPrefix(fmt.Sprint(f), "+")))
	}
	format := byte('f')
	if a := math.Abs(f); a < 1e-6 || a >= 1e21 {
		format = 'e'
	}
	w.b = strconv.AppendFloat(w.b, f, format, -1, 64)
	return nil
}

func (w *jsonWriter) table(t *table, depth int) error {
	if n, ok := t.List(); ok {
		w.b = append(w.b, '[')
		for i := int64(1); i <= n; i++ {
			if i > 1 {
				w.b = append(w.b, ',')
			}
			if err := w.value(t.GetInt(i), depth+1); err != nil {
				return inside(err, fmt.Sprintf("[%d]", i))
			}
		}
		w.b = append(w.b, ']')
		return nil
	}
	from := len(w.held)
	var err error
	if w.held, err = appendMembers(w.held, t); err != nil {
		return err
	}
	w.b = append(w.b, '{')
	for i := from; i < len(w.held); i++ {
		if i > from {
			w.b = append(w.b, ',')
		}
		m := w.held[i]
		if err := w.str(m.name); err != nil {
			return err
		}
		w.b = append(w.b, ':')
		if err := w.value(m.value, depth+1); err != nil {
			return inside(err, "."+m.name)
		}
	}
	w.held = w.held[:from]
	w.b = append(w.b, '}')
	return nil
}

// A member is a pair of a table whose key is a name.
type member struct {
	name  string
	value value
}

// byName sorts by the one sort of package sort: one of its own would be 10 KB of the program.
type byName []member

func (m byName) Len() int           { return len(m) }
func (m byName) Less(i, j int) bool { return m[i].name < m[j].name }
func (m byName) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }

// members returns the pairs of t by name.
func members(t *table) ([]member, error) { return appendMembers(nil, t) }

func appendMembers(list []member, t *table) ([]member, error) {
	from := len(list)
	for k, v := range t.All() {
		name, err := key(k)
		if err != nil {
			return nil, err
		}
		list = append(list, member{name, v})
	}
	sort.Sort(byName(list[from:]))
	return list, nil
}

// A notText is that a string, which path leads to, cannot be written as text.
type notText struct {
	path string
	at   int
	b    byte
}

func newNotText(s string) error {
	at := 0
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return &notText{at: at, b: s[at]}
}

// inside says of an error where the value is that it is about.
func inside(err error, step string) error {
	var bad *notText
	if errors.As(err, &bad) {
		bad.path = step + bad.path
	}
	return err
}

func (e *notText) Error() string {
	what := "string"
	if e.path != "" {
		what = "the string at " + e.path
	}
	return fmt.Sprintf("%s is not valid UTF-8: byte 0x%02x at %d; base64.encode makes text of bytes", what, e.b, e.at+1)
}

func (w *jsonWriter) str(s string) error {
	w.b = append(w.b, '"')
	from, ascii := 0, true
	for i := range len(s) {
		ch := s[i]
		if plainText[ch] {
			continue
		}
		if ch >= utf8.RuneSelf {
			ascii = false
			continue
		}
		if ch >= ' ' && ch != '"' && ch != '\\' {
			continue // DEL
		}
		w.b = append(w.b, s[from:i]...)
		from = i + 1
		if n := strings.IndexByte("\"\\\b\f\n\r\t", ch); n >= 0 {
			w.b = append(w.b, '\\', `"\bfnrt`[n])
		} else {
			w.b = fmt.Appendf(w.b, `\u%04x`, ch)
		}
	}
	if !ascii && !utf8.ValidString(s) {
		return newNotText(s)
	}
	w.b = append(append(w.b, s[from:]...), '"')
	return nil
}
