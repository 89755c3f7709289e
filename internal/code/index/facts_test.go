package index

import (
	"fmt"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// What a document was added with is what it is found by and what is read of it, whatever
// segments there are and whoever has gone.
func TestFacts(t *testing.T) {
	m := newMaker(71)
	x, w := open(t)
	var all []*Doc
	for i := range 3 {
		docs := m.docs(uint32(1+20*i), 20, 2)
		publish(t, w, docs)
		all = append(all, docs...)
	}
	dead := []uint32{4, 5, 27}
	publish(t, w, nil, dead...)
	check := func(what string) {
		t.Helper()
		p := snapshot(t, x)
		refs := map[string]DocRef{}
		var heads []string
		for i := range p.Segments() {
			must(t, p.Facts(i, func(ref DocRef, d DocInfo, head []byte) bool {
				refs[d.Path] = ref
				heads = append(heads, fmt.Sprintf("%d %s %x", d.ID, d.Path, head))
				return true
			}))
			seen := 0
			must(t, p.Facts(i, func(DocRef, DocInfo, []byte) bool { seen++; return seen < 2 }))
			if seen != 2 {
				t.Errorf("%s: %d records after the second was enough", what, seen)
			}
		}
		var want []string
		keyed := map[uint32][]string{}
		for _, d := range all {
			if slices.Contains(dead, d.ID) {
				continue
			}
			want = append(want, fmt.Sprintf("%d %s %x", d.ID, d.Path, d.Head))
			must(t, p.FactsOf(refs[d.Path], func(head, body []byte) {
				if string(head) != string(d.Head) || string(body) != string(d.Body) {
					t.Errorf("%s: the facts of %s are %x %q", what, d.Path, head, body)
				}
			}))
			for _, k := range d.Keys {
				keyed[k] = append(keyed[k], d.Path)
			}
		}
		slices.Sort(heads)
		slices.Sort(want)
		if !slices.Equal(heads, want) {
			t.Errorf("%s: %q, want %q", what, heads, want)
		}
		for k := range uint32(11) {
			for _, key := range []uint32{1000 * k, 1000*k + 1} {
				var got []string
				must(t, p.Keyed([]uint32{key}, func(ref DocRef) { got = append(got, p.segs[ref.Segment].path(ref.Doc)) }))
				n, err := p.CountKeyed(key)
				slices.Sort(got)
				slices.Sort(keyed[key])
				if err != nil || n != len(got) || !slices.Equal(got, keyed[key]) {
					t.Errorf("%s: key %d is of %q, %d of them, %v; want %q", what, key, got, n, err, keyed[key])
				}
			}
		}
		for _, ref := range []DocRef{{Segment: uint32(p.Segments())}, {Doc: p.segs[0].Docs}} {
			if err := p.FactsOf(ref, func(_, _ []byte) { t.Errorf("%s: document %v has facts", what, ref) }); err == nil {
				t.Errorf("%s: document %v is none, and no error", what, ref)
			}
		}
	}
	check("three segments")
	mergeThem(t, x, w)
	check("merged")
}

// A print tells each part of a document from that of another, and nothing of where in an
// index the document is.
func TestPrints(t *testing.T) {
	prints := func(p *Snapshot) map[string]Print {
		t.Helper()
		out := map[string]Print{}
		must(t, p.Prints("own", func(x Print) bool {
			x.ID, x.First = 0, 0
			out[x.Path] = x
			return true
		}))
		return out
	}
	base := func() *Doc {
		d := text1("a/b.go", "value and error\nwalrus here\n")
		d.Chunks = []corpus.Chunk{
			{Span: corpus.Span{End: 16}, Lines: corpus.Range{First: 1, Last: 1}, Hash: hashOf([]byte("1")), Scope: "Reader", InTest: true},
			{Span: corpus.Span{Start: 16, End: 28}, Lines: corpus.Range{First: 2, Last: 2}, Hash: hashOf([]byte("2")), Symbols: []corpus.Symbol{{Kind: corpus.Function, Name: "walrus"}}},
		}
		d.Head, d.Body, d.Keys = []byte("head"), []byte("body"), []uint32{3, 9}
		d.Embedder, d.Vectors = "own", []float32{1, 0, 0, 0, 1, 0}
		return d
	}
	of := func(change func(*Doc)) Print {
		t.Helper()
		d := base()
		change(d)
		x, w := open(t)
		d.ID = 1
		publish(t, w, []*Doc{d})
		return prints(snapshot(t, x))[d.Path]
	}
	want := of(func(*Doc) {})
	for name, c := range map[string]struct {
		change func(*Doc)
		parts  string
	}{
		"nothing":               {func(*Doc) {}, ""},
		"another scope":         {func(d *Doc) { d.Chunks[0].Scope = "Writer" }, "spans words"},
		"another kind":          {func(d *Doc) { d.Chunks[1].Symbols[0].Kind = corpus.Type }, "spans"},
		"another hash":          {func(d *Doc) { d.Chunks[1].Hash = hashOf([]byte("3")) }, "spans"},
		"another line":          {func(d *Doc) { d.Chunks[1].Lines.Last = 3 }, "spans"},
		"another head":          {func(d *Doc) { d.Head = []byte("heaD") }, "facts"},
		"another body":          {func(d *Doc) { d.Body = []byte("bodY") }, "facts"},
		"from head to body":     {func(d *Doc) { d.Head, d.Body = []byte("hea"), []byte("dbody") }, "facts"},
		"another key":           {func(d *Doc) { d.Keys = []uint32{3, 10} }, "keys"},
		"no key":                {func(d *Doc) { d.Keys = nil }, "keys"},
		"another vector":        {func(d *Doc) { d.Vectors = []float32{1, 0, 0, 0, 0, 1} }, "vectors"},
		"no vectors":            {func(d *Doc) { d.Embedder, d.Vectors = "", nil }, "vectors"},
		"vectors change places": {func(d *Doc) { d.Vectors = []float32{0, 1, 0, 1, 0, 0} }, "vectors"},
		"words change places":   {func(d *Doc) { d.Text = []byte("value or errors\nwalrus here\n") }, "words trigrams"},
	} {
		got := of(c.change)
		parts := ""
		for _, p := range []struct {
			name string
			same bool
		}{{"spans", got.Spans == want.Spans}, {"facts", got.Facts == want.Facts}, {"words", got.Words == want.Words}, {"trigrams", got.Trigrams == want.Trigrams}, {"keys", got.Keys == want.Keys}, {"vectors", got.Vectors == want.Vectors}} {
			if !p.same {
				if parts != "" {
					parts += " "
				}
				parts += p.name
			}
		}
		if parts != c.parts || got.DocInfo != want.DocInfo {
			t.Errorf("%s: %q differ, want %q; %+v", name, parts, c.parts, got.DocInfo)
		}
	}
	// In three segments, without those that are gone, and in one.
	m := newMaker(72)
	x, w := open(t)
	for i := range 3 {
		publish(t, w, m.docs(uint32(1+10*i), 10, 3))
	}
	publish(t, w, nil, 3, 14)
	before := prints(snapshot(t, x))
	mergeThem(t, x, w)
	after := prints(snapshot(t, x))
	if len(before) != 28 || len(after) != 28 {
		t.Errorf("%d and %d prints, want those of 28 documents", len(before), len(after))
	}
	for path, p := range before {
		if after[path] != p {
			t.Errorf("%s: merged %+v, before %+v", path, after[path], p)
		}
	}
	n := 0
	must(t, snapshot(t, x).Prints("own", func(Print) bool { n++; return n < 3 }))
	if n != 3 {
		t.Errorf("%d prints after the third was enough", n)
	}
}
