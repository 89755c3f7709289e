package vm

import "unsafe"

func ptr(f *GoFunction) unsafe.Pointer { return unsafe.Pointer(f) }

// newCoroutine returns a coroutine that will call f.
func (st *State) newCoroutine(f Value) *Thread {
	co := st.NewThread()
	co.coroutine = true
	co.stack[1] = f
	co.top = 2
	return co
}

// resume resumes a coroutine with the n values of th's stack from first on. What it yields
// or returns is then m values of its own stack.
func (th *Thread) resume(co *Thread, first, n int) (from, m int, err *Error) {
	switch {
	case co.status == dead:
		return 0, 0, &Error{Value: Str("cannot resume dead coroutine")}
	case co.status != suspended:
		return 0, 0, &Error{Value: Str("cannot resume non-suspended coroutine")}
	case th.nested+th.guards >= maxNested:
		return 0, 0, &Error{Value: Str("C stack overflow")}
	}
	th.status, co.status = waiting, active
	around := th.nested + th.guards
	co.resumer, co.nested, co.base = th, around, around+1
	at := 2
	act := actCall
	if co.depth > 0 {
		at, act = int(co.frames[co.depth].base), actComplete
	}
	var out outcome
	if err = co.grown(at + n); err == nil {
		copy(co.stack[at:], th.stack[first:first+n])
		co.top = at + n
		if act == actCall {
			out, err = co.run(actCall, 1, n, -1, 0)
		} else {
			out, err = co.run(actComplete, at, n, 0, 0)
		}
	}
	th.status, co.status = active, suspended
	co.resumer = nil
	switch {
	case err != nil:
		co.status, co.failed = dead, err
		return 0, 0, err
	case out == yielded:
		from = int(co.frames[co.depth].base)
		return from, co.top - from, nil
	}
	co.status = dead
	return 1, co.top - 1, nil
}

// grown is ensure with the error returned.
func (th *Thread) grown(n int) (err *Error) {
	defer func() {
		if r := recover(); r != nil {
			err = th.caught(r)
		}
	}()
	th.ensure(n)
	return nil
}

// callResume carries out coroutine.resume and the functions of coroutine.wrap.
func (th *Thread) callResume(f *GoFunction, fr frame, n int) outcome {
	fn, nres := int(fr.fn), int(fr.nres)
	fr.kind, fr.mark = frGo, th.st.total
	th.push(fr)
	th.top = fn + 1 + n
	th.st.step(1)
	co, first := f.hold.asThread(), fn+1
	if f.special == spResume {
		c := Call{th, fn + 1, n}
		if co = c.Arg(1).asThread(); co == nil {
			c.Expected(1, "thread")
		}
		first, n = fn+2, n-1
	}
	from, m, err := th.resume(co, first, n)
	if err != nil && (err.fatal != nil || f.special == spWrap) {
		panic(th.wrapError(co, err))
	}
	th.depth--
	at := fn
	if f.special == spResume {
		th.ensure(fn + 2)
		th.stack[fn] = Bool(err == nil)
		if err != nil {
			th.stack[fn+1] = err.Value
			th.place(fn, fn, 2, nres)
			return done
		}
		at++
	}
	th.ensure(at + m)
	copy(th.stack[at:], co.stack[from:from+m])
	clear(co.stack[from : from+m])
	th.place(fn, fn, at-fn+m, nres)
	return done
}

// wrapError is the error that a wrapped coroutine's function raises for an error of the coroutine:
// a message has the place of the call put before it.
func (th *Thread) wrapError(co *Thread, err *Error) *Error {
	if err.fatal != nil {
		return err
	}
	if co.status == dead && co.failed != nil {
		co.failed, co.nested = nil, th.nested
		err = co.kill(err)
	}
	if s, ok := err.Value.AsString(); ok {
		return &Error{Value: Str(th.where(1) + s), Traceback: err.Traceback, memory: err.memory}
	}
	return err
}

// kill closes the open variables of a coroutine that is suspended or has failed, and ends it.
// err is the error that it failed with, or nil; it returns the error to report.
func (th *Thread) kill(err *Error) *Error {
	was := th.st.running
	th.status = active
	e := &Error{}
	if err != nil {
		*e = *err
	}
	th.closeAll(1, 0, e)
	th.depth, th.top, th.status = 0, 1, dead
	th.st.running = was
	if e.Value.p == nil && err == nil {
		return nil
	}
	return e
}
