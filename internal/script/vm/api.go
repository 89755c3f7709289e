package vm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// A Call is one call of a function of Go: its arguments, counted from 1, and its
// means. It is of no use once the function has returned.
//
// A function pushes its results and returns how many they are. It raises an error by a
// panic with an *Error, as Fail and Raise do; any other panic becomes an error too.
type Call struct {
	th   *Thread
	base int
	n    int
}

// NewFunction returns a function of Go as a value. name is for messages where a program
// has none for it.
func (st *State) NewFunction(name string, fn func(Call) int) Value {
	st.alloc(64)
	return Value{p: unsafe.Pointer(&GoFunction{header: header{kind: KindGo}, name: name, fn: fn})}
}

// NewClosure is NewFunction of a function that refers to a value: while the function can
// be reached, so can the value.
func (st *State) NewClosure(name string, hold Value, fn func(Call) int) Value {
	st.alloc(80)
	return Value{p: unsafe.Pointer(&GoFunction{header: header{kind: KindGo}, name: name, fn: fn, hold: hold})}
}

// Thread returns the thread that the function runs on, State its state.
func (c Call) Thread() *Thread { return c.th }
func (c Call) State() *State   { return c.th.st }

// N returns the number of arguments.
func (c Call) N() int { return c.n }

// Arg returns argument i, nil if there is none.
func (c Call) Arg(i int) Value {
	if i > c.n {
		return Nil
	}
	return c.th.stack[c.base+i-1]
}

// Args returns the arguments from the i-th on. They are valid until the next call.
func (c Call) Args(i int) []Value {
	if i > c.n {
		return nil
	}
	return c.th.stack[c.base+i-1 : c.base+c.n]
}

// Push pushes a result.
func (c Call) Push(v Value) {
	th := c.th
	if th.top+1 >= len(th.stack) {
		th.ensure(th.top + 1)
	}
	th.stack[th.top] = v
	th.top++
}

// Return pushes results and returns how many they are.
func (c Call) Return(vs ...Value) int {
	for _, v := range vs {
		c.Push(v)
	}
	return len(vs)
}

// NewString returns a new string, which counts in the memory of the State.
func (c Call) NewString(s string) Value { return c.th.st.NewString(s) }

// NewString returns a new string, which counts in the memory of the State.
func (st *State) NewString(s string) Value {
	st.alloc(stringSize + int64(len(s)))
	return newString(s).Of()
}

// Bytes is NewString of a copy of b.
func (c Call) Bytes(b []byte) Value {
	c.th.st.alloc(stringSize + int64(len(b)))
	return newStringBytes(b).Of()
}

// Raise raises an error with a value.
func (c Call) Raise(v Value) { panic(&Error{Value: v}) }

// Fail raises an error with a message that begins with the place of the call.
func (c Call) Fail(format string, args ...any) {
	panic(&Error{Value: Str(c.th.where(1) + fmt.Sprintf(format, args...))})
}

// Check raises err, if it is one, with a message that begins with what was done. Copies of it in every builtin would make
// the program larger.
//
//go:noinline
func (c Call) Check(what string, err error) {
	if err != nil {
		c.Fail("%s: %v", what, err)
	}
}

// FailIf raises an error with a message where the call is wrong.
//
//go:noinline
func (c Call) FailIf(wrong bool, message string) {
	if wrong {
		c.Fail("%s", message)
	}
}

// Where returns "chunk:line: " of the function level calls up, or "".
func (c Call) Where(level int) string { return c.th.where(level) }

// Name returns the name by which the program calls the function.
func (c Call) Name() string {
	name, _ := c.name()
	return name
}

func (c Call) name() (name, kind string) {
	f := c.th.stack[c.th.frames[c.th.depth].fn]
	own := c.FunctionName()
	name, kind = c.th.nameAt(c.th.depth)
	if strings.Contains(own, ".") {
		return own, kind // it says where it belongs, whatever it is called by
	}
	if kind == "" {
		name = cmp.Or(c.th.st.globalName(f), own)
	}
	name = cmp.Or(name, "?")
	return name, kind
}

// FunctionName returns the name that the function was made with.
func (c Call) FunctionName() string {
	if f := c.th.stack[c.th.frames[c.th.depth].fn]; f.Kind() == KindGo {
		return (*GoFunction)(f.p).name
	}
	return ""
}

// Bad raises the fault of argument i.
func (c Call) Bad(i int, format string, args ...any) {
	name, kind := c.name()
	message := fmt.Sprintf(format, args...)
	if kind == "method" {
		if i--; i == 0 {
			c.Fail("calling '%s' on bad self (%s)", name, message)
		}
	}
	c.Fail("bad argument #%d to '%s' (%s)", i, name, message)
}

