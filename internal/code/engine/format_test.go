package engine

import (
	"testing"

	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/index"
)

// TestFormats holds that an index is not read whose facts are of another version: with facts.Format,
// index.Format rises too, and then both numbers here.
func TestFormats(t *testing.T) {
	if facts.Format != 28 || index.Format != 39 {
		t.Errorf("facts are of format %d in an index of format %d: an index with other facts must be of another format", facts.Format, index.Format)
	}
}
