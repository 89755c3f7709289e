package index

import (
	"context"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/text"
)

// docs returns n documents of random words in chunks of one line.
func docs(seed int64, first uint32, n int) []*Doc {
	r := rand.New(rand.NewSource(seed))
	var out []*Doc
	for i := range n {
		var b strings.Builder
		d := &Doc{ID: first + uint32(i)}
		d.Path = fmt.Sprintf("dir%d/file%d.go", r.Intn(4), int(first)+i)
		d.Language = "go"
		for line := range 1 + r.Intn(5) {
			start := b.Len()
			for range 1 + r.Intn(30) {
				fmt.Fprintf(&b, "w%c ", 'a'+rune(math.Abs(r.NormFloat64())*8))
			}
			b.WriteByte('\n')
			d.Chunks = append(d.Chunks, corpus.Chunk{Span: corpus.Span{Start: start, End: b.Len()},
				Lines: corpus.Range{First: line + 1, Last: line + 1}, Symbols: []corpus.Symbol{{Kind: corpus.Function, Name: "zed"}}})
		}
		d.Text = []byte(b.String())
		d.Lines = len(d.Chunks)
		out = append(out, d)
	}
	return out
}

// oracle ranks the live chunks of docs as package bm25 does.
func oracle(all []*Doc, terms []corpus.Term) map[string]float64 {
	x := bm25.New(params())
	var names []string
	for _, d := range all {
		for i, c := range d.Chunks {
			var body []string
			n := 0
			text.Words(d.Text[c.Start:c.End], func(w []byte) {
				n++
				body = append(body, text.Code().Terms(nil, w)...)
			})
			x.Add(float64(n), bm25.Field{Words: body, Weight: 1})
			names = append(names, fmt.Sprintf("%d.%d", d.ID, i))
		}
	}
	var q []bm25.Term
	for _, t := range terms {
		q = append(q, bm25.Term{Word: t.Text, Weight: float64(t.Weight)})
	}
	out := map[string]float64{}
	for _, h := range x.Search(q, x.Len()) {
		out[names[h.Doc]] = h.Score
	}
	return out
}

func TestLexicalAgainstOracle(t *testing.T) {
	ctx := context.Background()
	x, err := Open(ctx, t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	w, err := x.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	all := docs(1, 1, 400)
	for i := 0; i < len(all); i += 40 {
		b := NewBuilder()
		for _, d := range all[i : i+40] {
			b.Add(d)
		}
		built, err := x.Build(b)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Publish(ctx, Batch{Segments: []*Built{built}, NextDoc: all[i+39].ID + 1}); err != nil {
			t.Fatal(err)
		}
	}
	terms := []corpus.Term{{Text: "wa", Weight: 1}, {Text: "wk", Weight: .5}, {Text: "wr", Weight: 1}, {Text: "absent", Weight: 1}}
	dead := map[uint32]bool{}
	check := func(what string) {
		t.Helper()
		p, err := x.Snapshot(ctx)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Lexical(ctx, terms, 100000, 100, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := oracle(slices.DeleteFunc(slices.Clone(all), func(d *Doc) bool { return dead[d.ID] }), terms)
		if len(got) != len(want) {
			t.Fatalf("%s: %d candidates, want %d", what, len(got), len(want))
		}
		var refs []corpus.Ref
		for _, c := range got {
			refs = append(refs, c.Ref)
		}
		found, err := p.Describe(refs)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range found {
			name := fmt.Sprintf("%d.%d", f.Doc.ID, f.Lines.First-1)
			if w := want[name]; math.Abs(w-float64(got[i].Score)) > 1e-3 {
				t.Fatalf("%s: chunk %s scores %v, want %v", what, name, got[i].Score, w)
			}
		}
	}
	check("ten segments")
	var ids []uint32
	for id := uint32(3); id < 400; id += 7 {
		ids = append(ids, id)
		dead[id] = true
	}
	if err := w.Publish(ctx, Batch{Dead: ids}); err != nil {
		t.Fatal(err)
	}
	check("with dead documents")
	if err := w.Merge(ctx, 1<<30); err != nil {
		t.Fatal(err)
	}
	check("merged")
	if p, _ := x.Snapshot(ctx); p.Segments() > 3 {
		t.Errorf("%d segments after the merge", p.Segments())
	}
	w.Close()
}
