package vm

import "math"

// exprTo generates code that puts the value of e in register dst: a local, or the
// register that was allocated last.
func (g *gen) exprTo(e expr, dst int) {
	switch e := e.(type) {
	case *nilExpr:
		g.emit(abc(iNil, dst, 0, 0))
	case *boolExpr:
		op := iFalse
		if e.value {
			op = iTrue
		}
		g.emit(abc(op, dst, 0, 0))
	case *numberExpr:
		g.number(e.value, dst)
	case *stringExpr:
		g.emit(abj(iLoadK, dst, 0, g.str(e.value)))
	case *varargExpr:
		g.line = e.line
		g.emit(abc(iVararg, dst, 0, 2))
	case *funcExpr:
		g.closure(e, dst)
	case *localExpr:
		if e.v.reg != dst {
			g.emit(abc(iMove, dst, e.v.reg, 0))
		}
	case *upvalExpr:
		g.emit(abc(iGetUp, dst, e.index, 0))
	case *indexExpr:
		g.indexTo(e, dst)
	case *parenExpr:
		g.exprTo(e.e, dst)
	case *unaryExpr:
		g.unaryTo(e, dst)
	case *callExpr, *tableExpr, *binaryExpr:
		g.compoundTo(e, dst)
	}
}

// compoundTo is exprTo of what is built step by step. A local keeps its value until the
// last step, since the expression may use it.
func (g *gen) compoundTo(e expr, dst int) {
	if b, ok := e.(*binaryExpr); ok && b.op != opConcat && b.op != opAnd && b.op != opOr {
		if b.op < opConcat {
			g.arithTo(b, dst)
		} else {
			g.boolTo(b, dst)
		}
		return
	}
	r, free := dst, g.free
	if dst < g.level || dst != g.free-1 {
		r = g.alloc(1)
	}
	g.free = r // what is built may begin in its place
	switch e := e.(type) {
	case *callExpr:
		g.call(e, 1)
	case *tableExpr:
		g.alloc(1)
		g.table(e, r)
	case *binaryExpr:
		if e.op == opConcat {
			g.concat(e)
		} else {
			g.alloc(1)
			g.logicTo(e, r)
		}
	}
	g.free = free
	if r != dst {
		g.emit(abc(iMove, dst, r, 0))
	}
}

func (g *gen) number(v Value, dst int) {
	if v.isInt() {
		if i := int64(v.n); i == int64(int32(i)) {
			g.emit(abj(iLoadI, dst, 0, int(i)))
			return
		}
	} else if f := v.float(); f == float64(int32(f)) && (f != 0 || !math.Signbit(f)) {
		g.emit(abj(iLoadF, dst, 0, int(f)))
		return
	}
	g.emit(abj(iLoadK, dst, 0, g.constant(v)))
}

// exprAny returns a register that has the value of e: that of a local, or a new one.
func (g *gen) exprAny(e expr) int {
	for {
		p, ok := e.(*parenExpr)
		if !ok {
			break
		}
		e = p.e
	}
	if l, ok := e.(*localExpr); ok {
		return l.v.reg
	}
	r := g.alloc(1)
	g.exprTo(e, r)
	return r
}

// constantOf returns the index of the constant that e is.
func (g *gen) constantOf(e expr) (int, bool) {
	var k int
	switch e := e.(type) {
	case *nilExpr:
		k = g.constant(Nil)
	case *boolExpr:
		k = g.constant(Bool(e.value))
	case *numberExpr:
		k = g.constant(e.value)
	case *stringExpr:
		k = g.str(e.value)
	default:
		return 0, false
	}
	return k, k <= maxRK
}

// exprRK returns a register or a constant with the value of e.
func (g *gen) exprRK(e expr) int {
	if k, ok := g.constantOf(e); ok {
		return k + constantBase
	}
	return g.exprAny(e)
}

// nameOf returns the index of a key that is a constant string.
func (g *gen) nameOf(key expr) (int, bool) {
	s, ok := key.(*stringExpr)
	if !ok {
		return 0, false
	}
	k := g.str(s.value)
	return k, k <= maxRK
}

// upvalueOf returns the upvalue that is indexed, as that of the globals is.
func upvalueOf(e *indexExpr) (int, bool) {
	u, ok := e.obj.(*upvalExpr)
	if !ok {
		return 0, false
	}
	return u.index, true
}

