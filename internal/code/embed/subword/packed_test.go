package subword

import (
	"flag"
	"testing"

	"github.com/assay-dev/assay/internal/base/lazy/lazytest"
)

var update = flag.Bool("update", false, "write forms.pack from forms.txt")

// The table is that of forms.txt.
func TestPacked(t *testing.T) { lazytest.Packed(t, "forms.txt", "forms.pack", formsText, *update) }
