package vm

import (
	"math"
	"unsafe"
)

// loop runs the topmost frame, and those that it calls, until the run ends.
//
// It is one function, as long as it is, because a call for each instruction would cost
// more than most instructions do. A case handles the common path and continues; everything
// else leaves the switch for slow, which carries out the whole instruction.
func (th *Thread) loop() outcome {
	st := th.st
	tagI, tagF := unsafe.Pointer(&tagInt), unsafe.Pointer(&tagFloat)
reload:
	fr := &th.frames[th.depth]
	base := int(fr.base)
	cl := (*Closure)(th.stack[fr.fn].p)
	code, k := cl.code.ins, cl.code.k
	regs := th.regs(base)
	pc := int(fr.pc)
	for {
		ins := code[pc]
		pc++
		switch opcode(ins) {
		case iMove:
			regs[uint8(ins>>8)] = regs[uint8(ins>>16)]
			continue
		case iLoadI:
			regs[uint8(ins>>8)].setInt(int64(int32(ins >> 32)))
			continue
		case iLoadF:
			regs[uint8(ins>>8)].setFloat(float64(int32(ins >> 32)))
			continue
		case iLoadK:
			regs[uint8(ins>>8)] = k[uint32(ins>>32)]
			continue
		case iNil:
			a := uint8(ins >> 8)
			for n := int(uint16(ins >> 16)); n >= 0; n-- {
				regs[a] = Nil
				a++
			}
			continue
		case iFalse:
			regs[uint8(ins>>8)] = Value{p: unsafe.Pointer(&tagFalse)}
			continue
		case iTrue:
			regs[uint8(ins>>8)] = Value{p: unsafe.Pointer(&tagTrue)}
			continue
		case iFalseSkip:
			regs[uint8(ins>>8)] = Value{p: unsafe.Pointer(&tagFalse)}
			pc++
			continue
		case iGetUp:
			regs[uint8(ins>>8)] = *cl.upvals[uint8(ins>>16)].v
			continue
		case iSetUp:
			*cl.upvals[uint8(ins>>16)].v = regs[uint8(ins>>8)]
			continue

		case iGetEnv:
			if o := cl.upvals[uint8(ins>>16)].v; kindOf(o.p) == KindTable {
				t, key := (*Table)(o.p), k[uint16(ins>>32)].p
				if n := t.at(int(ins>>48), key); n != nil {
					regs[uint8(ins>>8)] = n.val
					continue
				}
				if v := t.getHint((*String)(key), &code[pc-1]); v.p != nil || t.Meta == nil {
					regs[uint8(ins>>8)] = v
					continue
				}
			}
		case iGetF:
			if o := &regs[uint8(ins>>16)]; kindOf(o.p) == KindTable {
				t, key := (*Table)(o.p), k[uint16(ins>>32)].p
				if n := t.at(int(ins>>48), key); n != nil {
					regs[uint8(ins>>8)] = n.val
					continue
				}
				if v := t.getHint((*String)(key), &code[pc-1]); v.p != nil || t.Meta == nil {
					regs[uint8(ins>>8)] = v
					continue
				}
			}
		case iGetT:
			if o := &regs[uint8(ins>>16)]; kindOf(o.p) == KindTable {
				t, key := (*Table)(o.p), &regs[uint8(ins>>32)]
				var v Value
				if key.p == tagI {
					if i := key.n - 1; i < uint64(len(t.arr)) {
						v = t.arr[i]
					} else {
						v = t.GetInt(int64(key.n))
					}
				} else {
					v = t.Get(*key)
				}
				if v.p != nil || t.Meta == nil {
					regs[uint8(ins>>8)] = v
					continue
				}
			}
		case iGetI:
			if o := &regs[uint8(ins>>16)]; kindOf(o.p) == KindTable {
				t, i := (*Table)(o.p), int(uint16(ins>>32))
				var v Value
				if i-1 < len(t.arr) {
					v = t.arr[i-1]
				} else {
					v = t.GetInt(int64(i))
				}
				if v.p != nil || t.Meta == nil {
					regs[uint8(ins>>8)] = v
					continue
				}
			}

		case iSetEnv:
			if o := cl.upvals[uint8(ins>>8)].v; kindOf(o.p) == KindTable {
				t, key := (*Table)(o.p), k[uint16(ins>>16)].p
				v := rk(regs, k, int(uint16(ins>>32)))
				if n := t.at(int(ins>>48), key); n != nil {
					n.val = *v
					continue
				}
				if t.setHint((*String)(key), *v, &code[pc-1]) {
					continue
				}
			}
		case iSetF:
			if o := &regs[uint8(ins>>8)]; kindOf(o.p) == KindTable {
				t, key := (*Table)(o.p), k[uint16(ins>>16)].p
				v := rk(regs, k, int(uint16(ins>>32)))
				if n := t.at(int(ins>>48), key); n != nil {
					if n.val.p != v.p {
						n.val.p = v.p
					}
					n.val.n = v.n
					continue
				}
				if t.setHint((*String)(key), *v, &code[pc-1]) {
					continue
				}
			}
		case iSetT:
			if o := &regs[uint8(ins>>8)]; kindOf(o.p) == KindTable {
				t, key := (*Table)(o.p), &regs[uint8(ins>>16)]
				v := rk(regs, k, int(uint16(ins>>32)))
				if key.p == tagI {
					if i := key.n - 1; i < uint64(len(t.arr)) && v.p != nil && (t.Meta == nil || t.arr[i].p != nil) {
						if e := &t.arr[i]; e.p != v.p {
							*e = *v
						} else {
							e.n = v.n
						}
						continue
					} else if t.Meta == nil {
						t.SetInt(int64(key.n), *v)
						continue
					}
				} else if t.Meta == nil && kindOf(key.p) == KindString {
					t.setStr((*String)(key.p), *v)
					continue
				}
			}
		case iSetI:
			if o := &regs[uint8(ins>>8)]; kindOf(o.p) == KindTable {
				if t := (*Table)(o.p); t.Meta == nil {
					t.SetInt(int64(uint16(ins>>16)), *rk(regs, k, int(uint16(ins>>32))))
					continue
				}
			}
		case iNew:
			regs[uint8(ins>>8)] = Value{p: unsafe.Pointer(st.NewTable(int(uint16(ins>>32)), int(uint16(ins>>16))))}
			continue
		case iSelf:
			o := &regs[uint8(ins>>16)]
			if v := st.method(*o, (*String)(k[uint16(ins>>32)].p), &code[pc-1]); v.p != nil {
				regs[uint8(ins>>8)+1] = *o
				regs[uint8(ins>>8)] = v
				continue
			}

		case iAdd:
			b, c := &regs[uint8(ins>>16)], &regs[uint8(ins>>32)]
			if b.p == tagI && c.p == tagI {
				regs[uint8(ins>>8)].setInt(int64(b.n + c.n))
				continue
			}
			if x, y, ok := floats(b, c); ok {
				regs[uint8(ins>>8)].setFloat(x + y)
				continue
			}
		case iSub:
			b, c := &regs[uint8(ins>>16)], &regs[uint8(ins>>32)]
			if b.p == tagI && c.p == tagI {
				regs[uint8(ins>>8)].setInt(int64(b.n - c.n))
				continue
			}
			if x, y, ok := floats(b, c); ok {
				regs[uint8(ins>>8)].setFloat(x - y)
				continue
			}
		case iMul:
			b, c := &regs[uint8(ins>>16)], &regs[uint8(ins>>32)]
			if b.p == tagI && c.p == tagI {
				regs[uint8(ins>>8)].setInt(int64(b.n * c.n))
				continue
			}
			if x, y, ok := floats(b, c); ok {
				regs[uint8(ins>>8)].setFloat(x * y)
				continue
			}
		case iDiv:
			if x, y, ok := floats(&regs[uint8(ins>>16)], &regs[uint8(ins>>32)]); ok {
				regs[uint8(ins>>8)].setFloat(x / y)
				continue
			}
		case iMod:
			b, c := &regs[uint8(ins>>16)], &regs[uint8(ins>>32)]
			if b.p == tagI && c.p == tagI && c.n != 0 {
				regs[uint8(ins>>8)].setInt(fastMod(int64(b.n), int64(c.n)))
				continue
			}
		case iIDiv:
			b, c := &regs[uint8(ins>>16)], rk(regs, k, int(uint16(ins>>32)))
			if b.p == tagI && c.p == tagI && c.n != 0 {
				regs[uint8(ins>>8)].setInt(fastDiv(int64(b.n), int64(c.n)))
				continue
			}
			if x, y, ok := floats(b, c); ok && (b.p != tagI || c.p != tagI) {
				regs[uint8(ins>>8)].setFloat(math.Floor(x / y))
				continue
			}
		case iPow:
			if x, y, ok := floats(&regs[uint8(ins>>16)], rk(regs, k, int(uint16(ins>>32)))); ok {
				regs[uint8(ins>>8)].setFloat(pow(x, y))
				continue
			}
		case iBAnd:
			if b, c := &regs[uint8(ins>>16)], rk(regs, k, int(uint16(ins>>32))); b.p == tagI && c.p == tagI {
				regs[uint8(ins>>8)].setInt(int64(b.n & c.n))
				continue
			}
		case iBOr:
			if b, c := &regs[uint8(ins>>16)], rk(regs, k, int(uint16(ins>>32))); b.p == tagI && c.p == tagI {
				regs[uint8(ins>>8)].setInt(int64(b.n | c.n))
				continue
			}
		case iBXor:
			if b, c := &regs[uint8(ins>>16)], rk(regs, k, int(uint16(ins>>32))); b.p == tagI && c.p == tagI {
				regs[uint8(ins>>8)].setInt(int64(b.n ^ c.n))
				continue
			}
		case iShl:
			if b, c := &regs[uint8(ins>>16)], rk(regs, k, int(uint16(ins>>32))); b.p == tagI && c.p == tagI {
				regs[uint8(ins>>8)].setInt(shiftLeft(int64(b.n), int64(c.n)))
				continue
			}
		case iShr:
			if b, c := &regs[uint8(ins>>16)], rk(regs, k, int(uint16(ins>>32))); b.p == tagI && c.p == tagI {
				regs[uint8(ins>>8)].setInt(shiftRight(int64(b.n), int64(c.n)))
				continue
			}

		case iAddI:
			b, n := &regs[uint8(ins>>16)], int16(ins>>32)
			if b.p == tagI {
				regs[uint8(ins>>8)].setInt(int64(b.n) + int64(n))
				continue
			}
			if b.p == tagF {
				regs[uint8(ins>>8)].setFloat(b.float() + float64(n))
				continue
			}
		case iAddK:
			b, c := &regs[uint8(ins>>16)], &k[uint16(ins>>32)]
			if b.p == tagI && c.p == tagI {
				regs[uint8(ins>>8)].setInt(int64(b.n + c.n))
				continue
			}
			if x, y, ok := floats(b, c); ok {
				regs[uint8(ins>>8)].setFloat(x + y)
				continue
			}
		case iSubK:
			b, c := &regs[uint8(ins>>16)], &k[uint16(ins>>32)]
			if b.p == tagI && c.p == tagI {
				regs[uint8(ins>>8)].setInt(int64(b.n - c.n))
				continue
			}
			if x, y, ok := floats(b, c); ok {
				regs[uint8(ins>>8)].setFloat(x - y)
				continue
			}
		case iMulK:
			b, c := &regs[uint8(ins>>16)], &k[uint16(ins>>32)]
			if b.p == tagI && c.p == tagI {
				regs[uint8(ins>>8)].setInt(int64(b.n * c.n))
				continue
			}
			if x, y, ok := floats(b, c); ok {
				regs[uint8(ins>>8)].setFloat(x * y)
				continue
			}
		case iDivK:
			if x, y, ok := floats(&regs[uint8(ins>>16)], &k[uint16(ins>>32)]); ok {
				regs[uint8(ins>>8)].setFloat(x / y)
				continue
			}
		case iModK:
			b, c := &regs[uint8(ins>>16)], &k[uint16(ins>>32)]
			if b.p == tagI && c.p == tagI && c.n != 0 {
				regs[uint8(ins>>8)].setInt(fastMod(int64(b.n), int64(c.n)))
				continue
			}
		case iUnm:
			b := &regs[uint8(ins>>16)]
			if b.p == tagI {
				regs[uint8(ins>>8)].setInt(-int64(b.n))
				continue
			}
			if b.p == tagF {
				regs[uint8(ins>>8)].setFloat(-b.float())
				continue
			}
		case iBNot:
			if b := &regs[uint8(ins>>16)]; b.p == tagI {
				regs[uint8(ins>>8)].setInt(^int64(b.n))
				continue
			}
		case iNot:
			b := &regs[uint8(ins>>16)]
			regs[uint8(ins>>8)] = Bool(isFalsy(b.p))
			continue
		case iLen:
			b := &regs[uint8(ins>>16)]
			switch kindOf(b.p) {
			case KindTable:
				if t := (*Table)(b.p); t.Meta == nil {
					regs[uint8(ins>>8)].setInt(int64(len(t.arr)))
					continue
				}
			case KindString:
				regs[uint8(ins>>8)].setInt(int64(len((*String)(b.p).s)))
				continue
			}

		case iJmp:
			j := int(int32(ins >> 32))
			pc += j
			if j < 0 {
				if st.fuel--; st.fuel < 0 {
					th.pollAt(fr, pc)
				}
			}
			continue
		case iEq, iNe:
			a, b := &regs[uint8(ins>>8)], &regs[uint8(ins>>16)]
			var eq bool
			if a.p == b.p && a.p != tagF {
				eq = a.n == b.n
			} else if ka := kindOf(a.p); ka == kindOf(b.p) && ka >= KindTable {
				if ka == KindTable || ka == KindUserdata {
					break // perhaps a metamethod
				}
			} else {
				eq = rawEqual(*a, *b)
			}
			if eq == (opcode(ins) == iEq) {
				pc += int(int32(ins >> 32))
			}
			continue
		case iEqK, iNeK:
			a, b := &regs[uint8(ins>>8)], &k[uint16(ins>>16)]
			var eq bool
			if a.p == b.p && a.p != tagF {
				eq = a.n == b.n
			} else {
				eq = rawEqual(*a, *b)
			}
			if eq == (opcode(ins) == iEqK) {
				pc += int(int32(ins >> 32))
			}
			continue
		case iLt, iNlt:
			a, b := &regs[uint8(ins>>8)], &regs[uint8(ins>>16)]
			var less bool
			if a.p == tagI && b.p == tagI {
				less = int64(a.n) < int64(b.n)
			} else if a.p == tagF && b.p == tagF {
				less = a.float() < b.float()
			} else {
				break
			}
			if less == (opcode(ins) == iLt) {
				pc += int(int32(ins >> 32))
			}
			continue
		case iLe, iNle:
			a, b := &regs[uint8(ins>>8)], &regs[uint8(ins>>16)]
			var less bool
			if a.p == tagI && b.p == tagI {
				less = int64(a.n) <= int64(b.n)
			} else if a.p == tagF && b.p == tagF {
				less = a.float() <= b.float()
			} else {
				break
			}
			if less == (opcode(ins) == iLe) {
				pc += int(int32(ins >> 32))
			}
			continue
		case iLtI, iNltI:
			a, n := &regs[uint8(ins>>8)], int16(ins>>16)
			var less bool
			if a.p == tagI { //nolint:staticcheck // break has to leave the instruction, not a switch
				less = int64(a.n) < int64(n)
			} else if a.p == tagF {
				less = a.float() < float64(n)
			} else {
				break
			}
			if less == (opcode(ins) == iLtI) {
				pc += int(int32(ins >> 32))
			}
			continue
		case iLeI, iNleI, iGtI, iNgtI, iGeI, iNgeI:
			a, n := &regs[uint8(ins>>8)], int16(ins>>16)
			if a.p != tagI && a.p != tagF {
				break
			}
			if immediates[opcode(ins)-iLeI]>>a.against(n)&1 != 0 {
				pc += int(int32(ins >> 32))
			}
			continue
		case iTest:
			if a := &regs[uint8(ins>>8)]; !isFalsy(a.p) {
				pc += int(int32(ins >> 32))
			}
			continue
		case iNotTest:
			if a := &regs[uint8(ins>>8)]; isFalsy(a.p) {
				pc += int(int32(ins >> 32))
			}
			continue
		case iTestSet:
			if b := &regs[uint8(ins>>16)]; !isFalsy(b.p) {
				regs[uint8(ins>>8)] = *b
				pc += int(int32(ins >> 32))
			}
			continue
		case iNotTestSet:
			if b := &regs[uint8(ins>>16)]; isFalsy(b.p) {
				regs[uint8(ins>>8)] = *b
				pc += int(int32(ins >> 32))
			}
			continue

		case iCall:
			a := int(uint8(ins >> 8))
			fn := base + a
			n := int(uint16(ins>>16)) - 1
			if n < 0 {
				n = th.top - fn - 1
			}
			fr.pc = int32(pc)
			if f := &regs[uint8(a)]; kindOf(f.p) == KindFunction {
				next := (*Closure)(f.p)
				c := next.code
				if !c.vararg && fn+1+c.stack+stackSlack <= len(th.stack) && th.depth+1 < len(th.frames) {
					for ; n < c.params; n++ {
						th.stack[fn+1+n] = Nil
					}
					th.depth++
					fr = &th.frames[th.depth]
					fr.fn, fr.base, fr.pc = int32(fn), int32(fn+1), 0
					fr.nres, fr.kind, fr.flags = int32(uint16(ins>>32))-1, frLua, 0
					base, cl, pc = fn+1, next, 0
					code, k = c.ins, c.k
					regs = th.regs(base)
					if st.fuel--; st.fuel < 0 {
						st.poll()
					}
					continue
				}
			}
			switch th.precall(fn, n, int(uint16(ins>>32))-1, 0) {
			case yielded:
				return yielded
			default:
				goto reload
			}
		case iRet0:
			if fr.flags == 0 {
				th.depth--
				fn, nres := int(fr.fn), int(fr.nres)
				if nres < 0 {
					th.top = fn
				} else {
					for i := range nres {
						th.stack[fn+i] = Nil
					}
				}
				goto reload
			}
		case iRet1:
			if fr.flags == 0 {
				fn, nres := int(fr.fn), int(fr.nres)
				th.depth--
				fr = &th.frames[th.depth]
				if nres == 1 {
					th.stack[fn] = regs[uint8(ins>>8)]
				} else if nres < 0 {
					th.stack[fn] = regs[uint8(ins>>8)]
					th.top = fn + 1
				} else if nres > 1 {
					th.stack[fn] = regs[uint8(ins>>8)]
					for i := 1; i < nres; i++ {
						th.stack[fn+i] = Nil
					}
				}
				base = int(fr.base)
				cl = (*Closure)(th.stack[fr.fn].p)
				code, k = cl.code.ins, cl.code.k
				regs = th.regs(base)
				pc = int(fr.pc)
				continue
			}

		case iForLoop:
			a := uint8(ins >> 8)
			if s := &regs[a]; s.p == tagI {
				if left := &regs[a+1]; left.n > 0 {
					left.n--
					s.n += regs[a+2].n
					regs[a+3].setInt(int64(s.n))
					pc += int(int32(ins >> 32))
					if st.fuel--; st.fuel < 0 {
						th.pollAt(fr, pc)
					}
				}
			} else {
				step := regs[a+2].float()
				x := s.float() + step
				if step > 0 && x <= regs[a+1].float() || step < 0 && x >= regs[a+1].float() {
					s.n = math.Float64bits(x)
					regs[a+3].setFloat(x)
					pc += int(int32(ins >> 32))
					if st.fuel--; st.fuel < 0 {
						th.pollAt(fr, pc)
					}
				}
			}
			continue
		case iTForCall:
			a := uint8(ins >> 8)
			if f := &regs[a]; f.p == unsafe.Pointer(st.next) && kindOf(regs[a+1].p) == KindTable {
				fr.pc = int32(pc)
				if th.iterate(regs, a, int(uint16(ins>>32)), &code[pc-1]) {
					continue
				}
			}
		case iTForLoop:
			a := uint8(ins >> 8)
			if v := &regs[a+4]; v.p != nil {
				regs[a+2] = *v
				pc += int(int32(ins >> 32))
				if st.fuel--; st.fuel < 0 {
					th.pollAt(fr, pc)
				}
			}
			continue
		case iClosure:
			regs[uint8(ins>>8)] = th.makeClosure(cl, int(uint32(ins>>32)), base)
			continue
		case iClose:
			if len(th.tbc) == 0 || int(th.tbc[len(th.tbc)-1]) < base {
				if len(th.open) > 0 {
					th.closeUpvals(base + int(uint8(ins>>8)))
				}
				continue
			}
		}
		// Not common: a metamethod, a conversion, an error.
		fr.pc = int32(pc)
		switch out := th.slow(ins); out {
		case returned, yielded:
			return out
		default:
			goto reload
		}
	}
}
