package template

import (
	"math"
	"strings"
)

func (r *renderer) arith(op string, x, y any, line int) any {
	a, okA := x.(int64)
	b, okB := y.(int64)
	if okA && okB && op != "/" && (op != "**" || b >= 0) {
		n, ok := intArith(op, a, b)
		if !ok {
			r.fail(line, "integer overflow or division by zero in %d %s %d", a, op, b)
		}
		return n
	}
	if v, ok := r.joined(op, x, y, line); ok {
		return v
	}
	f, okF := toFloat(x)
	g, okG := toFloat(y)
	if !okF || !okG {
		r.fail(line, "cannot compute %s %s %s", kindOf(x), op, kindOf(y))
	}
	switch op {
	case "+":
		return f + g
	case "-":
		return f - g
	case "*":
		return f * g
	case "**":
		return math.Pow(f, g)
	}
	r.failIf(g == 0, line, "division by zero")
	switch op {
	case "//":
		return math.Floor(f / g)
	case "%":
		return f - g*math.Floor(f/g)
	}
	return f / g
}

// joined adds and repeats strings and lists.
func (r *renderer) joined(op string, x, y any, line int) (any, bool) {
	if _, ok := x.(int64); ok && op == "*" {
		x, y = y, x
	}
	switch a := x.(type) {
	case string:
		if b, ok := y.(string); ok && op == "+" {
			r.size(len(a)+len(b), line)
			return a + b, true
		}
		if n, ok := y.(int64); ok && op == "*" {
			n = max(n, 0)
			if len(a) > 0 {
				r.size(int(min(n, math.MaxInt32))*len(a), line)
			}
			return strings.Repeat(a, int(min(n, math.MaxInt32))), true
		}
	case []any:
		if b, ok := y.([]any); ok && op == "+" {
			r.size(16*(len(a)+len(b)), line)
			return append(a[:len(a):len(a)], b...), true
		}
		if n, ok := y.(int64); ok && op == "*" {
			var out []any
			if len(a) > 0 {
				r.size(16*int(min(max(n, 0), math.MaxInt32))*len(a), line)
				for range n {
					out = append(out, a...)
				}
			}
			return out, true
		}
	}
	return nil, false
}

func intArith(op string, a, b int64) (int64, bool) {
	switch op {
	case "+":
		c := a + b
		return c, (c > a) == (b > 0)
	case "-":
		c := a - b
		return c, (c < a) == (b > 0)
	case "*":
		if a == 0 || b == 0 {
			return 0, true
		}
		c := a * b
		return c, c/b == a && (a != -1 || b != math.MinInt64) && (b != -1 || a != math.MinInt64)
	case "**":
		n := int64(1)
		for ; b > 0; b-- {
			var ok bool
			if n, ok = intArith("*", n, a); !ok {
				return 0, false
			}
			if n == 0 || n == 1 && a == 1 {
				return n, true
			}
			if a == -1 {
				return 1 - 2*(b&1), true // what is left of -1 to the b
			}
		}
		return n, true
	}
	if b == 0 || b == -1 && a == math.MinInt64 {
		return 0, false
	}
	q, m := a/b, a%b
	if m != 0 && (m < 0) != (b < 0) {
		q--
		m += b
	}
	if op == "//" {
		return q, true
	}
	return m, true
}
