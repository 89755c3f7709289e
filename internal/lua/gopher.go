package lua

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"unsafe"

	lua "github.com/yuin/gopher-lua"

	"github.com/assay-dev/assay/internal/lua/parse"
)

// The files gopher*.go are the adapter: no other file of the package names
// gopher-lua, so that another VM takes its place by replacing them.

type (
	value    = lua.LValue
	table    = lua.LTable
	function = lua.LFunction
	state    = lua.LState
)

var (
	none  = lua.LNil // the value nil
	yes   = value(lua.LTrue)
	no    = value(lua.LFalse)
	patch = sync.OnceFunc(func() {
		// An assignment to t[n] fills the table up to n, at once and for good:
		// from here on integer keys are hashed, and # does not see them. A sequence
		// that is longer takes more than 64 MiB while it grows.
		lua.MaxArrayIndex = 1 << 21
		lua.CompatVarArg = false // the table arg of Lua 5.0
		orderIntegers()
		countGrowth()
	})
)

// An integer is one that a float64 cannot hold. All others are numbers of the
// VM, so that two values are equal exactly where the integers are. To a script it
// is a number.
type integer int64

func (n integer) String() string     { return fmt.Sprint(int64(n)) }
func (integer) Type() lua.LValueType { return lua.LTUserData }

// A handle is a Go value that a script can only pass on.
type handle struct {
	kind string
	v    any
}

func (h *handle) String() string     { return fmt.Sprintf("%s: %p", h.kind, h) }
func (*handle) Type() lua.LValueType { return lua.LTUserData }

func str(s string) value    { return lua.LString(s) }
func float(f float64) value { return lua.LNumber(f) }
func boolean(b bool) value  { return lua.LBool(b) }
func count(n int) value     { return lua.LNumber(n) }
func truth(v value) bool    { return lua.LVAsBool(v) }

// newTable returns one with room for n elements, newRecord one for n names.
// Without room the VM would make some for 32.
func newTable(n int) *table  { return (*state)(nil).CreateTable(max(n, 1), 0) }
func newRecord(n int) *table { return (*state)(nil).CreateTable(0, max(n, 1)) }

// An objectMark in the place of a metatable marks a table that was read as an object and
// not as a list, which is all that {} says of itself.
type objectMark struct{}

func (objectMark) String() string       { return "object" }
func (objectMark) Type() lua.LValueType { return lua.LTUserData }

// newObject returns a table that is an object also while it is empty.
func newObject() *table {
	t := newRecord(4)
	t.Metatable = objectMark{}
	return t
}

func isObject(t *table) bool { return t.Metatable == objectMark{} }

// plainTable reports whether nothing but a table itself says what its elements are.
func plainTable(t *table) bool { return t.Metatable == none || isObject(t) }

// whole returns n as a value.
func whole(n int64) value {
	if f := float64(n); f < math.MaxInt64 && int64(f) == n {
		return lua.LNumber(f)
	}
	return integer(n)
}

// toFloat returns what a number is as a float.
func toFloat(v value) (float64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case integer:
		return float64(v), true
	}
	return 0, false
}

// toInt returns what a number is as an integer, if it is one. 2^63 stands for
// math.maxinteger.
func toInt(v value) (int64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return floatToInt(float64(v))
	case integer:
		return int64(v), true
	}
	return 0, false
}

// exactInt is toInt, of what is that integer and does not only stand for one.
func exactInt(v value) (int64, bool) {
	if f, ok := v.(lua.LNumber); ok && f == 1<<63 {
		return 0, false
	}
	return toInt(v)
}

func floatToInt(f float64) (int64, bool) {
	if f == 1<<63 {
		return math.MaxInt64, true
	}
	if f >= -(1<<63) && f < 1<<63 && f == math.Trunc(f) {
		return int64(f), true
	}
	return 0, false
}

func isString(v value) (string, bool) {
	s, ok := v.(lua.LString)
	return string(s), ok
}

// typeName returns what type() says of v.
func typeName(v value) string {
	if _, ok := v.(integer); ok {
		return "number"
	}
	return v.Type().String()
}

// isBool reports whether v is one, and which.
func isBool(v value) (b, ok bool) {
	l, ok := v.(lua.LBool)
	return bool(l), ok
}

