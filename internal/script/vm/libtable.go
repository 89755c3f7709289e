package vm

import (
	"cmp"
	"math"
	"strings"

	"github.com/assay-dev/assay/internal/base/sorting"
)

func (st *State) openTable() {
	t := st.NewTable(0, 8)
	st.fill(t, "concat insert move pack remove sort unpack", tabConcat, tabInsert, tabMove, tabPack, tabRemove, tabSort, tabUnpack)
	st.SetGlobal("table", t.Of())
}

// list returns argument 1: a table, or a value with the metamethods of one.
func (c Call) list() (v Value, plain *Table) {
	v = c.Arg(1)
	if t := v.AsTable(); t != nil {
		if t.Meta == nil {
			plain = t
		}
		return v, plain
	}
	st := c.th.st
	if st.metamethod(v, evIndex).p == nil || st.metamethod(v, evNewIndex).p == nil || st.metamethod(v, evLen).p == nil {
		c.Expected(1, "table")
	}
	return v, nil
}

// element returns v[i], which is t[i] unless t is nil.
func (c Call) element(v Value, t *Table, i int64) Value {
	if t != nil {
		return t.GetInt(i)
	}
	return c.Index(v, Int(i))
}

func (c Call) put(v Value, t *Table, i int64, x Value) {
	if t != nil {
		t.SetInt(i, x)
		return
	}
	c.setIndex(v, Int(i), x)
}

func tabConcat(c Call) int {
	v, t := c.list()
	sep := c.OptStr(2, "")
	from := c.OptInt(3, 1)
	var to int64
	if c.Arg(4).IsNil() {
		to = c.Length(v)
	} else {
		to = c.Int(4)
	}
	var b []byte
	seen := 0
	for i := from; i <= to; i++ {
		x := c.element(v, t, i)
		switch {
		case x.Kind() == KindString:
			b = append(b, (*String)(x.p).s...)
		case x.IsNumber():
			b = appendNumber(b, x)
		default:
			c.Fail("invalid value (%s) at index %d in table for 'concat'", x.TypeName(), i)
		}
		if i == to {
			break
		}
		b = append(b, sep...)
		c.th.st.step(1)
		if len(b)-seen > 1<<16 {
			seen = len(b)
			c.Room(int64(2 * len(b)))
		}
	}
	return c.Return(c.Bytes(b))
}

func tabInsert(c Call) int {
	v, t := c.list()
	n := c.Length(v)
	switch c.n {
	case 2:
		c.put(v, t, n+1, c.Arg(2))
	case 3:
		pos := c.Int(2)
		if uint64(pos-1) > uint64(n) {
			c.Bad(2, "position out of bounds")
		}
		if t != nil && n == int64(len(t.arr)) && c.Arg(3).p != nil && pos <= n {
			t.push(t.arr[n-1])
			if int64(len(t.arr)) > n {
				c.th.st.step(int(n-pos) / 64)
				copy(t.arr[pos:n], t.arr[pos-1:n-1])
				t.SetInt(pos, c.Arg(3))
				break
			}
		}
		for i := n + 1; i > pos; i-- {
			c.th.st.step(1)
			c.put(v, t, i, c.element(v, t, i-1))
		}
		c.put(v, t, pos, c.Arg(3))
	default:
		c.Fail("wrong number of arguments to 'insert'")
	}
	return 0
}

func tabRemove(c Call) int {
	v, t := c.list()
	n := c.Length(v)
	pos := n
	if c.n > 1 {
		pos = c.Int(2)
		if uint64(n)+1 != uint64(pos) && uint64(pos-1) >= uint64(n)+1 && (n != 0 || pos != 0) {
			c.Bad(1, "position out of bounds")
		}
	}
	x := c.element(v, t, pos)
	if t != nil && pos >= 1 && pos <= n && n == int64(len(t.arr)) {
		c.th.st.step(int(n-pos) / 64)
		copy(t.arr[pos-1:], t.arr[pos:])
		t.SetInt(n, Nil)
		return c.Return(x)
	}
	for ; pos < n; pos++ {
		c.th.st.step(1)
		c.put(v, t, pos, c.element(v, t, pos+1))
	}
	c.put(v, t, pos, Nil)
	return c.Return(x)
}

