package main

import (
	"os"

	"github.com/assay-dev/assay/internal/base/testaid"
)

// everything names the variable by which tests try all of what they otherwise sample. .ci/run sets
// it; without it the tests of this package, which start the program some thousand times, end on a
// slow and busy machine too.
const everything = "ASSAY_TEST_ALL"

func tryAll() bool { return os.Getenv(everything) != "" }

// sample returns one in so many of a list, and fewer with -short; all of it where all is tried.
func sample[T any](list []T, oneIn, oneInShort int) []T {
	if tryAll() {
		return list
	}
	return testaid.Sample(list, oneIn, oneInShort)
}
