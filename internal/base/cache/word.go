package cache

import (
	"encoding/binary"
	"math/bits"
)

// WordSize is how many bytes a word has at most that Edges tells from others.
const WordSize = 16

// Edges returns the first and the last eight bytes of a word of at most WordSize, which overlap
// in a shorter one. With its length they say which word it is.
func Edges(w []byte) (first, last uint64) {
	switch n := len(w); {
	case n >= 8:
		return binary.LittleEndian.Uint64(w), binary.LittleEndian.Uint64(w[n-8:])
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(w)), uint64(binary.LittleEndian.Uint32(w[n-4:]))
	case n > 0:
		return uint64(w[0]) | uint64(w[n/2])<<8 | uint64(w[n-1])<<16, 0
	}
	return 0, 0
}

// Slot returns where a word is remembered, given its edges and its length, in a table of as many
// places as b bits name.
func Slot(first, last, size uint64, b int) uint64 {
	return (first ^ bits.RotateLeft64(last, 29) ^ size) * 0x9e3779b97f4a7c15 >> (64 - b)
}
