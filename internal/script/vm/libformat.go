package vm

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A spec is one conversion of a format: %[flags][width][.precision]verb.
type spec struct {
	flags       string
	width, prec int // prec is -1 where there is none
	verb        byte
}

func (sp spec) has(flag byte) bool { return strings.IndexByte(sp.flags, flag) >= 0 }

// maxSpec is how long a conversion may be.
const maxSpec = 22

// spec reads a conversion whose % is before f[i]; it returns where it ends.
func (c Call) spec(f string, i int) (spec, int) {
	start := i
	for i < len(f) && strings.IndexByte("-+ #0123456789.", f[i]) >= 0 {
		i++
	}
	c.FailIf(i-start+1 >= maxSpec, "invalid format (too long)")
	text := f[start:min(i+1, len(f))]
	sp := spec{prec: -1}
	if i < len(f) {
		sp.verb = f[i]
	}
	flags, precision, ok := sp.allowed()
	switch {
	case !ok:
		c.Fail("invalid conversion '%%%s' to 'format'", text)
	case sp.verb == 'q' && len(text) > 1:
		c.Fail("specifier '%%q' cannot have modifiers")
	}
	rest := strings.TrimLeft(text[:len(text)-1], flags)
	sp.flags = text[:len(text)-1-len(rest)]
	digits := func() int {
		n, k := 0, 0
		for ; k < 2 && k < len(rest) && isDigit(rest[k]); k++ {
			n = n*10 + int(rest[k]-'0')
		}
		rest = rest[k:]
		return n
	}
	if rest == "" || rest[0] != '0' {
		sp.width = digits()
		if precision && strings.HasPrefix(rest, ".") {
			rest = rest[1:]
			sp.prec = digits()
		}
	}
	if rest != "" {
		c.Fail("invalid conversion specification: '%%%s'", text)
	}
	return sp, i + 1
}

// allowed returns the flags that go with a verb, and whether a precision does.
func (sp spec) allowed() (flags string, precision, ok bool) {
	switch sp.verb {
	case 'd', 'i':
		return "-+0 ", true, true
	case 'u':
		return "-0", true, true
	case 'x', 'X', 'o':
		return "-#0", true, true
	case 'a', 'A', 'e', 'E', 'f', 'g', 'G':
		return "-+#0 ", true, true
	case 's':
		return "-", true, true
	case 'c', 'p':
		return "-", false, true
	case 'q':
		return "", false, true
	}
	return "", false, false
}

func strFormat(c Call) int {
	f := c.Str(1)
	var b strings.Builder
	arg, seen := 1, 0
	for i := 0; i < len(f); {
		n := strings.IndexByte(f[i:], '%')
		if n < 0 {
			b.WriteString(f[i:])
			break
		}
		b.WriteString(f[i : i+n])
		i += n + 1
		if i < len(f) && f[i] == '%' {
			b.WriteByte('%')
			i++
			continue
		}
		var sp spec
		sp, i = c.spec(f, i)
		arg++
		if arg > c.n {
			c.Bad(arg, "no value")
		}
		b.WriteString(c.convert(sp, arg))
		if b.Len()-seen > 1<<16 {
			seen = b.Len()
			c.Room(int64(2 * b.Len()))
		}
	}
	return c.Return(c.NewString(b.String()))
}

// convert formats argument i.
func (c Call) convert(sp spec, i int) string {
	switch sp.verb {
	case 'd', 'i':
		n := c.Int(i)
		sign := ""
		switch {
		case n < 0:
			sign = "-"
		case sp.has('+'):
			sign = "+"
		case sp.has(' '):
			sign = " "
		}
		return sp.number(sign, magnitude(n, 10))
	case 'u':
		return sp.number("", strconv.FormatUint(uint64(c.Int(i)), 10))
	case 'x', 'X', 'o':
		n := uint64(c.Int(i))
		base, prefix := 16, "0x"
		if sp.verb == 'o' {
			base, prefix = 8, "0"
		}
		if !sp.has('#') || n == 0 {
			prefix = ""
		}
		s := sp.number(prefix, strconv.FormatUint(n, base))
		if sp.verb == 'X' {
			s = strings.ToUpper(s)
		}
		return s
	case 'c':
		return sp.pad(string([]byte{byte(c.Int(i))}))
	case 'p':
		v := c.Arg(i)
		if k := v.Kind(); k <= KindFloat {
			return sp.pad("(null)")
		}
		if s := v.str(); s != nil && len(s.s) <= maxShort {
			// Equal short strings are one object to C Lua, so that their addresses are equal.
			return sp.pad(fmt.Sprintf("0x%x", s.hashed()))
		}
		return sp.pad(fmt.Sprintf("%p", v.p))
	case 'q':
		return c.quote(i)
	case 's':
		s := c.ToString(c.Any(i))
		if (sp.width > 0 || sp.prec >= 0 || sp.flags != "") && strings.IndexByte(s, 0) >= 0 {
			c.Bad(i, "string contains zeros")
		}
		if sp.prec >= 0 && sp.prec < len(s) {
			s = s[:sp.prec]
		}
		return sp.pad(s)
	}
	return sp.float(c.Float(i))
}

