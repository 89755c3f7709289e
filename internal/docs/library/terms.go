package library

import (
	"unsafe"

	"github.com/assay-dev/assay/internal/base/text"
)

// A vocabulary remembers the terms of words. It is for one goroutine.
type vocabulary = text.Vocabulary[[]string]

func newVocabulary() *vocabulary {
	return text.NewVocabulary(func(word []byte) []string { return text.Prose().Terms(nil, word) })
}

// bytesIn returns the memory of s, to be read alone.
func bytesIn(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
