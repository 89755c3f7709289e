package vm

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

func (st *State) openMath() {
	t := st.NewTable(0, 32)
	st.fill(t, "abs atan ceil floor fmod log max min modf random randomseed tointeger type ult",
		mathAbs, mathAtan, mathCeil, mathFloor, mathFmod, mathLog, mathMax, mathMin, mathModf, mathRandom, mathRandomSeed,
		mathToInteger, mathType, mathUlt)
	st.fill(t, "acos asin cos deg exp rad sin sqrt tan",
		of(math.Acos), of(math.Asin), of(math.Cos), of(func(x float64) float64 { return x * (180 / math.Pi) }), of(math.Exp),
		of(func(x float64) float64 { return x * (math.Pi / 180) }), of(math.Sin), of(math.Sqrt), of(math.Tan))
	st.set(t, "pi", Float(math.Pi))
	st.set(t, "huge", Float(math.Inf(1)))
	st.set(t, "maxinteger", Int(math.MaxInt64))
	st.set(t, "mininteger", Int(math.MinInt64))
	a, b := st.opts.Random, uint64(0)
	if a == 0 {
		a, b = rand.Uint64(), rand.Uint64()
	}
	st.random.seed(a, b)
	st.SetGlobal("math", t.Of())
}

func of(f func(float64) float64) func(Call) int {
	return func(c Call) int { return c.Return(Float(f(c.Float(1)))) }
}

func mathAbs(c Call) int {
	if n, ok := c.Arg(1).AsInt(); ok {
		if n < 0 {
			n = -n
		}
		return c.Return(Int(n))
	}
	return c.Return(Float(math.Abs(c.Float(1))))
}

func mathAtan(c Call) int {
	x := 1.0
	if !c.Arg(2).IsNil() {
		x = c.Float(2)
	}
	return c.Return(Float(math.Atan2(c.Float(1), x)))
}

// rounded returns an integer where there is room for it, else a float.
func (c Call) rounded(f func(float64) float64) int {
	if v := c.Arg(1); v.isInt() {
		return c.Return(v)
	}
	x := f(c.Float(1))
	if n, ok := floatToInt(x); ok {
		return c.Return(Int(n))
	}
	return c.Return(Float(x))
}

func mathCeil(c Call) int  { return c.rounded(math.Ceil) }
func mathFloor(c Call) int { return c.rounded(math.Floor) }

func mathFmod(c Call) int {
	a, b := c.Arg(1), c.Arg(2)
	if !a.isInt() || !b.isInt() {
		y := c.Float(2) // C Lua asks for the second first
		return c.Return(Float(fmod(c.Float(1), y)))
	}
	switch m, n := int64(a.n), int64(b.n); n {
	case 0:
		c.Bad(2, "zero")
	case -1: // the least integer by it would overflow
	default:
		return c.Return(Int(m % n))
	}
	return c.Return(Int(0))
}

func mathModf(c Call) int {
	if v := c.Arg(1); v.isInt() {
		return c.Return(v, Float(0))
	}
	f := c.Float(1)
	if math.IsInf(f, 0) {
		return c.Return(Float(f), Float(0))
	}
	i := math.Trunc(f)
	whole := Float(i)
	if n, ok := floatToInt(i); ok {
		whole = Int(n)
	}
	return c.Return(whole, Float(f-i))
}

func mathLog(c Call) int {
	x := c.Float(1)
	if c.Arg(2).IsNil() {
		return c.Return(Float(math.Log(x)))
	}
	switch base := c.Float(2); base {
	case 2:
		return c.Return(Float(math.Log2(x)))
	case 10:
		return c.Return(Float(math.Log10(x)))
	default:
		return c.Return(Float(math.Log(x) / math.Log(base)))
	}
}

func mathMax(c Call) int { return c.best(func(x, best Value) bool { return c.Less(best, x) }) }
func mathMin(c Call) int { return c.best(c.Less) }

// best returns the argument that is better than those before it.
func (c Call) best(better func(x, best Value) bool) int {
	best := c.Any(1)
	for i := 2; i <= c.n; i++ {
		if v := c.Arg(i); better(v, best) {
			best = v
		}
	}
	return c.Return(best)
}

func mathToInteger(c Call) int {
	n, ok := toInt(c.Any(1))
	if !ok {
		return c.Return(Nil)
	}
	return c.Return(Int(n))
}

func mathType(c Call) int {
	switch c.Any(1).Kind() {
	case KindInt:
		return c.Return(Str("integer"))
	case KindFloat:
		return c.Return(Str("float"))
	}
	return c.Return(Nil)
}

func mathUlt(c Call) int { return c.Return(Bool(uint64(c.Int(1)) < uint64(c.Int(2)))) }

// A generator is xoshiro256** (Blackman and Vigna, 2018), which C Lua uses too: equal
// seeds give equal numbers.
type generator [4]uint64

func (g *generator) next() uint64 {
	out := bits.RotateLeft64(g[1]*5, 7) * 9
	t := g[1] << 17
	g[2] ^= g[0]
	g[3] ^= g[1]
	g[1] ^= g[2]
	g[0] ^= g[3]
	g[2] ^= t
	g[3] = bits.RotateLeft64(g[3], 45)
	return out
}

func (g *generator) seed(a, b uint64) {
	*g = generator{a, 0xff, b, 0}
	for range 16 {
		g.next()
	}
}

// below returns a number from 0 to n: bits are thrown away until they are one.
func (g *generator) below(n uint64) uint64 {
	x := g.next()
	if n&(n+1) == 0 {
		return x & n
	}
	mask := uint64(1)<<bits.Len64(n) - 1
	for x &= mask; x > n; {
		x = g.next() & mask
	}
	return x
}

func mathRandomSeed(c Call) int {
	a, b := rand.Uint64(), rand.Uint64()
	if c.n > 0 {
		a, b = uint64(c.Int(1)), uint64(c.OptInt(2, 0))
	}
	c.th.st.random.seed(a, b)
	return c.Return(Int(int64(a)), Int(int64(b)))
}

func mathRandom(c Call) int {
	r := &c.th.st.random
	low, high := int64(1), int64(0)
	switch c.n {
	case 0:
		return c.Return(Float(float64(r.next()>>11) / (1 << 53)))
	case 1:
		if high = c.Int(1); high == 0 {
			return c.Return(Int(int64(r.next())))
		}
	case 2:
		low, high = c.Int(1), c.Int(2)
	default:
		c.Fail("wrong number of arguments")
	}
	if low > high {
		c.Bad(1, "interval is empty")
	}
	return c.Return(Int(int64(uint64(low) + r.below(uint64(high)-uint64(low)))))
}
