// Package cache keeps values that were asked for lately, up to a number of bytes, and tells
// short words from each other for tables of those that came last.
package cache

import "sync"

// A Map keeps what was asked for last. What it holds is shared: nobody changes it. It is safe for
// concurrent use.
//
// There are two generations. What is found in the old one moves to the young one; when the
// young one has half of the bytes it becomes the old one, which is dropped. That forgets
// nearly what a list in the order of use would, and a hit costs two looks at maps.
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

// Get returns what is kept for a key.
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

// Put keeps a value that takes so many bytes, unless that is more than half of what is kept.
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
