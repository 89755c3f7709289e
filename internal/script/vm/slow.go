package vm

import "math"

// slow carries out an instruction of the topmost frame whole: with metamethods,
// conversions and errors. The frame's pc is that of the next instruction.
func (th *Thread) slow(ins instr) outcome {
	fr := &th.frames[th.depth]
	base := int(fr.base)
	cl := th.closure(fr)
	regs := th.regs(base)
	k := cl.code.k
	a, b, c := ins.a(), ins.b(), ins.c()
	switch op := ins.op(); op {
	case iGetEnv:
		return th.getTo(a, *cl.upvals[b].v, k[c], -2-b)
	case iGetF:
		return th.getTo(a, regs[b], k[c], b)
	case iGetT:
		return th.getTo(a, regs[b], regs[c], b)
	case iGetI:
		return th.getTo(a, regs[b], Int(int64(c)), b)
	case iSelf:
		o := regs[b]
		regs[a+1] = o
		return th.getTo(a, o, k[c], b)
	case iSetEnv:
		return th.setAt(*cl.upvals[a].v, k[b], *rk(regs, k, c), -2-a)
	case iSetF:
		return th.setAt(regs[a], k[b], *rk(regs, k, c), a)
	case iSetT:
		return th.setAt(regs[a], regs[b], *rk(regs, k, c), a)
	case iSetI:
		return th.setAt(regs[a], Int(int64(b)), *rk(regs, k, c), a)
	case iAdd, iSub, iMul, iMod, iDiv, iPow, iIDiv, iBAnd, iBOr, iBXor, iShl, iShr:
		x, y, rx, ry := regs[b], *rk(regs, k, c), b, c
		if ins.d() == 1 {
			x, y, rx, ry = y, x, ry, rx
		}
		return th.arithTo(binop(op-iAdd), a, x, y, rx, ry)
	case iAddK, iSubK, iMulK, iModK, iDivK:
		x, y, rx, ry := regs[b], k[c], b, constantBase+c
		if ins.d() == 1 {
			x, y, rx, ry = y, x, ry, rx
		}
		return th.arithTo(binop(op-iAddK), a, x, y, rx, ry)
	case iAddI:
		n := int64(int16(c))
		switch ins.d() {
		case 1:
			return th.arithTo(opSub, a, regs[b], Int(-n), b, -1)
		case 2:
			return th.arithTo(opAdd, a, Int(n), regs[b], -1, b)
		}
		return th.arithTo(opAdd, a, regs[b], Int(n), b, -1)
	case iUnm:
		return th.unmTo(a, b)
	case iBNot:
		return th.bnotTo(a, b)
	case iLen:
		return th.lenTo(a, b)
	case iConcat:
		return th.concat(a, b)
	case iEq, iNe:
		return th.equalJump(regs[a], regs[b], ins)
	case iLt, iNlt, iLe, iNle:
		return th.orderJump(regs[a], regs[b], op == iLe || op == iNle, ins)
	case iLtI, iNltI:
		return th.orderJump(regs[a], Int(int64(int16(b))), false, ins)
	case iLeI, iNleI:
		return th.orderJump(regs[a], Int(int64(int16(b))), true, ins)
	case iGtI, iNgtI:
		return th.orderJump(Int(int64(int16(b))), regs[a], false, ins)
	case iGeI, iNgeI:
		return th.orderJump(Int(int64(int16(b))), regs[a], true, ins)
	case iTailCall:
		return th.tailCall(fr, ins)
	case iRet0, iRet1:
		return th.complete(base+a, int(op-iRet0))
	case iRet:
		return th.returns(fr, ins)
	case iForPrep:
		if !th.forPrep(regs, a) {
			fr.pc += int32(ins.j())
		}
		return done
	case iTForPrep:
		if err := th.deeper(); err != nil {
			panic(err)
		}
		fr.pc += int32(ins.j())
		th.markClose(base+a+3, a+3)
		return done
	case iTForCall:
		regs[a+4], regs[a+5], regs[a+6] = regs[a], regs[a+1], regs[a+2]
		return th.precall(base+a+4, 2, c, 0)
	case iSetList:
		th.setList(regs, base, ins)
		return done
	case iVararg:
		th.varargs(fr, a, c-1)
		return done
	case iClose:
		if out, ok := th.closeOne(fr, base+a); ok {
			return out
		}
		return done
	case iTbc:
		th.markClose(base+a, a)
		return done
	}
	panic(th.errorf("internal error: instruction %d", ins.op()))
}

