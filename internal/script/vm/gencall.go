package vm

import "math"

func (g *gen) closure(e *funcExpr, dst int) {
	sub := &gen{parent: g, f: e.f, chunk: g.chunk, shared: g.shared}
	g.p.protos = append(g.p.protos, sub.function())
	g.line = e.line
	g.emit(abj(iClosure, dst, 0, len(g.p.protos)-1))
}

// multi reports whether e may have many values.
func multi(e expr) bool {
	switch e.(type) {
	case *callExpr, *varargExpr:
		return true
	}
	return false
}

// open generates e for all its values, from the first free register on.
func (g *gen) all(e expr) {
	switch e := e.(type) {
	case *callExpr:
		g.call(e, -1)
	case *varargExpr:
		g.line = e.line
		g.emit(abc(iVararg, g.alloc(1), 0, 0))
	}
}

// list puts values in new registers. open says that the last one has all its values: n is
// then the count of those before.
func (g *gen) list(exprs []expr) (n int, open bool) {
	for i, e := range exprs {
		if i == len(exprs)-1 && multi(e) {
			g.all(e)
			return i, true
		}
		g.exprTo(e, g.alloc(1))
	}
	return len(exprs), false
}

// adjust puts exactly want values in new registers.
func (g *gen) adjust(exprs []expr, want int) {
	base := g.free
	for i, e := range exprs {
		if i == len(exprs)-1 && multi(e) && i < want {
			if c, ok := e.(*callExpr); ok {
				g.call(c, want-i)
			} else {
				g.line = e.(*varargExpr).line
				g.emit(abc(iVararg, g.alloc(1), 0, want-i+1))
			}
			g.free = base + i
			g.alloc(want - i)
			return
		}
		g.exprTo(e, g.alloc(1))
	}
	if n := want - len(exprs); n > 0 {
		g.emit(abc(iNil, g.alloc(n), n-1, 0))
	}
	g.free = base + want
}

// call generates a call in registers from the first free one on, where its results are
// then: n of them, or all if n is -1.
func (g *gen) call(e *callExpr, n int) {
	base := g.free
	args := 0
	if e.name != "" {
		k := g.str(e.name)
		g.alloc(1)
		obj := base
		if l, ok := e.fn.(*localExpr); ok {
			obj = l.v.reg
		} else {
			g.exprTo(e.fn, base)
		}
		g.alloc(1)
		g.line = e.line
		if k <= maxRK {
			g.emit(abc(iSelf, base, obj, k))
		} else {
			g.emit(abc(iMove, base+1, obj, 0))
			name := g.alloc(1)
			g.emit(abj(iLoadK, name, 0, k))
			g.emit(abc(iGetT, base, base+1, name))
			g.free--
		}
		args = 1
	} else {
		g.exprTo(e.fn, g.alloc(1))
	}
	m, open := g.list(e.args)
	args += m + 1
	if open {
		args = 0
	}
	g.line = e.line
	g.emit(abc(iCall, base, args, n+1))
	g.free = base
	if n != 0 {
		g.alloc(1)
	}
}

// fieldsPerFlush is how many elements of a constructor wait in registers.
const fieldsPerFlush = 50

// table builds a table in register r, which is the last one.
func (g *gen) table(e *tableExpr, r int) {
	elements, fields := 0, 0
	for _, f := range e.fields {
		if f.key == nil {
			elements++
		} else {
			fields++
		}
	}
	g.line = e.line
	g.emit(abc(iNew, r, min(fields, math.MaxUint16), min(elements, math.MaxUint16)))
	done, waiting := 0, 0
	flush := func(open bool) {
		n := waiting + 1
		if open {
			n = 0
		}
		if waiting > 0 || open {
			g.emit(abj(iSetList, r, n, done))
		}
		done += waiting
		waiting = 0
		g.free = r + 1
	}
	for i, f := range e.fields {
		switch {
		case f.key != nil:
			g.setField(r, f)
		case i == len(e.fields)-1 && multi(f.value):
			g.all(f.value)
			flush(true)
			return
		default:
			g.exprTo(f.value, g.alloc(1))
			if waiting++; waiting == fieldsPerFlush {
				flush(false)
			}
		}
	}
	flush(false)
}

func (g *gen) setField(r int, f field) {
	free := g.free
	if k, ok := g.nameOf(f.key); ok {
		v := g.exprRK(f.value)
		g.line = f.line
		g.emit(abc(iSetF, r, k, v))
	} else {
		key := g.exprAny(f.key)
		v := g.exprRK(f.value)
		g.line = f.line
		g.emit(abc(iSetT, r, key, v))
	}
	g.free = free
}
