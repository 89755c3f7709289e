package lua

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"weak"

	lua "github.com/yuin/gopher-lua"
)

// A coroutine is the value of type thread that a script has of a strand. When the
// last one is gone, so is the strand: nobody else can resume it.
type coroutine struct{ *strand }

// A strand is a goroutine that has the VM between a resume and the next yield:
// so it may yield wherever it is, across protected calls, metamethods and the
// iterators of for.
type strand struct {
	fn     value // until it starts
	self   weak.Pointer[coroutine]
	thread *thread
	status string
	in     chan []value
	out    chan transfer
	end    func()  // closes in
	raised *thrown // what it died of, until it is closed
}

// A transfer is what a strand hands to who resumed it.
type transfer struct {
	values []value
	err    *thrown
}

func (co *coroutine) String() string    { return fmt.Sprintf("thread: %p", co) }
func (*coroutine) Type() lua.LValueType { return lua.LTThread }

const (
	suspended = "suspended"
	running   = "running"
	normal    = "normal" // it has resumed another
	dead      = "dead"
)

// coSize is about what a coroutine takes: the stacks of Lua and of Go.
const coSize = 16 << 10

func (c call) newCoroutine(f value) *coroutine {
	c.room(coSize)
	s := &strand{fn: f, status: suspended, in: make(chan []value), out: make(chan transfer, 1)}
	s.thread = c.run().newThread(c.thread().task, coFrames)
	s.thread.co = s
	s.end = sync.OnceFunc(func() { close(s.in) })
	co := &coroutine{s}
	s.self = weak.Make(co)
	runtime.AddCleanup(co, func(end func()) { end() }, s.end)
	return co
}

// resume runs s until it yields, returns or raises.
func (c call) resume(s *strand, args []value) transfer {
	refuse := func(format string, args ...any) transfer {
		return transfer{err: &thrown{value: str(fmt.Sprintf(format, args...)), state: c.state}}
	}
	c.room(int64(len(args)) * 3 * slot)
	t := c.thread()
	switch {
	case s.status == dead:
		return refuse("cannot resume dead coroutine")
	case s.status != suspended:
		return refuse("cannot resume non-suspended coroutine")
	case t.depth >= maxDepth:
		return refuse("stack overflow (too many coroutines in each other)")
	}
	if t.co != nil {
		t.co.status = normal
	}
	s.status = running
	if f := s.fn; f != nil {
		s.fn = nil
		s.thread.depth, s.thread.run = t.depth+1, t.run
		t.run.tasks.Go(func() { s.main(f, args) })
	} else {
		select {
		case s.in <- args:
		case <-t.run.ctx.Done():
			c.ended()
		}
	}
	out := <-s.out
	if t.co != nil {
		t.co.status = running
	}
	c.check()
	return out
}

// ended raises that the run is over.
func (c call) ended() {
	r := c.run()
	r.halt(context.Cause(r.ctx))
	c.check()
}

// main is the goroutine of a strand. It has the VM, since who resumed it waits.
func (s *strand) main(f value, args []value) {
	l := s.thread.state
	l.Push(f)
	for _, a := range args {
		l.Push(a)
	}
	err := s.thread.call(len(args))
	s.status = dead
	if err != nil {
		s.raised = err
		s.out <- transfer{err: err}
		return
	}
	s.out <- transfer{values: values(l, 1)}
}

// yield hands values to who resumed the strand that c runs in, and returns what
// it is resumed with. If nobody will, it ends the goroutine: it has not the VM
// then, and what it passes on its way out must not need it.
func (c call) yield() int {
	s := c.thread().co
	if s == nil {
		c.fail("attempt to yield from outside a coroutine")
	}
	c.room(int64(c.n()) * 3 * slot)
	vs := values(c.state, 1)
	s.status = suspended
	s.out <- transfer{values: vs}
	select {
	case args, ok := <-s.in:
		if ok {
			return c.rets(args...)
		}
	case <-s.thread.run.ctx.Done():
	}
	runtime.Goexit() // past every pcall
	return 0
}

func asCoroutine(v value) (*coroutine, bool) {
	co, ok := v.(*coroutine)
	return co, ok
}

// A task is what runs on its own: the chunk of a Run, what async.spawn was given.
type task struct{ main *coroutine }

func newTask() *task { return &task{&coroutine{&strand{status: running}}} }
