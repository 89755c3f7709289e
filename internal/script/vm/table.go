package vm

import (
	"iter"
	"math"
	"math/bits"
	"unsafe"
)

// A Table has an array part for the keys 1 to len(arr) and a hash part for all others.
//
// Invariants: the last element of arr is not nil, and len(arr)+1 is no key of the
// hash part, so that len(arr) is a border. Nodes of the hash part are in the order in
// which their keys were first set; a key whose value is nil stays until the part is
// rebuilt, so that next goes on while fields are cleared.
type Table struct {
	header // flags: the metamethods it is known not to have, and flagIntKeys
	arr    []Value
	nodes  []node
	index  []uint32 // by hash: the first node of a chain, plus 1; nil while there are few nodes
	Meta   *Table
	st     *State
}

type node struct {
	key, val Value
	hash     uint32
	next     uint32 // in the chain, plus 1
}

const (
	tableSize = int64(unsafe.Sizeof(Table{}))
	valueSize = int64(unsafe.Sizeof(Value{}))
	nodeSize  = int64(unsafe.Sizeof(node{}))

	fewNodes = 8 // as many are compared one by one

	// flagIntKeys says that the hash part may have integer keys.
	flagIntKeys uint8 = 1 << 7
	// flagObject says that whoever made the table calls it no list, even while it is empty.
	flagObject uint8 = 1 << 6
	flagsKept        = flagIntKeys | flagObject
)

// NewTable returns a table with room for so many elements and fields.
func (st *State) NewTable(elements, fields int) *Table {
	t := &Table{header: header{kind: KindTable}, st: st}
	size := tableSize
	if elements > 0 {
		st.room(int64(elements) * valueSize)
		t.arr = make([]Value, 0, elements)
		size += int64(elements) * valueSize
	}
	if fields > 0 {
		st.room(int64(fields) * (nodeSize + 8))
		t.makeNodes(fields)
		size += int64(cap(t.nodes))*nodeSize + int64(len(t.index))*4
	}
	st.alloc(size)
	return t
}

func (t *Table) makeNodes(n int) {
	t.nodes = make([]node, 0, n)
	t.index = nil
	if n > fewNodes {
		t.index = make([]uint32, 1<<bits.Len(uint(n-1)))
	}
}

// bytes returns the memory that t takes.
func (t *Table) bytes() int64 {
	return tableSize + int64(cap(t.arr))*valueSize + int64(cap(t.nodes))*nodeSize + int64(len(t.index))*4
}

// hashOf returns the hash of a key that is no string.
func hashOf(k Value) uint32 {
	x := k.n
	if x == 0 && !k.isInt() {
		x = uint64(uintptr(k.p)) >> 3 // objects do not move
	}
	return uint32(x*0x9e3779b97f4a7c15>>32) | 1
}

// findStr returns the node of a key, or -1.
func (t *Table) findStr(s *String) int {
	h := s.hashed()
	if t.index == nil {
		for i := range t.nodes {
			n := &t.nodes[i]
			if n.hash == h && (n.key.p == unsafe.Pointer(s) || n.key.Kind() == KindString && (*String)(n.key.p).s == s.s) {
				return i
			}
		}
		return -1
	}
	for i := t.index[int(h>>1)&(len(t.index)-1)]; i != 0; {
		n := &t.nodes[i-1]
		if n.hash == h && (n.key.p == unsafe.Pointer(s) || n.key.Kind() == KindString && (*String)(n.key.p).s == s.s) {
			return int(i - 1)
		}
		i = n.next
	}
	return -1
}

// find returns the node of a key that is no string, as normal returns it, or -1.
func (t *Table) find(k Value) int {
	h := hashOf(k)
	if t.index == nil {
		for i := range t.nodes {
			if n := &t.nodes[i]; n.key == k {
				return i
			}
		}
		return -1
	}
	for i := t.index[int(h>>1)&(len(t.index)-1)]; i != 0; {
		n := &t.nodes[i-1]
		if n.key == k {
			return int(i - 1)
		}
		i = n.next
	}
	return -1
}

// normal returns a key as tables have it: a float that is an integer is one.
func normal(k Value) Value {
	if k.isFloat() {
		if i, ok := floatToInt(k.float()); ok {
			return Int(i)
		}
	}
	return k
}

func (t *Table) getStr(s *String) Value {
	if i := t.findStr(s); i >= 0 {
		return t.nodes[i].val
	}
	return Nil
}

