package lua

import (
	"math"
	"sort"
	"strings"
)

func (vm *VM) openTable() {
	vm.setGlobal("table", lib("", map[string]builtin{
		"concat": tabConcat, "insert": tabInsert, "move": tabMove, "pack": tabPack, "remove": tabRemove, "sort": tabSort, "unpack": tabUnpack,
	}))
}

func tabConcat(c call) int {
	t := c.table(1)
	sep := c.optStr(2, "")
	from, to := c.optInt(3, 1), c.optInt(4, math.MinInt64)
	if to == math.MinInt64 {
		to = c.length(t)
	}
	if from > to {
		return c.ret(str(""))
	}
	var b strings.Builder
	seen := 0
	for i := from; ; i++ {
		c.at(i - from)
		s, ok := text(c.element(t, i))
		if !ok {
			c.fail("invalid value (at index %d) in table for 'concat'", i)
		}
		c.room(int64(len(s) + len(sep)))
		b.WriteString(s)
		if i == to {
			break
		}
		b.WriteString(sep)
		c.grown(b.Len(), &seen)
	}
	return c.ret(str(b.String()))
}

// element returns t[i].
func (c call) element(t *table, i int64) value {
	if 0 < i && i < math.MaxInt32 {
		if v := t.RawGetInt(int(i)); v != none {
			return v
		}
	}
	return c.index(t, whole(i))
}

func tabInsert(c call) int {
	t := c.table(1)
	n := c.length(t)
	switch c.n() {
	case 2:
		c.put(t, n+1, c.arg(2))
	case 3:
		pos := c.int(2)
		if pos < 1 || pos > n+1 {
			c.bad(2, "position out of bounds")
		}
		if plainTable(t) {
			c.room(gap(t, whole(n+1)))
			t.Insert(int(pos), c.arg(3))
			break
		}
		for i := n + 1; i > pos; i-- {
			c.at(n - i + 1)
			c.put(t, i, c.element(t, i-1))
		}
		c.put(t, pos, c.arg(3))
	default:
		c.fail("wrong number of arguments to 'insert'")
	}
	return 0
}

// put sets t[i].
func (c call) put(t *table, i int64, v value) {
	if plainTable(t) {
		c.rawSet(t, whole(i), v)
		return
	}
	c.setIndex(t, whole(i), v)
}

func tabRemove(c call) int {
	t := c.table(1)
	n := c.length(t)
	pos := n
	if c.n() > 1 {
		pos = c.int(2)
		if n+1 != pos && (pos < 1 || pos > n+1) && (n != 0 || pos != 0) {
			c.bad(2, "position out of bounds")
		}
	}
	v := c.element(t, pos)
	switch {
	case pos < 1 || pos > n:
		c.put(t, pos, none)
	case plainTable(t):
		t.Remove(int(pos))
	default:
		for ; pos < n; pos++ {
			c.at(pos)
			c.put(t, pos, c.element(t, pos+1))
		}
		c.put(t, n, none)
	}
	return c.ret(v)
}

func tabMove(c call) int {
	from, f, e, t := c.table(1), c.int(2), c.int(3), c.int(4)
	to := from
	if !c.absent(5) {
		to = c.table(5)
	}
	if e < f {
		return c.ret(to)
	}
	if f <= 0 && e >= math.MaxInt64+f {
		c.bad(3, "too many elements to move")
	}
	if t > math.MaxInt64-(e-f) {
		c.bad(4, "destination wrap around")
	}
	move := func(i int64) {
		c.at(i)
		c.put(to, t+i, c.element(from, f+i))
	}
	if t > e || t <= f || to != from {
		for i := int64(0); i <= e-f; i++ {
			move(i)
		}
	} else {
		for i := e - f; i >= 0; i-- {
			move(i)
		}
	}
	return c.ret(to)
}

func tabPack(c call) int {
	n := c.n()
	c.room(int64(n) * slot)
	t := newTable(n)
	for i := 1; i <= n; i++ {
		t.RawSetInt(i, c.arg(i))
	}
	t.RawSetString("n", count(n))
	return c.ret(t)
}

func tabUnpack(c call) int {
	v := c.arg(1)
	from := c.optInt(2, 1)
	var to int64
	if c.absent(3) {
		to = c.length(v)
	} else {
		to = c.int(3)
	}
	if from > to {
		return 0
	}
	if n := uint64(to) - uint64(from); n >= maxResults {
		c.fail("too many results to unpack")
	}
	c.room((to - from) * slot)
	t, ok := v.(*table)
	for i := from; ; i++ {
		c.at(i - from)
		if ok {
			c.ret(c.element(t, i))
		} else {
			c.ret(c.index(v, whole(i)))
		}
		if i == to {
			break
		}
	}
	return int(to-from) + 1
}

// slot is what an element takes in a table, a stack or a list.
const slot = 16

// A sorter sorts elements by <, or by what a function of Lua says.
type sorter struct {
	c     call
	list  []value
	less  func(a, b value) bool
	count int64
}

func (s *sorter) Len() int      { return len(s.list) }
func (s *sorter) Swap(i, j int) { s.list[i], s.list[j] = s.list[j], s.list[i] }
func (s *sorter) Less(i, j int) bool {
	s.count++
	s.c.at(s.count)
	return s.less(s.list[i], s.list[j])
}

func tabSort(c call) int {
	t := c.table(1)
	n := c.length(t)
	if n >= math.MaxInt32 {
		c.bad(1, "array too big")
	}
	s := &sorter{c: c, less: c.less}
	if !c.absent(2) {
		f := c.function(2)
		s.less = func(a, b value) bool { return truth(c.apply(f, a, b)) }
	}
	// A length is what a metatable says: memory is taken for what is read, and not for it.
	for i := range n {
		c.at(i)
		if len(s.list) == cap(s.list) {
			c.room(int64(2*cap(s.list)+1) * slot)
		}
		s.list = append(s.list, c.element(t, i+1))
	}
	sort.Sort(s)
	for i, v := range s.list {
		c.at(int64(i))
		c.put(t, int64(i+1), v)
	}
	return 0
}
