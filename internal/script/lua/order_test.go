package lua

import (
	"fmt"
	"math"
	"math/big"
	"testing"
)

// Numbers around those that a float64 cannot hold compare as they do on paper, in
// whatever way a script asks.
func TestOrder(t *testing.T) {
	var numbers []string
	var exact []*big.Float
	add := func(text string, x *big.Float) {
		numbers, exact = append(numbers, text), append(exact, x)
	}
	for _, n := range []int64{0, 1, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<53 + 2, 1<<53 + 3, 1<<62 + 1, math.MaxInt64 - 1, math.MaxInt64, -(1<<53 + 1), -(1<<53 + 3), math.MinInt64, math.MinInt64 + 1} {
		add(fmt.Sprintf("json.parse('%d')", n), new(big.Float).SetPrec(80).SetInt64(n))
	}
	for _, f := range []float64{0.5, 1 << 53, 1<<53 + 2, 1 << 62, 1 << 63, 1 << 64, -(1 << 53), -(1 << 63), -(1 << 64), 1e300, math.Inf(1), math.Inf(-1)} {
		x := new(big.Float).SetPrec(80)
		if math.IsInf(f, 0) {
			x.SetInf(f < 0)
			add(fmt.Sprintf("(%s)", map[bool]string{true: "-math.huge", false: "math.huge"}[f < 0]), x)
			continue
		}
		add(fmt.Sprintf("%.1f", f), x.SetFloat64(f))
	}
	forms := []string{
		`local a, b = %s, %s return {a < b, a <= b, a > b, a >= b, a == b}`,
		`local a, b, out = %s, %s, {} if a < b then out[1] = true else out[1] = false end out[2] = not (a > b) out[3] = b < a while a >= b do out[4] = true break end out[4] = out[4] or false out[5] = not (a ~= b) return out`,
		`local a = %s local function with(b) local function lt() return a < b end return {lt(), a <= b, b < a, b <= a, rawequal(a, b)} end return with(%s)`,
		`local a, b = %s, %s return {math.min(a, b) ~= b, pcall(assert.lt, b, a) == false, pcall(assert.gt, a, b), not pcall(assert.lt, a, b), a == b}`,
	}
	for i, a := range numbers {
		for j, b := range numbers {
			order := exact[i].Cmp(exact[j])
			want := fmt.Sprint(array{order < 0, order <= 0, order > 0, order >= 0, order == 0})
			for _, form := range forms {
				src := fmt.Sprintf(form, a, b)
				if got, err := eval(t, Options{}, src); fmt.Sprint(got) != want || err != nil {
					t.Errorf("%s = %v, %v, want %s", src, got, err, want)
				}
			}
			// Of a constant, the compiler makes another instruction.
			src := fmt.Sprintf("local a = %s return {a < %s, a <= %[2]s, a > %[2]s, a >= %[2]s, a == %[2]s}", a, b)
			if got, err := eval(t, Options{}, src); fmt.Sprint(got) != want || err != nil {
				t.Errorf("%s = %v, %v, want %s", src, got, err, want)
			}
		}
	}
	for src, want := range map[string]string{
		`local n, nan = json.parse("9007199254740993"), 0/0 return {n < nan, n <= nan, nan < n, nan <= n, n == nan}`:                                  "[false false false false false]",
		`local t = {} for i = 0, 4 do t[5 - i] = json.parse(tostring(9007199254740990 + i)) end table.sort(t) return t[1] .. " " .. t[5]`:             "9007199254740990 9007199254740994",
		`return select(2, pcall(function() return json.parse("9007199254740993") < "1" end))`:                                                         "t.lua:1: attempt to compare number with string",
		`return select(2, pcall(function() return {} <= json.parse("9007199254740993") end))`:                                                         "t.lua:1: attempt to compare table with number",
		`local n, i = json.parse("9007199254740993"), 9007199254740990 while i < n do i = i + 1 if i == 9007199254740992 then break end end return i`: "9007199254740992",
	} {
		if got, err := eval(t, Options{}, src); fmt.Sprint(got) != want || err != nil {
			t.Errorf("%s = %v, %v, want %s", src, got, err, want)
		}
	}
}
