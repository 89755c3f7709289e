package lua

import (
	"context"
	"fmt"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// A call is one call of a builtin: its arguments, counted from 1, and what it
// may do. A builtin returns how many results it has pushed.
type call struct {
	state *state
	name  string // as messages call it
}

type builtin func(c call) int

// fn makes a function of a builtin.
func fn(name string, f builtin) *function {
	return &function{IsG: true, GFunction: func(l *state) int { return f(call{l, name}) }}
}

// lib makes a table of builtins, which messages know as prefix + name.
func lib(prefix string, fs map[string]builtin) *table {
	t := newRecord(4)
	for name, f := range fs {
		t.RawSetString(name, fn(prefix+name, f))
	}
	return t
}

func (c call) thread() *thread { return c.state.Context().(*thread) }
func (c call) run() *run       { return c.thread().run }
func (c call) vm() *VM         { return c.run().vm }
func (c call) n() int          { return c.state.GetTop() }
func (c call) arg(i int) value { return c.state.Get(i) }
func (c call) absent(i int) bool {
	return c.state.Get(i) == none
}

// ret pushes one result.
func (c call) ret(v value) int {
	c.state.Push(v)
	return 1
}

func (c call) rets(vs ...value) int {
	for _, v := range vs {
		c.state.Push(v)
	}
	return len(vs)
}

// integers returns the two operands where both are small integers, as most are.
func (c call) integers() (a, b int64, ok bool) {
	x, okX := c.state.Get(1).(lua.LNumber)
	y, okY := c.state.Get(2).(lua.LNumber)
	a, b = int64(x), int64(y)
	return a, b, okX && okY && lua.LNumber(a) == x && lua.LNumber(b) == y && x != 1<<63 && y != 1<<63
}

// rest returns the arguments from the i-th on.
func (c call) rest(i int) []value { return values(c.state, i) }

// unary gives a unary operation its operand a second time, as C Lua does.
func (c call) unary() call {
	c.state.SetTop(1)
	c.state.Push(c.arg(1))
	return c
}

// place returns "chunk:line: " of what is level calls up.
func (c call) place(level int) string { return where(c.state, level) }

// asCall lets Go use what is a builtin's on a thread.
func (t *thread) asCall(name string) call { return call{t.state, name} }

// fail raises an error with the place of the call.
func (c call) fail(format string, args ...any) {
	c.raise(str(c.place(1) + fmt.Sprintf(format, args...)))
}

func (c call) raise(v value) { panic(&thrown{value: v, state: c.state}) }

// bad raises what is wrong with argument i.
func (c call) bad(i int, format string, args ...any) {
	c.fail("bad argument #%d to '%s' (%s)", i, c.name, fmt.Sprintf(format, args...))
}

func (c call) expected(i int, what string) {
	got := "no value"
	if i <= c.n() {
		got = typeName(c.arg(i))
	}
	c.bad(i, "%s expected, got %s", what, got)
}

func (c call) any(i int) value {
	if i > c.n() {
		c.bad(i, "value expected")
	}
	return c.arg(i)
}

func (c call) str(i int) string {
	if s, ok := c.arg(i).(lua.LString); ok {
		return string(s)
	}
	s, ok := text(c.arg(i))
	if !ok {
		c.expected(i, "string")
	}
	return s
}

func (c call) optStr(i int, def string) string {
	if c.absent(i) {
		return def
	}
	return c.str(i)
}

func (c call) float(i int) float64 {
	if f, ok := c.arg(i).(lua.LNumber); ok {
		return float64(f)
	}
	f, ok := toFloat(number(c.arg(i)))
	if !ok {
		c.expected(i, "number")
	}
	return f
}

func (c call) int(i int) int64 {
	if f, ok := c.arg(i).(lua.LNumber); ok && f == lua.LNumber(int64(f)) && math.Abs(float64(f)) < 1<<62 {
		return int64(f)
	}
	v := number(c.arg(i))
	if v == none {
		c.expected(i, "number")
	}
	n, ok := toInt(v)
	if !ok {
		c.bad(i, "number has no integer representation")
	}
	return n
}

func (c call) optInt(i int, def int64) int64 {
	if c.absent(i) {
		return def
	}
	return c.int(i)
}

func (c call) table(i int) *table {
	t, ok := c.arg(i).(*table)
	if !ok {
		c.expected(i, "table")
	}
	return t
}

// asTable and asFunc return argument i if it is one.
func (c call) asTable(i int) (*table, bool) {
	t, ok := c.arg(i).(*table)
	return t, ok
}

func (c call) asFunc(i int) (*function, bool) {
	f, ok := c.arg(i).(*function)
	return f, ok
}

func (c call) function(i int) *function {
	f, ok := c.asFunc(i)
	if !ok {
		c.expected(i, "function")
	}
	return f
}

// called returns how the source names what is called here.
func (c call) called() string {
	d, ok := c.state.GetStack(0)
	if !ok {
		return ""
	}
	if _, err := c.state.GetInfo("n", d, none); err != nil {
		return ""
	}
	name, _, _ := strings.Cut(d.Name, "\x00")
	if name == "" || strings.ContainsAny(name, "(?< ") {
		return ""
	}
	return " ('" + name + "')"
}

// apply calls f and returns its first result. What f raises goes through.
func (c call) apply(f value, args ...value) value {
	c.state.Push(f)
	for _, a := range args {
		c.state.Push(a)
	}
	c.state.Call(len(args), 1)
	v := c.state.Get(-1)
	c.state.Pop(1)
	return v
}

// applyAll calls f and returns its results.
func (c call) applyAll(f value, args ...value) []value {
	top := c.n()
	c.state.Push(f)
	for _, a := range args {
		c.state.Push(a)
	}
	c.state.Call(len(args), lua.MultRet)
	out := values(c.state, top+1)
	c.state.SetTop(top)
	return out
}

// index returns v[k], and setIndex sets it, metamethods included.
func (c call) index(v, k value) value       { return c.state.GetTable(v, k) }
func (c call) equal(a, b value) bool        { return c.state.Equal(a, b) }
func (c call) rawEqual(a, b value) bool     { return c.state.RawEqual(a, b) }
func (c call) less(a, b value) bool         { return lessThan(c, a, b) }
func (c call) meta(v value, n string) value { return metafield(c.state, v, n) }

// lessThan is a < b.
func lessThan(c call, a, b value) bool {
	if order, ok := compare(a, b); ok {
		return order < 0
	}
	return c.state.LessThan(a, b)
}

// length returns #v.
func (c call) length(v value) int64 {
	if m := c.meta(v, "__len"); m != none {
		n, ok := toInt(c.apply(m, v))
		if !ok {
			c.fail("object length is not an integer")
		}
		return n
	}
	if s, ok := isString(v); ok {
		return int64(len(s))
	}
	t, ok := v.(*table)
	if !ok {
		c.fail("attempt to get length of a %s value", typeName(v))
	}
	return int64(t.Len())
}

// tostring returns what tostring() does.
func (c call) tostring(v value) string {
	if s, ok := text(v); ok {
		return s
	}
	switch f := v.(type) {
	case *table, *lua.LUserData:
		if m := c.meta(v, "__tostring"); m != none {
			s, ok := text(c.apply(m, v))
			if !ok {
				c.fail("'__tostring' must return a string")
			}
			return s
		}
		if name, ok := isString(c.meta(v, "__name")); ok {
			return fmt.Sprintf("%s: %p", name, v)
		}
	case *function:
		if f.IsG {
			return fmt.Sprintf("function: builtin: %p", v)
		}
	}
	return v.String()
}

// room fails if a value of n bytes would be more than the script may have.
func (c call) room(n int64) {
	if n < small {
		return
	}
	if err := c.run().take(n); err != nil {
		c.fail("%v", err)
	}
}

// grown calls room for a buffer of n bytes each time it has become longer by some;
// seen is how long it was when it was last looked at. While it grows it takes up to
// twice as much.
func (c call) grown(n int, seen *int) {
	more := n - *seen
	if more < small {
		return
	}
	*seen = n
	c.room(2 * int64(more))
	c.check()
}

// at polls in a loop of Go, in its i-th turn: every one of some if they are cheap.
func (c call) at(i int64) {
	if i&0x3ff == 0x3ff {
		c.check()
	}
}

// check raises an error if the run has to stop: for loops that run no Lua.
func (c call) check() {
	if r := c.run(); r.alarm.Load() != quiet && r.alarmed() != nil {
		c.raise(str(r.cause().Error()))
	}
}

// wait runs f while others use the VM. If the run ends meanwhile it does not
// return: what f has left to others then nobody reads.
func (c call) wait(f func(ctx context.Context)) {
	c.thread().wait(f)
	if c.run().ctx.Err() != nil {
		c.ended()
	}
	c.check()
}

// await waits for done while others use the VM.
func (c call) await(done <-chan struct{}) {
	c.wait(func(ctx context.Context) {
		select {
		case <-done:
		case <-ctx.Done():
		}
	})
}

// metatable returns what v has, or nil.
func (c call) metatable(v value) *table {
	if t, ok := v.(*table); ok {
		mt, _ := t.Metatable.(*table)
		return mt
	}
	if _, ok := v.(integer); ok {
		return nil
	}
	mt, _ := c.vm().typeMetatables[v.Type()]
	return mt
}

func setMetatable(t, mt *table) {
	if mt == nil {
		t.Metatable = none
		return
	}
	t.Metatable = mt
}

// setIndex sets v[k], metamethods included.
func (c call) setIndex(v, k, x value) {
	if t, ok := v.(*table); ok {
		c.room(gap(t, k))
	}
	c.state.SetTable(v, k, x)
}

func (c call) rawSet(t *table, k, v value) {
	c.room(gap(t, k))
	c.state.RawSet(t, k, v)
}

// next returns the pair after key k of t; a nil key is the end.
func (c call) next(t *table, k value) (value, value) {
	if !holdsKey(t, k) {
		c.fail("invalid key to 'next'")
	}
	return t.Next(k)
}

// invoke calls f and returns what it returned or raised.
func (c call) invoke(f value, args ...value) ([]value, *thrown) {
	return c.thread().invoke(f, args...)
}

// rethrow raises an error that was caught.
func (c call) rethrow(err *thrown) { panic(err) }
