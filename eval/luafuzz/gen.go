package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator writes programs that print all they compute. They end: loops count, and a
// function calls only those that were defined before it. Nothing that they print depends
// on an address, the order of a hash or the length of a list with holes.
type generator struct {
	r        *rand.Rand
	b        strings.Builder
	indent   int
	vars     []variable // in scope
	next     int
	loops    int // around
	funcs    int // around
	vararg   bool
	yields   bool // inside a coroutine
	labels   int
	callless int // inside an expression that calls no function
}

// A variable holds about what its kind says: programs also misuse it.
type variable struct {
	name  string
	kind  kind
	fixed bool // <const>
}

type kind int

const (
	number kind = iota
	text
	list
	record
	function
	anything
)

// program returns the program of a seed.
func program(seed uint64) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 0x5eed))}
	g.line("local meta = setmetatable")
	for range 2 + g.r.IntN(4) {
		g.local()
	}
	for range 3 + g.r.IntN(8) {
		g.protected()
	}
	for _, v := range g.vars {
		g.show(v)
	}
	return g.b.String()
}

func (g *generator) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat(" ", g.indent))
	fmt.Fprintf(&g.b, format, args...)
	g.b.WriteByte('\n')
}

func (g *generator) one(list ...string) string { return list[g.r.IntN(len(list))] }
func (g *generator) chance(percent int) bool   { return g.r.IntN(100) < percent }

func (g *generator) fresh(k kind) variable {
	g.next++
	return variable{name: fmt.Sprintf("%c%d", "nstrfx"[k], g.next), kind: k}
}

