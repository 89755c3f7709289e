package vm

import "math"

// arith computes an operation on two numbers. For bit operators both must have an
// integer representation, and for // and % of integers b must not be 0.
func arith(op binop, a, b Value) Value {
	if op >= opBAnd {
		x, _ := toInt(a)
		y, _ := toInt(b)
		return Int(bitwise(op, x, y))
	}
	if a.isInt() && b.isInt() && op != opDiv && op != opPow {
		x, y := int64(a.n), int64(b.n)
		switch op {
		case opAdd:
			return Int(x + y)
		case opSub:
			return Int(x - y)
		case opMul:
			return Int(x * y)
		case opIDiv:
			return Int(floorDiv(x, y))
		}
		return Int(floorMod(x, y))
	}
	x, _ := toFloat(a)
	y, _ := toFloat(b)
	switch op {
	case opAdd:
		return Float(x + y)
	case opSub:
		return Float(x - y)
	case opMul:
		return Float(x * y)
	case opDiv:
		return Float(x / y)
	case opPow:
		return Float(pow(x, y))
	case opIDiv:
		return Float(math.Floor(x / y))
	}
	return Float(floatMod(x, y))
}

func bitwise(op binop, x, y int64) int64 {
	switch op {
	case opBAnd:
		return x & y
	case opBOr:
		return x | y
	case opBXor:
		return x ^ y
	case opShl:
		return shiftLeft(x, y)
	}
	return shiftLeft(x, -y)
}

// shiftLeft shifts x by n bits, to the right if n is negative.
func shiftLeft(x, n int64) int64 {
	switch {
	case n >= 64 || n <= -64:
		return 0
	case n >= 0:
		return x << uint(n)
	}
	return int64(uint64(x) >> uint(-n))
}

// floorDiv and floorMod round towards minus infinity; y is not 0.
func floorDiv(x, y int64) int64 {
	if y == -1 {
		return -x // the least integer wraps around
	}
	q := x / y
	if x%y != 0 && x^y < 0 {
		q--
	}
	return q
}

func floorMod(x, y int64) int64 {
	if y == -1 {
		return 0
	}
	m := x % y
	if m != 0 && m^y < 0 {
		m += y
	}
	return m
}

// floatMod is a - floor(a/b)*b, computed without loss.
func floatMod(a, b float64) float64 {
	m := fmod(a, b)
	if m != 0 && (m < 0) != (b < 0) {
		m += b
	}
	return m
}

// fmod is C's: the remainder with the sign of a. math.Mod takes a loop for what mostly
// is one division.
func fmod(a, b float64) float64 {
	if a == math.Trunc(a) && b == math.Trunc(b) && math.Abs(a) < 1<<53 && math.Abs(b) < 1<<53 && b != 0 && a > 0 {
		return float64(int64(a) % int64(b))
	}
	switch {
	case a != a:
		return a
	case b != b:
		return b
	}
	m := math.Mod(a, b)
	if m != m {
		return math.Copysign(m, -1) // as processors make it
	}
	return m
}
