package vm

// A weighing adds up the memory of all that a program can reach. The collector of Go
// cannot tell what belongs to one State; this can, exactly, and costs about what one
// marking costs, once in a while: whenever as much has been allocated as the limit allows.
type weighing struct {
	st    *State
	epoch uint16
	work  []Value
	bytes int64
}

// reachable returns the bytes that can be reached from the State's roots.
func (st *State) reachable() int64 {
	if st.epoch++; st.epoch == 0 {
		st.epoch = 1
	}
	w := &weighing{st: st, epoch: st.epoch}
	w.table(st.Globals)
	w.table(st.Registry)
	w.add(st.main.Of())
	for th := st.running; th != nil; th = th.resumer {
		w.add(th.Of())
	}
	for _, th := range st.calls {
		w.add(th.Of())
	}
	for _, mt := range st.metas {
		w.table(mt)
	}
	for _, c := range st.codes {
		w.bytes += c.bytes
	}
	for len(w.work) > 0 {
		v := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		w.scan(v)
	}
	return w.bytes
}

func (w *weighing) table(t *Table) {
	if t != nil {
		w.add(t.Of())
	}
}

// add notes that v can be reached.
func (w *weighing) add(v Value) {
	switch v.Kind() {
	case KindNil, KindFalse, KindTrue, KindInt, KindFloat, KindNull:
		return
	case KindString:
		s := (*String)(v.p)
		if s.flags&flagShared == 0 && s.epoch != w.epoch {
			s.epoch = w.epoch
			w.bytes += s.bytes()
		}
		return
	}
	h := (*header)(v.p)
	if h.epoch != w.epoch {
		h.epoch = w.epoch
		w.work = append(w.work, v)
	}
}

func (w *weighing) scan(v Value) {
	switch v.Kind() {
	case KindTable:
		t := (*Table)(v.p)
		w.bytes += t.bytes()
		w.table(t.Meta)
		for _, x := range t.arr {
			w.add(x)
		}
		for i := range t.nodes {
			if n := &t.nodes[i]; n.val.p != nil {
				w.add(n.key)
				w.add(n.val)
			}
		}
	case KindFunction:
		c := (*Closure)(v.p)
		w.bytes += closureSize + 8*int64(len(c.upvals))
		for _, u := range c.upvals {
			if u != nil && u.epoch != w.epoch {
				u.epoch = w.epoch
				w.bytes += upvalSize
				w.add(*u.v)
			}
		}
	case KindGo:
		f := (*GoFunction)(v.p)
		w.bytes += 64
		w.add(f.hold)
	case KindUserdata:
		u := (*Userdata)(v.p)
		w.bytes += userdataSize + u.size
		w.table(u.Meta)
	case KindThread:
		th := (*Thread)(v.p)
		w.bytes += threadSize + int64(len(th.stack))*valueSize + int64(len(th.frames))*frameSize
		top := th.liveTop()
		for _, x := range th.stack[:top] {
			w.add(x)
		}
		clear(th.stack[top:]) // leftovers of calls would keep garbage from being collected
	}
}
