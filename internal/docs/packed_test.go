package docs

import (
	"flag"
	"testing"

	"github.com/assay-dev/assay/internal/base/lazy/lazytest"
)

var update = flag.Bool("update", false, "write presets.pack from presets.json")

// The presets are those of presets.json.
func TestPacked(t *testing.T) {
	lazytest.Packed(t, "presets.json", "presets.pack", presetsJSON, *update)
}
