package lua

import (
	"math"
	"math/rand/v2"
)

func (vm *VM) openMath() {
	t := lib("", map[string]builtin{
		"abs": mathAbs, "ceil": mathCeil, "floor": mathFloor, "fmod": mathFmod, "max": mathMax, "min": mathMin,
		"modf": mathModf, "tointeger": mathToInteger, "type": mathType, "ult": mathUlt, "log": mathLog,
	})
	for name, f := range map[string]func(float64) float64{
		"acos": math.Acos, "asin": math.Asin, "cos": math.Cos, "exp": math.Exp, "sin": math.Sin, "sqrt": math.Sqrt, "tan": math.Tan,
		"deg": func(x float64) float64 { return x * (180 / math.Pi) }, "rad": func(x float64) float64 { return x * (math.Pi / 180) },
	} {
		t.RawSetString(name, fn(name, func(c call) int { return c.ret(float(f(c.float(1)))) }))
	}
	t.RawSetString("atan", fn("atan", func(c call) int {
		x := 1.0
		if !c.absent(2) {
			x = c.float(2)
		}
		return c.ret(float(math.Atan2(c.float(1), x)))
	}))
	t.RawSetString("pi", float(math.Pi))
	t.RawSetString("huge", float(math.Inf(1)))
	// A float, so that it compares; where an integer is wanted it is one.
	t.RawSetString("maxinteger", float(1<<63))
	t.RawSetString("mininteger", whole(math.MinInt64))
	rng := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	t.RawSetString("random", fn("random", func(c call) int { return mathRandom(c, rng) }))
	t.RawSetString("randomseed", fn("randomseed", func(c call) int {
		a, b := rand.Uint64(), rand.Uint64()
		if c.n() > 0 {
			a, b = math.Float64bits(c.float(1)), uint64(c.optInt(2, 0))
		}
		*rng = *rand.New(rand.NewPCG(a, b))
		return 0
	}))
	vm.setGlobal("math", t)
}

func mathAbs(c call) int {
	if n, ok := c.arg(1).(integer); ok && n < 0 {
		return c.ret(whole(-int64(n)))
	} else if ok {
		return c.ret(n)
	}
	return c.ret(float(math.Abs(c.float(1))))
}

// rounded leaves an integer as it is.
func (c call) rounded(f func(float64) float64) int {
	if n, ok := c.arg(1).(integer); ok {
		return c.ret(n)
	}
	return c.ret(float(f(c.float(1))))
}

func mathCeil(c call) int  { return c.rounded(math.Ceil) }
func mathFloor(c call) int { return c.rounded(math.Floor) }

func mathFmod(c call) int {
	a, b := number(c.arg(1)), number(c.arg(2))
	m, okA := toInt(a)
	n, okB := toInt(b)
	if okA && okB {
		if n == 0 {
			c.bad(2, "zero")
		}
		if n == -1 {
			return c.ret(whole(0))
		}
		return c.ret(whole(m % n))
	}
	return c.ret(float(math.Mod(c.float(1), c.float(2))))
}

func mathModf(c call) int {
	f := c.float(1)
	if math.IsInf(f, 0) {
		return c.rets(float(f), float(0))
	}
	i, frac := math.Modf(f)
	return c.rets(float(i), float(frac))
}

func mathMax(c call) int {
	return c.pick(func(a, b value) bool { return lessThan(c, a, b) })
}

func mathMin(c call) int {
	return c.pick(func(a, b value) bool { return lessThan(c, b, a) })
}

func (c call) pick(better func(old, new value) bool) int {
	c.float(1)
	best := number(c.arg(1))
	for i := 2; i <= c.n(); i++ {
		c.float(i)
		if v := number(c.arg(i)); better(best, v) {
			best = v
		}
	}
	return c.ret(best)
}

func mathToInteger(c call) int {
	v := c.any(1)
	if s, ok := isString(v); ok {
		v = parseNumber(s)
	}
	n, ok := toInt(v)
	if !ok {
		return c.ret(none)
	}
	return c.ret(whole(n))
}

func mathType(c call) int {
	v := c.any(1)
	if _, ok := isString(v); ok {
		return c.ret(none)
	}
	if _, ok := toInt(v); ok {
		return c.ret(str("integer"))
	}
	if _, ok := toFloat(v); ok {
		return c.ret(str("float"))
	}
	return c.ret(none)
}

func mathUlt(c call) int { return c.ret(boolean(uint64(c.int(1)) < uint64(c.int(2)))) }

func mathLog(c call) int {
	x := c.float(1)
	if c.absent(2) {
		return c.ret(float(math.Log(x)))
	}
	switch base := c.float(2); base {
	case 2:
		return c.ret(float(math.Log2(x)))
	case 10:
		return c.ret(float(math.Log10(x)))
	default:
		return c.ret(float(math.Log(x) / math.Log(base)))
	}
}

func mathRandom(c call, rng *rand.Rand) int {
	low, high := int64(1), int64(0)
	switch c.n() {
	case 0:
		return c.ret(float(rng.Float64()))
	case 1:
		high = c.int(1)
		if high == 0 {
			return c.ret(whole(int64(rng.Uint64())))
		}
	case 2:
		low, high = c.int(1), c.int(2)
	default:
		c.fail("wrong number of arguments")
	}
	if low > high {
		c.bad(c.n(), "interval is empty")
	}
	n := uint64(high) - uint64(low)
	if n == math.MaxUint64 {
		return c.ret(whole(int64(rng.Uint64())))
	}
	return c.ret(whole(int64(uint64(low) + rng.Uint64N(n+1))))
}