// finish ends the instruction of the topmost frame that called a metamethod, which
// returned v.
func (th *Thread) finish(v Value) outcome {
	fr := &th.frames[th.depth]
	ins := th.closure(fr).code.ins[fr.pc-1]
	switch op := ins.op(); op {
	case iSetEnv, iSetF, iSetT, iSetI:
	case iEq, iNe, iLt, iNlt, iLe, iNle, iLtI, iNltI, iLeI, iNleI, iGtI, iNgtI, iGeI, iNgeI:
		// Those that jump if it is not so follow those that jump if it is.
		if v.Truth() == ((op-iLt)&1 == 0) {
			fr.pc += int32(ins.j())
		}
	case iConcat:
		th.stack[int(fr.base)+ins.a()+int(fr.aux)-2] = v
		return th.concat(ins.a(), int(fr.aux)-1)
	default:
		th.stack[int(fr.base)+ins.a()] = v
	}
	return done
}

// callMeta calls a metamethod for the instruction of the topmost frame.
func (th *Thread) callMeta(f Value, args ...Value) outcome {
	fr := &th.frames[th.depth]
	fn := int(fr.base) + th.closure(fr).code.stack
	th.ensure(fn + len(args) + 1)
	if err := th.deeper(); err != nil {
		panic(err)
	}
	th.stack[fn] = f
	copy(th.stack[fn+1:], args)
	th.top = fn + 1 + len(args)
	if out := th.precall(fn, len(args), 1, flFinish); out != done {
		return out
	}
	return th.finish(th.stack[fn])
}

// maxChained is how many __index or __newindex may lead to each other.
const maxChained = 2000

// lookup returns o[k], or the function that has to be asked for it, and whom about.
func (th *Thread) lookup(o, k Value, operand int) (v, f, self Value) {
	for range maxChained {
		var h Value
		if t := o.AsTable(); t != nil {
			if v = t.Get(k); v.p != nil || t.Meta == nil {
				return v, Nil, Nil
			}
			if h = th.st.fromMeta(t.Meta, evIndex); h.p == nil {
				return Nil, Nil, Nil
			}
		} else if h = th.st.metamethod(o, evIndex); h.p == nil {
			panic(th.typeError("index", o, operand))
		}
		if h.IsFunction() {
			return Nil, h, o
		}
		o, operand = h, -1
	}
	panic(th.errorf("'__index' chain too long; possibly a loop"))
}

func (th *Thread) getTo(a int, o, k Value, operand int) outcome {
	v, f, self := th.lookup(o, k, operand)
	if f.p != nil {
		return th.callMeta(f, self, k)
	}
	th.stack[int(th.frames[th.depth].base)+a] = v
	return done
}

// assign sets o[k], or returns the function that has to be called for it, and with whom.
func (th *Thread) assign(o, k, v Value, operand int) (f, self Value) {
	for range maxChained {
		var h Value
		if t := o.AsTable(); t != nil {
			if t.Meta != nil && t.Get(k).p == nil {
				h = th.st.fromMeta(t.Meta, evNewIndex)
			}
			if h.p == nil {
				th.rawSet(t, k, v)
				return Nil, Nil
			}
		} else if h = th.st.metamethod(o, evNewIndex); h.p == nil {
			panic(th.typeError("index", o, operand))
		}
		if h.IsFunction() {
			return h, o
		}
		o, operand = h, -1
	}
	panic(th.errorf("'__newindex' chain too long; possibly a loop"))
}

func (th *Thread) setAt(o, k, v Value, operand int) outcome {
	if f, self := th.assign(o, k, v, operand); f.p != nil {
		return th.callMeta(f, self, k, v)
	}
	return done
}

