package lua

import (
	"cmp"
	"math"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// An instruction does what its code says, and moves the place in the code on.
type instruction func(l *state, inst uint32, frame unsafe.Pointer) int

// instructions are the VM's own, by opcode. It has no other place where < and <= of
// a boxed integer and a float could be told from an error.
//
//go:linkname instructions github.com/yuin/gopher-lua.jumpTable
var instructions [lua.OP_NOP + 1]instruction

const (
	constantBit = 1 << 8 // in B and C: a constant and no register
	operandBits = 1<<18 - 1
	resultBit   = 1 << 18 // of A: 0 or 1, what the comparison must be for the next instruction to be run
)

// orderIntegers lets < and <= order boxed integers among all numbers. To be called once.
func orderIntegers() {
	equal := instructions[lua.OP_EQ]
	for op, holds := range map[int]func(order int) bool{
		lua.OP_LT: func(order int) bool { return order < 0 },
		lua.OP_LE: func(order int) bool { return order <= 0 },
	} {
		native := instructions[op]
		instructions[op] = func(l *state, inst uint32, frame unsafe.Pointer) int {
			b, c := int(inst&0x1ff), int(inst>>9&0x1ff)
			boxed := b
			if !isBoxed(l, b) {
				if boxed = c; !isBoxed(l, c) {
					return native(l, inst, frame)
				}
			}
			x, y := operand(l, b), operand(l, c)
			order, ok := compare(x, y)
			if !ok {
				l.RaiseError("attempt to compare %s with %s", typeName(x), typeName(y))
			}
			// What is equal to itself stands for what is true.
			self := inst&^operandBits | uint32(boxed) | uint32(boxed)<<9
			if !holds(order) {
				self ^= resultBit
			}
			return equal(l, self, frame)
		}
	}
}

// countGrowth lets the instructions that can take much at once count it before: an
// assignment far beyond the end of an array, and a constructor from "...". All others
// take so little that counting instructions does. To be called once.
func countGrowth() {
	assign, list := instructions[lua.OP_SETTABLE], instructions[lua.OP_SETLIST]
	instructions[lua.OP_SETTABLE] = func(l *state, inst uint32, frame unsafe.Pointer) int {
		if b := int(inst >> 9 & 0x1ff); b&constantBit == 0 {
			if n, ok := l.Get(b + 1).(lua.LNumber); ok && n >= small/slot {
				if t, ok := l.Get(int(inst>>18&0xff) + 1).(*table); ok {
					call{state: l}.room(gap(t, n))
				}
			}
		}
		return assign(l, inst, frame)
	}
	instructions[lua.OP_SETLIST] = func(l *state, inst uint32, frame unsafe.Pointer) int {
		if inst>>9&0x1ff == 0 || inst&0x1ff == 0 {
			call{state: l}.room(int64(l.GetTop()) * 2 * slot)
		}
		return list(l, inst, frame)
	}
}

// isBoxed reports whether an operand of the instruction at hand is a boxed integer.
// A constant never is.
func isBoxed(l *state, i int) bool {
	if i&constantBit != 0 {
		return false
	}
	_, ok := l.Get(i + 1).(integer)
	return ok
}

func operand(l *state, i int) value {
	if i&constantBit == 0 {
		return l.Get(i + 1)
	}
	d, ok := l.GetStack(0)
	if !ok {
		return none
	}
	f, err := l.GetInfo("f", d, none)
	if fn, ok := f.(*function); ok && err == nil {
		return fn.Proto.Constants[i&^constantBit]
	}
	return none
}

// unordered is how NaN and any number compare.
const unordered = 2

// compare returns -1, 0 or 1 as a is less than b, equal to it or greater, exactly; ok
// says that both are numbers.
func compare(a, b value) (order int, ok bool) {
	switch a := a.(type) {
	case integer:
		switch b := b.(type) {
		case integer:
			return cmp.Compare(a, b), true
		case lua.LNumber:
			return compareFloat(int64(a), float64(b)), true
		}
	case lua.LNumber:
		switch b := b.(type) {
		case integer:
			if order = compareFloat(int64(b), float64(a)); order != unordered {
				order = -order
			}
			return order, true
		case lua.LNumber:
			if math.IsNaN(float64(a)) || math.IsNaN(float64(b)) {
				return unordered, true
			}
			return cmp.Compare(a, b), true
		}
	}
	return 0, false
}

func compareFloat(n int64, f float64) int {
	switch {
	case math.IsNaN(f):
		return unordered
	case f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	whole := math.Floor(f)
	if n == int64(whole) && f > whole {
		return -1
	}
	return cmp.Compare(n, int64(whole))
}
