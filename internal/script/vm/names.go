package vm

import (
	"fmt"
	"strings"
)

// A message names a value by the variable it came from, which is found by going through
// the code up to the instruction at fault, as C Lua does.

// An operand is where a value is: a register, constantBase and a constant, -2-i for
// upvalue i, or -1 where it is nowhere.

// describe returns, for example, " (local 'x')" for an operand of the instruction that the
// topmost frame executes, or "".
func (th *Thread) describe(operand int) string {
	fr := &th.frames[th.depth]
	if fr.kind != frLua || operand == -1 {
		return ""
	}
	p := th.closure(fr).code.p
	switch {
	case operand <= -2:
		return fmt.Sprintf(" (upvalue '%s')", p.ups[-2-operand].name)
	case operand >= constantBase:
		if s, ok := p.k[operand-constantBase].AsString(); ok {
			s, _, _ = strings.Cut(s, "\x00") // as C does
			return fmt.Sprintf(" (constant '%s')", s)
		}
		return ""
	}
	if name, kind := th.registerName(operand); kind != "" {
		name, _, _ = strings.Cut(name, "\x00")
		return fmt.Sprintf(" (%s '%s')", kind, name)
	}
	return ""
}

// registerName returns the name of the value in a register at the instruction that the
// topmost frame executes.
func (th *Thread) registerName(reg int) (name, kind string) {
	fr := &th.frames[th.depth]
	return th.closure(fr).code.p.registerName(reg, int(fr.pc)-1)
}

// localName returns the name of the local in a register at an instruction, or "".
func (p *Proto) localName(reg, pc int) string {
	for i := len(p.vars) - 1; i >= 0; i-- {
		if v := &p.vars[i]; v.reg == reg && v.start <= pc && pc < v.end {
			return v.name
		}
	}
	return ""
}

func (p *Proto) registerName(reg, pc int) (name, kind string) {
	if name := p.localName(reg, pc); name != "" {
		return name, "local"
	}
	set := p.findSet(reg, pc)
	if set < 0 {
		return "", ""
	}
	in := p.code[set]
	switch in.op() {
	case iMove:
		if in.b() < in.a() {
			return p.registerName(in.b(), set)
		}
	case iGetUp:
		return p.ups[in.b()].name, "upvalue"
	case iLoadK:
		if s, ok := p.k[in.j()].AsString(); ok {
			return s, "constant"
		}
	case iGetEnv:
		s, _ := p.k[in.c()].AsString()
		if p.ups[in.b()].name != "_ENV" {
			return s, "field"
		}
		return s, "global"
	case iGetF:
		s, _ := p.k[in.c()].AsString()
		if p.localName(in.b(), set) == "_ENV" {
			return s, "global"
		}
		return s, "field"
	case iGetI:
		return "integer index", "field"
	case iGetT:
		if s, kind := p.registerName(in.c(), set); kind == "constant" {
			return s, "field"
		}
		return "?", "field"
	case iSelf:
		s, _ := p.k[in.c()].AsString()
		return s, "method"
	}
	return "", ""
}

// findSet returns the instruction before pc that has set a register for sure, or -1.
func (p *Proto) findSet(reg, pc int) int {
	set, target := -1, 0 // an instruction below target may be skipped by a jump
	for i := range pc {
		in := p.code[i]
		changes := false
		a := in.a()
		switch op := in.op(); op {
		case iNil:
			changes = a <= reg && reg <= a+in.b()
		case iCall, iTailCall:
			changes = reg >= a
		case iTForCall:
			changes = reg >= a+2
		case iSelf:
			changes = reg == a || reg == a+1
		case iVararg:
			changes = reg >= a
		case iSetUp, iSetEnv, iSetT, iSetI, iSetF, iSetList, iClose, iTbc, iRet, iRet0, iRet1, iTForPrep:
		case iForLoop, iForPrep:
			changes = a <= reg && reg <= a+3
		case iTForLoop:
			changes = reg == a+2
		default:
			if op >= iJmp && op <= iNotTestSet {
				changes = (op == iTestSet || op == iNotTestSet) && reg == a
				if to := i + 1 + in.j(); to > i && to <= pc && to > target {
					target = to
				}
			} else {
				changes = reg == a
			}
		}
		if changes {
			if set = i; i < target {
				set = -1
			}
		}
	}
	return set
}

// calleeName returns the name of the function that the Lua frame fr is calling.
func (th *Thread) calleeName(fr *frame) (name, kind string) {
	p := th.closure(fr).code.p
	pc := int(fr.pc) - 1
	if pc < 0 {
		return "", ""
	}
	in := p.code[pc]
	var ev event
	switch op := in.op(); op {
	case iCall, iTailCall:
		return p.registerName(in.a(), pc)
	case iTForCall:
		return "for iterator", "for iterator"
	case iGetEnv, iGetT, iGetI, iGetF, iSelf:
		ev = evIndex
	case iSetEnv, iSetT, iSetI, iSetF:
		ev = evNewIndex
	case iAddK, iSubK, iMulK, iModK, iDivK:
		ev = evAdd + event(op-iAddK)
	case iAddI:
		if ev = evAdd; in.d() == 1 {
			ev = evSub
		}
	case iUnm:
		ev = evUnm
	case iBNot:
		ev = evBNot
	case iLen:
		ev = evLen
	case iConcat:
		ev = evConcat
	case iEq, iNe, iEqK, iNeK:
		ev = evEq
	case iLt, iNlt, iLtI, iNltI, iGtI, iNgtI:
		ev = evLt
	case iLe, iNle, iLeI, iNleI, iGeI, iNgeI:
		ev = evLe
	case iClose, iRet:
		ev = evClose
	default:
		if op < iAdd || op > iShr {
			return "", ""
		}
		ev = evAdd + event(op-iAdd)
	}
	return strings.TrimPrefix(eventNames[ev], "__"), "metamethod"
}

// typeName returns the name of v's type in messages, which its metatable may say.
func (st *State) typeName(v Value) string {
	switch v.Kind() {
	case KindNull:
		return "null"
	case KindTable, KindUserdata:
		if name, ok := st.metamethod(v, evName).AsString(); ok {
			return name
		}
	}
	return v.TypeName()
}
