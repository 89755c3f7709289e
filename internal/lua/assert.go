package lua

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// openAssert sets the table assert. It can be called too, as the function of that
// name that it takes the place of.
func (vm *VM) openAssert() {
	t := lib("assert.", map[string]builtin{
		"contains": assertContains, "eq": assertEq, "gt": assertGt, "lt": assertLt, "matches": assertMatches,
		"ne": assertNe, "not_nil": assertNotNil,
	})
	mt := newRecord(4)
	mt.RawSetString("__call", fn("assert", func(c call) int {
		if c.n() < 2 {
			c.bad(1, "value expected")
		}
		if truth(c.arg(2)) {
			return c.n() - 1
		}
		if c.n() < 3 {
			c.fail("assertion failed!")
		}
		c.raise(c.arg(3))
		return 0
	}))
	setMetatable(t, mt)
	vm.setGlobal("assert", t)
}

// failed raises that an assertion does not hold, with the script's own message.
func (c call) failed(what string, i int) {
	msg := c.name + " failed: " + what
	if !c.absent(i) {
		msg += " - " + c.tostring(c.arg(i))
	}
	c.fail("%s", msg)
}

// maxShown is how much of a value a failure shows.
const maxShown = 500

// show returns a value as failures quote it: a table as JSON if it has one.
func (c call) show(v value) string {
	var s string
	if t, ok := v.(*table); ok && c.meta(t, "__tostring") == none {
		b, err := c.appendJSON(nil, t)
		if err != nil {
			return c.tostring(v)
		}
		s = string(b)
	} else {
		s = c.tostring(v)
	}
	if len(s) > maxShown {
		cut := maxShown
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "… (" + strconv.Itoa(len(s)) + " bytes)"
	}
	return s
}

func (c call) quoted(v value) string {
	if s, ok := isString(v); ok {
		return strconv.Quote(c.show(str(s)))
	}
	return `"` + c.show(v) + `"`
}

func assertEq(c call) int {
	if !c.same(c.arg(1), c.arg(2), 0) {
		c.failed(c.quoted(c.arg(1))+" != "+c.quoted(c.arg(2)), 3)
	}
	return 0
}

func assertNe(c call) int {
	if c.same(c.arg(1), c.arg(2), 0) {
		c.failed(c.quoted(c.arg(1))+" == "+c.quoted(c.arg(2)), 3)
	}
	return 0
}

// same compares by value, tables by what they hold.
func (c call) same(a, b value, depth int) bool {
	x, okA := toFloat(a)
	y, okB := toFloat(b)
	if okA && okB {
		m, okA := toInt(a)
		n, okB := toInt(b)
		if okA && okB {
			return m == n
		}
		return x == y || math.Abs(x-y) <= 0x1p-52
	}
	s, okA := a.(*table)
	t, okB := b.(*table)
	if !okA || !okB {
		return c.equal(a, b)
	}
	if s == t || c.equal(a, b) {
		return true
	}
	if depth > maxNesting {
		c.fail("%s: %v", c.name, errNesting)
	}
	c.check()
	return c.holds(s, t, depth, true) && c.holds(t, s, depth, false)
}

// holds reports whether t has every key of s, and its value too if deep.
func (c call) holds(s, t *table, depth int, deep bool) bool {
	ok := true
	each(s, func(k, v value) bool {
		w := t.RawGet(k)
		ok = w != none && (!deep || c.same(v, w, depth+1))
		return ok
	})
	return ok
}

func assertGt(c call) int { return c.ordered(">", func(x, y value) bool { return lessThan(c, y, x) }) }
func assertLt(c call) int { return c.ordered("<", func(x, y value) bool { return lessThan(c, x, y) }) }

func (c call) ordered(op string, holds func(x, y value) bool) int {
	_, okA := toFloat(c.arg(1))
	_, okB := toFloat(c.arg(2))
	if !okA || !okB {
		c.fail("%s: both arguments must be numbers", c.name)
	}
	if !holds(c.arg(1), c.arg(2)) {
		c.failed(c.tostring(c.arg(1))+" is not "+op+" "+c.tostring(c.arg(2)), 3)
	}
	return 0
}

// strings returns the first two arguments, which have to be some.
func (c call) strings() (string, string) {
	s, ok := isString(c.arg(1))
	if !ok {
		c.fail("%s: first argument must be a string", c.name)
	}
	t, ok := isString(c.arg(2))
	if !ok {
		c.fail("%s: second argument must be a string", c.name)
	}
	return s, t
}

func assertContains(c call) int {
	s, sub := c.strings()
	if !strings.Contains(s, sub) {
		c.failed(c.quoted(str(s))+" does not contain "+c.quoted(str(sub)), 3)
	}
	return 0
}

func assertNotNil(c call) int {
	if c.absent(1) {
		c.failed("value is nil", 2)
	}
	return 0
}

func assertMatches(c call) int {
	s, p := c.strings()
	m := c.matcher(c.pattern(p, true), s)
	if _, _, ok := m.Find(0); !ok {
		c.failed(c.quoted(str(s))+" does not match pattern "+c.quoted(str(p)), 3)
	}
	return 0
}
