package lua

import (
	"errors"
	"io"
	"io/fs"
	"strings"
)

// openBase sets the basic functions. load, loadfile, dofile and collectgarbage
// are not among them: a script is what it was when it was checked.
func (vm *VM) openBase() {
	for name, f := range map[string]builtin{
		"error": baseError, "getmetatable": baseGetMetatable, "ipairs": baseIpairs, "next": baseNext, "pairs": basePairs,
		"pcall": basePcall, "print": basePrint, "rawequal": baseRawEqual, "rawget": baseRawGet, "rawlen": baseRawLen,
		"rawset": baseRawSet, "require": baseRequire, "select": baseSelect, "setmetatable": baseSetMetatable,
		"tonumber": baseToNumber, "tostring": baseToString, "type": baseType, "xpcall": baseXpcall,
	} {
		vm.setGlobal(name, fn(name, f))
	}
	vm.setGlobal("_G", vm.globals())
	vm.setGlobal("_VERSION", str("Lua 5.4"))
	vm.loaded = newRecord(4)
	vm.preload = newRecord(4)
	pkg := newRecord(4)
	pkg.RawSetString("loaded", vm.loaded)
	pkg.RawSetString("preload", vm.preload)
	vm.setGlobal("package", pkg)
}

func baseError(c call) int {
	v := c.arg(1)
	if s, ok := isString(v); ok {
		if level := c.optInt(2, 1); level > 0 && level < 1000 {
			v = str(c.place(int(level)) + s)
		}
	}
	c.raise(v)
	return 0
}

func baseGetMetatable(c call) int {
	mt := c.metatable(c.any(1))
	if mt == nil {
		return c.ret(none)
	}
	if v := mt.RawGetString("__metatable"); v != none {
		return c.ret(v)
	}
	return c.ret(mt)
}

func baseSetMetatable(c call) int {
	t := c.table(1)
	mt, ok := c.asTable(2)
	if !ok && (c.n() < 2 || !c.absent(2)) {
		c.expected(2, "nil or table")
	}
	if c.meta(t, "__metatable") != none {
		c.fail("cannot change a protected metatable")
	}
	setMetatable(t, mt)
	return c.ret(t)
}

func baseNext(c call) int {
	k, v := c.next(c.table(1), c.arg(2))
	if k == none {
		return c.ret(none)
	}
	return c.rets(k, v)
}

var nextFn = fn("next", baseNext)

func basePairs(c call) int {
	v := c.any(1)
	if m := c.meta(v, "__pairs"); m != none {
		out := append(c.applyAll(m, v), none, none, none)
		return c.rets(out[:3]...)
	}
	return c.rets(nextFn, c.table(1), none)
}

var ipairsFn = fn("ipairs", func(c call) int {
	i := c.int(2) + 1
	var v value
	if t, ok := c.asTable(1); ok {
		v = t.RawGetInt(int(i))
	}
	if v == none || v == nil {
		v = c.index(c.arg(1), whole(i))
	}
	if v == none {
		return c.ret(none)
	}
	return c.rets(whole(i), v)
})

func baseIpairs(c call) int { return c.rets(ipairsFn, c.any(1), count(0)) }

func basePcall(c call) int {
	f := c.any(1)
	return c.protected(f, nil, 2)
}

func baseXpcall(c call) int {
	h := c.function(2)
	return c.protected(c.arg(1), h, 3)
}

// protected calls f with the arguments from the i-th on.
func (c call) protected(f value, handler value, i int) int {
	out, raised := c.invoke(f, c.rest(i)...)
	if raised == nil {
		return c.ret(yes) + c.rets(out...)
	}
	c.check() // nobody catches the end
	if handler == nil {
		return c.rets(no, raised.value)
	}
	out, again := c.invoke(handler, raised.value)
	if again != nil {
		c.check()
		return c.rets(no, again.value)
	}
	return c.ret(no) + c.rets(out...)
}