// rawSet sets t[k], if k can be a key.
func (th *Thread) rawSet(t *Table, k, v Value) {
	if k.p == nil {
		panic(th.errorf("table index is nil"))
	}
	if k.isFloat() && math.IsNaN(k.float()) {
		panic(th.errorf("table index is NaN"))
	}
	t.Set(k, v)
}

func (th *Thread) equalJump(x, y Value, ins instr) outcome {
	eq := x == y
	if !eq && x.Kind() == y.Kind() {
		f := th.st.metamethodOf(x, y, evEq)
		if f.p != nil {
			return th.callMeta(f, x, y)
		}
	}
	if eq == (ins.op() == iEq) {
		th.frames[th.depth].pc += int32(ins.j())
	}
	return done
}

func (th *Thread) orderJump(x, y Value, orEqual bool, ins instr) outcome {
	less, ok := order(x, y, orEqual)
	if !ok {
		ev := evLt
		if orEqual {
			ev = evLe
		}
		f := th.st.metamethodOf(x, y, ev)
		if f.p == nil {
			panic(th.compareError(x, y))
		}
		return th.callMeta(f, x, y)
	}
	if less == ((ins.op()-iLt)&1 == 0) {
		th.frames[th.depth].pc += int32(ins.j())
	}
	return done
}

// tailCall lets a function of Lua take the place of its caller. Any other is called as
// always; the iRet that follows returns its results.
func (th *Thread) tailCall(fr *frame, ins instr) outcome {
	fn, n := int(fr.base)+ins.a(), ins.b()-1
	if n < 0 {
		n = th.top - fn - 1
	}
	if ins.d() == 1 {
		th.closeUpvals(int(fr.base))
	}
	f := th.stack[fn]
	if f.Kind() != KindFunction {
		return th.precall(fn, n, -1, 0)
	}
	at, nres, flags := int(fr.fn), int(fr.nres), fr.flags
	copy(th.stack[at:at+n+1], th.stack[fn:fn+n+1])
	th.depth--
	th.enter((*Closure)(f.p).code, at, n, nres, flags|flTail)
	return entered
}

// returns carries out iRet: variables that are to be closed are closed first.
func (th *Thread) returns(fr *frame, ins instr) outcome {
	first, n := int(fr.base)+ins.a(), ins.b()-1
	if fr.flags&flClosing != 0 {
		n = int(fr.mark) // the instruction is repeated after a __close
	} else if n < 0 {
		n = th.top - first
	}
	if ins.d() == 1 {
		fr.mark = int64(n)
		th.top = max(first+n, int(fr.base)+th.closure(fr).code.stack)
		if out, ok := th.closeOne(fr, int(fr.base)); ok {
			return out
		}
	}
	return th.complete(first, n)
}

// closeOne closes upvalues from a register on, and calls __close of the last variable
// there that is to be closed, after which the instruction is repeated. ok is false if
// there is none.
func (th *Thread) closeOne(fr *frame, slot int) (out outcome, ok bool) {
	for len(th.tbc) > 0 && int(th.tbc[len(th.tbc)-1]) >= slot {
		at := int(th.tbc[len(th.tbc)-1])
		th.tbc = th.tbc[:len(th.tbc)-1]
		th.closeUpvals(at)
		v := th.stack[at]
		if !v.Truth() {
			continue
		}
		fn := int(fr.base) + th.closure(fr).code.stack
		if fr.kind == frLua && th.closure(fr).code.ins[fr.pc-1].op() == iRet {
			fn = max(fn, th.top)
			fr.flags |= flClosing | flSlow
		}
		th.ensure(fn + 4)
		th.stack[fn], th.stack[fn+1], th.stack[fn+2] = th.st.metamethod(v, evClose), v, Nil
		th.top = fn + 3
		if out = th.precall(fn, 2, 0, flClose); out == done {
			th.frames[th.depth].pc--
			out = entered
		}
		return out, true
	}
	th.closeUpvals(slot)
	return done, false
}