// pick returns a variable of a kind, or "" where there is none.
func (g *generator) pick(k kind) string {
	var names []string
	for _, v := range g.vars {
		if v.kind == k || k == anything {
			names = append(names, v.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return names[g.r.IntN(len(names))]
}

// writable returns a variable that can be assigned to.
func (g *generator) writable() (variable, bool) {
	var vars []variable
	for _, v := range g.vars {
		if !v.fixed {
			vars = append(vars, v)
		}
	}
	if len(vars) == 0 {
		return variable{}, false
	}
	return vars[g.r.IntN(len(vars))], true
}

func (g *generator) kind() kind { return kind(g.r.IntN(int(anything))) }

func (g *generator) show(v variable) {
	switch v.kind {
	case number, text:
		g.line("print(%q, %s)", v.name, v.name)
	case list:
		g.line("print(%q, pcall(table.concat, %s, ','))", v.name, v.name)
	case record:
		g.line("print(%q, pcall(function() return %s.a, %s.b, %s.c end))", v.name, v.name, v.name, v.name)
	default:
		g.line("print(%q, type(%s))", v.name, v.name)
	}
}

// protected is a statement in a pcall whose result is printed.
func (g *generator) protected() {
	g.line("print(pcall(function(...)")
	g.body(func() {
		for range 1 + g.r.IntN(5) {
			g.statement(3)
		}
		if g.chance(50) {
			g.line("return %s, %s", g.scalar(3), g.scalar(2))
		}
	}, true)
	g.line("end, %s, %s))", g.scalar(1), g.scalar(1))
}

// body writes a function's body with scopes of its own.
func (g *generator) body(f func(), vararg bool) {
	n, loops, was := len(g.vars), g.loops, g.vararg
	g.indent++
	g.funcs++
	g.vararg = vararg
	f()
	g.vararg = was
	g.funcs--
	g.indent--
	g.vars, g.loops = g.vars[:n], loops
}

func (g *generator) block(depth, n int) {
	vars := len(g.vars)
	g.indent++
	for range 1 + g.r.IntN(n) {
		g.statement(depth - 1)
	}
	g.indent--
	g.vars = g.vars[:vars]
}

func (g *generator) local() {
	v := g.fresh(g.kind())
	e := g.of(v.kind, 3)
	if g.chance(12) {
		v.fixed = true
		g.line("local %s <const> = %s", v.name, e)
	} else {
		g.line("local %s = %s", v.name, e)
	}
	g.vars = append(g.vars, v)
}

func (g *generator) statement(depth int) {
	if depth <= 0 {
		g.simple()
		return
	}
	switch g.r.IntN(20) {
	case 0, 1, 2:
		g.simple()
	case 3, 4:
		g.local()
	case 5:
		g.line("if %s then", g.condition(2))
		g.block(depth, 3)
		if g.chance(40) {
			g.line("elseif %s then", g.condition(2))
			g.block(depth, 2)
		}
		if g.chance(50) {
			g.line("else")
			g.block(depth, 2)
		}
		g.line("end")
	case 6, 7:
		g.loop(depth)
	case 8:
		g.line("do")
		g.block(depth, 4)
		g.line("end")
	case 9, 10:
		g.function(depth)
	case 11:
		g.closing(depth)
	case 12:
		g.object(depth)
	case 13:
		g.coroutine(depth)
	case 14:
		g.goTo(depth)
	case 15:
		g.line("print(pcall(function(...)")
		g.body(func() {
			for range 1 + g.r.IntN(3) {
				g.statement(depth - 1)
			}
			if g.chance(30) {
				g.line("error((%s), %d)", g.scalar(1), g.r.IntN(3))
			}
		}, true)
		g.line("end))")
	case 16:
		g.multiple()
	default:
		g.line("print(%s, %s)", g.scalar(3), g.scalar(3))
	}
}

func (g *generator) multiple() {
	a, ok := g.writable()
	b, ok2 := g.writable()
	if !ok || !ok2 {
		g.simple()
		return
	}
	if t := g.pick(list); t != "" && g.chance(40) {
		g.line("%s, %s[%s] = %s, some(%s)", a.name, t, g.one("1", "'a'", "2.5", "-1"), g.of(a.kind, 2), g.scalar(2))
		return
	}
	g.line("%s, %s = %s, %s", a.name, b.name, g.of(a.kind, 2), g.of(b.kind, 2))
}

// simple is an assignment, a call or a change of a table.
func (g *generator) simple() {
	v, ok := g.writable()
	switch g.r.IntN(9) {
	case 0, 1, 2:
		if ok {
			g.line("%s = %s", v.name, g.of(v.kind, 3))
			return
		}
	case 3:
		if t := g.pick(list); t != "" {
			switch g.r.IntN(4) {
			case 0:
				g.line("table.insert(%s, some(%s))", t, g.scalar(2))
			case 1:
				g.line("print(table.remove(%s))", t)
			case 2:
				g.line("do local v = some(%s) %s[#%s + 1] = v end", g.scalar(2), t, t) // which may make the list shorter
			default:
				g.line("if #%s > 0 then %s[1 + %s %% #%s] = some(%s) end", t, t, g.integer(2), t, g.scalar(2))
			}
			return
		}
	case 4, 5:
		if t := g.pick(record); t != "" {
			g.line("%s.%s = %s", t, g.field(), g.scalar(2))
			return
		}
	case 6:
		if f := g.pick(function); f != "" {
			g.line("print(%s(%s, %s))", f, g.scalar(2), g.scalar(1))
			return
		}
	case 7:
		if g.yields {
			g.line("print(coroutine.yield(%s))", g.scalar(2))
			return
		}
		// What is wrong with a value is said by its name.
		g.line("local _ = %s", g.misuse())
		return
	}
	g.line("print(%s)", g.scalar(3))
}

// misuse is an expression that is likely to raise an error.
func (g *generator) misuse() string {
	v := g.pick(anything)
	if v == "" {
		v = "undefined"
	}
	switch g.r.IntN(9) {
	case 0:
		return v + ".a.b"
	case 1:
		return v + "()"
	case 2:
		return v + ":m()"
	case 3:
		return "#" + v
	case 4:
		return "-" + v
	case 5:
		return v + " < " + g.scalar(1)
	case 6:
		return v + " .. " + g.of(g.kind(), 1)
	case 7:
		return "global_" + v + ".x"
	}
	return v + " " + g.one("+", "-", "*", "//", "%", "&", "|", "<<", "~") + " " + g.scalar(1)
}

func (g *generator) loop(depth int) {
	if g.loops >= 2 {
		g.simple()
		return
	}
	g.loops++
	defer func() { g.loops-- }()
	v := g.fresh(number)
	v.fixed = true
	switch g.r.IntN(6) {
	case 0:
		g.line("for %s = %s, %s, %s do", v.name, g.numeral(), g.numeral(), g.one("1", "-1", "2", "0.5", "3", "-2"))
		g.limited(v, depth)
	case 1, 2:
		g.line("for %s = %d, %d do", v.name, g.r.IntN(4), g.r.IntN(7))
		g.limited(v, depth)
	case 3:
		x := g.fresh(anything)
		x.fixed = true
		g.line("for %s, %s in ipairs(%s) do", v.name, x.name, g.of(list, 2))
		n := len(g.vars)
		g.vars = append(g.vars, x)
		g.limited(v, depth)
		g.vars = g.vars[:n]
	case 4:
		g.line("local %s = 0", v.name)
		g.line("while %s < %d do", v.name, 1+g.r.IntN(5))
		g.line(" %s = %s + 1", v.name, v.name)
		g.limited(v, depth)
	default:
		g.line("local %s = 0", v.name)
		g.line("repeat local inner = %s", g.scalar(2))
		g.line(" %s = %s + 1", v.name, v.name)
		g.block(depth, 2)
		g.line("until %s > %d or inner == %s", v.name, 1+g.r.IntN(4), g.scalar(1))
	}
}

// limited is the body of a loop over v: it counts, since limits may be far away.
func (g *generator) limited(v variable, depth int) {
	n := len(g.vars)
	g.vars = append(g.vars, v)
	g.indent++
	g.line("if tick() then break end")
	g.indent--
	g.block(depth, 3)
	if g.chance(20) {
		g.line(" if %s then break end", g.condition(2))
	}
	if g.chance(15) {
		g.line(" hold(function() return %s end)", v.name)
	}
	g.line("end")
	g.vars = g.vars[:n]
}

func (g *generator) function(depth int) {
	v := g.fresh(function)
	a, b := g.fresh(anything), g.fresh(anything)
	vararg := g.chance(40)
	params := a.name + ", " + b.name
	if vararg {
		params += ", ..."
	}
	g.line("local function %s(%s)", v.name, params)
	g.body(func() {
		g.vars = append(g.vars, a, b)
		g.line("if tick() then return end")
		for range 1 + g.r.IntN(3) {
			g.statement(depth - 1)
		}
		switch g.r.IntN(4) {
		case 0:
			g.line("return %s", g.scalar(3))
		case 1:
			g.line("return %s, %s", g.scalar(2), g.scalar(2))
		case 2:
			if f := g.pick(function); f != "" {
				g.line("return %s(%s)", f, g.scalar(2))
			}
		}
	}, vararg)
	g.line("end")
	g.vars = append(g.vars, v)
}

// closing declares a variable whose end is seen.
func (g *generator) closing(depth int) {
	g.line("do")
	g.indent++
	g.next++
	raise := ""
	if g.chance(20) {
		raise = fmt.Sprintf(" error('close%d')", g.next)
	}
	g.line("local c%d <close> = meta({}, {__close = function(o, e) print('close', %d, e)%s end})", g.next, g.next, raise)
	g.indent--
	g.block(depth, 3)
	if g.chance(25) {
		g.line(" error((%s))", g.scalar(1))
	}
	g.line("end")
}

// object declares a table with metamethods.
func (g *generator) object(depth int) {
	v := g.fresh(record)
	g.line("local %s = meta({a = %s, b = %s}, {", v.name, g.scalar(1), g.scalar(1))
	g.indent++
	names := []string{
		"__add", "__sub", "__mul", "__div", "__mod", "__pow", "__idiv", "__band", "__bor", "__bxor", "__shl", "__shr", "__concat",
		"__unm", "__bnot", "__len", "__eq", "__lt", "__le", "__index", "__newindex", "__call", "__tostring",
	}
	g.r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names[:1+g.r.IntN(8)] {
		if name == "__index" && g.chance(40) {
			g.line("__index = {c = %s, m = function(self, x) return x end},", g.scalar(1))
			continue
		}
		if name == "__newindex" {
			g.line("__newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,")
			continue
		}
		if name == "__tostring" {
			was := g.vararg
			g.vararg = false
			g.line("__tostring = function() return %s end,", g.of(text, 1))
			g.vararg = was
			continue
		}
		g.line("%s = function(x, y)", name)
		g.body(func() {
			g.line("if tick() then return 1 end")
			if g.chance(30) {
				g.statement(depth - 1)
			}
			g.line("return %s", g.scalar(2))
		}, false)
		g.line("end,")
	}
	g.indent--
	g.line("})")
	g.vars = append(g.vars, v)
}

func (g *generator) coroutine(depth int) {
	if g.yields {
		g.simple()
		return
	}
	g.next++
	name := fmt.Sprintf("co%d", g.next)
	g.line("local %s = coroutine.%s(function(...)", name, "create")
	was := g.yields
	g.yields = true
	g.body(func() {
		for range 1 + g.r.IntN(3) {
			g.statement(depth - 1)
		}
		switch g.r.IntN(4) {
		case 0:
			g.line("print(pcall(function() print(coroutine.yield(%s)) %s end))", g.scalar(1), g.one("", "error('inside')", "local x = nil + 1"))
		case 1:
			g.line("for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end")
		case 2:
			g.line("print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + %s)", g.scalar(1))
		}
		g.line("return %s", g.scalar(2))
	}, true)
	g.yields = was
	g.line("end)")
	for range 1 + g.r.IntN(4) {
		g.line("print(coroutine.resume(%s, %s))", name, g.scalar(1))
	}
	g.line("print(coroutine.status(%s))", name)
	if g.chance(30) {
		g.line("print(coroutine.close(%s))", name)
	}
}

func (g *generator) goTo(depth int) {
	g.labels++
	n := g.labels
	switch g.r.IntN(2) {
	case 0:
		g.line("do")
		g.line(" if %s then goto l%d end", g.condition(1), n)
		g.block(depth, 2)
		g.line(" ::l%d::", n)
		g.line("end")
	default:
		if g.loops >= 2 {
			g.simple()
			return
		}
		g.loops++
		g.line("for i = 1, %d do", 2+g.r.IntN(4))
		g.line(" if tick() then break end")
		g.line(" if i %% 2 == %d then goto continue%d end", g.r.IntN(2), n)
		g.block(depth, 2)
		g.line(" ::continue%d::", n)
		g.line("end")
		g.loops--
	}
}