func basePrint(c call) int {
	var b strings.Builder
	for i := 1; i <= c.n(); i++ {
		if i > 1 {
			b.WriteByte('\t')
		}
		s := c.tostring(c.arg(i))
		c.room(2 * int64(len(s)))
		b.WriteString(s)
	}
	b.WriteByte('\n')
	out := b.String()
	vm := c.vm()
	if vm.o.Policy != nil {
		out = vm.Redact(out)
	}
	if vm.o.Stdout != nil {
		if _, err := io.WriteString(vm.o.Stdout, out); err != nil {
			c.fail("print: %v", err)
		}
	}
	return 0
}

func baseRawEqual(c call) int { return c.ret(boolean(c.rawEqual(c.any(1), c.any(2)))) }
func baseRawGet(c call) int   { return c.ret(c.table(1).RawGet(c.any(2))) }

func baseRawLen(c call) int {
	if t, ok := c.asTable(1); ok {
		return c.ret(count(t.Len()))
	}
	s, ok := isString(c.arg(1))
	if !ok {
		c.bad(1, "table or string expected")
	}
	return c.ret(count(len(s)))
}

func baseRawSet(c call) int {
	t := c.table(1)
	c.rawSet(t, c.any(2), c.any(3))
	return c.ret(t)
}

func baseSelect(c call) int {
	if s, ok := isString(c.arg(1)); ok && s == "#" {
		return c.ret(count(c.n() - 1))
	}
	n := c.int(1)
	switch {
	case n < 0:
		n += int64(c.n())
	case n >= int64(c.n()):
		return 0
	}
	if n < 1 {
		c.bad(1, "index out of range")
	}
	return c.n() - int(n)
}

func baseToNumber(c call) int {
	if c.absent(2) {
		return c.ret(number(c.any(1)))
	}
	base := c.int(2)
	s, ok := isString(c.arg(1))
	if !ok {
		c.expected(1, "string")
	}
	if base < 2 || base > 36 {
		c.bad(2, "base out of range")
	}
	return c.ret(parseBase(s, int(base)))
}

func baseToString(c call) int { return c.ret(str(c.tostring(c.any(1)))) }
func baseType(c call) int     { return c.ret(str(typeName(c.any(1)))) }

// A loading is a module on its way: done is closed when it is there or not.
type loading struct {
	by   *task
	done chan struct{}
}

func baseRequire(c call) int {
	name := c.str(1)
	vm := c.vm()
	for {
		if v := vm.loaded.RawGetString(name); v != none {
			return c.ret(v)
		}
		l, mine := &loading{by: c.thread().task, done: make(chan struct{})}, true
		if was, ok := vm.loading.LoadOrStore(name, l); ok {
			l, mine = was.(*loading), false
		}
		if mine {
			defer func() {
				vm.loading.Delete(name)
				close(l.done)
			}()
			break
		}
		if l.by == c.thread().task {
			c.fail("loop in loading module '%s'", name)
		}
		c.await(l.done)
	}
	return c.rets(c.loadModule(name)...)
}

// loadModule runs a module and returns what it is and where it was found.
func (c call) loadModule(name string) []value {
	vm := c.vm()
	loader, chunk := vm.preload.RawGetString(name), ":preload:"
	if loader == none {
		src, file, err := vm.find(name)
		if errors.Is(err, fs.ErrNotExist) {
			c.fail("module '%s' not found", name)
		}
		if err != nil {
			c.fail("error loading module '%s': %v", name, err)
		}
		chunk = strings.TrimPrefix(file, "@")
		loader, err = c.thread().load(file, src)
		var bad *Error
		if errors.As(err, &bad) {
			c.fail("error loading module '%s' from file '%s':\n\t%s", name, chunk, bad.Message)
		}
	}
	v := c.apply(loader, str(name), str(chunk))
	if v != none {
		vm.loaded.RawSetString(name, v)
	} else if v = vm.loaded.RawGetString(name); v == none {
		v = yes
		vm.loaded.RawSetString(name, v)
	}
	return []value{v, str(chunk)}
}

func (vm *VM) find(name string) ([]byte, string, error) {
	if vm.o.Require == nil {
		return nil, "", fs.ErrNotExist
	}
	return vm.o.Require(name)
}
