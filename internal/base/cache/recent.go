// Package cache keeps values that were asked for lately, up to a number of bytes, and tells
// short words from each other for tables of those that came last.
package cache

import "sync"

// A Map caches the values that were used last. Values are shared, so that nobody may change them. It is safe for concurrent
// use.
//
// There are two generations. A value found in the old one moves to the young one; when the young one has half of the bytes,
// it replaces the old one. That evicts nearly the same values as a list in the order of use, and a hit costs two map look-ups.
type Map[K comparable, V any] struct {
	most int // bytes

	mu         sync.Mutex
	young, old map[K]sized[V]
	bytes      int // of young
}

type sized[V any] struct {
	value V
	bytes int
}

// New returns a map that keeps values of so many bytes.
func New[K comparable, V any](most int) *Map[K, V] {
	return &Map[K, V]{most: most, young: map[K]sized[V]{}}
}

// Get returns the cached value of a key.
func (r *Map[K, V]) Get(key K) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, ok := r.young[key]
	if !ok {
		if v, ok = r.old[key]; ok {
			r.add(key, v)
		}
	}
	return v.value, ok
}

// Put caches a value of a number of bytes, unless that is more than half of the cache.
func (r *Map[K, V]) Put(key K, value V, bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.young[key]; !ok && bytes <= r.most/2 {
		r.add(key, sized[V]{value, bytes})
	}
}

func (r *Map[K, V]) add(key K, v sized[V]) {
	if r.bytes+v.bytes > r.most/2 {
		r.old, r.young, r.bytes = r.young, make(map[K]sized[V], len(r.young)), 0
	}
	r.young[key] = v
	r.bytes += v.bytes
}
