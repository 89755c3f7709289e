package vm

import "unsafe"

// fill sets the elements after the first at ones, nils included: a list that is written
// down is in the array part, holes and all.
func (t *Table) fill(at int, values []Value) {
	if at != len(t.arr) || t.flags&flagIntKeys != 0 {
		for i, v := range values {
			t.SetInt(int64(at+i+1), v)
		}
		return
	}
	if n := at + len(values); n > cap(t.arr) {
		size := int64(n-cap(t.arr)) * valueSize
		t.st.room(size)
		arr := make([]Value, at, n)
		copy(arr, t.arr)
		t.arr = arr
		t.st.alloc(size)
	}
	t.arr = append(t.arr, values...)
	t.trim()
}

// Append adds values, nils included, as a constructor does.
func (t *Table) Append(values ...Value) { t.fill(len(t.arr), values) }

// trim takes the nils from the end of the array part.
func (t *Table) trim() {
	n := len(t.arr)
	for n > 0 && t.arr[n-1].p == nil {
		n--
	}
	t.arr = t.arr[:n]
}

// push sets t[len(arr)+1].
func (t *Table) push(v Value) {
	if len(t.arr) == cap(t.arr) && !t.growArray() {
		k := Int(int64(len(t.arr)) + 1)
		if i := t.find(k); i >= 0 {
			t.nodes[i].val = v
		} else {
			t.insert(k, hashOf(k), v)
		}
		return
	}
	t.arr = append(t.arr, v)
	if t.flags&flagIntKeys != 0 {
		t.migrate()
	}
}

// growArray makes room for more elements. It reports false if the array part was mostly
// empty and has moved to the hash part, as that of a queue does.
func (t *Table) growArray() bool {
	n := len(t.arr)
	if n >= 64 {
		used := 0
		for i := range t.arr {
			if t.arr[i].p != nil {
				used++
			}
		}
		if used < n/4 {
			arr := t.arr
			t.arr = nil
			for i, v := range arr {
				if v.p != nil {
					k := Int(int64(i) + 1)
					t.insertRaw(k, hashOf(k), v)
				}
			}
			t.flags |= flagIntKeys
			return false
		}
	}
	size := max(4, n*2)
	t.st.room(int64(size) * valueSize)
	arr := make([]Value, n, size)
	copy(arr, t.arr)
	t.arr = arr
	t.st.alloc(int64(size-n) * valueSize)
	return true
}

// migrate takes from the hash part the keys that follow the array part.
func (t *Table) migrate() {
	// The key that was just pushed may have been cleared in the hash part before.
	for {
		i := t.find(Int(int64(len(t.arr)) + 1))
		if i < 0 || t.nodes[i].val.p == nil {
			return
		}
		if len(t.arr) == cap(t.arr) && !t.growArray() {
			return
		}
		t.arr = append(t.arr, t.nodes[i].val)
		// No key at all any more, so that next cannot mistake it for the element.
		t.nodes[i].key, t.nodes[i].val = Value{unsafe.Pointer(&tagFalse), 1}, Nil
	}
}