// Expected raises that argument i is not of a type.
func (c Call) Expected(i int, what string) {
	got := "no value"
	if i <= c.n {
		got = c.th.st.typeName(c.Arg(i))
	}
	c.Bad(i, "%s expected, got %s", what, got)
}

// Any returns argument i, which must be there.
func (c Call) Any(i int) Value {
	if i > c.n {
		c.Bad(i, "value expected")
	}
	return c.Arg(i)
}

// Str returns argument i, a string or a number.
func (c Call) Str(i int) string {
	v := c.Arg(i)
	if s := v.str(); s != nil {
		return s.s
	}
	if !isText(v) {
		c.Expected(i, "string")
	}
	return string(appendNumber(nil, v))
}

// OptStr is Str, or def where there is none.
func (c Call) OptStr(i int, def string) string {
	if c.Arg(i).p == nil {
		return def
	}
	return c.Str(i)
}

// Int returns argument i, which must be an integer or stand for one.
func (c Call) Int(i int) int64 {
	v := c.Arg(i)
	if v.isInt() {
		return int64(v.n)
	}
	n, ok := toInt(v)
	if !ok {
		if toNumber(v).p == nil {
			c.Expected(i, "number")
		}
		c.Bad(i, "number has no integer representation")
	}
	return n
}

// OptInt is Int, or def where there is none.
func (c Call) OptInt(i int, def int64) int64 {
	if c.Arg(i).p == nil {
		return def
	}
	return c.Int(i)
}

// Float returns argument i, a number.
func (c Call) Float(i int) float64 {
	v := c.Arg(i)
	if v.isFloat() {
		return v.float()
	}
	f, ok := toFloat(v)
	if !ok {
		c.Expected(i, "number")
	}
	return f
}

// Table returns argument i, a table.
func (c Call) Table(i int) *Table {
	t := c.Arg(i).AsTable()
	if t == nil {
		c.Expected(i, "table")
	}
	return t
}

// Function returns argument i, a function.
func (c Call) Function(i int) Value {
	v := c.Arg(i)
	if !v.IsFunction() {
		c.Expected(i, "function")
	}
	return v
}

// Room raises an error if n bytes more would be too many: to be called before something
// large is allocated.
func (c Call) Room(n int64) { c.th.st.room(n) }

// Used counts n bytes that a function has allocated in Go.
func (c Call) Used(n int64) { c.th.st.alloc(n) }

// Poll raises an error if the program has to stop: to be called after long work.
func (c Call) Poll() { c.th.st.poll() }

// Step counts n rounds of a loop, and raises an error if the program has to stop.
func (c Call) Step(n int) { c.th.st.step(n) }

// Call calls f and returns its results, which are valid until the next call. An error of f
// goes on as a panic; nothing yields across it.
func (c Call) Call(f Value, args ...Value) []Value {
	at := c.call(f, args, -1)
	out := c.th.stack[at:c.th.top]
	c.th.top = at
	return out
}

// Call1 calls f and returns its first result.
func (c Call) Call1(f Value, args ...Value) Value {
	at := c.call(f, args, 1)
	c.th.top = at
	return c.th.stack[at]
}

func (c Call) call(f Value, args []Value, nres int) int {
	th, st := c.th, c.th.st
	own := st.total - th.frames[th.depth].mark
	st.pinned += own // values of this function may be on no stack
	at := th.top
	th.ensure(at + len(args) + 2)
	th.stack[at] = f
	copy(th.stack[at+1:], args)
	th.top = at + 1 + len(args)
	if err := th.callAt(at, len(args), nres); err != nil {
		panic(err)
	}
	st.pinned -= own
	th.frames[th.depth].mark = st.total - own
	return at
}

// PCall is Call with the error returned.
func (c Call) PCall(f Value, args ...Value) (out []Value, err *Error) {
	th, st := c.th, c.th.st
	depth, top, pinned := th.depth, th.top, st.pinned
	defer func() {
		if r := recover(); r != nil {
			err = th.caught(r)
			if err.fatal != nil {
				panic(err)
			}
			th.depth, th.top, st.pinned = depth, top, pinned
		}
	}()
	return c.Call(f, args...), nil
}

// Index returns v[k], setIndex sets it, with metamethods.
func (c Call) Index(v, k Value) Value {
	r, f, self := c.th.lookup(v, k, -1)
	if f.p != nil {
		return c.Call1(f, self, k)
	}
	return r
}

