package lua

import (
	"math"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/lua/parse"
)

// formatFloat writes a number as Lua does: one without a fraction as an integer,
// since the VM knows no difference, others to 14 digits.
func formatFloat(f float64) string {
	if i := int64(f); float64(i) == f && f < 1<<63 {
		return strconv.FormatInt(i, 10)
	}
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f) && math.Signbit(f):
		return "-nan"
	case math.IsNaN(f):
		return "nan"
	}
	return strconv.FormatFloat(f, 'g', 14, 64)
}

// parseNumber reads a numeral; nil is none.
func parseNumber(s string) value {
	i, f, isInt, ok := parse.Number(s)
	switch {
	case !ok:
		return none
	case isInt:
		return whole(i)
	}
	return float(f)
}

// parseBase reads an integer of that base, as tonumber(s, base): digits beyond 64
// bits wrap around.
func parseBase(s string, base int) value {
	s = strings.ToLower(strings.Trim(s, " \t\n\v\f\r"))
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	if s == "" {
		return none
	}
	var n int64
	for i := range len(s) {
		d := strings.IndexByte("0123456789abcdefghijklmnopqrstuvwxyz", s[i])
		if d < 0 || d >= base {
			return none
		}
		n = n*int64(base) + int64(d)
	}
	if neg {
		n = -n
	}
	return whole(n)
}

// number returns v as a number, a string that is one included; nil is none.
func number(v value) value {
	if s, ok := isString(v); ok {
		return parseNumber(s)
	}
	if _, ok := toFloat(v); ok {
		return v
	}
	return none
}
