package setup

import (
	"testing"

	"github.com/assay-dev/assay/internal/base/lazy/lazytest"
)

// The program has the files of the folder files, all of them and as they are.
func TestPacked(t *testing.T) { lazytest.Folder(t, "files", "files.pack", packedFiles, *update) }
