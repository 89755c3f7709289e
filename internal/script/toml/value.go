package toml

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// value reads one.
func (r *reader) value() any {
	switch {
	case r.at == len(r.s):
		r.fail("expected a value")
	case r.has(`"""`):
		return r.longBasic()
	case r.has("'''"):
		return r.longLiteral()
	case r.has(`"`):
		return r.basic()
	case r.has("'"):
		return r.literal()
	case r.has("["):
		return r.list()
	case r.has("{"):
		return r.braces()
	}
	return r.scalar()
}

// deeper counts a value within another until the function that it returns is called.
func (r *reader) deeper() func() {
	if r.depth++; r.depth > maxDepth {
		r.fail("nested more than %d deep", maxDepth)
	}
	return func() { r.depth-- }
}

func (r *reader) list() any {
	defer r.deeper()()
	r.at++
	out := []any{}
	for r.blank(); !r.take("]"); r.blank() {
		out = append(out, r.value())
		r.blank()
		if !r.take(",") && !r.has("]") {
			r.fail("expected , or ]")
		}
	}
	return out
}

// braces reads a table on one line or, as TOML 1.1 has it, on several.
func (r *reader) braces() any {
	defer r.deeper()()
	r.at++
	t := newTable(inline)
	for r.blank(); !r.take("}"); r.blank() {
		r.pair(t)
		r.blank()
		if !r.take(",") && !r.has("}") {
			r.fail("expected , or }")
		}
	}
	t.close()
	return t
}

// close keeps others from adding to the tables that keys with dots have made in braces.
func (t *table) close() {
	t.origin = inline
	for _, v := range t.fields {
		if child, ok := v.(*table); ok && child.origin == dotted {
			child.close()
		}
	}
}

// literal reads a string between apostrophes on one line.
func (r *reader) literal() string {
	start := r.at + 1
	for r.at = start; r.at < len(r.s); r.at++ {
		switch c := r.s[r.at]; {
		case c == '\'':
			r.at++
			return r.s[start : r.at-1]
		case isControl(c):
			r.fail("control character in a string")
		}
	}
	r.fail("a string does not end")
	return ""
}

// longLiteral reads a string between three apostrophes.
func (r *reader) longLiteral() string {
	r.at += 3
	r.newline()
	var b strings.Builder
	for r.at < len(r.s) {
		if r.closed('\'', &b) {
			return b.String()
		}
		r.plainByte(&b)
	}
	r.fail("a string does not end")
	return ""
}

// newline skips the end of a line that comes next.
func (r *reader) newline() bool { return r.take("\n") || r.take("\r\n") }

// closed reads quotation marks: three end a string, and up to two before them are in it.
func (r *reader) closed(mark byte, b *strings.Builder) bool {
	n := 0
	for n < 5 && r.at+n < len(r.s) && r.s[r.at+n] == mark {
		n++
	}
	if n < 3 {
		return false
	}
	for range n - 3 {
		b.WriteByte(mark)
	}
	r.at += n
	return true
}

// plainByte adds a byte that stands for itself in a string of several lines.
func (r *reader) plainByte(b *strings.Builder) {
	c := r.s[r.at]
	if isControl(c) && c != '\n' && !r.has("\r\n") {
		r.fail("control character in a string")
	}
	b.WriteByte(c)
	r.at++
}

// basic reads a string between quotation marks on one line.
func (r *reader) basic() string {
	r.at++
	var b strings.Builder
	for r.at < len(r.s) {
		switch c := r.s[r.at]; {
		case c == '"':
			r.at++
			return b.String()
		case c == '\\':
			r.escape(&b)
		case isControl(c):
			r.fail("control character in a string")
		default:
			b.WriteByte(c)
			r.at++
		}
	}
	r.fail("a string does not end")
	return ""
}

