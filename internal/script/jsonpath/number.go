package jsonpath

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

// Order compares two numbers exactly, however many digits they have: as floats,
// 12345678901234567890 would equal 12345678901234567891.
func Order(a, b json.Number) int {
	x, y := decimalOf(a.String()), decimalOf(b.String())
	if x.sign != y.sign || x.sign == 0 {
		return cmp.Compare(x.sign, y.sign)
	}
	return x.sign * cmp.Or(cmp.Compare(x.exponent, y.exponent), strings.Compare(x.digits, y.digits))
}

// A decimal is sign × 0.digits × 10^exponent, and digits begins and ends with none of 0.
// The exponent is never written out, because 1e999999999 is a number of JSON too.
type decimal struct {
	sign     int
	digits   string
	exponent int64
}

func decimalOf(s string) decimal {
	d := decimal{sign: 1}
	if strings.HasPrefix(s, "-") {
		d.sign = -1
	}
	s = strings.TrimLeft(s, "+-")
	mantissa := s
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa = s[:i]
		d.exponent, _ = strconv.ParseInt(s[i+1:], 10, 40) // above that, the limit
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d.exponent += int64(len(whole))
	digits := whole + fraction
	d.digits = strings.TrimLeft(digits, "0")
	d.exponent -= int64(len(digits) - len(d.digits))
	if d.digits = strings.TrimRight(d.digits, "0"); d.digits == "" {
		return decimal{}
	}
	return d
}
