package vm

import (
	"fmt"
	"runtime"
)

// A GoFunction is a function of Go as a value of Lua.
type GoFunction struct {
	header
	name    string
	fn      func(Call) int
	special special
	hold    Value // a value that fn refers to, for the weighing; of a wrapped coroutine: itself
}

// A special is a function that the interpreter carries out itself, because it has to do
// with its frames.
type special uint8

const (
	ordinary special = iota
	spPcall
	spXpcall
	spError
	spYield
	spResume
	spWrap
	spPairs
	spNext
)

// An outcome is how a step of the interpreter ended.
type outcome uint8

const (
	done     outcome = iota // with its results in place
	entered                 // with another frame to go on with
	returned                // with the return of the frame that the run began with
	yielded
)

// precall calls the function at stack[fn] with n arguments, which follow it. Where it is
// of Lua, its frame is pushed and has still to run.
func (th *Thread) precall(fn, n, nres int, flags uint8) outcome {
	for chain := 0; ; chain++ {
		v := th.stack[fn]
		switch v.Kind() {
		case KindFunction:
			th.enter((*Closure)(v.p).code, fn, n, nres, flags)
			return entered
		case KindGo:
			f := (*GoFunction)(v.p)
			if f.special != ordinary {
				return th.callSpecial(f, fn, n, nres, flags)
			}
			return th.callGo(f, fn, n, nres)
		}
		h := th.st.metamethod(v, evCall)
		if h.p == nil {
			panic(th.callError(fn, v))
		}
		if chain == maxNested {
			panic(th.errorf("'__call' chain too long; possibly a loop"))
		}
		th.ensure(fn + n + 2)
		copy(th.stack[fn+1:fn+n+2], th.stack[fn:fn+n+1])
		th.stack[fn] = h
		n++
		if th.top == fn+n {
			th.top++
		}
	}
}

// enter pushes the frame of a function of Lua.
func (th *Thread) enter(c *code, fn, n, nres int, flags uint8) {
	base, extra := fn+1, 0
	if c.vararg {
		base = fn + 1 + n
		th.ensure(base + c.stack)
		for i := range c.params {
			if i < n {
				th.stack[base+i] = th.stack[fn+1+i]
				th.stack[fn+1+i] = Nil
			} else {
				th.stack[base+i] = Nil
			}
		}
		extra = max(n-c.params, 0)
	} else {
		th.ensure(base + c.stack)
		for i := n; i < c.params; i++ {
			th.stack[base+i] = Nil
		}
	}
	th.push(frame{fn: int32(fn), base: int32(base), nres: int32(nres), extra: int32(extra), flags: flags | flSlow})
	th.st.step(1)
}

func (th *Thread) callGo(f *GoFunction, fn, n, nres int) outcome {
	th.ensure(fn + n + 1)
	th.push(frame{fn: int32(fn), base: int32(fn + 1), nres: int32(nres), kind: frGo, mark: th.st.total})
	th.top = fn + 1 + n
	th.st.step(1)
	m := f.fn(Call{th, fn + 1, n})
	th.depth--
	th.place(th.top-m, fn, m, nres)
	return done
}

// place moves n results to where they are wanted.
func (th *Thread) place(from, to, n, nres int) {
	switch {
	case nres == 1:
		if n > 0 {
			th.stack[to] = th.stack[from]
		} else {
			th.stack[to] = Nil
		}
	case nres < 0:
		copy(th.stack[to:to+n], th.stack[from:from+n])
		th.top = to + n
	default:
		m := min(n, nres)
		copy(th.stack[to:to+m], th.stack[from:from+m])
		clear(th.stack[to+m : to+nres])
	}
}

// callSpecial calls a function that has to do with frames.
func (th *Thread) callSpecial(f *GoFunction, fn, n, nres int, flags uint8) outcome {
	fr := frame{fn: int32(fn), base: int32(fn + 1), nres: int32(nres), flags: flags, kind: frGo}
	switch f.special {
	case spNext:
		return th.callGo(f, fn, n, nres)
	case spResume, spWrap:
		return th.callResume(f, fr, n)
	}
	th.push(fr) // of Go until the arguments are as they must be
	th.top = fn + 1 + n
	c := Call{th, fn + 1, n}
	switch f.special {
	case spPcall:
		c.Any(1)
		th.guard(frPcall)
		return th.callWithin(fn+1, n-1, -1)
	case spXpcall:
		if !c.Arg(2).IsFunction() {
			c.Expected(2, "function")
		}
		s := th.stack[fn+1 : fn+3]
		s[0], s[1] = s[1], s[0]
		th.guard(frXpcall)
		return th.callWithin(fn+2, n-2, -1)
	case spPairs:
		v := c.Any(1)
		m := th.st.metamethod(v, evPairs)
		if m.p == nil {
			th.depth--
			th.ensure(fn + 4)
			s := th.stack[fn : fn+3]
			s[0], s[1], s[2] = Value{p: ptr(th.st.next)}, v, Nil
			th.place(fn, fn, 3, nres)
			return done
		}
		th.frames[th.depth].kind = frPairs
		th.ensure(fn + 5)
		th.stack[fn+1], th.stack[fn+2] = m, v
		return th.callWithin(fn+1, 1, 3)
	case spError:
		panic(raised(c))
	}
	// coroutine.yield
	if th.resumer == nil {
		panic(th.errorf("attempt to yield from outside a coroutine"))
	}
	if th.nested != th.base {
		panic(th.errorf("attempt to yield across a C-call boundary"))
	}
	th.frames[th.depth].kind = frYield
	return yielded
}

