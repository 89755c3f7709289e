package named

import (
	"flag"
	"testing"

	"github.com/assay-dev/assay/internal/base/lazy/lazytest"
)

var update = flag.Bool("update", false, "write standard.pack from standard.txt")

// The table is that of standard.txt.
func TestPacked(t *testing.T) {
	lazytest.Packed(t, "standard.txt", "standard.pack", standardNames, *update)
}