// GetInt returns t[i] without metamethods.
func (t *Table) GetInt(i int64) Value {
	if uint64(i-1) < uint64(len(t.arr)) {
		return t.arr[i-1]
	}
	if t.flags&flagIntKeys != 0 {
		if n := t.find(Int(i)); n >= 0 {
			return t.nodes[n].val
		}
	}
	return Nil
}

// Get returns t[k] without metamethods.
func (t *Table) Get(k Value) Value {
	switch k.Kind() {
	case KindNil:
		return Nil
	case KindString:
		return t.getStr((*String)(k.p))
	case KindInt:
		return t.GetInt(int64(k.n))
	case KindFloat:
		if k = normal(k); k.isInt() {
			return t.GetInt(int64(k.n))
		}
	}
	if i := t.find(k); i >= 0 {
		return t.nodes[i].val
	}
	return Nil
}

// GetField returns t[name] without metamethods.
func (t *Table) GetField(name string) Value {
	return t.getStr(newString(name))
}

// SetField sets t[name] without metamethods.
func (t *Table) SetField(name string, v Value) { t.setStr(newString(name), v) }

func (t *Table) setStr(s *String, v Value) {
	if i := t.findStr(s); i >= 0 {
		t.flags &= flagsKept
		t.nodes[i].val = v
		return
	}
	if v.p != nil {
		t.insert(s.Of(), s.hash, v)
	}
}

// SetInt sets t[i] without metamethods.
func (t *Table) SetInt(i int64, v Value) {
	n := len(t.arr)
	if uint64(i-1) < uint64(n) {
		t.arr[i-1] = v
		if v.p == nil && int(i) == n {
			t.trim()
		}
		return
	}
	if int(i) == n+1 {
		if v.p != nil {
			t.push(v)
		}
		return
	}
	k := Int(i)
	if t.flags&flagIntKeys != 0 {
		if j := t.find(k); j >= 0 {
			t.nodes[j].val = v
			return
		}
	}
	if v.p != nil {
		t.insert(k, hashOf(k), v)
	}
}

// Set sets t[k] without metamethods. The key must be neither nil nor NaN.
func (t *Table) Set(k, v Value) {
	switch k.Kind() {
	case KindString:
		t.setStr((*String)(k.p), v)
		return
	case KindInt:
		t.SetInt(int64(k.n), v)
		return
	case KindFloat:
		if k = normal(k); k.isInt() {
			t.SetInt(int64(k.n), v)
			return
		}
		if math.IsNaN(k.float()) {
			return
		}
	case KindNil:
		return
	}
	if i := t.find(k); i >= 0 {
		t.nodes[i].val = v
	} else if v.p != nil {
		t.insert(k, hashOf(k), v)
	}
}

// insert adds a key that t does not have.
func (t *Table) insert(k Value, hash uint32, v Value) {
	if k.isInt() {
		t.flags |= flagIntKeys
	}
	t.flags &= flagsKept // a metamethod may be there now
	if len(t.nodes) == cap(t.nodes) {
		t.rehash(k)
		if k.isInt() && k.n-1 <= uint64(len(t.arr)) {
			t.SetInt(int64(k.n), v) // the array part has reached it
			return
		}
	}
	t.insertRaw(k, hash, v)
}

func (t *Table) insertRaw(k Value, hash uint32, v Value) {
	if len(t.nodes) == cap(t.nodes) {
		t.resize(max(2, cap(t.nodes)*2))
	}
	n := node{key: k, val: v, hash: hash}
	t.nodes = append(t.nodes, n)
	if t.index != nil {
		t.link(len(t.nodes) - 1)
	}
}

func (t *Table) link(i int) {
	n := &t.nodes[i]
	b := &t.index[int(n.hash>>1)&(len(t.index)-1)]
	n.next = *b
	*b = uint32(i + 1)
}

// rehash makes room for key k: it moves integers to the array part if that would be
// more than half full, drops cleared nodes, or grows.
func (t *Table) rehash(k Value) {
	if t.flags&flagIntKeys != 0 {
		t.balance(k)
	}
	live := 0
	for i := range t.nodes {
		if t.nodes[i].val.p != nil {
			live++
		}
	}
	size := cap(t.nodes)
	if live*4 >= size*3 {
		size = max(2, size*2)
	}
	t.resize(size)
}

// resize rebuilds the hash part with room for size nodes.
func (t *Table) resize(size int) {
	old, was := t.nodes, t.bytes()
	t.st.room(int64(size) * (nodeSize + 8))
	t.makeNodes(size)
	for i := range old {
		if n := &old[i]; n.val.p != nil {
			t.nodes = append(t.nodes, node{key: n.key, val: n.val, hash: n.hash})
			if t.index != nil {
				t.link(len(t.nodes) - 1)
			}
		}
	}
	t.st.alloc(max(t.bytes()-was, 0))
}

