package vm

import "math"

// pow is C's. math.Pow is off by some units in the last place where C libraries are not,
// and programs print powers with 14 digits or ask whether they are integers. So powers
// are computed with pairs of floats, whose sum has about twice the precision of one.
func pow(x, y float64) float64 {
	switch {
	case y == 2:
		return x * x
	case y == 0.5 && x > 0 && x <= math.MaxFloat64:
		return math.Sqrt(x)
	case x != x && y != 0:
		// C reads the sign of x before it sees that x is no number: an odd power loses it.
		if math.Abs(math.Mod(y, 2)) == 1 {
			return math.Copysign(x, 1)
		}
		return x
	case y != y && x != 1:
		return y
	case x == 0 || x != x || math.IsInf(x, 0) || y == 0 || y != y || math.IsInf(y, 0) || x == 1:
		return math.Pow(x, y)
	case x < 0:
		if y != math.Trunc(y) {
			return math.Copysign(math.NaN(), -1) // as processors make it
		}
		if math.Mod(y, 2) != 0 {
			return -positivePow(-x, y)
		}
		return positivePow(-x, y)
	}
	return positivePow(x, y)
}

// positivePow is pow of finite numbers, x greater than 0.
func positivePow(x, y float64) float64 {
	if y == math.Trunc(y) && math.Abs(y) <= 64 {
		if p, ok := intPow(x, int(y)); ok {
			return p
		}
	}
	l := logPair(x).times(pair{y, 0})
	switch {
	case l.hi > 710:
		return math.Inf(1)
	case l.hi < -746:
		return 0
	}
	return expPair(l)
}

// A pair is the sum of two floats, of which lo is less than half a unit in the last place
// of hi.
type pair struct{ hi, lo float64 }

// The logarithm of 2 in two parts, the first with so few bits that small integers times
// it are exact.
const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)

// sum is a + b where a is the greater.
func sum(a, b float64) pair {
	s := a + b
	return pair{s, b - (s - a)}
}

func (p pair) plus(q pair) pair {
	s := p.hi + q.hi
	v := s - p.hi
	e := (p.hi - (s - v)) + (q.hi - v)
	return sum(s, e+p.lo+q.lo)
}

func (p pair) times(q pair) pair {
	h := p.hi * q.hi
	return sum(h, math.FMA(p.hi, q.hi, -h)+(p.hi*q.lo+p.lo*q.hi))
}

func (p pair) over(q pair) pair {
	h := p.hi / q.hi
	r := math.FMA(-h, q.hi, p.hi) + p.lo - h*q.lo
	return sum(h, r/q.hi)
}

// logPair returns the logarithm of x: with x = m·2^e and t = (m-1)/(m+1) it is
// e·ln 2 + 2·(t + t³/3 + t⁵/5 + …).
func logPair(x float64) pair {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	below, above := pair{m - 1, 0}, sum(1, m) // m - 1 is exact
	if m > 1 {
		above = sum(m, 1)
	}
	t := below.over(above)
	u := t.times(t)
	tail := 0.0 // from t¹¹/11 on a float is precise enough
	for k := 35; k >= 11; k -= 2 {
		tail = tail*u.hi + 1/float64(k)
	}
	s := pair{tail, 0}
	for k := 9; k >= 1; k -= 2 {
		s = s.times(u).plus(pair{1, 0}.over(pair{float64(k), 0}))
	}
	s = s.times(t)
	s.hi, s.lo = 2*s.hi, 2*s.lo
	n := float64(e)
	return sum(n*ln2Hi, 0).plus(sum(n*ln2Lo, 0)).plus(s)
}

// expPair returns e to the power of p.
func expPair(p pair) float64 {
	n := math.Round(p.hi / math.Ln2)
	r := p.plus(sum(-n*ln2Hi, 0)).plus(sum(-n*ln2Lo, 0))
	tail := 1.0 // of 1 + r/7·(1 + r/8·(…)), of which a float is precise enough
	for k := 18; k >= 7; k-- {
		tail = tail*r.hi/float64(k) + 1
	}
	s := pair{tail, 0}
	for k := 6; k >= 1; k-- {
		s = s.times(r).over(pair{float64(k), 0}).plus(pair{1, 0})
	}
	return math.Ldexp(s.hi+s.lo, int(n))
}

// intPow is x to the n by repeated squaring; ok is false where that would overflow or lose
// precision on the way.
func intPow(x float64, n int) (p float64, ok bool) {
	invert := n < 0
	if invert {
		n = -n
	}
	out, square := pair{1, 0}, pair{x, 0}
	for {
		if n&1 != 0 {
			out = out.times(square)
		}
		if n >>= 1; n == 0 {
			break
		}
		square = square.times(square)
	}
	if !(out.hi > 1e-250 && out.hi < 1e250) {
		return 0, false
	}
	if invert {
		out = pair{1, 0}.over(out)
	}
	return out.hi + out.lo, true
}
