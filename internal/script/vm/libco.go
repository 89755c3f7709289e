package vm

func (st *State) openCoroutine() {
	t := st.NewTable(0, 8)
	st.fill(t, "close create isyieldable running status wrap", coClose, coCreate, coIsYieldable, coRunning, coStatus, coWrap)
	st.set(t, "resume", st.special("resume", spResume, nil))
	st.set(t, "yield", st.special("yield", spYield, nil))
	st.SetGlobal("coroutine", t.Of())
}

func (c Call) coroutine(i int) *Thread {
	co := c.Arg(i).asThread()
	if co == nil {
		c.Expected(i, "thread")
	}
	return co
}

func coCreate(c Call) int { return c.Return(c.th.st.newCoroutine(c.Function(1)).Of()) }

func coWrap(c Call) int {
	co := c.th.st.newCoroutine(c.Function(1))
	f := c.th.st.NewClosure("wrap", co.Of(), nil)
	(*GoFunction)(f.p).special = spWrap
	return c.Return(f)
}

func coStatus(c Call) int { return c.Return(Str(statusNames[c.coroutine(1).status])) }

func coIsYieldable(c Call) int {
	th := c.th
	if !c.Arg(1).IsNil() {
		th = c.coroutine(1)
	}
	return c.Return(Bool(th.resumer != nil && th.nested == th.base || th.resumer == nil && th.status == suspended))
}

func coRunning(c Call) int { return c.Return(c.th.Of(), Bool(c.th.resumer == nil)) }

// coClose ends a coroutine that is suspended or dead.
func coClose(c Call) int {
	co := c.coroutine(1)
	if co.status != suspended && co.status != dead {
		c.Fail("cannot close a %s coroutine", statusNames[co.status])
	}
	err := co.failed
	co.failed = nil
	co.nested = c.th.nested
	if err = co.kill(err); err != nil {
		if err.fatal != nil {
			panic(err)
		}
		return c.Return(Bool(false), err.Value)
	}
	return c.Return(Bool(true))
}