// longBasic reads a string between three quotation marks.
func (r *reader) longBasic() string {
	r.at += 3
	r.newline()
	var b strings.Builder
	for r.at < len(r.s) {
		switch {
		case r.closed('"', &b):
			return b.String()
		case r.joined():
		case r.has(`\`):
			r.escape(&b)
		default:
			r.plainByte(&b)
		}
	}
	r.fail("a string does not end")
	return ""
}

// joined skips a backslash at the end of a line with all space that follows.
func (r *reader) joined() bool {
	if !r.has(`\`) {
		return false
	}
	start := r.at
	r.at++
	r.spaces()
	if !r.newline() {
		r.at = start
		return false
	}
	for r.spaces(); r.newline(); r.spaces() {
	}
	return true
}

func (r *reader) escape(b *strings.Builder) {
	rest := r.s[r.at+1:]
	if rest == "" {
		r.fail("a string does not end")
	}
	if i := strings.IndexByte(`btnfr"\`, rest[0]); i >= 0 {
		b.WriteByte("\b\t\n\f\r\"\\"[i])
		r.at += 2
		return
	}
	digits := map[byte]int{'u': 4, 'U': 8}[rest[0]]
	if digits == 0 || len(rest) <= digits {
		r.fail("invalid escape")
	}
	n, err := strconv.ParseUint(rest[1:1+digits], 16, 32)
	if err != nil || strings.IndexByte("+-_", rest[1]) >= 0 || !utf8.ValidRune(rune(n)) {
		r.fail("invalid escape")
	}
	b.WriteRune(rune(n))
	r.at += 2 + digits
}

// scalar reads a number, a boolean, a date or a time.
func (r *reader) scalar() any {
	start := r.at
	skip := func() {
		for r.at < len(r.s) && (isBare(r.s[r.at]) || strings.IndexByte("+.:", r.s[r.at]) >= 0) {
			r.at++
		}
	}
	skip()
	if isDate(r.s[start:r.at]) && r.at-start == len(time.DateOnly) && hasForm(r.s[r.at:], " 0") { // a time follows
		r.at++
		skip()
	}
	text := r.s[start:r.at]
	switch text {
	case "true":
		return true
	case "false":
		return false
	}
	if n, ok := integer(text); ok {
		return n
	}
	if f, ok := float(text); ok {
		return f
	}
	if s, ok := moment(text); ok {
		return s
	}
	r.at = start
	if text == "" {
		r.fail("expected a value")
	}
	r.fail("%.60q is not a value", text)
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// withoutUnderscores removes those that stand between two digits; false where one does not.
func withoutUnderscores(s string, isDigit func(byte) bool) (string, bool) {
	for i := range len(s) {
		if s[i] != '_' {
			continue
		}
		if i == 0 || i+1 == len(s) || !isDigit(s[i-1]) || !isDigit(s[i+1]) {
			return "", false
		}
	}
	return strings.ReplaceAll(s, "_", ""), true
}

func isHexDigit(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func integer(s string) (int64, bool) {
	if len(s) > 2 && s[0] == '0' {
		base := map[byte]int{'x': 16, 'o': 8, 'b': 2}[s[1]]
		digits, ok := withoutUnderscores(s[2:], isHexDigit)
		if base == 0 || !ok || !isHexDigit(digits[0]) {
			return 0, false
		}
		n, err := strconv.ParseInt(digits, base, 64)
		return n, err == nil
	}
	s, ok := withoutUnderscores(s, isDigit)
	digits := strings.TrimLeft(s, "+-")
	if !ok || len(s)-len(digits) > 1 || digits == "" {
		return 0, false
	}
	if digits != "0" && digits[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

func float(s string) (float64, bool) {
	s, ok := withoutUnderscores(s, isDigit)
	sign, rest := 1.0, s
	if s != "" && (s[0] == '+' || s[0] == '-') {
		rest = s[1:]
		if s[0] == '-' {
			sign = -1
		}
	}
	switch rest {
	case "inf":
		return math.Inf(int(sign)), true
	case "nan":
		return math.NaN(), true
	}
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(rest), "e")
	whole, fraction, hasFraction := strings.Cut(mantissa, ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
		exponent = exponent[1:]
	}
	switch {
	case !ok || !digits(whole) || len(whole) > 1 && whole[0] == '0':
		return 0, false
	case !hasFraction && !hasExponent, hasFraction && !digits(fraction), hasExponent && !digits(exponent):
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// hasForm reports whether s begins as form does, with a digit wherever form has 0.
func hasForm(s, form string) bool {
	if len(s) < len(form) {
		return false
	}
	for i := range len(form) {
		if form[i] == '0' && !isDigit(s[i]) || form[i] != '0' && s[i] != form[i] {
			return false
		}
	}
	return true
}

func isDate(s string) bool { return hasForm(s, "0000-00-00") }

// moment returns a date, a time or both as RFC 3339 writes them.
func moment(s string) (string, bool) {
	layout, text, clock := "", "", s
	if isDate(s) {
		date := s[:len(time.DateOnly)]
		if clock = s[len(date):]; clock == "" {
			_, err := time.Parse(time.DateOnly, date)
			return date, err == nil
		}
		if strings.IndexByte("Tt ", clock[0]) < 0 {
			return "", false
		}
		layout, text, clock = time.DateOnly+"T", date+"T", clock[1:]
	}
	if !hasForm(clock, "00:00:00") {
		return "", false
	}
	layout += time.TimeOnly
	rest := clock[len(time.TimeOnly):]
	if fraction, ok := strings.CutPrefix(rest, "."); ok {
		rest = strings.TrimLeft(fraction, "0123456789")
		if len(rest) == len(fraction) {
			return "", false
		}
	}
	text += clock[:len(clock)-len(rest)]
	if rest != "" {
		offset := strings.ToUpper(rest)
		if text == clock[:len(clock)-len(rest)] || offset != "Z" && (len(offset) != 6 || !hasForm(offset[1:], "00:00")) {
			return "", false
		}
		layout, text = layout+"Z07:00", text+offset
	}
	_, err := time.Parse(layout, text)
	return text, err == nil
}
