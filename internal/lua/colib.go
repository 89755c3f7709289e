package lua

func (vm *VM) openCoroutine() {
	vm.setGlobal("coroutine", lib("", map[string]builtin{
		"close": coClose, "create": coCreate, "isyieldable": coIsYieldable, "resume": coResume, "running": coRunning,
		"status": coStatus, "wrap": coWrap, "yield": call.yield,
	}))
}

func (c call) coroutine(i int) *coroutine {
	co, ok := asCoroutine(c.arg(i))
	if !ok {
		c.expected(i, "coroutine")
	}
	return co
}

func coCreate(c call) int { return c.ret(c.newCoroutine(c.function(1))) }

func coResume(c call) int {
	co := c.coroutine(1)
	out := c.resume(co.strand, c.rest(2))
	if out.err != nil {
		return c.rets(no, out.err.value)
	}
	return c.ret(yes) + c.rets(out.values...)
}

func coWrap(c call) int {
	co := c.newCoroutine(c.function(1))
	return c.ret(fn("wrap", func(c call) int {
		out := c.resume(co.strand, c.rest(1))
		if out.err != nil {
			c.rethrow(out.err)
		}
		return c.rets(out.values...)
	}))
}

func coStatus(c call) int      { return c.ret(str(c.coroutine(1).status)) }
func coIsYieldable(c call) int { return c.ret(boolean(c.thread().co != nil)) }

func coRunning(c call) int {
	t := c.thread()
	if t.co != nil {
		return c.rets(t.co.self.Value(), no)
	}
	return c.rets(t.task.main, yes)
}

// coClose ends a suspended coroutine: what it waits for never comes. Of one that died of
// an error it returns that error, once.
func coClose(c call) int {
	co := c.coroutine(1)
	switch co.status {
	case suspended, dead:
		co.status = dead
		co.end()
		if err := co.raised; err != nil {
			co.raised = nil
			return c.rets(no, err.value)
		}
		return c.ret(yes)
	}
	c.fail("cannot close a %s coroutine", co.status)
	return 0
}