// balance makes the array part as long as it can be while more than half of it is in
// use, counting key k, which is about to be set.
func (t *Table) balance(k Value) {
	var counts [64]int // of keys in (2^(i-1), 2^i]
	count := func(n uint64) {
		if n-1 < 1<<40 {
			counts[bits.Len64(n-1)]++
		}
	}
	for i := range t.nodes {
		if n := &t.nodes[i]; n.key.isInt() && n.val.p != nil {
			count(n.key.n)
		}
	}
	if k.isInt() {
		count(k.n)
	}
	for i := range t.arr {
		if t.arr[i].p != nil {
			count(uint64(i) + 1)
		}
	}
	size, sum := 0, 0
	for i, c := range counts[:42] {
		if sum += c; sum > 1<<i/2 && c > 0 {
			size = 1 << i
		}
	}
	if size <= len(t.arr) {
		return
	}
	last := len(t.arr)
	for i := range t.nodes {
		if n := &t.nodes[i]; n.key.isInt() && n.val.p != nil && n.key.n-1 < uint64(size) {
			last = max(last, int(n.key.n))
		}
	}
	if last == len(t.arr) {
		return
	}
	t.st.room(int64(size) * valueSize)
	arr := make([]Value, last, max(size, last))
	copy(arr, t.arr)
	t.st.alloc(int64(cap(arr)-cap(t.arr)) * valueSize)
	t.arr = arr
	for i := range t.nodes {
		if n := &t.nodes[i]; n.key.isInt() && n.val.p != nil && n.key.n-1 < uint64(last) {
			arr[n.key.n-1] = n.val
			n.val = Nil
		}
	}
	t.migrate()
}

// All returns the pairs of t, those of its sequence first. t may be changed meanwhile.
func (t *Table) All() iter.Seq2[Value, Value] {
	return func(yield func(k, v Value) bool) {
		for i := 0; i < len(t.arr); i++ {
			if v := t.arr[i]; v.p != nil && !yield(Int(int64(i)+1), v) {
				return
			}
		}
		for i := 0; i < len(t.nodes); i++ {
			if n := &t.nodes[i]; n.val.p != nil && !yield(n.key, n.val) {
				return
			}
		}
	}
}

// MarkObject says that t is no list, even while it is empty, until it is given a metatable.
func (t *Table) MarkObject() { t.flags |= flagObject }

// List reports whether t is a list and of how many elements: every key is an integer from
// 1 on, and none is omitted. An empty table is one, unless it was marked.
func (t *Table) List() (n int64, ok bool) {
	n = int64(len(t.arr))
	for i := range t.arr {
		if t.arr[i].p == nil {
			return 0, false
		}
	}
	for i := range t.nodes {
		if t.nodes[i].val.p != nil { // the key after the array part is never there
			return 0, false
		}
	}
	return n, n > 0 || t.flags&flagObject == 0
}

// Len returns a border of t without metamethods.
func (t *Table) Len() int64 { return int64(len(t.arr)) }

// Next returns the pair that follows a key, nil for the first; the key nil after the
// last. ok is false if k is no key of t.
func (t *Table) Next(k Value) (key, val Value, ok bool) {
	i := 0
	switch k = normal(k); {
	case k.p == nil:
	case k.isInt() && k.n-1 < uint64(cap(t.arr)):
		i = int(k.n) // beyond the array part too, which may have become shorter meanwhile
		if int(k.n) > len(t.arr) && t.flags&flagIntKeys != 0 {
			if n := t.find(k); n >= 0 {
				return t.nextNode(n + 1)
			}
		}
	default:
		var n int
		if s := k.str(); s != nil {
			n = t.findStr(s)
		} else {
			n = t.find(k)
		}
		if n < 0 {
			return Nil, Nil, false
		}
		return t.nextNode(n + 1)
	}
	for ; i < len(t.arr); i++ {
		if t.arr[i].p != nil {
			return Int(int64(i) + 1), t.arr[i], true
		}
	}
	return t.nextNode(0)
}

func (t *Table) nextNode(i int) (key, val Value, ok bool) {
	for ; i < len(t.nodes); i++ {
		if n := &t.nodes[i]; n.val.p != nil {
			return n.key, n.val, true
		}
	}
	return Nil, Nil, true
}
