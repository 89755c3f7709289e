package main

import (
	"path/filepath"
	"testing"

	audit "github.com/assay-dev/assay/internal/audit"
)

// A report on a large tree of which nothing has changed since the last.
func BenchmarkDriftUnchanged(b *testing.B) {
	root := modules(b, "golang.org/x/tools")[0]
	for _, mode := range []string{"scan", "words", "model"} {
		b.Run(mode, func(b *testing.B) {
			tmp := b.TempDir()
			feature, done, err := featureOf(mode, tmp)
			if err != nil {
				b.Fatal(err)
			}
			defer done()
			in := audit.DriftInput{Out: filepath.Join(tmp, "out"), Scope: audit.Scope{Project: audit.Project{Root: root}}}
			if _, err := feature.Drift(b.Context(), in); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := feature.Drift(b.Context(), in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
