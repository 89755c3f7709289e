package main

import (
	"math/rand/v2"
	"os"
	"testing"
)

// everything names the variable by which tests try all of what they otherwise sample. .ci/run sets
// it; without it the tests of this package, which start the program some thousand times, end on a
// slow and busy machine too.
const everything = "ASSAY_TEST_ALL"

func tryAll() bool { return os.Getenv(everything) != "" }

// sample returns one in so many of a list, and fewer with -short. It is another part of the list
// in each run, so that nothing is left out for long.
func sample[T any](list []T, oneIn, oneInShort int) (out []T) {
	switch {
	case tryAll():
		return list
	case testing.Short():
		oneIn = oneInShort
	}
	for i := rand.IntN(oneIn); i < len(list); i += oneIn {
		out = append(out, list[i])
	}
	return out
}