func magnitude(n int64, base int) string {
	if n < 0 {
		return strconv.FormatUint(-uint64(n), base)
	}
	return strconv.FormatInt(n, base)
}

// number lays out an integer: precision is its least number of digits, and with
// one the flag 0 has no say.
func (sp spec) number(sign, digits string) string {
	if sp.prec == 0 && digits == "0" {
		digits = ""
	}
	if n := sp.prec - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	if n := sp.width - len(sign) - len(digits); n > 0 && sp.prec < 0 && sp.has('0') && !sp.has('-') {
		digits = strings.Repeat("0", n) + digits
	}
	return sp.pad(sign + digits)
}

func (sp spec) pad(s string) string {
	n := sp.width - len(s)
	switch {
	case n <= 0:
		return s
	case sp.has('-'):
		return s + strings.Repeat(" ", n)
	}
	return strings.Repeat(" ", n) + s
}

func (sp spec) float(f float64) string {
	sign := ""
	switch {
	case math.Signbit(f):
		sign, f = "-", math.Abs(f)
	case sp.has('+'):
		sign = "+"
	case sp.has(' '):
		sign = " "
	}
	upper := sp.verb < 'a'
	var s string
	switch {
	case math.IsInf(f, 0), math.IsNaN(f):
		s = "inf"
		if math.IsNaN(f) {
			s = "nan"
		}
	case sp.verb|0x20 == 'a':
		s = hexFloat(f, sp.prec)
	default:
		s = fmt.Sprintf("%"+sharp(sp)+"."+strconv.Itoa(precision(sp))+string(sp.verb|0x20), f)
	}
	if upper {
		s = strings.ToUpper(s)
	}
	if n := sp.width - len(sign) - len(s); n > 0 && sp.has('0') && !sp.has('-') && !math.IsInf(f, 0) && !math.IsNaN(f) {
		if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
			return sign + s[:2] + strings.Repeat("0", n) + s[2:]
		}
		s = strings.Repeat("0", n) + s
	}
	return sp.pad(sign + s)
}

func sharp(sp spec) string {
	if sp.has('#') {
		return "#"
	}
	return ""
}

func precision(sp spec) int {
	if sp.prec < 0 {
		return 6
	}
	return sp.prec
}

// hexFloat writes 0x1.8p+1 as C does: with the exponent unpadded.
func hexFloat(f float64, prec int) string {
	s := strconv.FormatFloat(f, 'x', prec, 64)
	mant, exp, _ := strings.Cut(s, "p")
	n, _ := strconv.Atoi(exp)
	if f == 0 {
		n = 0
	}
	return fmt.Sprintf("%sp%+d", mant, n)
}

// maxShort is the length of a short string of C Lua.
const maxShort = 40

// quote writes a value so that Lua reads it back.
func (c Call) quote(i int) string {
	v := c.Arg(i)
	if n, ok := v.AsInt(); ok {
		if n == math.MinInt64 {
			return "0x8000000000000000"
		}
		return strconv.FormatInt(n, 10)
	}
	if f, ok := v.AsFloat(); ok {
		switch {
		case math.IsInf(f, 1):
			return "1e9999"
		case math.IsInf(f, -1):
			return "-1e9999"
		case math.IsNaN(f):
			return "(0/0)"
		}
		return hexFloat(f, -1)
	}
	s, ok := v.AsString()
	if !ok {
		if v.Kind() > KindTrue {
			c.Bad(i, "value has no literal form")
		}
		return string(c.th.st.appendPlain(nil, v))
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch ch := s[i]; {
		case ch == '"' || ch == '\\':
			b.WriteByte('\\')
			b.WriteByte(ch)
		case ch == '\n':
			b.WriteString("\\\n")
		case ch < ' ' || ch == 127:
			if i+1 < len(s) && '0' <= s[i+1] && s[i+1] <= '9' {
				fmt.Fprintf(&b, "\\%03d", ch)
			} else {
				fmt.Fprintf(&b, "\\%d", ch)
			}
		default:
			b.WriteByte(ch)
		}
	}
	b.WriteByte('"')
	return b.String()
}
