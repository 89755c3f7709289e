package lua

import (
	"context"

	"github.com/assay-dev/assay/internal/script/vm"
)

type (
	value  = vm.Value
	table  = vm.Table
	vmCall = vm.Call
)

var (
	none = vm.Nil
	yes  = vm.Bool(true)
	no   = vm.Bool(false)
	null = vm.Null
)

func whole(n int64) value   { return vm.Int(n) }
func count(n int) value     { return vm.Int(int64(n)) }
func float(f float64) value { return vm.Float(f) }
func boolean(b bool) value  { return vm.Bool(b) }

// A call is one call of a builtin: its arguments, counted from 1, and what it may do. A builtin returns how many results it has pushed.
type call struct {
	vmCall
	vm   *VM
	name string // as messages call it
}

// refuse raises an error with a message that begins with the name of the function, where the call is wrong.
//
//go:noinline
func (c call) refuse(wrong bool, message string) {
	if wrong {
		c.Fail("%s: %s", c.name, message)
	}
}

type builtin func(c call) int

// fn makes a function of a builtin.
func (vm *VM) fn(name string, f builtin) value { return vm.closure(name, none, f) }

// closure makes a function of a builtin that refers to a value.
func (vm *VM) closure(name string, hold value, f builtin) value {
	f = vm.gated(name, f)
	return vm.state.NewClosure(name, hold, func(c vmCall) int { return f(call{c, vm, name}) })
}

// lib sets a global table of builtins, which messages know by its name too.
func (vm *VM) lib(name string, fs map[string]builtin) *table {
	t := vm.state.NewTable(0, len(fs))
	for field, f := range fs {
		full := name + "." + field
		t.SetField(field, vm.fn(full, withoutExtras(full, f)))
	}
	vm.setGlobal(name, t.Of())
	return t
}

func (vm *VM) setGlobal(name string, x value) { vm.state.SetGlobal(name, x) }

func (c call) newTable(elements int) *table { return c.State().NewTable(elements, 0) }
func (c call) newRecord(fields int) *table  { return c.State().NewTable(0, fields) }

// newObject returns a table that is an object also while it is empty.
func (c call) newObject(fields int) *table {
	t := c.newRecord(fields)
	t.MarkObject()
	return t
}

func (c call) str(s string) int { return c.Return(c.NewString(s)) }

func (c call) absent(i int) bool { return c.Arg(i).IsNil() }

// asTable returns argument i if it is a table.
func (c call) asTable(i int) (*table, bool) {
	t := c.Arg(i).AsTable()
	return t, t != nil
}

// grown asks for room for a buffer of n bytes each time it has become longer by some; seen is how long it was when it was last looked
// at. While it grows it takes up to twice as much.
func (c call) grown(n int, seen *int) {
	if n-*seen < 64<<10 {
		return
	}
	*seen = n
	c.Room(2 * int64(n))
	c.Step(n >> 8)
}

// wait runs f while others use the VM. If the run ends meanwhile it does not return: what f has left to others then nobody reads.
func (c call) wait(f func(ctx context.Context)) {
	v := c.vm
	ctx := v.run.ctx
	c.Outside(func() {
		v.mu.Unlock()
		defer v.mu.Lock()
		f(ctx)
	})
	c.Poll()
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

// A handle is a Go value that a script can only pass on, of a kind that messages name.
func (c call) handle(kind string, v any) int {
	mt := c.newRecord(1)
	mt.SetField("__name", c.NewString(kind))
	return c.Return(c.State().NewUserdata(v, mt, handleSize).Of())
}

// handleSize is about what a connection takes.
const handleSize = 16 << 10

// held returns what argument 1 is a handle of, if it is one of that kind.
func held[T any](c call, kind string) T {
	if u := c.Arg(1).AsUserdata(); u != nil {
		if v, ok := u.Value.(T); ok {
			return v
		}
	}
	c.Fail("%s: first argument must be a %s", c.name, kind)
	panic("not reached")
}
