package library

import (
	"sync"
	"unsafe"

	"github.com/assay-dev/assay/internal/base/text"
)

// A vocabulary remembers the terms of words. It is for one goroutine.
type vocabulary = text.Vocabulary[[]string]

func newVocabulary() *vocabulary {
	return text.NewVocabulary(func(word []byte) []string { return text.Prose().Terms(nil, word) })
}

// A shelf holds vocabularies, each used by one goroutine at a time. Unlike a sync.Pool it
// does not lose them to the garbage collector, which runs every few questions.
type shelf struct {
	mu   sync.Mutex
	free []*vocabulary
}

// maxFree is how many questions are answered at a time: as many as a file has
// connections.
const maxFree = 4

func (s *shelf) take() *vocabulary {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.free)
	if n == 0 {
		return newVocabulary()
	}
	v := s.free[n-1]
	s.free = s.free[:n-1]
	return v
}

func (s *shelf) put(v *vocabulary) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) < maxFree {
		s.free = append(s.free, v)
	}
}

// bytesIn returns the memory of s, to be read alone.
func bytesIn(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
