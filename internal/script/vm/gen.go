package vm

import (
	"fmt"
	"math"
)

// A gen generates the code of one function. Locals live in consecutive registers, in the
// order of their declarations; temporaries above them.
type gen struct {
	parent *gen
	f      *function
	p      *Proto
	chunk  string
	free   int // the first free register
	level  int // registers below are those of locals
	line   int
	consts map[Value]int
	strs   map[string]int
	shared map[string]*String // of the whole chunk: equal constants are one object
	scope  *genScope
	closes bool // locals that closures share, or that are to be closed: returns close them
}

// A genScope is a block.
type genScope struct {
	parent   *genScope
	base     int // registers below are of blocks around
	vars     int // debugVars that have begun before
	captured bool
	tbc      bool // a local or an iterator is to be closed: calls that are returned are none in the tail
	labels   []*label
	gotos    []*pendingGoto
}

type label struct {
	name string
	pc   int
	free int // registers in use there
	line int
}

type pendingGoto struct {
	name  string
	pc    int // of its iClose, which is followed by its jump
	free  int
	line  int
	close bool // it leaves the scope of something captured
}

func generate(chunk string, f *function) *Proto {
	return (&gen{f: f, chunk: chunk, shared: map[string]*String{}}).function()
}

func (g *gen) function() *Proto {
	f := g.f
	g.p = &Proto{chunk: g.chunk, line: f.line, endLine: f.end, params: len(f.params), vararg: f.vararg}
	for _, u := range f.upvalues {
		pu := protoUpvalue{name: u.name, index: uint8(u.index)}
		if u.local != nil {
			pu.inStack, pu.index = true, uint8(u.local.reg)
		}
		g.p.ups = append(g.p.ups, pu)
	}
	if g.parent == nil {
		g.p.ups[0].inStack = true
	}
	g.consts, g.strs = map[Value]int{}, map[string]int{}
	g.line = f.line
	g.open()
	for _, v := range f.params {
		g.declare(v)
	}
	for _, s := range f.body.stmts {
		g.stmt(s)
	}
	g.line = f.end
	g.finish()
	g.emit(abc(iRet0, 0, 0, 0))
	g.endScope()
	if g.closes { // which is known only now
		for i, in := range g.p.code {
			switch op := in.op(); op {
			case iRet, iTailCall:
				g.p.code[i] |= 1 << 48
			case iRet0, iRet1:
				g.p.code[i] = abc(iRet, in.a(), int(op-iRet0)+1, 0) | 1<<48
			}
		}
	}
	g.p.stack = min(g.p.stack+2, maxRegisters+5)
	return g.p
}

func (g *gen) wrong(line int, format string, args ...any) {
	panic(syntaxError{fmt.Sprintf("%s:%d: %s", g.chunk, line, fmt.Sprintf(format, args...))})
}

// emit appends an instruction and returns its place.
func (g *gen) emit(i instr) int {
	g.p.code = append(g.p.code, i)
	g.p.lines = append(g.p.lines, int32(g.line))
	return len(g.p.code) - 1
}

func (g *gen) pc() int { return len(g.p.code) }

// jump emits a jump to be patched.
func (g *gen) jump() int { return g.emit(abj(iJmp, 0, 0, 0)) }

// patch lets jumps lead to pc.
func (g *gen) patch(jumps []int, pc int) {
	for _, j := range jumps {
		in := g.p.code[j]
		g.p.code[j] = in&0xffffffff | instr(uint32(int32(pc-j-1)))<<32
	}
}

func (g *gen) here(jumps ...int) { g.patch(jumps, g.pc()) }

// alloc takes n registers and returns the first.
func (g *gen) alloc(n int) int {
	r := g.free
	g.free += n
	if g.free > maxRegisters {
		g.wrong(g.line, "function or expression needs too many registers")
	}
	g.p.stack = max(g.p.stack, g.free)
	return r
}

// constant returns the index of a constant.
func (g *gen) constant(v Value) int {
	if s := v.str(); s != nil {
		return g.str(s.s)
	}
	if i, ok := g.consts[v]; ok {
		return i
	}
	g.p.k = append(g.p.k, v)
	g.consts[v] = len(g.p.k) - 1
	return len(g.p.k) - 1
}

func (g *gen) str(s string) int {
	if i, ok := g.strs[s]; ok {
		return i
	}
	c := g.shared[s]
	if c == nil {
		c = constant(s)
		g.shared[s] = c
	}
	g.p.k = append(g.p.k, c.Of())
	g.strs[s] = len(g.p.k) - 1
	return len(g.p.k) - 1
}

func (g *gen) open() {
	g.scope = &genScope{parent: g.scope, base: g.free, vars: len(g.p.vars), tbc: g.scope != nil && g.scope.tbc}
}

// declare gives a local the next register.
func (g *gen) declare(v *local) {
	v.reg = g.alloc(1)
	g.begin(v)
}

