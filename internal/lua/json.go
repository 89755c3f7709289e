package lua

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/lua/vm"
)

func (vm *VM) openJSON() {
	vm.lib("json", map[string]builtin{"encode": jsonEncode, "parse": jsonParse})
}

func jsonParse(c call) int {
	r := jsonReader{c: c, s: strings.TrimPrefix(c.Str(1), byteOrderMark)}
	v, err := r.document()
	if err != nil {
		line := 1 + strings.Count(r.s[:r.at], "\n")
		column := r.at - strings.LastIndexByte(r.s[:r.at], '\n')
		c.Fail("json.parse: %v at line %d column %d", err, line, column)
	}
	return c.Return(v)
}

// byteOrderMark is what some servers and editors begin a text with.
const byteOrderMark = "\xef\xbb\xbf"

// A jsonReader makes values of the VM of a text, without a tree in between.
type jsonReader struct {
	c     call
	s     string
	at    int
	count int
}

var (
	errJSONEnd   = errors.New("unexpected end of input")
	errJSONDepth = fmt.Errorf("nested more than %d deep", maxNesting)
)

func (r *jsonReader) document() (value, error) {
	v, err := r.value(0)
	if err != nil {
		return none, err
	}
	if r.blank(); r.at < len(r.s) {
		return none, errors.New("trailing characters")
	}
	return v, nil
}

func (r *jsonReader) blank() {
	for r.at < len(r.s) && (r.s[r.at] == ' ' || r.s[r.at] == '\n' || r.s[r.at] == '\t' || r.s[r.at] == '\r') {
		r.at++
	}
}

// words are what is written out.
var words = [...]member{{"true", yes}, {"false", no}, {"null", none}}

// peek returns the byte that the next token begins with, 0 at the end.
func (r *jsonReader) peek() byte {
	if r.blank(); r.at < len(r.s) {
		return r.s[r.at]
	}
	return 0
}

func (r *jsonReader) value(depth int) (value, error) {
	if r.count++; r.count&0xff == 0 {
		r.c.Step(0x100)
	}
	if depth > maxNesting {
		return none, errJSONDepth
	}
	switch ch := r.peek(); {
	case ch == '{':
		return r.object(depth)
	case ch == '[':
		return r.array(depth)
	case ch == '"':
		s, err := r.str()
		return r.c.NewString(s), err
	case ch == '-' || '0' <= ch && ch <= '9':
		return r.number()
	}
	for _, w := range words {
		if strings.HasPrefix(r.s[r.at:], w.name) {
			r.at += len(w.name)
			return w.value, nil
		}
	}
	if r.at == len(r.s) {
		return none, errJSONEnd
	}
	return none, errors.New("expected a value")
}

func (r *jsonReader) object(depth int) (value, error) {
	t := r.c.newObject(0)
	r.at++
	if r.peek() == '}' {
		r.at++
		return t.Of(), nil
	}
	for {
		if r.peek() != '"' {
			return none, r.expected("a string as key")
		}
		k, err := r.str()
		if err != nil {
			return none, err
		}
		if r.peek() != ':' {
			return none, r.expected("':'")
		}
		r.at++
		v, err := r.value(depth + 1)
		if err != nil {
			return none, err
		}
		t.Set(r.c.NewString(k), v)
		switch r.peek() {
		case ',':
			r.at++
		case '}':
			r.at++
			return t.Of(), nil
		default:
			return none, r.expected("',' or '}'")
		}
	}
}

func (r *jsonReader) array(depth int) (value, error) {
	t := r.c.newTable(0)
	r.at++
	if r.peek() == ']' {
		r.at++
		return t.Of(), nil
	}
	for i := int64(1); ; i++ {
		v, err := r.value(depth + 1)
		if err != nil {
			return none, err
		}
		t.SetInt(i, v)
		switch r.peek() {
		case ',':
			r.at++
		case ']':
			r.at++
			return t.Of(), nil
		default:
			return none, r.expected("',' or ']'")
		}
	}
}

func (r *jsonReader) expected(what string) error {
	if r.at == len(r.s) {
		return errJSONEnd
	}
	return errors.New("expected " + what)
}

func (r *jsonReader) digits() int {
	start := r.at
	for r.at < len(r.s) && '0' <= r.s[r.at] && r.s[r.at] <= '9' {
		r.at++
	}
	return r.at - start
}

func (r *jsonReader) number() (value, error) {
	start := r.at
	if r.s[r.at] == '-' {
		r.at++
	}
	zero := r.at < len(r.s) && r.s[r.at] == '0'
	if n := r.digits(); n == 0 || zero && n > 1 {
		return none, errors.New("invalid number")
	}
	integer := true
	if r.at < len(r.s) && r.s[r.at] == '.' {
		r.at++
		if integer = false; r.digits() == 0 {
			return none, errors.New("invalid number")
		}
	}
	if r.at < len(r.s) && r.s[r.at]|0x20 == 'e' {
		if r.at++; r.at < len(r.s) && (r.s[r.at] == '+' || r.s[r.at] == '-') {
			r.at++
		}
		if integer = false; r.digits() == 0 {
			return none, errors.New("invalid number")
		}
	}
	text := r.s[start:r.at]
	if integer {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return whole(n), nil
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return none, errors.New("number out of range")
	}
	return float(f), nil
}

