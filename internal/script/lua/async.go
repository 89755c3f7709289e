package lua

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/assay-dev/assay/internal/script/vm"
)

func (vm *VM) openAsync() {
	vm.lib("async", map[string]builtin{"spawn": asyncSpawn, "spawn_interval": asyncInterval})
}

func asyncSpawn(c call) int {
	f := c.Arg(1)
	c.FailIf(!f.IsFunction(), "async.spawn: first argument must be a function")
	done := make(chan struct{})
	list := c.newTable(0)
	var failed error
	awaited := false
	r, args := c.vm.run, slices.Clone(c.Args(2))
	r.spawn(func() {
		defer close(done)
		var out []value
		if out, failed = r.do("async.spawn", f, args...); failed == nil {
			list.Append(out...)
		} else if r.ctx.Err() == nil {
			// Nobody may ever ask.
			r.atEnd = append(r.atEnd, func() {
				if !awaited {
					r.vm.record("WARN", "async.spawn: a task that nobody awaits has failed: "+r.err(failed).Error())
				}
			})
		}
	})
	h := c.newRecord(1)
	h.SetField("await", c.vm.closure("await", list.Of(), func(c call) int {
		c.FailIf(awaited, "async handle already awaited")
		awaited = true
		c.await(done)
		var raised *vm.Error
		if errors.As(failed, &raised) {
			if s, ok := raised.Value.AsString(); ok {
				c.Fail("async task failed: %s", s)
			}
			c.Raise(raised.Value)
		}
		return c.Return(list.Of())
	}))
	return c.Return(h.Of())
}

func asyncInterval(c call) int {
	seconds := c.Float(1)
	c.FailIf(!(seconds > 0), "async.spawn_interval: interval must be positive")
	f := c.Arg(2)
	c.FailIf(!f.IsFunction(), "async.spawn_interval: second argument must be a function")
	r := c.vm.run
	ctx, cancel := context.WithCancel(r.ctx)
	loop := c.vm.fn("async.spawn_interval", func(c call) int {
		tick := time.NewTicker(max(duration(seconds), time.Microsecond))
		defer tick.Stop()
		for {
			c.wait(func(context.Context) {
				select {
				case <-tick.C:
				case <-ctx.Done():
				}
			})
			if ctx.Err() != nil {
				return 0
			}
			c.Call(f)
		}
	})
	r.spawn(func() {
		if _, err := r.do("async.spawn_interval", loop, f); err != nil && r.ctx.Err() == nil {
			r.vm.record("ERROR", "async.spawn_interval: "+r.err(err).Error())
		}
	})
	h := c.newRecord(1)
	h.SetField("cancel", c.vm.fn("cancel", func(call) int {
		cancel()
		return 0
	}))
	return c.Return(h.Of())
}
