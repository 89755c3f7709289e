package vm

import (
	"strings"
)

// openLibs sets the globals that programs find.
func (st *State) openLibs() {
	st.openBase()
	st.openCoroutine()
	st.openString()
	st.openTable()
	st.openMath()
	st.openUTF8()
	st.openOS()
}

// set sets a field of a library, by the object that stands for its name in all code.
func (st *State) set(t *Table, name string, v Value) {
	t.setStr(st.intern(constant(name)), v)
}

func (st *State) SetGlobal(name string, v Value) { st.set(st.Globals, name, v) }

// fill adds functions to a table, in the order of their names. Functions and names are
// allocated at once, since every State makes them.
func (st *State) fill(t *Table, names string, fns ...func(Call) int) {
	list, strs := make([]GoFunction, len(fns)), make([]String, len(fns))
	i := 0
	for name := range strings.FieldsSeq(names) {
		s, f := &strs[i], &list[i]
		*s = String{header: header{kind: KindString, flags: flagShared}, s: name}
		s.hashed()
		*f = GoFunction{header: header{kind: KindGo}, name: name, fn: fns[i]}
		t.setStr(st.intern(s), Value{p: ptr(f)})
		i++
	}
	st.alloc(64 * int64(len(fns)))
}

func (st *State) special(name string, s special, fn func(Call) int) Value {
	f := st.NewFunction(name, fn)
	(*GoFunction)(f.p).special = s
	return f
}

func (st *State) openBase() {
	g := st.Globals
	st.fill(g, "assert collectgarbage getmetatable ipairs load print rawequal rawget rawlen rawset select setmetatable tonumber tostring type",
		baseAssert, baseCollectGarbage, baseGetMetatable, baseIpairs, baseLoad, basePrint, baseRawEqual, baseRawGet, baseRawLen,
		baseRawSet, baseSelect, baseSetMetatable, baseToNumber, baseToString, baseType)
	st.set(g, "error", st.special("error", spError, nil))
	st.set(g, "pcall", st.special("pcall", spPcall, nil))
	st.set(g, "xpcall", st.special("xpcall", spXpcall, nil))
	st.set(g, "pairs", st.special("pairs", spPairs, nil))
	next := st.special("next", spNext, baseNext)
	st.next = (*GoFunction)(next.p)
	st.set(g, "next", next)
	st.inext = st.NewFunction("ipairs_next", ipairsNext)
	st.set(g, "_G", g.Of())
	st.set(g, "_VERSION", Str("Lua 5.4"))
}

func baseAssert(c Call) int {
	if c.Any(1).Truth() {
		for i := 1; i <= c.n; i++ {
			c.Push(c.Arg(i))
		}
		return c.n
	}
	v := Str("assertion failed!")
	if c.n > 1 {
		v = c.Arg(2)
	}
	if s, ok := v.AsString(); ok {
		v = Str(c.Where(1) + s)
	}
	c.Raise(v)
	return 0
}

// baseCollectGarbage answers the questions of programs; when garbage is collected is not
// its affair.
func baseCollectGarbage(c Call) int {
	switch opt := c.OptStr(1, "collect"); opt {
	case "collect", "setpause", "setstepmul":
		return c.Return(Int(0))
	case "stop", "restart":
		return c.Return(Int(0))
	case "incremental", "generational":
		before := "incremental"
		if c.th.st.generational {
			before = "generational"
		}
		c.th.st.generational = opt == "generational"
		return c.Return(Str(before))
	case "count":
		return c.Return(Float(float64(c.th.st.used) / 1024))
	case "step", "isrunning":
		return c.Return(Bool(true))
	default:
		c.Bad(1, "invalid option '%s'", opt)
	}
	return 0
}

func baseGetMetatable(c Call) int {
	v := c.Any(1)
	mt := c.th.st.metatable(v)
	if mt == nil {
		return c.Return(Nil)
	}
	if p := c.th.st.fromMeta(mt, evMetatable); p.p != nil {
		return c.Return(p)
	}
	return c.Return(mt.Of())
}

func baseSetMetatable(c Call) int {
	t := c.Table(1)
	mt := c.Arg(2).AsTable()
	if mt == nil && (c.n < 2 || !c.Arg(2).IsNil()) {
		c.Expected(2, "nil or table")
	}
	c.FailIf(c.th.st.metamethod(t.Of(), evMetatable).p != nil, "cannot change a protected metatable")
	t.Meta = mt
	t.flags &^= flagObject
	return c.Return(t.Of())
}

func baseIpairs(c Call) int { return c.Return(c.th.st.inext, c.Any(1), Int(0)) }

func ipairsNext(c Call) int {
	i := c.Int(2) + 1
	var v Value
	if t := c.Arg(1).AsTable(); t != nil && t.Meta == nil {
		v = t.GetInt(i)
	} else {
		v = c.Index(c.Arg(1), Int(i))
	}
	if v.p == nil {
		return c.Return(Nil)
	}
	return c.Return(Int(i), v)
}

