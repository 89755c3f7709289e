package cache

import "testing"

// TestRecent holds that no more is kept than was said, and that what is asked for stays.
func TestRecent(t *testing.T) {
	const most = 1000
	r := New[int, string](most)
	r.Put(0, "asked", 100)
	r.Put(1, "too large", most)
	for i := 2; i < 100; i++ {
		if v, ok := r.Get(0); !ok || v != "asked" {
			t.Fatalf("what is asked for each time is gone after %d others: %q", i-2, v)
		}
		r.Put(i, "other", 100)
		total := 0
		for _, of := range []map[int]sized[string]{r.young, r.old} {
			for _, v := range of {
				total += v.bytes
			}
		}
		if total > most {
			t.Fatalf("%d bytes are kept of %d", total, most)
		}
	}
	if _, ok := r.Get(1); ok {
		t.Error("what is larger than half of all is kept")
	}
	if _, ok := r.Get(2); ok {
		t.Error("what nobody asked for is kept")
	}
}