// callWithin calls the function at stack[fn] for the special function of the topmost frame.
func (th *Thread) callWithin(fn, n, nres int) outcome {
	if out := th.precall(fn, n, nres, 0); out != done {
		return out
	}
	return th.finishSpecial()
}

// guard makes the topmost frame one that catches errors. C Lua keeps a C stack frame for
// each, so that they are limited with the runs of the interpreter; the error is caught
// by the frame itself.
func (th *Thread) guard(kind frameKind) {
	fr := &th.frames[th.depth]
	err := th.deeper()
	fr.kind, fr.aux = kind, uint8(th.guards)
	th.guards++
	if err != nil {
		panic(err)
	}
}

// deeper is an error where C Lua has no C stack for one more call from C: of a function
// by another one in C, an iterator, a metamethod. Beyond the limit there is room for who
// handles that error.
func (th *Thread) deeper() *Error {
	switch level := th.nested + th.guards; {
	case level == maxNested:
		return th.errorf("C stack overflow")
	case level >= maxNested+20:
		return &Error{Value: Str("error in error handling")}
	}
	return nil
}

// finishSpecial ends the call of a special function whose callee has just returned.
func (th *Thread) finishSpecial() outcome {
	fr := th.frames[th.depth]
	th.depth--
	first, n := th.specialResults(&fr)
	th.place(first, int(fr.fn), n, int(fr.nres))
	return done
}

// specialResults returns where the results of a special function are, now that its callee
// has left its own at the end of the stack.
func (th *Thread) specialResults(fr *frame) (first, n int) {
	fn := int(fr.fn)
	switch fr.kind {
	case frPcall:
		th.guards = int(fr.aux)
		th.stack[fn] = Bool(true)
		return fn, th.top - fn
	case frXpcall:
		th.guards = int(fr.aux)
		th.stack[fn+1] = Bool(true)
		return fn + 1, th.top - fn - 1
	}
	return fn + 1, 3 // of pairs
}

// complete ends the call of the topmost frame, which returns n values from stack[first]
// on, and of the special ones below that it was called by.
func (th *Thread) complete(first, n int) outcome {
	for {
		fr := th.frames[th.depth]
		th.depth--
		th.place(first, int(fr.fn), n, int(fr.nres))
		if fr.flags&flEntry != 0 {
			return returned
		}
		if fr.flags&(flFinish|flClose|flFailed) != 0 {
			if fr.flags&flClose != 0 {
				th.frames[th.depth].pc-- // the instruction is repeated
				return entered
			}
			if fr.flags&flFailed != 0 {
				return th.closeFailed()
			}
			if out := th.finish(th.stack[fr.fn]); out != done {
				return out
			}
			return entered
		}
		below := &th.frames[th.depth]
		if below.kind == frLua {
			return entered
		}
		first, n = th.specialResults(below)
	}
}

// An action is the first step of a run.
type action uint8

const (
	actCall     action = iota // precall of a, b arguments, c results
	actComplete               // complete of b values from a on
	actFailed                 // closeFailed
)

// run runs the frames on the stack until the first returns or yields. An error that nothing on this
// stack above the frames that were there catches is returned.
func (th *Thread) run(act action, a, b, c int, entry int) (outcome, *Error) {
	st := th.st
	if err := th.deeper(); err != nil {
		return 0, err
	}
	was, pinned := st.running, st.pinned
	st.running = th
	th.nested++
	for {
		out, err := th.protected(act, a, b, c)
		if err == nil {
			th.nested--
			st.running = was
			return out, nil
		}
		st.pinned = pinned
		if !th.unwind(err, entry) {
			th.nested--
			st.running = was
			return 0, err
		}
		act = actFailed
	}
}

// protected is one stretch of run, up to the next error.
func (th *Thread) protected(act action, a, b, c int) (out outcome, err *Error) {
	nested := th.nested
	defer func() {
		if r := recover(); r != nil {
			th.nested = nested
			th.st.running = th
			err = th.caught(r)
		}
	}()
	switch act {
	case actCall:
		out = th.precall(a, b, c, flEntry)
	case actComplete:
		out = th.complete(a, b)
	case actFailed:
		out = th.closeFailed()
	}
	if out == entered {
		out = th.loop()
	}
	return out, nil
}

