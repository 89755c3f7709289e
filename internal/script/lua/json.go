package lua

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func (vm *VM) openJSON() {
	vm.lib("json", map[string]builtin{"encode": jsonEncode, "parse": jsonParse}).SetField("null", null)
}

func jsonParse(c call) int {
	r := jsonReader{c: c, s: strings.TrimPrefix(c.Str(1), byteOrderMark), dropNulls: c.dropNulls(2), bigAsText: c.choice(2, "big", "text") != ""}
	v, err := r.document()
	if err != nil {
		line := 1 + strings.Count(r.s[:r.at], "\n")
		column := r.at - strings.LastIndexByte(r.s[:r.at], '\n')
		c.Fail("json.parse: %v at line %d column %d", err, line, column)
	}
	return c.Return(v)
}

// dropNulls reads the options of a parser: whether {null = "nil"} asks for nil in place of
// json.null, so that a member that is null is absent and an element leaves a hole.
func (c call) dropNulls(i int) bool { return c.choice(i, "null", "nil", "null") == "nil" }

// choice reads an option that is one of some words, "" where it is not given.
func (c call) choice(i int, option string, words ...string) string {
	v := c.options(i).GetField(option)
	s, _ := v.AsString()
	if !v.IsNil() && !slices.Contains(words, s) {
		c.Fail(`%s: %s must be "%s"`, c.name, option, strings.Join(words, `" or "`))
	}
	return s
}

// byteOrderMark is what some servers and editors begin a text with.
const byteOrderMark = "\xef\xbb\xbf"

// A jsonReader makes values of the VM of a text, without a tree in between.
type jsonReader struct {
	c     call
	s     string
	at    int
	steps int
	held  []value    // what the lists and objects that are being read have so far
	seen  [512]value // short strings, by a hash: most names are there again and again

	dropNulls bool // null is nil
	bigAsText bool // integers of more than 64 bits are strings: as numbers they would lose digits
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

// hold notes a value until the table is made that it belongs to: tables that are made at their size leave no smaller ones behind.
func (r *jsonReader) hold(v value) {
	if len(r.held) == cap(r.held) {
		size := max(64, 2*cap(r.held))
		r.c.Room(int64(size) * valueSize)
		r.c.Used(int64(size) * valueSize)
		r.held = append(make([]value, 0, size), r.held...)
	}
	r.held = append(r.held, v)
}

// valueSize is what a value takes.
const valueSize = 16

// text makes a string, the same one for equal short ones. It shares no memory with what it was read from.
func (r *jsonReader) text(s string) value {
	n := len(s)
	if n == 0 || n > 24 {
		return r.c.Copy(s)
	}
	seen := &r.seen[(n*131+int(s[0])*31+int(s[n/2])*17+int(s[n-1])*7)%len(r.seen)]
	if old, ok := seen.AsString(); !ok || old != s {
		*seen = r.c.Copy(s)
	}
	return *seen
}

func (r *jsonReader) blank() {
	for r.at < len(r.s) && (r.s[r.at] == ' ' || r.s[r.at] == '\n' || r.s[r.at] == '\t' || r.s[r.at] == '\r') {
		r.at++
	}
}

// words are what is written out.
var words = [...]member{{"true", yes}, {"false", no}, {"null", null}}

// peek returns the byte that the next token begins with, 0 at the end.
func (r *jsonReader) peek() byte {
	if r.blank(); r.at < len(r.s) {
		return r.s[r.at]
	}
	return 0
}

func (r *jsonReader) value(depth int) (value, error) {
	if r.steps++; r.steps&0xff == 0 {
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
		return r.text(s), err
	case ch == '-' || '0' <= ch && ch <= '9':
		return r.number()
	}
	for _, w := range words {
		if strings.HasPrefix(r.s[r.at:], w.name) {
			r.at += len(w.name)
			if w.value == null && r.dropNulls {
				return none, nil
			}
			return w.value, nil
		}
	}
	if r.at == len(r.s) {
		return none, errJSONEnd
	}
	return none, errors.New("expected a value")
}

func (r *jsonReader) object(depth int) (value, error) {
	from := len(r.held)
	r.at++
	if r.peek() == '}' {
		r.at++
		return r.c.newObject(0).Of(), nil
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
		r.hold(r.text(k))
		v, err := r.value(depth + 1)
		if err != nil {
			return none, err
		}
		r.hold(v)
		switch r.peek() {
		case ',':
			r.at++
		case '}':
			r.at++
			pairs := r.held[from:]
			t := r.c.newObject(len(pairs) / 2)
			for i := 0; i < len(pairs); i += 2 {
				t.Set(pairs[i], pairs[i+1])
			}
			r.held = r.held[:from]
			return t.Of(), nil
		default:
			return none, r.expected("',' or '}'")
		}
	}
}

func (r *jsonReader) array(depth int) (value, error) {
	from := len(r.held)
	r.at++
	if r.peek() == ']' {
		r.at++
		return r.c.newTable(0).Of(), nil
	}
	for {
		v, err := r.value(depth + 1)
		if err != nil {
			return none, err
		}
		r.hold(v)
		switch r.peek() {
		case ',':
			r.at++
		case ']':
			r.at++
			t := r.c.newTable(0)
			t.Append(r.held[from:]...)
			r.held = r.held[:from]
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
	if integer && len(text) < 18 && text[0] != '-' {
		n := int64(0)
		for i := range len(text) {
			n = n*10 + int64(text[i]-'0')
		}
		return whole(n), nil
	}
	if integer {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return whole(n), nil
		}
		if r.bigAsText {
			return r.text(text), nil
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return none, errors.New("number out of range")
	}
	return float(f), nil
}

// plainText says of a byte that it stands for itself in a string, and is a letter of its own.
var plainText = func() (t [256]bool) {
	for b := ' '; b < utf8.RuneSelf; b++ {
		t[b] = b != '"' && b != '\\'
	}
	return t
}()

func (r *jsonReader) str() (string, error) {
	start := r.at + 1
	i, ascii := start, true
	for ; i < len(r.s); i++ {
		ch := r.s[i]
		switch {
		case plainText[ch]:
		case ch == '"':
			r.at = i + 1
			s := r.s[start:i]
			if !ascii && !utf8.ValidString(s) {
				return "", errors.New("invalid UTF-8 in string")
			}
			return s, nil
		case ch == '\\':
			return r.escaped(start, i)
		case ch < ' ':
			r.at = i
			return "", errors.New("control character in string")
		default:
			ascii = false
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