func (c Call) setIndex(o, k, v Value) {
	if f, self := c.th.assign(o, k, v, -1); f.p != nil {
		c.Call1(f, self, k, v)
	}
}

// RawSet sets t[k], and raises an error for a key that cannot be.
func (c Call) RawSet(t *Table, k, v Value) { c.th.rawSet(t, k, v) }

// Equal is a == b, Less is a < b.
func (c Call) Equal(a, b Value) bool {
	if rawEqual(a, b) {
		return true
	}
	if k := a.Kind(); k != b.Kind() || k != KindTable && k != KindUserdata {
		return false
	}
	f := c.th.st.metamethodOf(a, b, evEq)
	return f.p != nil && c.Call1(f, a, b).Truth()
}

func (c Call) Less(a, b Value) bool {
	if less, ok := order(a, b, false); ok {
		return less
	}
	f := c.th.st.metamethodOf(a, b, evLt)
	if f.p == nil {
		panic(c.th.compareError(a, b))
	}
	return c.Call1(f, a, b).Truth()
}

// Length returns #v.
func (c Call) Length(v Value) int64 {
	if s := v.str(); s != nil {
		return int64(len(s.s))
	}
	if f := c.th.st.metamethod(v, evLen); f.p != nil {
		n, ok := toInt(c.Call1(f, v))
		c.FailIf(!ok, "object length is not an integer")
		return n
	}
	t := v.AsTable()
	if t == nil {
		panic(c.th.typeError("get length of", v, -1))
	}
	return t.Len()
}

// Metamethod returns a field of v's metatable, for example "__tostring", or nil.
func (c Call) Metamethod(v Value, name string) Value {
	if mt := c.th.st.metatable(v); mt != nil {
		return mt.GetField(name)
	}
	return Nil
}

// ToString is tostring.
func (c Call) ToString(v Value) string { return c.toString(v).s }

func (c Call) toString(v Value) *String {
	if s := v.str(); s != nil {
		return s
	}
	if f := c.th.st.metamethod(v, evToString); f.p != nil {
		v = c.Call1(f, v)
		c.FailIf(!isText(v), "'__tostring' must return a string")
		if s := v.str(); s != nil {
			return s
		}
	}
	b := c.th.st.appendPlain(nil, v)
	c.th.st.alloc(stringSize + int64(len(b)))
	return newStringBytes(b)
}

// Plain is tostring without __tostring.
func (st *State) Plain(v Value) string { return string(st.appendPlain(nil, v)) }

// appendPlain writes v as tostring does without __tostring.
func (st *State) appendPlain(b []byte, v Value) []byte {
	switch v.Kind() {
	case KindNil:
		return append(b, "nil"...)
	case KindTrue:
		return append(b, "true"...)
	case KindFalse:
		return append(b, "false"...)
	case KindNull:
		return append(b, "null"...)
	case KindInt, KindFloat:
		return appendNumber(b, v)
	case KindString:
		return append(b, (*String)(v.p).s...)
	case KindGo:
		return fmt.Appendf(b, "function: builtin: %p", v.p)
	}
	return fmt.Appendf(b, "%s: %p", st.typeName(v), v.p)
}

// Call calls f on a thread on which nothing runs, and returns its results.
func (th *Thread) Call(f Value, args ...Value) ([]Value, error) {
	if th.depth > 0 {
		return nil, &Error{Value: Str("the thread is running")}
	}
	if err := th.grown(len(args) + 4); err != nil {
		return nil, err
	}
	th.stack[1] = f
	copy(th.stack[2:], args)
	th.top = 2 + len(args)
	th.status = active
	st := th.st
	st.calls = append(st.calls, th)
	defer func() {
		i := slices.Index(st.calls, th)
		st.calls = slices.Delete(st.calls, i, i+1)
	}()
	if err := th.callAt(1, len(args), -1); err != nil {
		th.closeUpvals(0)
		th.depth, th.top = 0, 1
		clear(th.stack) // its values are garbage now
		return nil, err
	}
	out := append([]Value(nil), th.stack[1:th.top]...)
	th.top = 1
	return out, nil
}

// Root returns the thread that a coroutine runs for: the one that Go has called a function
// on. Of any other thread it is itself.
func (th *Thread) Root() *Thread {
	for th.resumer != nil {
		th = th.resumer
	}
	return th
}

// Outside runs f, which may take its time, while other goroutines use the State: each on a
// Thread of its own, one at a time.
func (c Call) Outside(f func()) {
	st := c.th.st
	was, pinned := st.running, st.pinned
	f()
	st.running, st.pinned = was, pinned
}
