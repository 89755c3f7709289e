package lua

import (
	"math"
	"strings"
)

// arith returns the operands of an arithmetic operation as numbers, or calls
// what their metatables have for it: then done is true and the result is pushed.
func (c call) arith(event string) (a, b value, done bool) {
	a, b = c.arg(1), c.arg(2)
	for _, v := range [...]value{a, b} {
		if _, ok := v.(*table); !ok {
			continue // what other values have leads back here
		}
		if m := c.meta(v, event); m != none {
			c.ret(c.apply(m, a, b))
			return nil, nil, true
		}
	}
	what := "arithmetic"
	if strings.HasPrefix(event, "__b") || strings.HasPrefix(event, "__sh") {
		what = "bitwise operation"
	}
	for _, v := range [...]value{a, b} {
		_, isStr := isString(v)
		if number(v) == none || isStr && what != "arithmetic" {
			c.fail("attempt to perform %s on a %s value", what, typeName(v))
		}
	}
	return number(a), number(b), false
}

func opIDiv(c call) int {
	if m, n, ok := c.integers(); ok && n > 0 {
		q := m / n
		if m < 0 && m%n != 0 {
			q--
		}
		return c.ret(whole(q))
	}
	a, b, done := c.arith("__idiv")
	if done {
		return 1
	}
	return c.ret(c.floorDiv(a, b))
}

func (c call) floorDiv(a, b value) value {
	m, okA := toInt(a)
	n, okB := toInt(b)
	if !okA || !okB {
		x, _ := toFloat(a)
		y, _ := toFloat(b)
		return float(math.Floor(x / y))
	}
	if n == 0 {
		c.fail("attempt to perform 'n//0'")
	}
	if n == -1 { // the least integer has no opposite
		return whole(-m)
	}
	q := m / n
	if m%n != 0 && (m < 0) != (n < 0) {
		q--
	}
	return whole(q)
}

// bits makes a builtin of an operation on 64 bits.
func bits(event string, f func(a, b int64) int64) builtin {
	return func(c call) int {
		if m, n, ok := c.integers(); ok {
			return c.ret(whole(f(m, n)))
		}
		a, b, done := c.arith(event)
		if done {
			return 1
		}
		m, okA := toInt(a)
		n, okB := toInt(b)
		if !okA || !okB {
			c.fail("number has no integer representation")
		}
		return c.ret(whole(f(m, n)))
	}
}

var (
	opBAnd = bits("__band", func(a, b int64) int64 { return a & b })
	opBOr  = bits("__bor", func(a, b int64) int64 { return a | b })
	opBXor = bits("__bxor", func(a, b int64) int64 { return a ^ b })
	opShl  = bits("__shl", shiftLeft)
	opShr  = bits("__shr", func(a, b int64) int64 {
		if b == math.MinInt64 {
			return 0
		}
		return shiftLeft(a, -b)
	})
)

// shiftLeft shifts in zeros; a negative count shifts to the right.
func shiftLeft(a, n int64) int64 {
	switch {
	case n <= -64 || n >= 64:
		return 0
	case n < 0:
		return int64(uint64(a) >> uint(-n))
	}
	return int64(uint64(a) << uint(n))
}

var bitNot = bits("__bnot", func(a, _ int64) int64 { return ^a })

func opBNot(c call) int { return bitNot(c.unary()) }

// opStep checks the step of a for.
func opStep(c call) int {
	f, ok := toFloat(c.arg(1))
	switch {
	case !ok:
		c.fail("'for' step must be a number")
	case f == 0:
		c.fail("'for' step is zero")
	}
	return c.ret(c.arg(1))
}

// opInt makes a literal that no float holds.
func opInt(c call) int { return c.ret(parseNumber(c.str(1))) }

