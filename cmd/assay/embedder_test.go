//go:build !slim

package main

import (
	"testing"

	"github.com/assay-dev/assay/internal/base/config"
	"github.com/assay-dev/assay/internal/code/embed/static"
)

// Notes are text that people read, whatever code is embedded with.
func TestMemoryHasVectorsOfText(t *testing.T) {
	m, err := static.Default()
	if err != nil {
		t.Fatal(err)
	}
	s := &surroundings{cfg: &config.Config{Embed: config.Embed{Provider: "static"}}}
	notes, err := s.memory().Embedder()
	if err != nil {
		t.Fatal(err)
	}
	code, err := s.embedder("", false)
	if err != nil {
		t.Fatal(err)
	}
	if notes.Dims() != m.Text().Dims || code.Dims() != m.Dims || notes.Name() == code.Name() {
		t.Errorf("notes have vectors of %s, code of %s", notes.Name(), code.Name())
	}
}
