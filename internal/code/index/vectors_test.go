package index

import (
	"context"
	"fmt"
	"math/rand"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// embed gives the chunks of documents random vectors, and remembers them.
func embed(r *rand.Rand, docs []*Doc, dims int, byChunk map[string][]float32) []*Doc {
	for _, d := range docs {
		if r.Intn(8) == 0 {
			continue // a document may come without
		}
		d.Embedder = "own"
		for i := range d.Chunks {
			v := unit(r, dims)
			d.Vectors = append(d.Vectors, v...)
			byChunk[fmt.Sprint(d.Path, " ", i)] = v
		}
	}
	return docs
}

// mergeThem merges all segments into one.
func mergeThem(t *testing.T, x *Index, w *Writer) {
	t.Helper()
	p := snapshot(t, x)
	m, built, err := x.prepareMerge(p, p.segs)
	must(t, err)
	must(t, w.publishMerge(context.Background(), m, built))
}

// Vectors that come with the documents are found wherever these end up: in a
// segment of their own, merged, in memory over the index, beside dead ones.
func TestOwnVectors(t *testing.T) {
	ctx := context.Background()
	const dims = 64
	m := newMaker(77)
	x, w := open(t)
	byChunk := map[string][]float32{}
	check := func(when string, p *Snapshot) {
		t.Helper()
		if left, n := p.Unembedded("own"); len(left) != 0 {
			t.Errorf("%s: %d chunks without vectors in %v", when, n, left)
		}
		shared := 0
		for range 20 {
			q := unit(m.Rand, dims)
			got, err := p.Nearest(ctx, "own", q, 10, nil)
			must(t, err)
			shared += overlapWith(t, p, got, byChunk, q)
		}
		if shared < 190 {
			t.Errorf("%s: %d of 200 nearest ones found", when, shared)
		}
	}
	for i := range 3 {
		publish(t, w, embed(m.Rand, m.docs(uint32(1+40*i), 40, 4), dims, byChunk))
	}
	check("as published", snapshot(t, x))

	dead := m.docs(0, 0, 0)
	publish(t, w, dead, 5, 61)
	p := snapshot(t, x)
	gone := map[string]bool{}
	for key := range byChunk {
		gone[key] = true
	}
	for i := range p.segs {
		refs, err := p.LiveChunks(i)
		must(t, err)
		found, err := p.Describe(refs)
		must(t, err)
		for k, r := range refs {
			delete(gone, fmt.Sprint(found[k].Doc.Path, " ", r.Chunk-found[k].Doc.First))
		}
	}
	for key := range gone {
		delete(byChunk, key)
	}
	check("with dead ones", p)

	mergeThem(t, x, w)
	p = snapshot(t, x)
	if len(p.segs) != 1 {
		t.Fatalf("%d segments after a merge", len(p.segs))
	}
	check("merged", p)
	must(t, x.Check(ctx))

	b := NewBuilder()
	for _, d := range embed(m.Rand, m.docs(500, 20, 3), dims, byChunk) {
		b.Add(d)
	}
	over, err := p.With(b, nil)
	must(t, err)
	check("with an overlay", over)
	if got, err := over.Nearest(ctx, "other", unit(m.Rand, dims), 5, nil); err != nil || len(got) != 0 {
		t.Errorf("another embedder finds %d, %v", len(got), err)
	}
}

// A segment whose vectors another embedder made, or that has none, leaves the
// merged one without: half of them would rank as if the others did not exist.
func TestMergeMixedVectors(t *testing.T) {
	m := newMaker(78)
	x, w := open(t)
	publish(t, w, embed(m.Rand, m.docs(1, 10, 3), 8, map[string][]float32{}))
	publish(t, w, m.docs(20, 10, 3))
	mergeThem(t, x, w)
	p := snapshot(t, x)
	if left, n := p.Unembedded("own"); len(p.segs) != 1 || len(left) != 1 || n == 0 {
		t.Errorf("%d segments, %d chunks without vectors in %v", len(p.segs), n, left)
	}
	var refs []corpus.Candidate
	must(t, p.FillCosine("own", unit(m.Rand, 8), refs))
}
