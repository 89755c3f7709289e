package vm

func (g *gen) stmt(s stmt) {
	switch s := s.(type) {
	case *localStmt:
		g.localStmt(s)
	case *localFuncStmt:
		g.line = s.line
		g.declare(s.v)
		g.closure(s.f, s.v.reg)
	case *assignStmt:
		g.line = s.line
		g.assign(s)
	case *callStmt:
		g.call(s.call, 0)
	case *doStmt:
		g.block(s.body)
	case *whileStmt:
		start, breaks := g.pc(), len(g.scope.gotos)
		exits := g.cond(s.cond, false)
		g.block(s.body)
		g.patch([]int{g.jump()}, start)
		g.here(exits...)
		g.loopEnd(breaks)
	case *repeatStmt:
		g.repeat(s)
	case *ifStmt:
		g.ifStmt(s)
	case *numForStmt:
		g.numFor(s)
	case *genForStmt:
		g.genFor(s)
	case *returnStmt:
		g.line = s.line
		g.returns(s)
	case *gotoStmt:
		g.gotoLabel(s)
	case *labelStmt:
		g.label(s)
	}
	g.free = g.level
}

func (g *gen) localStmt(s *localStmt) {
	g.line = s.line
	vars, exprs := s.vars, s.exprs
	if vars[len(vars)-1].constant != nil {
		vars, exprs = vars[:len(vars)-1], exprs[:len(exprs)-1]
		if len(vars) == 0 {
			return
		}
	}
	base := g.free
	g.adjust(exprs, len(vars))
	for i, v := range vars {
		v.reg = base + i
		g.begin(v)
		if v.attrib == attribClose {
			g.emit(abc(iTbc, v.reg, 0, 0))
		}
	}
}

func (g *gen) repeat(s *repeatStmt) {
	start, breaks := g.pc(), len(g.scope.gotos)
	g.open()
	g.stmts(s.body)
	exits := g.cond(s.cond, true)
	if g.scope.captured {
		g.emit(abc(iClose, g.scope.base, 0, 0))
	}
	g.patch([]int{g.jump()}, start)
	g.here(exits...)
	g.leave()
	g.loopEnd(breaks)
}

func (g *gen) ifStmt(s *ifStmt) {
	var ends []int
	for i, c := range s.conds {
		g.line = s.lines[i]
		next := g.cond(c, false)
		g.block(s.thens[i])
		if i < len(s.conds)-1 || s.other != nil {
			ends = append(ends, g.jump())
		}
		g.here(next...)
	}
	if s.other != nil {
		g.block(s.other)
	}
	g.here(ends...)
}

// hide makes locals of the registers that a loop keeps its state in.
func (g *gen) hide() { g.level = g.free }

func (g *gen) numFor(s *numForStmt) {
	breaks := len(g.scope.gotos)
	g.open()
	base := g.free
	g.line = s.line
	g.exprTo(s.start, g.alloc(1))
	g.exprTo(s.limit, g.alloc(1))
	if s.step != nil {
		g.exprTo(s.step, g.alloc(1))
	} else {
		g.emit(abj(iLoadI, g.alloc(1), 0, 1))
	}
	g.hide()
	g.line = s.line
	prep := g.emit(abj(iForPrep, base, 0, 0))
	g.open()
	g.declare(s.v)
	g.stmts(s.body)
	g.leave()
	g.line = s.line
	loop := g.emit(abj(iForLoop, base, 0, 0))
	g.patch([]int{loop}, prep+1)
	g.here(prep)
	g.leave()
	g.loopEnd(breaks)
}

func (g *gen) genFor(s *genForStmt) {
	breaks := len(g.scope.gotos)
	g.open()
	base := g.free
	g.line = s.line
	g.adjust(s.exprs, 4)
	g.hide()
	g.scope.captured, g.scope.tbc = true, true // R[base+3] is to be closed
	g.line = s.line
	prep := g.emit(abj(iTForPrep, base, 0, 0))
	g.open()
	for _, v := range s.vars {
		g.declare(v)
	}
	g.p.stack = max(g.p.stack, base+8) // room for the call
	g.stmts(s.body)
	g.leave()
	g.line = s.line
	g.here(prep)
	g.emit(abc(iTForCall, base, 0, len(s.vars)))
	loop := g.emit(abj(iTForLoop, base, 0, 0))
	g.patch([]int{loop}, prep+1)
	g.leave()
	g.loopEnd(breaks)
}