// begin starts the scope of a local that has a register.
func (g *gen) begin(v *local) {
	g.level = v.reg + 1
	g.p.vars = append(g.p.vars, debugVar{name: v.name, reg: v.reg, start: g.pc(), end: -1})
	if v.captured || v.attrib == attribClose {
		g.scope.captured = true
	}
	if v.attrib == attribClose {
		g.scope.tbc = true
	}
}

// finish resolves the jumps of a block that ends here.
func (g *gen) finish() {
	s := g.scope
	if s.parent == nil {
		for _, j := range s.gotos {
			if j.name == "break" {
				g.wrong(j.line, "break outside loop at line %d", j.line)
			}
			g.wrong(j.line, "no visible label '%s' for <goto> at line %d", j.name, j.line)
		}
		return
	}
	for _, j := range s.gotos {
		// Outside this block its locals are gone.
		j.free = min(j.free, s.base)
		j.close = j.close || s.captured
		if j.close {
			g.p.code[j.pc] = abc(iClose, s.base, 0, 0)
		}
		s.parent.gotos = append(s.parent.gotos, j)
	}
	s.gotos = nil
}

// endScope ends the scope of a block's locals.
func (g *gen) endScope() {
	s := g.scope
	for i := s.vars; i < len(g.p.vars); i++ {
		if v := &g.p.vars[i]; v.end < 0 {
			v.end = g.pc()
		}
	}
	g.closes = g.closes || s.captured
	g.free, g.level = s.base, s.base
	g.scope = s.parent
}

// leave ends a block: what is captured is closed, gotos go on to the block around.
func (g *gen) leave() {
	if g.scope.captured {
		g.emit(abc(iClose, g.scope.base, 0, 0))
	}
	g.finish()
	g.endScope()
}

// block generates a block with a scope of its own.
func (g *gen) block(b *block) {
	g.open()
	g.stmts(b)
	g.leave()
}

func (g *gen) stmts(b *block) {
	for _, s := range b.stmts {
		g.stmt(s)
	}
}

// findLabel returns a label that is visible from the current block.
func (g *gen) findLabel(name string) *label {
	for s := g.scope; s != nil; s = s.parent {
		for _, l := range s.labels {
			if l.name == name {
				return l
			}
		}
	}
	return nil
}

// label sets a label here and resolves the gotos of this block and those inside it that
// wait for it.
func (g *gen) label(s *labelStmt) {
	if l := g.findLabel(s.name); l != nil {
		g.wrong(s.line, "label '%s' already defined on line %d", s.name, l.line)
	}
	l := &label{name: s.name, pc: g.pc(), free: g.free, line: s.line}
	if s.last {
		l.free = g.scope.base
	}
	g.scope.labels = append(g.scope.labels, l)
	g.resolve(l, 0)
}

// resolve lets the gotos of this block that wait for a label lead to it, but for the first
// so many.
func (g *gen) resolve(l *label, first int) {
	kept := g.scope.gotos[:first]
	for _, j := range g.scope.gotos[first:] {
		if j.name != l.name {
			kept = append(kept, j)
			continue
		}
		if j.free < l.free {
			name := "?"
			for _, v := range g.p.vars[g.scope.vars:] {
				if v.end < 0 && v.reg == j.free {
					name = v.name
				}
			}
			g.wrong(j.line, "<goto %s> at line %d jumps into the scope of local '%s'", j.name, j.line, name)
		}
		g.patch([]int{j.pc + 1}, l.pc)
		if !j.close {
			g.patch([]int{j.pc}, l.pc)
		}
	}
	g.scope.gotos = kept
}

// gotoLabel jumps to a label that is visible already, or waits for one that comes.
func (g *gen) gotoLabel(s *gotoStmt) {
	g.line = s.line
	if l := g.findLabel(s.label); l != nil && s.label != "break" {
		captured := false
		for sc := g.scope; sc != nil; sc = sc.parent {
			captured = captured || sc.captured
		}
		if captured && g.free > l.free {
			g.emit(abc(iClose, l.free, 0, 0))
		}
		g.patch([]int{g.jump()}, l.pc)
		return
	}
	// The first of the two becomes an iClose if a block is left whose locals are captured.
	pc := g.emit(abj(iJmp, 0, 0, 0))
	g.jump()
	g.scope.gotos = append(g.scope.gotos, &pendingGoto{name: s.label, pc: pc, free: g.free, line: s.line})
}

// loopEnd is where break leads to; the scope is that around the loop. first is how many
// gotos it had before the loop: a break among them leaves a loop around.
func (g *gen) loopEnd(first int) {
	g.resolve(&label{name: "break", pc: g.pc(), free: g.scope.base}, first)
}

func smallInt(e expr) (int, bool) {
	n, ok := e.(*numberExpr)
	if !ok || !n.value.isInt() {
		return 0, false
	}
	i := int64(n.value.n)
	return int(i), i >= math.MinInt16+1 && i <= math.MaxInt16
}
