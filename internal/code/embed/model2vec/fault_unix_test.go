//go:build unix

package model2vec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is cut short while it is in use costs an error.
func TestCutShort(t *testing.T) {
	dir := files(t, nil)
	m := open(t, dir)
	if err := os.Truncate(filepath.Join(dir, "model.safetensors"), 0); err != nil {
		t.Fatal(err)
	}
	if err := m.Embed(make([]float32, m.Dims()), "the file"); err == nil || !strings.Contains(err.Error(), "cut short") {
		t.Errorf("Embed: %v", err)
	}
}