func (g *gen) indexTo(e *indexExpr, dst int) {
	free := g.free
	if up, ok := upvalueOf(e); ok {
		if k, ok := g.nameOf(e.key); ok {
			g.line = e.line
			g.emit(abc(iGetEnv, dst, up, k))
			return
		}
	}
	obj := g.exprAny(e.obj)
	if k, ok := g.nameOf(e.key); ok {
		g.line = e.line
		g.emit(abc(iGetF, dst, obj, k))
	} else if i, ok := smallInt(e.key); ok && i > 0 {
		g.line = e.line
		g.emit(abc(iGetI, dst, obj, i))
	} else {
		key := g.exprAny(e.key)
		g.line = e.line
		g.emit(abc(iGetT, dst, obj, key))
	}
	g.free = free
}

func (g *gen) unaryTo(e *unaryExpr, dst int) {
	free := g.free
	if e.op == opNot {
		g.boolTo(e, dst)
		return
	}
	r := g.exprAny(e.a)
	g.line = e.line
	switch e.op {
	case opNeg:
		g.emit(abc(iUnm, dst, r, 0))
	case opBNot:
		g.emit(abc(iBNot, dst, r, 0))
	case opLen:
		g.emit(abc(iLen, dst, r, 0))
	}
	g.free = free
}

func commutes(op binop) bool {
	switch op {
	case opAdd, opMul, opBAnd, opBOr, opBXor:
		return true
	}
	return false
}

func (g *gen) arithTo(e *binaryExpr, dst int) {
	free := g.free
	a, b, flipped := e.a, e.b, 0
	if _, ok := a.(*numberExpr); ok && commutes(e.op) {
		a, b, flipped = b, a, 1
	}
	ra := g.exprAny(a)
	if n, ok := b.(*numberExpr); ok {
		if i, ok := smallInt(n); ok && (e.op == opAdd || e.op == opSub) {
			d := flipped * 2
			if e.op == opSub {
				i, d = -i, 1
			}
			g.line = e.line
			g.emit(abc(iAddI, dst, ra, i) | instr(d)<<48)
			g.free = free
			return
		}
		if k := g.constant(n.value); k <= maxRK {
			g.line = e.line
			if e.op <= opDiv {
				g.emit(abc(iAddK+opcode(e.op), dst, ra, k) | instr(flipped)<<48)
			} else {
				g.emit(abc(iAdd+opcode(e.op), dst, ra, k+constantBase) | instr(flipped)<<48)
			}
			g.free = free
			return
		}
	}
	rb := g.exprAny(b)
	if flipped == 1 {
		ra, rb = rb, ra
	}
	g.line = e.line
	g.emit(abc(iAdd+opcode(e.op), dst, ra, rb))
	g.free = free
}

// concat puts a chain of .. in registers from the first free one on.
func (g *gen) concat(e *binaryExpr) {
	base := g.free
	n := 0
	var next expr = e
	for {
		b, ok := next.(*binaryExpr)
		if !ok || b.op != opConcat {
			break
		}
		g.exprTo(b.a, g.alloc(1))
		n++
		next = b.b
	}
	g.exprTo(next, g.alloc(1))
	g.line = e.line
	g.emit(abc(iConcat, base, n+1, 0))
}

// boolTo puts true or false in dst.
func (g *gen) boolTo(e expr, dst int) {
	yes := g.cond(e, true)
	g.emit(abc(iFalseSkip, dst, 0, 0))
	g.here(yes...)
	g.emit(abc(iTrue, dst, 0, 0))
}

// logicTo puts the value of "a and b" or "a or b" in dst.
func (g *gen) logicTo(e *binaryExpr, dst int) {
	ends := g.valueOrNext(e.a, dst, e.op == opOr)
	g.exprTo(e.b, dst)
	g.here(ends...)
}