func (g *gen) returns(s *returnStmt) {
	switch {
	case len(s.exprs) == 0:
		g.emit(abc(iRet0, 0, 0, 0))
		return
	case len(s.exprs) == 1 && !multi(s.exprs[0]):
		r := g.exprAny(s.exprs[0])
		g.line = s.line
		g.emit(abc(iRet1, r, 0, 0))
		return
	case len(s.exprs) == 1 && !g.scope.tbc:
		if c, ok := s.exprs[0].(*callExpr); ok {
			g.call(c, -1)
			last := &g.p.code[len(g.p.code)-1]
			a := last.a()
			*last = abc(iTailCall, a, last.b(), 0)
			g.emit(abc(iRet, a, 0, 0)) // of what no function of Lua has returned in its place
			return
		}
	}
	base := g.free
	n, open := g.list(s.exprs)
	if open {
		n = -1
	}
	g.line = s.line
	g.emit(abc(iRet, base, n+1, 0))
}

// A target is the left side of an assignment, with its table and key in registers.
type target struct {
	e        expr
	up       bool // U[obj][K[key]]
	name     bool // R[obj][K[key]]
	integer  bool // R[obj][key]
	obj, key int
	line     int
}

// prepare evaluates what comes before the assignment itself. assigned are the locals and
// upvalues that the same statement assigns to: what uses them has to be copied.
func (g *gen) prepare(e expr, assigned []expr) target {
	t := target{e: e}
	x, ok := e.(*indexExpr)
	if !ok {
		return t
	}
	t.line = x.line
	reg := func(e expr) int {
		if l, ok := e.(*localExpr); ok && isAssigned(assigned, e) {
			r := g.alloc(1)
			g.emit(abc(iMove, r, l.v.reg, 0))
			return r
		}
		return g.exprAny(e)
	}
	k, isName := g.nameOf(x.key)
	if up, ok := upvalueOf(x); ok && isName && !isAssigned(assigned, x.obj) {
		t.up, t.obj, t.key = true, up, k
		return t
	}
	t.obj = reg(x.obj)
	if isName {
		t.name, t.key = true, k
	} else if i, ok := smallInt(x.key); ok && i > 0 {
		t.integer, t.key = true, i
	} else {
		t.key = reg(x.key)
	}
	return t
}

// store assigns a register or constant to a target that is no local.
func (g *gen) store(t target, rk int) {
	switch e := t.e.(type) {
	case *localExpr:
		g.emit(abc(iMove, e.v.reg, rk, 0))
		return
	case *upvalExpr:
		g.emit(abc(iSetUp, rk, e.index, 0))
		return
	}
	g.line = t.line
	switch {
	case t.up:
		g.emit(abc(iSetEnv, t.obj, t.key, rk))
	case t.name:
		g.emit(abc(iSetF, t.obj, t.key, rk))
	case t.integer:
		g.emit(abc(iSetI, t.obj, t.key, rk))
	default:
		g.emit(abc(iSetT, t.obj, t.key, rk))
	}
}

func (g *gen) assign(s *assignStmt) {
	if len(s.targets) == 1 && len(s.exprs) == 1 {
		t := g.prepare(s.targets[0], nil)
		switch e := t.e.(type) {
		case *localExpr:
			g.exprTo(s.exprs[0], e.v.reg)
		case *upvalExpr:
			g.store(t, g.exprAny(s.exprs[0]))
		default:
			rk := g.exprRK(s.exprs[0])
			g.store(t, rk)
		}
		return
	}
	targets := make([]target, len(s.targets))
	for i, e := range s.targets {
		targets[i] = g.prepare(e, s.targets)
	}
	base := g.free
	g.adjust(s.exprs, len(targets))
	for i := len(targets) - 1; i >= 0; i-- {
		g.store(targets[i], base+i)
	}
}

// isAssigned reports whether a local or an upvalue is one of the targets.
func isAssigned(targets []expr, e expr) bool {
	for _, t := range targets {
		switch t := t.(type) {
		case *localExpr:
			if l, ok := e.(*localExpr); ok && l.v == t.v {
				return true
			}
		case *upvalExpr:
			if u, ok := e.(*upvalExpr); ok && u.index == t.index {
				return true
			}
		}
	}
	return false
}
