package vm

import "math"

// Constants are folded where C Lua folds them: numbers only, and never where the result
// is an error, or a float that is 0 or no number, whose sign the program may want to see.

func foldUnary(op unop, a expr, line int) expr {
	if n, ok := a.(*numberExpr); ok {
		switch op {
		case opNeg:
			if n.value.isInt() {
				return &numberExpr{Int(-int64(n.value.n))}
			}
			if n.value.isFloat() && n.value.float() != 0 {
				return &numberExpr{Float(-n.value.float())}
			}
		case opBNot:
			if i, ok := toInt(n.value); ok {
				return &numberExpr{Int(^i)}
			}
		}
	}
	if op == opNot {
		switch e := a.(type) {
		case *nilExpr:
			return &boolExpr{true}
		case *boolExpr:
			return &boolExpr{!e.value}
		case *numberExpr, *stringExpr, *funcExpr:
			return &boolExpr{false}
		}
	}
	return &unaryExpr{op, a, line}
}

func foldBinary(op binop, a, b expr, line int) expr {
	x, okX := a.(*numberExpr)
	y, okY := b.(*numberExpr)
	if okX && okY && op < opConcat {
		if v, ok := foldNumbers(op, x.value, y.value); ok {
			return &numberExpr{v}
		}
	}
	return &binaryExpr{op, a, b, line}
}

func foldNumbers(op binop, a, b Value) (Value, bool) {
	if op >= opBAnd {
		_, okA := toInt(a)
		_, okB := toInt(b)
		if !okA || !okB {
			return Nil, false
		}
	}
	switch op {
	case opDiv, opIDiv, opMod:
		if f, _ := toFloat(b); f == 0 {
			return Nil, false
		}
	}
	v := arith(op, a, b)
	if v.isInt() {
		return v, true
	}
	f := v.float()
	return v, f != 0 && !math.IsNaN(f)
}
