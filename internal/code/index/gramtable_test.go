package index

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-dev/assay/internal/code/regex"
)

// A table says of every trigram which documents have it, all in ascending order, and nothing
// of those that came before it was reset.
func TestGramTable(t *testing.T) {
	var table gramTable
	rapid.Check(t, func(t *rapid.T) {
		table.reset()
		// Few trigrams, at both ends of runs, so that documents share them.
		gram := rapid.SampledFrom([]regex.Gram{0, 1, 1<<gramLow - 1, 1 << gramLow, 1<<gramLow + 1, 5 << gramLow, regex.Trigrams - 1})
		want := map[uint32][]uint32{}
		doc, pairs := uint32(0), 0
		for range rapid.IntRange(0, 9).Draw(t, "documents") {
			doc += rapid.OneOf(rapid.Uint32Range(1, 2*farGap), rapid.Uint32Range(1, maxDocs/10)).Draw(t, "gap")
			trigrams := rapid.SliceOfNDistinct(gram, 0, 7, rapid.ID[regex.Gram]).Draw(t, "trigrams")
			table.add(doc, trigrams)
			for _, g := range trigrams {
				want[uint32(g)] = append(want[uint32(g)], doc)
			}
			pairs += len(trigrams)
		}
		var keys []uint32
		table.each(func(g uint32, docs []uint32) {
			keys = append(keys, g)
			if !slices.Equal(docs, want[g]) {
				t.Fatalf("%d is in %v, want %v", g, docs, want[g])
			}
		})
		if !slices.Equal(keys, slices.Sorted(maps.Keys(want))) {
			t.Fatalf("trigrams %v, want those of %v", keys, want)
		}
		if table.bytes() < 2*pairs || table.bytes() > 6*pairs {
			t.Fatalf("%d bytes of %d pairs", table.bytes(), pairs)
		}
	})
	defer func() {
		if recover() == nil {
			t.Error("a document that no pair has bits for was taken")
		}
	}()
	table.add(maxDocs, []regex.Gram{1})
}

// Runs of several pages keep their documents, and pages that one run no longer needs serve
// another.
func TestGramTablePages(t *testing.T) {
	const docs = 3*len(gramPage{}) + 1
	var table gramTable
	for _, g := range []regex.Gram{7, regex.Trigrams - 7} {
		table.reset()
		free := len(table.free)
		for d := range uint32(docs) {
			table.add(d, []regex.Gram{g})
		}
		if free > 0 && len(table.free) != 0 {
			t.Errorf("%d pages are free beside those of a run that takes as many as the one before", len(table.free))
		}
		table.each(func(found uint32, in []uint32) {
			if found != uint32(g) || len(in) != docs {
				t.Fatalf("%d is in %d documents, want %d in %d", found, len(in), g, docs)
			}
			for i, d := range in {
				if d != uint32(i) {
					t.Fatalf("document %d is told as %d", i, d)
				}
			}
		})
	}
}