// valueOrNext generates code that, if the truth of e is want, puts its value in dst and
// jumps; otherwise it goes on.
func (g *gen) valueOrNext(e expr, dst int, want bool) []int {
	switch x := e.(type) {
	case *binaryExpr:
		switch {
		case x.op == opAnd && want, x.op == opOr && !want:
			skip := g.cond(x.a, !want)
			ends := g.valueOrNext(x.b, dst, want)
			g.here(skip...)
			return ends
		case x.op == opAnd, x.op == opOr:
			return append(g.valueOrNext(x.a, dst, want), g.valueOrNext(x.b, dst, want)...)
		case x.op > opConcat:
			return g.boolOrNext(e, dst, want)
		}
	case *unaryExpr:
		if x.op == opNot {
			return g.boolOrNext(e, dst, want)
		}
	case *parenExpr:
		return g.valueOrNext(x.e, dst, want)
	case *localExpr:
		op := iNotTestSet
		if want {
			op = iTestSet
		}
		return []int{g.emit(abj(op, dst, x.v.reg, 0))}
	}
	if truth, ok := constantTruth(e); ok {
		if truth != want {
			return nil
		}
		g.exprTo(e, dst)
		return []int{g.jump()}
	}
	g.exprTo(e, dst)
	op := iNotTest
	if want {
		op = iTest
	}
	return []int{g.emit(abj(op, dst, 0, 0))}
}

func (g *gen) boolOrNext(e expr, dst int, want bool) []int {
	skip := g.cond(e, !want)
	op := iFalse
	if want {
		op = iTrue
	}
	g.emit(abc(op, dst, 0, 0))
	end := g.jump()
	g.here(skip...)
	return []int{end}
}

func constantTruth(e expr) (truth, ok bool) {
	switch e := e.(type) {
	case *nilExpr:
		return false, true
	case *boolExpr:
		return e.value, true
	case *numberExpr, *stringExpr:
		return true, true
	}
	return false, false
}

// cond generates code that jumps if the truth of e is want, and goes on otherwise. It
// returns the jumps.
func (g *gen) cond(e expr, want bool) []int {
	free := g.free
	defer func() { g.free = free }()
	switch x := e.(type) {
	case *parenExpr:
		return g.cond(x.e, want)
	case *unaryExpr:
		if x.op == opNot {
			return g.cond(x.a, !want)
		}
	case *binaryExpr:
		switch {
		case x.op == opAnd && !want, x.op == opOr && want:
			return append(g.cond(x.a, want), g.cond(x.b, want)...)
		case x.op == opAnd, x.op == opOr:
			skip := g.cond(x.a, !want)
			jumps := g.cond(x.b, want)
			g.here(skip...)
			return jumps
		case x.op > opConcat:
			return []int{g.comparison(x, want)}
		}
	}
	if truth, ok := constantTruth(e); ok {
		if truth == want {
			return []int{g.jump()}
		}
		return nil
	}
	r := g.exprAny(e)
	op := iNotTest
	if want {
		op = iTest
	}
	return []int{g.emit(abj(op, r, 0, 0))}
}

// comparison emits a jump that is taken if a comparison is want.
func (g *gen) comparison(e *binaryExpr, want bool) int {
	not := opcode(1)
	if want {
		not = 0
	}
	a, b, op := e.a, e.b, e.op
	if op == opEq || op == opNe {
		if op == opNe {
			not ^= 1
		}
		if _, ok := g.constantOf(a); ok {
			a, b = b, a
		}
		ra := g.exprAny(a)
		if k, ok := g.constantOf(b); ok {
			g.line = e.line
			return g.emit(abj(iEqK+not, ra, k, 0))
		}
		rb := g.exprAny(b)
		g.line = e.line
		return g.emit(abj(iEq+not, ra, rb, 0))
	}
	if i, ok := smallInt(b); ok {
		ra := g.exprAny(a)
		g.line = e.line
		return g.emit(abj([]opcode{iLtI, iLeI, iGtI, iGeI}[op-opLt]+not, ra, i, 0))
	}
	if i, ok := smallInt(a); ok {
		rb := g.exprAny(b)
		g.line = e.line
		return g.emit(abj([]opcode{iGtI, iGeI, iLtI, iLeI}[op-opLt]+not, rb, i, 0))
	}
	ra := g.exprAny(a)
	rb := g.exprAny(b)
	if op == opGt || op == opGe {
		ra, rb, op = rb, ra, op-2
	}
	g.line = e.line
	return g.emit(abj(iLt+2*opcode(op-opLt)+not, ra, rb, 0))
}
