package parse

import (
	"math"
	"strconv"
	"strings"
)

// A number is what a numeral means: an integer of 64 bits or a float.
type number struct {
	isInt bool
	i     int64
	f     float64
}

// Number returns what s means as a Lua numeral, as tonumber reads it: white
// space around it, a sign, decimal or hexadecimal, integer or float. i is its
// value if isInt, else f.
func Number(s string) (i int64, f float64, isInt, ok bool) {
	s = strings.Trim(s, " \t\n\v\f\r")
	neg := strings.HasPrefix(s, "-")
	if neg || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	if s == "" || !digit(s[0]) && s[0] != '.' {
		return 0, 0, false, false
	}
	n, ok := parseNumber(s)
	if neg {
		n.i, n.f = -n.i, -n.f
	}
	return n.i, n.f, n.isInt, ok
}

// parseNumber reads a numeral without sign. A hexadecimal integer wraps around;
// a decimal one that has no room in 64 bits is a float.
func parseNumber(s string) (number, bool) {
	if len(s) > 1 && s[0] == '0' && s[1]|0x20 == 'x' {
		return parseHex(s[2:])
	}
	for i := range len(s) {
		if c := s[i]; !digit(c) && c != '.' && c|0x20 != 'e' && c != '+' && c != '-' {
			return number{}, false // underscores, inf, nan, p: Go's, not Lua's
		}
	}
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return number{isInt: true, i: i}, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return number{}, false
	}
	return number{f: f}, true
}

func parseHex(s string) (number, bool) {
	if s == "" {
		return number{}, false
	}
	integer := true
	var v uint64
	for i := range len(s) {
		h := hex(s[i])
		if h < 0 {
			integer = false
			break
		}
		v = v<<4 | uint64(h)
	}
	if integer {
		return number{isInt: true, i: int64(v)}, true
	}
	if strings.ContainsRune(s, '_') {
		return number{}, false
	}
	if !strings.ContainsAny(s, "pP") {
		s += "p0"
	}
	f, err := strconv.ParseFloat("0x"+s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return number{}, false
	}
	return number{f: f}, true
}