// markClose notes that a register is to be closed.
func (th *Thread) markClose(slot, reg int) {
	v := th.stack[slot]
	if !v.Truth() {
		return
	}
	if th.st.metamethod(v, evClose).p == nil {
		name := "?"
		if n, kind := th.registerName(reg); kind == "local" {
			name = n
		}
		panic(th.errorf("variable '%s' got a non-closable value", name))
	}
	th.tbc = append(th.tbc, int32(slot))
}

func (th *Thread) setList(regs *[256]Value, base int, ins instr) {
	a, n, at := ins.a(), ins.b()-1, ins.j()
	if n < 0 {
		n = th.top - base - a - 1
	}
	(*Table)(regs[a].p).fill(at, th.stack[base+a+1:base+a+1+n])
}

// varargs puts n of the arguments beyond the parameters in registers, all if n is -1.
func (th *Thread) varargs(fr *frame, a, n int) {
	base, extra := int(fr.base), int(fr.extra)
	if n < 0 {
		n = extra
		th.st.step(n / 64)
		th.ensure(base + a + n)
		th.top = base + a + n
	}
	m := min(n, extra)
	copy(th.stack[base+a:base+a+m], th.stack[base-extra:])
	clear(th.stack[base+a+m : base+a+n])
}

// makeClosure returns a closure of the i-th function inside cl.
func (th *Thread) makeClosure(cl *Closure, i, base int) Value {
	c := th.st.sub(cl.code, i)
	n := newClosure(c)
	for j, u := range c.p.ups {
		if u.inStack {
			n.upvals[j] = th.findUpval(base + int(u.index))
		} else {
			n.upvals[j] = cl.upvals[u.index]
		}
	}
	th.st.alloc(closureSize + 8*int64(len(n.upvals)))
	return n.Of()
}

// forPrep prepares a numeric loop: the limit becomes a count of rounds if the loop is one
// of integers. It reports whether there is a round at all.
func (th *Thread) forPrep(regs *[256]Value, a int) bool {
	start, limit, step := &regs[a], &regs[a+1], &regs[a+2]
	if start.isInt() && step.isInt() {
		if step.n == 0 {
			panic(th.errorf("'for' step is zero"))
		}
		s, by := int64(start.n), int64(step.n)
		end, none := th.forLimit(*limit, by)
		if none || by > 0 && s > end || by < 0 && s < end {
			return false
		}
		var count uint64
		if by > 0 {
			count = (uint64(end) - uint64(s)) / uint64(by)
		} else {
			count = (uint64(s) - uint64(end)) / (uint64(-(by + 1)) + 1)
		}
		*limit = Int(int64(count))
		regs[a+3] = *start
		return true
	}
	l, okL := toFloat(*limit)
	if !okL {
		panic(th.forError("limit", *limit))
	}
	by, okBy := toFloat(*step)
	if !okBy {
		panic(th.forError("step", *step))
	}
	s, okS := toFloat(*start)
	if !okS {
		panic(th.forError("initial", *start))
	}
	if by == 0 {
		panic(th.errorf("'for' step is zero"))
	}
	if by > 0 && l < s || by < 0 && s < l { // NaN is no reason not to begin, as in C Lua
		return false
	}
	start.setFloat(s)
	limit.setFloat(l)
	step.setFloat(by)
	regs[a+3] = *start
	return true
}

// floatOf returns a number, and no string, as a float.
func floatOf(v Value) (float64, bool) {
	if v.isInt() {
		return float64(int64(v.n)), true
	}
	return v.float(), v.isFloat()
}

// forLimit returns the limit of a loop of integers, which may be a numeral in a string as in
// C Lua; none is true if no integer reaches it.
func (th *Thread) forLimit(limit Value, step int64) (end int64, none bool) {
	if limit.isInt() {
		return int64(limit.n), false
	}
	f, ok := toFloat(limit)
	if !ok {
		panic(th.forError("limit", limit))
	}
	switch {
	case math.IsNaN(f):
		return math.MinInt64, step > 0
	case f >= 1<<63:
		return math.MaxInt64, step < 0
	case f < -(1 << 63):
		return math.MinInt64, step > 0
	case step < 0:
		return int64(math.Ceil(f)), false
	}
	return int64(math.Floor(f)), false
}