func tabMove(c Call) int {
	v, t := c.list()
	f, e, at := c.Int(2), c.Int(3), c.Int(4)
	to, tt := v, t
	if !c.Arg(5).IsNil() {
		to = c.Table(5).Of()
		if tt = to.AsTable(); tt.Meta != nil {
			tt = nil
		}
	}
	if e < f {
		return c.Return(to)
	}
	if f <= 0 && e >= math.MaxInt64+f {
		c.Bad(3, "too many elements to move")
	}
	if at > math.MaxInt64-(e-f) {
		c.Bad(4, "destination wrap around")
	}
	if at > e || at <= f || to != v {
		for i := int64(0); i <= e-f; i++ {
			c.th.st.step(1)
			c.put(to, tt, at+i, c.element(v, t, f+i))
		}
	} else {
		for i := e - f; i >= 0; i-- {
			c.th.st.step(1)
			c.put(to, tt, at+i, c.element(v, t, f+i))
		}
	}
	return c.Return(to)
}

func tabPack(c Call) int {
	t := c.th.st.NewTable(c.n, 1)
	t.fill(0, c.Args(1))
	c.th.st.set(t, "n", Int(int64(c.n)))
	return c.Return(t.Of())
}

func tabUnpack(c Call) int {
	v := c.Arg(1)
	t := v.AsTable()
	if t != nil && t.Meta != nil {
		t = nil
	}
	from := c.OptInt(2, 1)
	var to int64
	if c.Arg(3).IsNil() {
		to = c.Length(v)
	} else {
		to = c.Int(3)
	}
	if from > to {
		return 0
	}
	if n := uint64(to) - uint64(from); n >= maxResults {
		c.Fail("too many results to unpack")
	}
	for i := from; ; i++ {
		c.Push(c.element(v, t, i))
		if i == to {
			break
		}
	}
	return int(to-from) + 1
}

func tabSort(c Call) int {
	v, t := c.list()
	n := c.Length(v)
	if n < 2 {
		return 0
	}
	if n >= math.MaxInt32 {
		c.Bad(1, "array too big")
	}
	if !c.Arg(2).IsNil() {
		c.Function(2)
	}
	c.Room(n * valueSize)
	list := make([]Value, n)
	c.Used(n * valueSize)
	for i := range list {
		list[i] = c.element(v, t, int64(i+1))
	}
	c.sort(list)
	for i, x := range list {
		c.put(v, t, int64(i+1), x)
	}
	return 0
}

// sort sorts by <, or by argument 2.
func (c Call) sort(list []Value) {
	st := c.th.st
	if f := c.Arg(2); !f.IsNil() {
		c.quicksort(list, func(a, b Value) bool {
			st.step(1)
			return c.Call1(f, a, b).Truth()
		})
		return
	}
	kind := list[0].Kind()
	for _, v := range list {
		if v.Kind() != kind {
			kind = KindNil
			break
		}
	}
	switch kind {
	case KindInt:
		sorting.Stable(list, func(a, b Value) int { return cmp.Compare(int64(a.n), int64(b.n)) })
	case KindString:
		sorting.Stable(list, func(a, b Value) int { return strings.Compare((*String)(a.p).s, (*String)(b.p).s) })
	default:
		c.quicksort(list, func(a, b Value) bool {
			st.step(1)
			return c.Less(a, b)
		})
	}
}

// quicksort sorts by an order that a program gives, which may be none: where it leads out
// of the list, that is an error, as it is in C Lua.
func (c Call) quicksort(list []Value, less func(a, b Value) bool) {
	for len(list) > 1 {
		last := len(list) - 1
		if less(list[last], list[0]) {
			list[0], list[last] = list[last], list[0]
		}
		if last == 1 {
			return
		}
		mid := last / 2
		if less(list[mid], list[0]) {
			list[mid], list[0] = list[0], list[mid]
		} else if less(list[last], list[mid]) {
			list[mid], list[last] = list[last], list[mid]
		}
		if last == 2 {
			return
		}
		pivot := list[mid]
		list[mid], list[last-1] = list[last-1], list[mid]
		i, j := 0, last-1
		for {
			for i++; less(list[i], pivot); i++ {
				c.FailIf(i == last-1, "invalid order function for sorting")
			}
			for j--; less(pivot, list[j]); j-- {
				c.FailIf(j < i, "invalid order function for sorting")
			}
			if j < i {
				break
			}
			list[i], list[j] = list[j], list[i]
		}
		list[last-1], list[i] = list[i], list[last-1]
		if i < last-i { // the shorter part in a call of its own, so that they do not nest deep
			c.quicksort(list[:i], less)
			list = list[i+1:]
		} else {
			c.quicksort(list[i+1:], less)
			list = list[:i]
		}
	}
}
