package vm

import (
	"math"
	"unsafe"
)

// The functions of the interpreter's loop: small enough to be inlined, or not common enough for
// that to matter.

func kindOf(p unsafe.Pointer) Kind {
	if p == nil {
		return KindNil
	}
	return (*header)(p).kind
}

// rk returns the value of an RK operand.
func rk(regs *[256]Value, k []Value, i int) *Value {
	if i < constantBase {
		return &regs[uint8(i)]
	}
	return &k[i-constantBase]
}

// floats returns two numbers as floats.
func floats(a, b *Value) (x, y float64, ok bool) {
	switch {
	case a.p == unsafe.Pointer(&tagFloat):
		x = math.Float64frombits(a.n)
	case a.p == unsafe.Pointer(&tagInt):
		x = float64(int64(a.n))
	default:
		return 0, 0, false
	}
	switch {
	case b.p == unsafe.Pointer(&tagFloat):
		y = math.Float64frombits(b.n)
	case b.p == unsafe.Pointer(&tagInt):
		y = float64(int64(b.n))
	default:
		return 0, 0, false
	}
	return x, y, true
}

// fastMod is floorMod. A processor takes three times as long to divide 64 bits as 32.
func fastMod(x, y int64) int64 {
	if uint64(x|y)>>32 == 0 {
		return int64(uint32(x) % uint32(y))
	}
	return floorMod(x, y)
}

func fastDiv(x, y int64) int64 {
	if uint64(x|y)>>32 == 0 {
		return int64(uint32(x) / uint32(y))
	}
	return floorDiv(x, y)
}

func shiftRight(x, n int64) int64 {
	if uint64(n) < 64 {
		return int64(uint64(x) >> uint(n))
	}
	return shiftLeft(x, -n)
}

// immediates has, for iLeI and those that follow it, a bit for each result of against.
var immediates = [...]uint8{0b011, 0b1100, 0b100, 0b1011, 0b110, 0b1001}

// against compares a number: 0 if it is less than n, 1 if it is equal, 2 if it is more, 3
// if it is no number.
func (v *Value) against(n int16) int {
	if v.isInt() {
		switch x := int64(v.n); {
		case x < int64(n):
			return 0
		case x == int64(n):
			return 1
		}
		return 2
	}
	switch x := v.float(); {
	case x < float64(n):
		return 0
	case x == float64(n):
		return 1
	case x > float64(n):
		return 2
	}
	return 3
}

// pollAt polls, with the place of the next instruction known to whoever wants a traceback.
func (th *Thread) pollAt(fr *frame, pc int) {
	fr.pc = int32(pc)
	th.st.poll()
}

// at returns node h, if it is that of the key and has a value.
func (t *Table) at(h int, key unsafe.Pointer) *node {
	if h < len(t.nodes) {
		if n := &t.nodes[h]; n.key.p == key && n.val.p != nil {
			return n
		}
	}
	return nil
}

// hint notes in an instruction where a field was found.
func (i *instr) hint(n int) {
	if n <= math.MaxUint16 {
		*i = *i&(1<<48-1) | instr(n)<<48
	}
}

// getHint is getStr that leaves a hint.
func (t *Table) getHint(s *String, i *instr) Value {
	n := t.findStr(s)
	if n < 0 {
		return Nil
	}
	if t.nodes[n].key.p != unsafe.Pointer(s) {
		// Equal, but another object: the next look-up by this constant need not compare.
		t.nodes[n].key.p = unsafe.Pointer(s)
	}
	i.hint(n)
	return t.nodes[n].val
}

// setHint sets a field and leaves a hint, unless a metamethod may have to be called.
func (t *Table) setHint(s *String, v Value, i *instr) bool {
	n := t.findStr(s)
	if t.Meta != nil && (n < 0 || t.nodes[n].val.p == nil) && t.st.fromMeta(t.Meta, evNewIndex).p != nil {
		return false
	}
	if n >= 0 {
		t.flags &= flagsKept
		t.nodes[n].key.p = unsafe.Pointer(s)
		t.nodes[n].val = v
		i.hint(n)
	} else if v.p != nil {
		t.insert(s.Of(), s.hashed(), v)
		i.hint(len(t.nodes) - 1)
	}
	return true
}

// method returns the method of an object whose classes are plain tables, or nil.
func (st *State) method(o Value, s *String, i *instr) Value {
	for range 100 {
		var mt *Table
		switch kindOf(o.p) {
		case KindTable:
			t := (*Table)(o.p)
			if n := t.at(i.d(), unsafe.Pointer(s)); n != nil {
				return n.val
			}
			if v := t.getHint(s, i); v.p != nil {
				return v
			}
			mt = t.Meta
		default:
			mt = st.metatable(o)
		}
		if mt == nil {
			return Nil
		}
		o = st.fromMeta(mt, evIndex)
		if kindOf(o.p) != KindTable {
			return Nil
		}
	}
	return Nil
}

// iterate is iTForCall of next: it puts the pair after that in R[a+2] in R[a+4] and on,
// of n variables. The instruction's hint says which node the last pair was.
func (th *Thread) iterate(regs *[256]Value, a uint8, n int, i *instr) bool {
	t, key := (*Table)(regs[a+1].p), regs[a+2]
	if key.p != nil && !key.isInt() {
		if h := i.d(); h < len(t.nodes) && t.nodes[h].key == key {
			for h++; h < len(t.nodes); h++ {
				if x := &t.nodes[h]; x.val.p != nil {
					i.hint(h)
					regs[a+4] = x.key
					th.spread(regs, a, n, x.val)
					return true
				}
			}
			regs[a+4] = Nil
			th.spread(regs, a, n, Nil)
			return true
		}
	}
	k, v, ok := t.Next(key)
	if !ok {
		return false // slow raises the error
	}
	if s := k.str(); s != nil {
		i.hint(t.findStr(s))
	}
	regs[a+4] = k
	th.spread(regs, a, n, v)
	return true
}

// spread fills the variables of a loop after the first.
func (th *Thread) spread(regs *[256]Value, a uint8, n int, v Value) {
	if n > 1 {
		regs[a+5] = v
		for j := 2; j < n; j++ {
			regs[a+4+uint8(j)] = Nil
		}
	}
}
