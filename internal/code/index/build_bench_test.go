package index

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// The source of this package over and over, as a segment: what an index costs without
// reading files and without facts and vectors.
func BenchmarkBuilder(b *testing.B) {
	names, err := filepath.Glob("../*/*.go")
	if err != nil {
		b.Fatal(err)
	}
	var docs []Doc
	size := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		size += len(text)
		d := Doc{Document: corpus.Document{Path: name, Text: text}}
		for at := 0; at < len(text); at += 1500 {
			d.Chunks = append(d.Chunks, corpus.Chunk{Span: corpus.Span{Start: at, End: min(at+1500, len(text))}})
		}
		docs = append(docs, d)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		built := NewBuilder()
		for i := range docs {
			docs[i].ID = uint32(i + 1)
			built.Add(&docs[i])
		}
	}
}
