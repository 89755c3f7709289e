package vm

import (
	"math"
	"strconv"
	"strings"
)

// floatToInt returns the integer that f is, if it is one.
func floatToInt(f float64) (int64, bool) {
	if f >= -(1<<63) && f < 1<<63 {
		if n := int64(f); float64(n) == f {
			return n, true
		}
	}
	return 0, false
}

// toInt returns the integer that v is or stands for: a float without a fraction or a
// string of one.
func toInt(v Value) (int64, bool) {
	switch v.Kind() {
	case KindInt:
		return int64(v.n), true
	case KindFloat:
		return floatToInt(v.float())
	case KindString:
		if n := parseNumber((*String)(v.p).s); !n.IsNil() {
			return toInt(n)
		}
	}
	return 0, false
}

// exactInt returns the integer that a number is; a string is none, as for bit operators.
func exactInt(v Value) (int64, bool) {
	if v.Kind() == KindString {
		return 0, false
	}
	return toInt(v)
}

// toFloat returns the float that v is or stands for.
func toFloat(v Value) (float64, bool) {
	switch v.Kind() {
	case KindInt:
		return float64(int64(v.n)), true
	case KindFloat:
		return v.float(), true
	case KindString:
		if n := parseNumber((*String)(v.p).s); !n.IsNil() {
			return toFloat(n)
		}
	}
	return 0, false
}

// toNumber returns v as a number; a string that is a numeral is one. Nil is none.
func toNumber(v Value) Value {
	switch v.Kind() {
	case KindInt, KindFloat:
		return v
	case KindString:
		return parseNumber((*String)(v.p).s)
	}
	return Nil
}

// appendNumber writes a number as tostring does.
func appendNumber(b []byte, v Value) []byte {
	if v.isInt() {
		return strconv.AppendInt(b, int64(v.n), 10)
	}
	f := v.float()
	if n := int64(f); float64(n) == f && n > -1e14 && n < 1e14 {
		if n == 0 && math.Signbit(f) {
			b = append(b, '-')
		}
		return append(strconv.AppendInt(b, n, 10), ".0"...)
	}
	switch {
	case math.IsInf(f, 1):
		return append(b, "inf"...)
	case math.IsInf(f, -1):
		return append(b, "-inf"...)
	case math.IsNaN(f) && math.Signbit(f):
		return append(b, "-nan"...)
	case math.IsNaN(f):
		return append(b, "nan"...)
	}
	from := len(b)
	b = strconv.AppendFloat(b, f, 'g', 14, 64)
	for _, c := range b[from:] {
		if c != '-' && (c < '0' || c > '9') {
			return b
		}
	}
	return append(b, ".0"...)
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func hexDigit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// parseNumber reads a numeral as tonumber does: white space around it, a sign, decimal
// or hexadecimal. Nil is none.
func parseNumber(s string) Value {
	for s != "" && isSpace(s[0]) {
		s = s[1:]
	}
	for s != "" && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	v := parseNumeral(s)
	switch {
	case !neg:
	case v.isInt():
		v.n = -v.n
	case v.isFloat():
		if f := -v.float(); f == math.MinInt64 && strings.TrimLeft(s, "0") == "9223372036854775808" {
			return Int(math.MinInt64) // whose digits without the sign are too large
		}
		v = Float(-v.float())
	}
	return v
}

// parseNumeral reads a numeral without a sign.
func parseNumeral(s string) Value {
	if s == "" || !isDigit(s[0]) && s[0] != '.' {
		return Nil
	}
	if len(s) > 1 && s[0] == '0' && s[1]|0x20 == 'x' {
		return parseHex(s[2:])
	}
	var n uint64
	for i := range len(s) {
		c := s[i]
		if !isDigit(c) {
			return parseDecimal(s)
		}
		d := uint64(c - '0')
		if n > (math.MaxInt64-d)/10 {
			return parseDecimal(s) // too large for an integer
		}
		n = n*10 + d
	}
	return Int(int64(n))
}

func parseDecimal(s string) Value {
	for i := range len(s) {
		if c := s[i]; !isDigit(c) && c != '.' && c|0x20 != 'e' && c != '+' && c != '-' {
			return Nil // underscores, inf, nan: Go's, not Lua's
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return Nil
	}
	return Float(f)
}

// maxHexDigits is how many digits of a hexadecimal float count, as in C Lua.
const maxHexDigits = 30

// parseHex reads the digits after 0x. An integer wraps around.
func parseHex(s string) Value {
	var n uint64
	var f float64
	exp, digits, significant := 0, 0, 0
	dot, isFloat := false, false
	i := 0
	for ; i < len(s); i++ {
		if s[i] == '.' {
			if dot {
				return Nil
			}
			dot, isFloat = true, true
			continue
		}
		h := hexDigit(s[i])
		if h < 0 {
			break
		}
		digits++
		n = n<<4 | uint64(h)
		if significant > 0 || h != 0 {
			if significant++; significant <= maxHexDigits {
				f = f*16 + float64(h)
			} else {
				exp += 4
			}
		}
		if dot {
			exp -= 4
		}
	}
	if digits == 0 {
		return Nil
	}
	if i < len(s) {
		if s[i]|0x20 != 'p' {
			return Nil
		}
		e, ok := exponent(s[i+1:])
		if !ok {
			return Nil
		}
		exp += e
		isFloat = true
	}
	if !isFloat {
		return Int(int64(n))
	}
	return Float(math.Ldexp(f, exp))
}

func exponent(s string) (int, bool) {
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	if s == "" {
		return 0, false
	}
	e := 0
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		e = min(e*10+int(s[i]-'0'), 1<<20)
	}
	if neg {
		e = -e
	}
	return e, true
}
