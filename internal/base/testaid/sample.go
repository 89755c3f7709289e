package testaid

import (
	"math/rand/v2"
	"testing"
)

// Sample returns one in so many of a list, and fewer with -short. It is another part of the list
// in each run, so that nothing is left out for long.
func Sample[T any](list []T, oneIn, oneInShort int) (out []T) {
	if testing.Short() {
		oneIn = oneInShort
	}
	for i := rand.IntN(oneIn); i < len(list); i += oneIn {
		out = append(out, list[i])
	}
	return out
}