func opConcat(c call) int {
	n := c.n()
	size := 0
	var few [8]string
	parts := few[:0]
	for i := 1; i <= n; i++ {
		s, ok := text(c.arg(i))
		if !ok {
			return c.concatObjects(c.rest(1))
		}
		size += len(s)
		parts = append(parts, s)
	}
	c.room(int64(size))
	if n == 2 {
		return c.ret(str(parts[0] + parts[1]))
	}
	var b strings.Builder
	b.Grow(size)
	for _, s := range parts {
		b.WriteString(s)
	}
	return c.ret(str(b.String()))
}

func opConcats(c call) int {
	t, n := c.table(1), int(c.int(2))
	list := make([]value, n)
	for i := range list {
		list[i] = t.RawGetInt(i + 1)
	}
	size := 0
	for _, v := range list {
		s, ok := text(v)
		if !ok {
			return c.concatObjects(list)
		}
		size += len(s)
	}
	c.room(int64(size))
	var b strings.Builder
	b.Grow(size)
	for _, v := range list {
		s, _ := text(v)
		b.WriteString(s)
	}
	return c.ret(str(b.String()))
}

// concatObjects joins from the right, as .. associates, where a metatable may
// have a say.
func (c call) concatObjects(list []value) int {
	v := list[len(list)-1]
	for i := len(list) - 2; i >= 0; i-- {
		a := list[i]
		s, okA := text(a)
		t, okB := text(v)
		if okA && okB {
			c.room(int64(len(s) + len(t)))
			v = str(s + t)
			continue
		}
		m := c.meta(a, "__concat")
		if m == none {
			m = c.meta(v, "__concat")
		}
		if m == none {
			if okA {
				a = v
			}
			c.fail("attempt to concatenate a %s value", typeName(a))
		}
		v = c.apply(m, a, v)
	}
	return c.ret(v)
}

// numberMethods is the metatable of strings and of boxed integers: what the VM
// calls for arithmetic on them.
func numberMethods(t *table) {
	for event, f := range map[string]func(c call, a, b value) value{
		"__add": func(_ call, a, b value) value { return both(a, b, addInt, func(x, y float64) float64 { return x + y }) },
		"__sub": func(_ call, a, b value) value { return both(a, b, subInt, func(x, y float64) float64 { return x - y }) },
		"__mul": func(_ call, a, b value) value { return both(a, b, mulInt, func(x, y float64) float64 { return x * y }) },
		"__mod": call.mod,
		"__div": func(_ call, a, b value) value { return floats(a, b, func(x, y float64) float64 { return x / y }) },
		"__pow": func(_ call, a, b value) value { return floats(a, b, math.Pow) },
		"__unm": func(_ call, a, _ value) value {
			return both(whole(0), a, subInt, func(_, y float64) float64 { return -y })
		},
	} {
		t.RawSetString(event, fn(event, func(c call) int {
			if event == "__unm" {
				c.unary()
			}
			a, b, done := c.arith(event)
			if done {
				return 1
			}
			return c.ret(f(c, a, b))
		}))
	}
}

func addInt(a, b int64) int64 { return a + b }
func subInt(a, b int64) int64 { return a - b }
func mulInt(a, b int64) int64 { return a * b }

// both computes with integers where both are, wrapping around, else with floats.
func both(a, b value, i func(a, b int64) int64, f func(x, y float64) float64) value {
	m, okA := toInt(a)
	n, okB := toInt(b)
	if okA && okB {
		return whole(i(m, n))
	}
	return floats(a, b, f)
}

func floats(a, b value, f func(x, y float64) float64) value {
	x, _ := toFloat(a)
	y, _ := toFloat(b)
	return float(f(x, y))
}

func (c call) mod(a, b value) value {
	m, okA := toInt(a)
	n, okB := toInt(b)
	if okA && okB {
		switch n {
		case 0:
			c.fail("attempt to perform 'n%%%%0'")
		case -1:
			return whole(0)
		}
		r := m % n
		if r != 0 && (r < 0) != (n < 0) {
			r += n
		}
		return whole(r)
	}
	return floats(a, b, modulo)
}

func modulo(x, y float64) float64 {
	r := math.Mod(x, y)
	if r != 0 && (r < 0) != (y < 0) {
		r += y
	}
	return r
}
