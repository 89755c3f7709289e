package lua

import (
	"context"
	"errors"
	"time"
)

func (vm *VM) openAsync() {
	vm.setGlobal("async", lib("async.", map[string]builtin{"spawn": asyncSpawn, "spawn_interval": asyncInterval}))
}

// begin runs f with the VM in a goroutine of its own, which is a task.
func (r *run) begin(f func(t *thread)) {
	r.tasks.Go(func() {
		r.vm.mu.Lock()
		defer r.vm.mu.Unlock()
		if !r.stopped() {
			f(r.newThread(newTask(), callFrames))
		}
	})
}

func asyncSpawn(c call) int {
	f, ok := c.asFunc(1)
	if !ok {
		c.fail("async.spawn: first argument must be a function")
	}
	done := make(chan struct{})
	var out []value
	var raised *thrown
	awaited := false
	c.run().begin(func(t *thread) {
		defer close(done)
		if out, raised = t.invoke(f); raised != nil && !t.run.stopped() {
			// Nobody may ever ask.
			err := raised.err(t.run)
			t.run.atEnd = append(t.run.atEnd, func() {
				if !awaited {
					t.run.vm.record("WARN", "async.spawn: a task that nobody awaits has failed: "+err.Error())
				}
			})
		}
	})
	h := newRecord(4)
	h.RawSetString("await", fn("await", func(c call) int {
		if awaited {
			c.fail("async handle already awaited")
		}
		awaited = true
		c.await(done)
		if raised != nil {
			if s, ok := isString(raised.value); ok {
				c.fail("async task failed: %s", s)
			}
			c.raise(raised.value)
		}
		list := newTable(len(out))
		for i, v := range out {
			list.RawSetInt(i+1, v)
		}
		return c.ret(list)
	}))
	return c.ret(h)
}

func asyncInterval(c call) int {
	seconds := c.float(1)
	if !(seconds > 0) {
		c.fail("async.spawn_interval: interval must be positive")
	}
	f, ok := c.asFunc(2)
	if !ok {
		c.fail("async.spawn_interval: second argument must be a function")
	}
	ctx, cancel := context.WithCancel(c.run().ctx)
	c.run().begin(func(t *thread) {
		tick := time.NewTicker(max(duration(seconds), time.Microsecond))
		defer tick.Stop()
		for {
			t.wait(func(context.Context) {
				select {
				case <-tick.C:
				case <-ctx.Done():
				}
			})
			if ctx.Err() != nil {
				return
			}
			if _, raised := t.invoke(f); raised != nil {
				if err := raised.err(t.run); !errors.Is(err, context.Canceled) {
					t.run.vm.record("ERROR", "async.spawn_interval: "+err.Error())
				}
				return
			}
		}
	})
	h := newRecord(4)
	h.RawSetString("cancel", fn("cancel", func(call) int {
		cancel()
		return 0
	}))
	return c.ret(h)
}
