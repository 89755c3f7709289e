package cache

import (
	"fmt"
	"testing"
)

// Words of up to WordSize bytes that differ anywhere have other edges or another length, and
// slots are within the table and all used.
func TestEdges(t *testing.T) {
	type key struct {
		first, last uint64
		size        int
	}
	seen := map[key]string{}
	slots := map[uint64]bool{}
	words := 0
	add := func(w string) {
		first, last := Edges([]byte(w))
		k := key{first, last, len(w)}
		if other, ok := seen[k]; ok && other != w {
			t.Errorf("%q and %q are taken for one", other, w)
		}
		if _, ok := seen[k]; !ok {
			words++
		}
		seen[k] = w
		at := Slot(first, last, uint64(len(w)), 6)
		if at >= 64 {
			t.Fatalf("%q is at %d of 64", w, at)
		}
		slots[at] = true
	}
	base := []byte("abcdefghijklmnop")
	for n := range WordSize + 1 {
		add(string(base[:n]))
		for i := range n {
			for _, c := range []byte{'A', 'z', 0, 0xff} {
				w := append([]byte{}, base[:n]...)
				w[i] = c
				add(string(w))
			}
		}
	}
	for i := range 1000 {
		add(fmt.Sprint("word", i))
	}
	if len(slots) != 64 {
		t.Errorf("%d of 64 places are used by %d words", len(slots), words)
	}
}