// caught makes a recovered value an error of Lua.
func (th *Thread) caught(r any) *Error {
	switch r := r.(type) {
	case *Error:
		return r
	case runtime.Error:
		return &Error{Value: Str("internal error: " + r.Error())}
	}
	return &Error{Value: Str(fmt.Sprint("internal error: ", r))}
}

// unwind looks for the frame above entry that catches an error. Where there is one it
// leaves it on top, with the error in the place of its function.
func (th *Thread) unwind(err *Error, entry int) (caught bool) {
	d := th.depth
	for ; d > entry; d-- {
		if k := th.frames[d].kind; k == frPcall || k == frXpcall {
			break
		}
	}
	if d > entry && err.fatal == nil && th.frames[d].kind == frXpcall {
		th.handle(err, th.stack[th.frames[d].fn+1])
	}
	if d == entry || err.fatal != nil {
		th.trace(err)
		// A coroutine that fails keeps its frames, for coroutine.close.
		if (entry > 0 || th.resumer == nil) && th.depth > entry {
			th.closeAll(int(th.frames[entry+1].fn), entry, err)
			th.depth = entry
		}
		return false
	}
	th.depth = d
	th.guards = int(th.frames[d].aux) + 1
	th.stack[th.frames[d].fn] = err.Value
	if err.memory && len(th.tbc) == 0 && len(th.open) == 0 {
		clear(th.stack[th.frames[d].fn+1:]) // its values are garbage now
	}
	return true
}

// closeFailed ends the call of the topmost frame, a pcall or xpcall that has caught an error:
// variables that are to be closed are closed first. A __close may yield, or raise another error,
// which leads here again.
func (th *Thread) closeFailed() outcome {
	fr := &th.frames[th.depth]
	fn := int(fr.fn)
	if fr.kind == frXpcall {
		// Its handler has seen the error. One from a __close it need not see.
		fr.kind = frPcall
	}
	for n := len(th.tbc); n > 0 && int(th.tbc[n-1]) > fn; n = len(th.tbc) {
		at := int(th.tbc[n-1])
		th.tbc = th.tbc[:n-1]
		th.closeUpvals(at)
		v := th.stack[at]
		th.ensure(at + 4)
		th.stack[at+1], th.stack[at+2], th.stack[at+3] = th.st.metamethod(v, evClose), v, th.stack[fn]
		th.top = at + 4
		if out := th.precall(at+1, 2, 0, flFailed); out != done {
			return out
		}
	}
	th.closeUpvals(fn + 1)
	th.guards = int(th.frames[th.depth].aux)
	th.ensure(fn + 3)
	th.stack[fn+1], th.stack[fn+2] = Bool(false), th.stack[fn]
	return th.complete(fn+1, 2)
}

// handle lets the message handler of an xpcall see an error, where it was raised.
func (th *Thread) handle(err *Error, handler Value) {
	th.extra += extraStack
	defer func() { th.extra -= extraStack }()
	for i := 0; ; i++ {
		top := th.safeTop()
		th.stack[top], th.stack[top+1] = handler, err.Value
		again := th.callAt(top, 1, 1)
		if again == nil {
			err.Value, err.text, err.Traceback = th.stack[top], "", ""
			return
		}
		if again.fatal != nil {
			*err = *again
			return
		}
		err.Value = again.Value
		if i == 10 || th.nested >= maxNested {
			err.Value = Str("error in error handling")
			return
		}
	}
}

// safeTop returns an end of the stack that nothing below is in use of, with room for a
// call there.
func (th *Thread) safeTop() int {
	top := th.top
	if fr := &th.frames[th.depth]; fr.kind == frLua {
		top = max(top, int(fr.base)+th.closure(fr).code.stack)
	}
	top = min(top, len(th.stack))
	th.ensure(top + 8)
	return top
}

// closeAll closes upvalues and variables from a register on, because of an error, with
// the frames above depth gone.
func (th *Thread) closeAll(slot, depth int, err *Error) {
	for n := len(th.tbc); n > 0 && int(th.tbc[n-1]) >= slot; n = len(th.tbc) {
		at := int(th.tbc[n-1])
		th.tbc = th.tbc[:n-1]
		th.closeUpvals(at)
		if err.fatal != nil {
			continue
		}
		v := th.stack[at]
		th.depth = depth
		th.ensure(at + 8)
		th.stack[at+1], th.stack[at+2], th.stack[at+3] = th.st.metamethod(v, evClose), v, err.Value
		th.top = at + 4
		if again := th.callAt(at+1, 2, 0); again != nil {
			*err = *again
		}
	}
	th.closeUpvals(slot)
}

// callAt calls the function at stack[fn] from Go, as run does. Nothing yields across it.
func (th *Thread) callAt(fn, n, nres int) *Error {
	_, err := th.run(actCall, fn, n, nres, th.depth)
	return err
}
