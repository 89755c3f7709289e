package lua

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// openAssert sets the table assert. It can be called too, as the function of that name that it takes the place of.
func (vm *VM) openAssert() {
	find := vm.state.Globals.GetField("string").AsTable().GetField("find")
	t := vm.lib("assert", map[string]builtin{
		"contains": assertContains, "eq": assertEq, "gt": assertGt, "lt": assertLt, "ne": assertNe, "not_nil": assertNotNil, "options": assertOptions,
		"matches": func(c call) int { return assertMatches(c, find) },
	})
	t.Meta = vm.state.NewTable(0, 1)
	t.Meta.SetField("__call", vm.fn("assert", func(c call) int {
		if c.N() < 2 {
			c.Bad(1, "value expected")
		}
		if c.Arg(2).Truth() {
			return c.Return(c.Args(2)...)
		}
		c.FailIf(c.N() < 3, "assertion failed!")
		if s, ok := c.Arg(3).AsString(); ok {
			c.Fail("%s", s)
		}
		c.Raise(c.Arg(3))
		return 0
	}))
}

// failed raises that an assertion does not hold, with the script's own message.
func (c call) failed(what string, i int) {
	msg := c.name + " failed: " + what
	if !c.absent(i) {
		msg += " - " + c.ToString(c.Arg(i))
	}
	c.Fail("%s", msg)
}

// maxShown is how much of a value a failure shows.
const maxShown = 500

// show returns a value as failures quote it: a table as JSON if it has one.
func (c call) show(v value) string {
	var s string
	if v.AsTable() != nil && c.Metamethod(v, "__tostring").IsNil() {
		b, err := c.appendJSON(nil, v)
		if err != nil {
			return c.ToString(v)
		}
		s = string(b)
	} else {
		s = c.ToString(v)
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
	if _, ok := v.AsString(); ok {
		return strconv.Quote(c.show(v))
	}
	return `"` + c.show(v) + `"`
}

func assertEq(c call) int {
	if !c.same(c.Arg(1), c.Arg(2), 0) {
		c.failed(c.quoted(c.Arg(1))+" != "+c.quoted(c.Arg(2)), 3)
	}
	return 0
}

func assertNe(c call) int {
	if c.same(c.Arg(1), c.Arg(2), 0) {
		c.failed(c.quoted(c.Arg(1))+" == "+c.quoted(c.Arg(2)), 3)
	}
	return 0
}

// same compares by value, tables by what they hold.
func (c call) same(a, b value, depth int) bool {
	x, okA := a.Number()
	y, okB := b.Number()
	if okA && okB {
		m, okA := a.Integer()
		n, okB := b.Integer()
		if okA && okB {
			return m == n
		}
		return x == y || math.Abs(x-y) <= 0x1p-52
	}
	s, t := a.AsTable(), b.AsTable()
	if c.Equal(a, b) {
		return true
	}
	if s == nil || t == nil {
		return false
	}
	if depth > maxNesting {
		c.Fail("%s: %v", c.name, errNesting)
	}
	c.Step(1)
	return c.holds(s, t, depth, true) && c.holds(t, s, depth, false)
}

// holds reports whether t has every key of s, and its value too if deep.
func (c call) holds(s, t *table, depth int, deep bool) bool {
	for k, v := range s.All() {
		if w := t.Get(k); w.IsNil() || deep && !c.same(v, w, depth+1) {
			return false
		}
	}
	return true
}

func assertGt(c call) int { return c.ordered(">", func(x, y value) bool { return c.Less(y, x) }) }
func assertLt(c call) int { return c.ordered("<", func(x, y value) bool { return c.Less(x, y) }) }

func (c call) ordered(op string, holds func(x, y value) bool) int {
	_, okA := c.Arg(1).Number()
	_, okB := c.Arg(2).Number()
	c.refuse(!okA || !okB, "both arguments must be numbers")
	if !holds(c.Arg(1), c.Arg(2)) {
		c.failed(c.ToString(c.Arg(1))+" is not "+op+" "+c.ToString(c.Arg(2)), 3)
	}
	return 0
}

// strings returns the first two arguments, which have to be some.
func (c call) strings() (string, string) {
	s, ok := c.Arg(1).AsString()
	c.refuse(!ok, "first argument must be a string")
	t, ok := c.Arg(2).AsString()
	c.refuse(!ok, "second argument must be a string")
	return s, t
}

func assertContains(c call) int {
	s, sub := c.strings()
	if !strings.Contains(s, sub) {
		c.failed(c.quoted(c.Arg(1))+" does not contain "+c.quoted(c.Arg(2)), 3)
	}
	return 0
}

func assertNotNil(c call) int {
	if c.absent(1) {
		c.failed("value is nil", 2)
	}
	return 0
}

// assertOptions returns a table of options, an empty one for nil, and raises for a name that is not one of those in its second
// argument, which blanks separate. The error is without a place, because it is the caller of a module who made it.
func assertOptions(c call) int {
	names, who := strings.Fields(c.Str(2)), c.OptStr(3, "options")
	if c.absent(1) || c.Arg(1).IsNull() {
		return c.Return(c.newRecord(0).Of())
	}
	t, ok := c.asTable(1)
	if !ok {
		c.Raise(c.NewString(fmt.Sprintf("%s: options must be a table, not a %s", who, c.Arg(1).TypeName())))
	}
	if name, found := unknownName(t, names); found {
		c.Raise(c.NewString(fmt.Sprintf("%s: unknown option %q%s", who, name, suggestion(name, names))))
	}
	return c.Return(t.Of())
}

func assertMatches(c call, find value) int {
	c.strings()
	if c.Call1(find, c.Arg(1), c.Arg(2)).IsNil() {
		c.failed(c.quoted(c.Arg(1))+" does not match pattern "+c.quoted(c.Arg(2)), 3)
	}
	return 0
}
