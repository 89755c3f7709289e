package jsonpath

import (
	"encoding/json"
	"math/big"
	"testing"
)

// Numbers of any length and size have an order, which takes no longer for a large exponent.
func TestOrder(t *testing.T) {
	ascending := []string{"-1e999999999", "-12345678901234567891", "-12345678901234567890", "-1", "-0.5", "-1e-999999999", "0", "1e-999999999", "1e-2", "0.0100000000000000000001",
		"1", "1.00000000000000000001", "2", "10", "9007199254740992", "9007199254740993", "12345678901234567890", "12345678901234567891", "1e20", "1e999999999", "1e9999999999"}
	for i, a := range ascending {
		for j, b := range ascending {
			want := 0
			switch {
			case i < j:
				want = -1
			case i > j:
				want = 1
			}
			if got := Order(json.Number(a), json.Number(b)); got != want {
				t.Errorf("Order(%s, %s) = %d, want %d", a, b, got, want)
			}
		}
	}
	for _, same := range [][2]string{{"0", "-0.0e5"}, {"1", "1.0"}, {"100", "1e2"}, {"0.1", "1E-1"}, {"-120", "-1.2e+2"}, {"0e99", "0"}} {
		if Order(json.Number(same[0]), json.Number(same[1])) != 0 {
			t.Errorf("%s is not %s", same[0], same[1])
		}
	}
}

// The order is that of package big, wherever that can hold the numbers.
func FuzzOrder(f *testing.F) {
	f.Add("12345678901234567890", "1.2e3")
	f.Add("-0.001", "1e-3")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 30 || len(b) > 30 || !small(a) || !small(b) {
			return
		}
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		if got := Order(json.Number(a), json.Number(b)); got != x.Cmp(y) {
			t.Errorf("Order(%s, %s) = %d, want %d", a, b, got, x.Cmp(y))
		}
	})
}

// small reports whether a text is a number of JSON whose digits can be written out.
func small(s string) bool {
	var n json.Number
	if json.Unmarshal([]byte(s), &n) != nil || n.String() != s {
		return false
	}
	d := decimalOf(n.String())
	return d.exponent > -1000 && d.exponent < 1000
}
