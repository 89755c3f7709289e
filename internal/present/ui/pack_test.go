package ui

import (
	"flag"
	"testing"

	"github.com/assay-dev/assay/internal/base/lazy/lazytest"
)

var update = flag.Bool("update", false, "write page.pack from the folder page")

// The program has the files of the folder page, all of them and as they are.
func TestPacked(t *testing.T) { lazytest.Folder(t, "page", "page.pack", pages, *update) }