func baseNext(c Call) int {
	k, v, ok := c.Table(1).Next(c.Arg(2))
	if !ok {
		c.Raise(Str("invalid key to 'next'"))
	}
	if k.p == nil {
		return c.Return(Nil)
	}
	return c.Return(k, v)
}

func baseLoad(c Call) int {
	src, isText := "", false
	v := c.Arg(1)
	var name string
	if s, ok := v.AsString(); ok {
		src, isText = s, true
		name = c.OptStr(2, s)
	} else {
		c.Function(1)
		name = c.OptStr(2, "=(load)")
	}
	mode := c.OptStr(3, "bt")
	if !isText {
		var b strings.Builder
		for {
			piece, err := c.PCall(v)
			if err != nil {
				return c.Return(Nil, err.Value)
			}
			if len(piece) == 0 || piece[0].IsNil() {
				break
			}
			s, ok := piece[0].AsString()
			if !ok {
				return c.Return(Nil, Str("reader function must return a string"))
			}
			if s == "" {
				break
			}
			c.Room(int64(len(s)))
			c.Used(int64(len(s)))
			b.WriteString(s)
		}
		src = b.String()
	}
	if strings.HasPrefix(src, "\x1bLua") {
		return c.Return(Nil, Str("attempt to load a binary chunk (mode is '"+mode+"')"))
	}
	if !strings.Contains(mode, "t") {
		return c.Return(Nil, Str("attempt to load a text chunk (mode is '"+mode+"')"))
	}
	c.Room(20 * int64(len(src))) // of its tree and code
	p, err := Compile(name, src)
	if err != nil {
		return c.Return(Nil, Str(err.Error()))
	}
	cl := c.th.st.Load(p, Nil)
	if c.n >= 4 && len(cl.upvals) > 0 {
		*cl.upvals[0].v = c.Arg(4)
	}
	return c.Return(cl.Of())
}

func basePrint(c Call) int {
	var b []byte
	for i := 1; i <= c.n; i++ {
		if i > 1 {
			b = append(b, '\t')
		}
		b = append(b, c.ToString(c.Arg(i))...)
	}
	b = append(b, '\n')
	return c.print(b)
}

func (c Call) print(b []byte) int {
	w := c.th.st.opts.Stdout
	if w != nil {
		if _, err := w.Write(b); err != nil {
			c.Fail("print: %v", err)
		}
	}
	return 0
}

func baseRawEqual(c Call) int { return c.Return(Bool(rawEqual(c.Any(1), c.Any(2)))) }

func baseRawGet(c Call) int { return c.Return(c.Table(1).Get(c.Any(2))) }

func baseRawLen(c Call) int {
	if t := c.Arg(1).AsTable(); t != nil {
		return c.Return(Int(t.Len()))
	}
	s, ok := c.Arg(1).AsString()
	if !ok {
		c.Expected(1, "table or string")
	}
	return c.Return(Int(int64(len(s))))
}

func baseRawSet(c Call) int {
	t := c.Table(1)
	c.RawSet(t, c.Any(2), c.Any(3))
	return c.Return(t.Of())
}

func baseSelect(c Call) int {
	if s, ok := c.Arg(1).AsString(); ok && s == "#" {
		return c.Return(Int(int64(c.n - 1)))
	}
	n := c.Int(1)
	switch {
	case n < 0:
		n += int64(c.n)
	case n >= int64(c.n):
		return 0
	}
	if n < 1 {
		c.Bad(1, "index out of range")
	}
	return c.n - int(n)
}

func baseToNumber(c Call) int {
	if c.Arg(2).IsNil() {
		return c.Return(toNumber(c.Any(1)))
	}
	base := c.Int(2)
	s, ok := c.Arg(1).AsString()
	if !ok {
		c.Expected(1, "string")
	}
	if base < 2 || base > 36 {
		c.Bad(2, "base out of range")
	}
	return c.Return(parseBase(s, uint64(base)))
}

// parseBase reads an integer of a base; digits beyond 64 bits wrap around.
func parseBase(s string, base uint64) Value {
	s = strings.Trim(s, " \t\n\v\f\r")
	neg := strings.HasPrefix(s, "-")
	if neg || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	if s == "" {
		return Nil
	}
	var n uint64
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		d := uint64(strings.IndexByte("0123456789abcdefghijklmnopqrstuvwxyz", c))
		if d >= base {
			return Nil
		}
		n = n*base + d
	}
	if neg {
		n = -n
	}
	return Int(int64(n))
}

func baseToString(c Call) int { return c.Return(c.toString(c.Any(1)).Of()) }

func baseType(c Call) int { return c.Return(c.th.st.typeValues[c.Any(1).Kind()]) }
