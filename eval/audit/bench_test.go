package main

import (
	"path/filepath"
	"testing"

	faceaudit "github.com/assay-dev/assay/internal/face/audit"
)

// A report on a large tree of which nothing has changed since the last.
func BenchmarkDriftUnchanged(b *testing.B) {
	root := modules(b, "golang.org/x/tools")[0]
	for _, mode := range []string{"scan", "words", "model"} {
		b.Run(mode, func(b *testing.B) {
			tmp := b.TempDir()
			face, done, err := faceOf(mode, tmp)
			if err != nil {
				b.Fatal(err)
			}
			defer done()
			in := faceaudit.DriftInput{Out: filepath.Join(tmp, "out"), Scope: faceaudit.Scope{Project: faceaudit.Project{Root: root}}}
			if _, err := face.Drift(b.Context(), in); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := face.Drift(b.Context(), in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
