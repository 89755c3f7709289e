package library

import "sync"

const (
	keepAnswers = 4 << 20 // bytes: some three hundred answers of the usual budget
	perSnippet  = 300     // of a snippet beside its texts
)

// An answerKey is what an answer depends on. The version is known by its checksum, which no two
// share; one that has none is asked each time.
type answerKey struct {
	checksum, id, query string
	options             Options
}

func (a *DocsAnswer) bytes() int {
	n := perSnippet
	for i := range a.Snippets {
		s := &a.Snippets[i]
		n += perSnippet*(1+len(s.Breakdown)) + len(s.Title) + len(s.Breadcrumb) + len(s.Path) + len(s.URL) + len(s.Content)
	}
	return n
}

// A recent keeps what was asked for last, up to a number of bytes. What it holds is shared:
// nobody changes it.
//
// There are two generations. What is found in the old one moves to the young one; when the
// young one has half of the bytes it becomes the old one, which is dropped. That forgets
// nearly what a list in the order of use would, and a hit costs two looks at maps.
type recent[K comparable, V any] struct {
	most int // bytes

	mu         sync.Mutex
	young, old map[K]sized[V]
	bytes      int // of young
}

type sized[V any] struct {
	value V
	bytes int
}

func newRecent[K comparable, V any](most int) *recent[K, V] {
	return &recent[K, V]{most: most, young: map[K]sized[V]{}}
}

func (r *recent[K, V]) get(key K) (V, bool) {
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

// put keeps a value that takes so many bytes.
func (r *recent[K, V]) put(key K, value V, bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.young[key]; !ok && bytes <= r.most/2 {
		r.add(key, sized[V]{value, bytes})
	}
}

func (r *recent[K, V]) add(key K, v sized[V]) {
	if r.bytes+v.bytes > r.most/2 {
		r.old, r.young, r.bytes = r.young, make(map[K]sized[V], len(r.young)), 0
	}
	r.young[key] = v
	r.bytes += v.bytes
}