func (r *jsonReader) str() (string, error) {
	start := r.at + 1
	for i := start; i < len(r.s); i++ {
		switch ch := r.s[i]; {
		case ch == '"':
			r.at = i + 1
			s := r.s[start:i]
			if !utf8.ValidString(s) {
				return "", errors.New("invalid UTF-8 in string")
			}
			return s, nil
		case ch == '\\':
			return r.escaped(start, i)
		case ch < ' ':
			r.at = i
			return "", errors.New("control character in string")
		}
	}
	r.at = len(r.s)
	return "", errJSONEnd
}

// escaped reads a string from start whose first backslash is at i.
func (r *jsonReader) escaped(start, i int) (string, error) {
	var b strings.Builder
	b.WriteString(r.s[start:i])
	for r.at = i; r.at < len(r.s); {
		switch ch := r.s[r.at]; {
		case ch == '"':
			r.at++
			if !utf8.ValidString(b.String()) {
				return "", errors.New("invalid UTF-8 in string")
			}
			return b.String(), nil
		case ch < ' ':
			return "", errors.New("control character in string")
		case ch != '\\':
			b.WriteByte(ch)
			r.at++
		default:
			if err := r.escape(&b); err != nil {
				return "", err
			}
		}
	}
	return "", errJSONEnd
}

func (r *jsonReader) escape(b *strings.Builder) error {
	if r.at+1 >= len(r.s) {
		r.at = len(r.s)
		return errJSONEnd
	}
	ch := r.s[r.at+1]
	if i := strings.IndexByte(`"\/bfnrt`, ch); i >= 0 {
		b.WriteByte("\"\\/\b\f\n\r\t"[i])
		r.at += 2
		return nil
	}
	if ch != 'u' {
		return errors.New("invalid escape")
	}
	x, ok := r.hex4(r.at + 2)
	if !ok {
		return errors.New("invalid escape")
	}
	r.at += 6
	switch {
	case 0xDC00 <= x && x <= 0xDFFF:
		return errors.New("lone surrogate in escape")
	case 0xD800 <= x && x <= 0xDBFF:
		low, ok := r.hex4(r.at + 2)
		if !ok || r.s[r.at] != '\\' || r.s[r.at+1] != 'u' || low < 0xDC00 || low > 0xDFFF {
			return errors.New("lone surrogate in escape")
		}
		r.at += 6
		x = 0x10000 + (x-0xD800)<<10 + (low - 0xDC00)
	}
	b.WriteRune(x)
	return nil
}

func (r *jsonReader) hex4(at int) (rune, bool) {
	if at+4 > len(r.s) {
		return 0, false
	}
	n, err := strconv.ParseUint(r.s[at:at+4], 16, 32)
	return rune(n), err == nil && r.s[at] != '+'
}

func jsonEncode(c call) int {
	b, err := c.appendJSON(nil, c.Arg(1))
	if err != nil {
		c.Fail("json.encode: %v", err)
	}
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
	case vm.KindNil:
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
	members, err := members(t)
	if err != nil {
		return err
	}
	w.b = append(w.b, '{')
	for i, m := range members {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		if err := w.str(m.name); err != nil {
			return err
		}
		w.b = append(w.b, ':')
		if err := w.value(m.value, depth+1); err != nil {
			return inside(err, "."+m.name)
		}
	}
	w.b = append(w.b, '}')
	return nil
}

// A member is a pair of a table whose key is a name.
type member struct {
	name  string
	value value
}

// members returns the pairs of t by name.
func members(t *table) ([]member, error) {
	var list []member
	for k, v := range t.All() {
		name, err := key(k)
		if err != nil {
			return nil, err
		}
		list = append(list, member{name, v})
	}
	slices.SortFunc(list, func(a, b member) int { return strings.Compare(a.name, b.name) })
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
	if !utf8.ValidString(s) {
		return newNotText(s)
	}
	w.b = append(w.b, '"')
	from := 0
	for i := range len(s) {
		ch := s[i]
		if ch >= ' ' && ch != '"' && ch != '\\' {
			continue
		}
		w.b = append(w.b, s[from:i]...)
		from = i + 1
		if n := strings.IndexByte("\"\\\b\f\n\r\t", ch); n >= 0 {
			w.b = append(w.b, '\\', `"\bfnrt`[n])
		} else {
			w.b = fmt.Appendf(w.b, `\u%04x`, ch)
		}
	}
	w.b = append(append(w.b, s[from:]...), '"')
	return nil
}