// text returns a string or number as a string, as .. has it.
func text(v value) (string, bool) {
	switch v := v.(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return formatFloat(float64(v)), true
	case integer:
		return v.String(), true
	}
	return "", false
}

// metafield returns a field of v's metatable, or nil.
func metafield(l *state, v value, name string) value {
	var mt value
	switch v := v.(type) {
	case *lua.LTable:
		mt = v.Metatable
	case *lua.LUserData:
		mt = v.Metatable
	default:
		mt = l.GetMetatable(v)
	}
	if t, ok := mt.(*lua.LTable); ok {
		return t.RawGetString(name)
	}
	return none
}

// each calls f with the pairs of t, those of its sequence first, until it
// returns false.
func each(t *table, f func(k, v value) bool) {
	n := t.MaxN()
	for i := 1; i <= n; i++ {
		if v := t.RawGetInt(i); v != none && !f(count(i), v) {
			return
		}
	}
	k := none
	if n > 0 {
		k = count(n)
	}
	for k, v := t.Next(k); k != none; k, v = t.Next(k) {
		if !f(k, v) {
			return
		}
	}
}

// compile makes of a chunk what load needs.
func compile(chunk string, src []byte) (p *lua.FunctionProto, ops []parse.Op, err error) {
	patch()
	chunk = strings.TrimPrefix(chunk, "@")
	tree, err := parse.Parse(chunk, src)
	if err != nil {
		var e *parse.Error
		errors.As(err, &e)
		return nil, nil, &Error{Message: e.Error()}
	}
	defer func() {
		if r := recover(); r != nil {
			err = &Error{Message: fmt.Sprintf("%s:1: cannot be compiled: %v", chunk, r)}
		}
	}()
	p, err = lua.Compile(tree.Body, chunk)
	var bad *lua.CompileError
	if errors.As(err, &bad) {
		return nil, nil, &Error{Message: fmt.Sprintf("%s:%d: %s", chunk, bad.Line, bad.Message)}
	}
	if err == nil {
		slim(p)
	}
	return p, tree.Ops, err
}

// slim lets {} begin with room for one element and one name: the VM makes room for
// 32 where none is asked for, and most tables stay small.
func slim(p *lua.FunctionProto) {
	const fields = 1<<18 - 1 // B in the low 9 bits, C in the next
	for pc := 0; pc < len(p.Code); pc++ {
		switch inst := p.Code[pc]; int(inst >> 26) {
		case lua.OP_NEWTABLE:
			if inst&fields == 0 {
				p.Code[pc] = inst | 1<<9 | 1
			}
		case lua.OP_CLOSURE: // pseudo-instructions follow, one for each upvalue
			pc += int(p.FunctionPrototypes[inst&fields].NumUpvalues)
		case lua.OP_SETLIST:
			if inst>>9&0x1ff == 0 {
				pc++ // its count
			}
		}
	}
	for _, sub := range p.FunctionPrototypes {
		slim(sub)
	}
}

// A tableLayout is how the VM lays a table out: next cannot tell a key that was
// removed on the way from one that never was, nor see how long the array is.
type tableLayout struct {
	metatable value
	array     []value
	dict      map[value]value
	strdict   map[string]value
	keys      []value
	places    map[value]int
}

func layout(t *table) *tableLayout { return (*tableLayout)(unsafe.Pointer(t)) }

// holdsKey reports whether k is a key of t, or was since it was made. nil is the one
// before the first.
func holdsKey(t *table, k value) bool {
	if k == none {
		return true
	}
	in := layout(t)
	if i, ok := keyInt(k); ok && i >= 1 && i <= int64(cap(in.array)) {
		return true
	}
	_, ok := in.places[k]
	return ok
}

// gap returns the bytes that t takes to have an element at k: those between its end
// and k are filled, and an array that grows is copied.
func gap(t *table, k value) int64 {
	n, ok := k.(lua.LNumber)
	if !ok || n < small/slot || n >= lua.LNumber(lua.MaxArrayIndex) {
		return 0
	}
	if c := cap(layout(t).array); int(n) > c {
		return (int64(n) + int64(c)) * slot
	}
	return 0
}
