package vm

import (
	"strings"
	"unsafe"
)

// arithTo computes x op y into register a. rx and ry say where the operands are, for
// messages.
func (th *Thread) arithTo(op binop, a int, x, y Value, rx, ry int) outcome {
	if v, ok := th.compute(op, x, y); ok {
		th.stack[int(th.frames[th.depth].base)+a] = v
		return done
	}
	f := th.st.metamethodOf(x, y, evAdd+event(op))
	if f.p == nil {
		panic(th.arithError(evAdd+event(op), x, y, rx, ry))
	}
	return th.callMeta(f, x, y)
}

// compute computes x op y without metamethods, if the operands have numbers for it.
func (th *Thread) compute(op binop, x, y Value) (Value, bool) {
	if op >= opBAnd {
		i, okX := exactInt(x)
		j, okY := exactInt(y)
		return Int(bitwise(op, i, j)), okX && okY
	}
	x, y = toNumber(x), toNumber(y)
	if x.p == nil || y.p == nil {
		return Nil, false
	}
	if y.isInt() && y.n == 0 && x.isInt() {
		switch op {
		case opIDiv:
			panic(th.errorf("attempt to divide by zero"))
		case opMod:
			panic(th.errorf("attempt to perform 'n%%0'"))
		}
	}
	return arith(op, x, y), true
}

func (th *Thread) unmTo(a, b int) outcome {
	base := int(th.frames[th.depth].base)
	x := th.stack[base+b]
	if n := toNumber(x); n.p != nil {
		if n.isInt() {
			n = Int(-int64(n.n))
		} else {
			n = Float(-n.float())
		}
		th.stack[base+a] = n
		return done
	}
	f := th.st.metamethod(x, evUnm)
	if f.p == nil {
		panic(th.arithError(evUnm, x, x, b, b))
	}
	return th.callMeta(f, x, x)
}

func (th *Thread) bnotTo(a, b int) outcome {
	base := int(th.frames[th.depth].base)
	x := th.stack[base+b]
	if i, ok := exactInt(x); ok {
		th.stack[base+a] = Int(^i)
		return done
	}
	f := th.st.metamethod(x, evBNot)
	if f.p == nil {
		panic(th.arithError(evBNot, x, x, b, b))
	}
	return th.callMeta(f, x, x)
}

func (th *Thread) lenTo(a, b int) outcome {
	base := int(th.frames[th.depth].base)
	x := th.stack[base+b]
	if f := th.st.metamethod(x, evLen); f.p != nil && x.Kind() != KindString {
		return th.callMeta(f, x, x)
	}
	switch x.Kind() {
	case KindTable:
		th.stack[base+a] = Int((*Table)(x.p).Len())
	case KindString:
		th.stack[base+a] = Int(int64(len((*String)(x.p).s)))
	default:
		panic(th.typeError("get length of", x, b))
	}
	return done
}

// order compares two numbers or two strings; ok is false for anything else.
func order(x, y Value, orEqual bool) (less, ok bool) {
	switch x.Kind() {
	case KindInt:
		switch y.Kind() {
		case KindInt:
			return int64(x.n) < int64(y.n) || orEqual && x.n == y.n, true
		case KindFloat:
			return orderIntFloat(int64(x.n), y.float(), orEqual), true
		}
	case KindFloat:
		switch y.Kind() {
		case KindInt:
			f := x.float()
			return f == f && !orderIntFloat(int64(y.n), f, !orEqual), true
		case KindFloat:
			return x.float() < y.float() || orEqual && x.float() == y.float(), true
		}
	case KindString:
		if y.Kind() == KindString {
			c := strings.Compare((*String)(x.p).s, (*String)(y.p).s)
			return c < 0 || orEqual && c == 0, true
		}
	}
	return false, false
}

// orderIntFloat is n < f, or n <= f, exactly.
func orderIntFloat(n int64, f float64, orEqual bool) bool {
	switch {
	case f != f:
		return false
	case f >= 1<<63:
		return true
	case f < -(1 << 63):
		return false
	}
	i := int64(f) // towards zero
	if n != i {
		return n < i
	}
	rest := f - float64(i)
	return rest > 0 || orEqual && rest == 0
}

// isText reports whether .. takes v as it is.
func isText(v Value) bool {
	k := v.Kind()
	return k == KindString || k == KindInt || k == KindFloat
}

// concat concatenates the n registers from a on into the first, from the right to the
// left, as many at once as have no metamethods.
func (th *Thread) concat(a, n int) outcome {
	for n > 1 {
		fr := &th.frames[th.depth]
		s := th.stack[int(fr.base)+a : int(fr.base)+a+n]
		x, y := s[n-2], s[n-1]
		if isText(x) && isText(y) {
			first := n - 2
			for first > 0 && isText(s[first-1]) {
				first--
			}
			s[first] = th.join(s[first:])
			n = first + 1
			continue
		}
		f := th.st.metamethodOf(x, y, evConcat)
		if f.p == nil {
			if isText(x) {
				panic(th.typeError("concatenate", y, a+n-1))
			}
			panic(th.typeError("concatenate", x, a+n-2))
		}
		fr.aux = uint8(n)
		return th.callMeta(f, x, y)
	}
	return done
}

// join concatenates strings and numbers.
func (th *Thread) join(list []Value) Value {
	var small [64]byte
	size, known := 0, true
	for _, v := range list {
		if s := v.str(); s != nil {
			size += len(s.s)
		} else {
			size, known = size+24, false
		}
	}
	b := small[:0]
	if size > len(small) {
		th.st.room(int64(size))
		b = make([]byte, 0, size)
	}
	for _, v := range list {
		if s := v.str(); s != nil {
			b = append(b, s.s...)
		} else {
			b = appendNumber(b, v)
		}
	}
	th.st.alloc(stringSize + int64(len(b)))
	if size > len(small) && known {
		return newString(unsafe.String(unsafe.SliceData(b), len(b))).Of() // b is this string's alone
	}
	return newStringBytes(b).Of()
}
