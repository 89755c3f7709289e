package lua

import (
	"errors"

	lua "github.com/yuin/gopher-lua"

	"github.com/assay-dev/assay/internal/lua/parse"
)

// newRoot makes the state that all stacks of a VM share, and its globals.
func newRoot() *state {
	patch()
	l := lua.NewState(lua.Options{CallStackSize: 8, RegistrySize: 128, SkipOpenLibs: true, MinimizeStackMemory: true})
	l.G.MainThread = l // so that no other stack takes itself for it
	return l
}

// globals returns the table of globals.
func (vm *VM) globals() *table { return vm.root.G.Global }

func (vm *VM) setGlobal(name string, v value) { vm.globals().RawSetString(name, v) }

// setTypeMetatable gives all values of v's type a metatable.
func (vm *VM) setTypeMetatable(v value, mt *table) {
	vm.root.SetMetatable(v, mt)
	vm.typeMetatables[v.Type()] = mt
}

// load makes a function of a chunk.
func (t *thread) load(chunk string, src []byte) (value, error) {
	proto, ops, err := compile(chunk, src)
	if err != nil {
		return nil, err
	}
	f := value(t.run.vm.root.NewFunctionFromProto(proto))
	if len(ops) == 0 {
		return f, nil
	}
	args := make([]value, len(ops))
	for i, op := range ops {
		args[i] = t.run.vm.ops[op]
	}
	out, raised := t.invoke(f, args...)
	if raised != nil {
		return nil, raised.err(t.run)
	}
	return out[0], nil
}

// main runs a chunk on a stack that is empty.
func (t *thread) main(chunk string, src []byte, args []any) ([]value, error) {
	f, err := t.load(chunk, src)
	if err != nil {
		return nil, err
	}
	t.state.Push(f)
	for _, a := range args {
		t.state.Push(fromGo(a))
	}
	raised := t.call(len(args))
	if raised == nil && t.run.alarm.Load() != quiet && t.run.alarmed() != nil {
		raised = &thrown{value: str(t.run.cause().Error()), state: t.state} // of the last that it did
	}
	if raised != nil {
		return nil, raised.err(t.run)
	}
	return values(t.state, 1), nil
}

// err returns an error of Lua for Go.
func (e *thrown) err(r *run) error {
	if r.stopped() {
		if why := r.cause(); !errors.As(why, new(memoryError)) {
			return why
		}
	}
	return &Error{Message: r.vm.Redact(message(e.value)), Traceback: r.vm.Redact(traceback(e.state))}
}

// message returns what an error value says.
func message(v value) string {
	if s, ok := text(v); ok {
		return s
	}
	t, ok := v.(*table)
	if !ok {
		return "(error object is a " + typeName(v) + " value)"
	}
	for _, name := range []string{"message", "error", "msg"} {
		if s, ok := isString(t.RawGetString(name)); ok {
			return s
		}
	}
	return "(error object is a table value)"
}

// opTable returns the operations that chunks call.
func opTable() map[parse.Op]value {
	m := map[parse.Op]value{}
	for op, f := range map[parse.Op]builtin{
		parse.IDiv: opIDiv, parse.BAnd: opBAnd, parse.BOr: opBOr, parse.BXor: opBXor, parse.Shl: opShl, parse.Shr: opShr,
		parse.BNot: opBNot, parse.Int: opInt, parse.Concat: opConcat, parse.Concats: opConcats, parse.Step: opStep,
	} {
		m[op] = fn(string(op), f)
	}
	return m
}
