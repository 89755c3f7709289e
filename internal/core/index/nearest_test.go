package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/vec"
)

// inTwo asks for n candidates and, where documents with flags may have taken the place of
// others, once more for those of the others alone: what a pair finds at once.
func inTwo(n int, f Filter, flags corpus.Flags, ask func(Filter) []corpus.Candidate) []corpus.Candidate {
	all := ask(f)
	is := func(c corpus.Candidate) bool { return c.Flags&flags != 0 }
	if len(all) < n || !slices.ContainsFunc(all, is) {
		return all
	}
	more := ask(func(d DocInfo) bool { return d.Flags&flags == 0 && (f == nil || f(d)) })
	return append(slices.DeleteFunc(all, func(c corpus.Candidate) bool { return !is(c) }), more...)
}

func TestForeignBeside(t *testing.T) {
	ctx := context.Background()
	const dims = 64
	m := newMaker(41)
	x, w := open(t)
	for i := range 3 {
		publish(t, w, embed(m.Rand, m.docs(uint32(1+60*i), 60, 4), dims, map[string][]float32{}), uint32(20*i))
	}
	p := snapshot(t, x)
	even := func(d DocInfo) bool { return d.Chunks%2 == 0 }
	twice := 0
	for i, flags := range []corpus.Flags{0, corpus.Vendored, corpus.Vendored | corpus.Generated, corpus.Test, 1 << 14} {
		for _, n := range []int{1, 7, 40, 1000} {
			for _, f := range []Filter{nil, even} {
				q := unit(m.Rand, dims)
				want := inTwo(n, f, flags, func(f Filter) []corpus.Candidate {
					twice++
					got, err := p.Nearest(ctx, "own", q, n, f)
					must(t, err)
					return got
				})
				if got, err := p.NearestBeside(ctx, "own", q, n, f, flags); err != nil || !slices.Equal(got, want) {
					t.Fatalf("%d nearest beside %b: %v, %v; want %v", n, flags, got, err, want)
				}
				query := terms(m.word(), m.word(), m.word())
				want = inTwo(n, f, flags, func(f Filter) []corpus.Candidate {
					got, err := p.Lexical(ctx, query, n, 1+i, f)
					must(t, err)
					return got
				})
				if got, err := p.LexicalBeside(ctx, query, n, 1+i, f, flags); err != nil || !slices.Equal(got, want) {
					t.Fatalf("%d by words beside %b: %v, %v; want %v", n, flags, got, err, want)
				}
			}
		}
	}
	if twice < 50 {
		t.Errorf("asked %d times: nothing takes the place of others", twice)
	}
}

// elsewhere proposes by meaning what a list says.
type elsewhere struct {
	distant
	cands []corpus.Candidate
	asked int
	fail  int // at this question
}

var errElsewhere = errors.New("elsewhere is away")

func (e *elsewhere) nearest(_ context.Context, _ *Snapshot, _ string, _ []float32, n int, f Filter) (out []corpus.Candidate, err error) {
	if e.asked++; e.asked == e.fail {
		return nil, errElsewhere
	}
	for _, c := range e.cands {
		if len(out) < n && (f == nil || f(DocInfo{Flags: c.Flags, ID: c.Doc})) {
			out = append(out, c)
		}
	}
	return out, nil
}

// What lies elsewhere is asked once more only where what is foreign may have taken places.
func TestForeignBesideElsewhere(t *testing.T) {
	ctx := context.Background()
	c := func(doc uint32, flags corpus.Flags) corpus.Candidate {
		return corpus.Candidate{Ref: corpus.Ref{Chunk: doc}, Doc: doc, Flags: flags, Cosine: 1 / float32(doc)}
	}
	all := []corpus.Candidate{c(1, 0), c(2, corpus.Vendored), c(3, corpus.Generated), c(4, corpus.Test), c(7, 0), c(8, 0), c(9, 0)}
	const flags = corpus.Vendored | corpus.Generated
	for _, tc := range []struct {
		n     int
		cands []corpus.Candidate
		want  []uint32
		asked int
	}{
		{8, all, []uint32{1, 2, 3, 4, 7, 8, 9}, 1},
		{3, []corpus.Candidate{c(1, 0), c(4, corpus.Test), c(7, 0), c(8, 0)}, []uint32{1, 4, 7}, 1},
		{4, all, []uint32{2, 3, 1, 4, 7, 8}, 2},
		{3, nil, nil, 1},
	} {
		p := snapshot(t, Memory([16]byte{}))
		far := &elsewhere{cands: tc.cands}
		p.far = far
		got, err := p.NearestBeside(ctx, "own", []float32{1}, tc.n, nil, flags)
		var docs []uint32
		for _, x := range got {
			docs = append(docs, x.Doc)
		}
		if err != nil || !slices.Equal(docs, tc.want) || far.asked != tc.asked {
			t.Errorf("%d of %v: %v in %d questions, %v; want %v in %d", tc.n, tc.cands, docs, far.asked, err, tc.want, tc.asked)
		}
		for fail := 1; fail <= tc.asked; fail++ {
			p.far = &elsewhere{cands: tc.cands, fail: fail}
			if _, err := p.NearestBeside(ctx, "own", []float32{1}, tc.n, nil, flags); !errors.Is(err, errElsewhere) {
				t.Errorf("question %d fails, and it is %v", fail, err)
			}
		}
	}
}

// manyDocs returns documents of up to three chunks without words, of which each has a vector.
func manyDocs(r *rand.Rand, first, n uint32, dims int) (docs []*Doc) {
	for id := first; id < first+n; id++ {
		d := &Doc{ID: id, Document: corpus.Document{Path: fmt.Sprintf("%d/%06d.txt", id%7, id), Flags: corpus.Flags(r.Intn(8)), Text: []byte("\n\n\n")},
			Hash: hashOf([]byte{byte(id), byte(id >> 8)}), Lines: 3, Embedder: "own"}
		for i := range r.Intn(4) {
			d.Chunks = append(d.Chunks, corpus.Chunk{Span: corpus.Span{Start: i, End: i + 1}, Lines: corpus.Range{First: i + 1, Last: i + 1}})
			d.Vectors = append(d.Vectors, unit(r, dims)...)
		}
		docs = append(docs, d)
	}
	return docs
}

// Among more chunks than are compared, the nearest of those whose signs are nearest are found,
// as many of them as if others than pass and live were not there, however they came to be there.
func TestNearestOfMoreThanAreCompared(t *testing.T) {
	ctx := context.Background()
	const dims, size = 256, 5000
	r := rand.New(rand.NewSource(43))
	x, w := open(t)
	y, v := open(t)
	docs := manyDocs(r, 1, size, dims)
	var live []*Doc
	var dead []uint32
	for _, d := range docs {
		if r.Intn(20) == 0 {
			dead = append(dead, d.ID)
		} else {
			live = append(live, d)
		}
	}
	publish(t, w, docs[:size/10])
	publish(t, w, docs[size/10:size/2], dead...)
	publish(t, w, docs[size/2:], dead...)
	publish(t, v, live)
	p, alone := snapshot(t, x), snapshot(t, y)
	if p.Segments() != 3 || alone.Segments() != 1 || len(dead) == 0 {
		t.Fatalf("%d and %d segments, %d dead", p.Segments(), alone.Segments(), len(dead))
	}
	type place struct {
		path  string
		chunk int
	}
	places := func(p *Snapshot, cands []corpus.Candidate, err error) (out []place) {
		t.Helper()
		must(t, err)
		for _, c := range cands {
			d := p.segs[c.Segment].doc(c.Doc)
			if c.First != (c.Chunk == d.First) || int(c.Chunks) != int(d.Chunks) || c.Flags != d.Flags {
				t.Fatalf("%+v is of %+v", c, d)
			}
			out = append(out, place{d.Path, int(c.Chunk - d.First)})
		}
		return out
	}
	missed := 0
	for name, f := range map[string]Filter{"all": nil, "most": func(d DocInfo) bool { return d.ID%10 != 3 }, "few": func(d DocInfo) bool { return d.ID%10 == 3 }} {
		for range 5 {
			q := unit(r, dims)
			query := vec.NewQuery(q)
			type far struct {
				place
				apart uint16
				cos   float32
			}
			var all []far
			var table vecTable
			for _, d := range live {
				for i := range d.Chunks {
					if f != nil && !f(DocInfo{ID: d.ID}) {
						continue
					}
					table.embedder, table.dims, table.rows, table.signs = "own", dims, table.rows[:0], table.signs[:0]
					table.put(d.Vectors[i*dims : (i+1)*dims])
					one := openVectors(bare(0, 1, map[int][]byte{secVecs: table.rows, secSigns: table.signs, secVecName: []byte("own")}), 1)
					row, scale := one.row(0)
					apart := []uint16{0}
					query.Sketch().Apart(apart, one.signs())
					all = append(all, far{place{d.Path, i}, apart[0], query.Dot(row, scale)})
				}
			}
			best := func(of []far) (out []place) {
				slices.SortStableFunc(of, func(a, b far) int { return int(b.cos*1e6) - int(a.cos*1e6) })
				for _, a := range of[:20] {
					out = append(out, a.place)
				}
				return out
			}
			exact := best(slices.Clone(all))
			slices.SortStableFunc(all, func(a, b far) int { return int(a.apart) - int(b.apart) })
			within := len(all)
			if within > compared {
				for within = compared; within < len(all) && all[within].apart == all[compared-1].apart; within++ {
				}
			} else if name != "few" {
				t.Fatalf("only %d chunks", len(all))
			}
			want := best(all[:within])
			got, err := p.Nearest(ctx, "own", q, 20, f)
			if found := places(p, got, err); !slices.Equal(found, want) {
				t.Fatalf("%s: %v, want %v", name, found, want)
			}
			got, err = alone.Nearest(ctx, "own", q, 20, f)
			if found := places(alone, got, err); !slices.Equal(found, want) {
				t.Fatalf("%s, at once: %v, want %v", name, found, want)
			}
			for _, e := range exact {
				if !slices.Contains(want, e) {
					missed++
				}
			}
		}
	}
	if missed > 5 {
		t.Errorf("%d of 300 nearest are not among those compared", missed)
	}
}

// To a query of negatives a chunk without a vector has the signs that are nearest. However many
// there are, they take the place of none that has one, whether or not a filter is asked.
func TestNearestBesideNone(t *testing.T) {
	ctx := context.Background()
	const dims, none, near = 64, 10_000, 10
	r := rand.New(rand.NewSource(53))
	q := make([]float32, dims)
	for i := range q {
		q[i] = -1. / 8
	}
	doc := func(id uint32, chunks int, vector func(i int) []float32) *Doc {
		d := &Doc{ID: id, Document: corpus.Document{Path: fmt.Sprintf("%d.txt", id), Text: bytes.Repeat([]byte("\n"), chunks)}, Hash: hashOf([]byte{byte(id)}), Lines: chunks}
		for i := range chunks {
			d.Chunks = append(d.Chunks, corpus.Chunk{Span: corpus.Span{Start: i, End: i + 1}, Lines: corpus.Range{First: i + 1, Last: i + 1}})
			if vector != nil {
				d.Embedder = "own"
				d.Vectors = append(d.Vectors, vector(i)...)
			}
		}
		return d
	}
	// The first has no positive number, each of the others one more.
	alike := func(i int) []float32 {
		v := slices.Clone(q)
		for k := range i {
			v[k] = -v[k]
		}
		return v
	}
	random := func(int) []float32 { return unit(r, dims) }
	for name, docs := range map[string][]*Doc{
		"few":  {doc(1, none, nil), doc(2, near, alike)},
		"many": {doc(1, none, nil), doc(2, near, alike), doc(3, 2*compared, random)},
	} {
		x, w := open(t)
		publish(t, w, docs)
		p := snapshot(t, x)
		if p.Segments() != 1 {
			t.Fatalf("%s: %d segments", name, p.Segments())
		}
		for asked, f := range map[string]Filter{"all": nil, "those that pass": func(DocInfo) bool { return true }} {
			got, err := p.Nearest(ctx, "own", q, near, f)
			must(t, err)
			if len(got) != near {
				t.Fatalf("%s, %s: %d found, want %d", name, asked, len(got), near)
			}
			for i, c := range got {
				if c.Chunk != none+uint32(i) {
					t.Errorf("%s, %s: chunk %d is at %d, want %d", name, asked, c.Chunk, i, none+i)
				}
			}
		}
	}
}

// The document of a chunk is found in whatever steps chunks are asked for, beside documents
// that have none.
func TestOrdered(t *testing.T) {
	r := rand.New(rand.NewSource(47))
	b := NewBuilder()
	for _, d := range manyDocs(r, 1, 400, 8) {
		b.Add(d)
	}
	s, err := b.segment([16]byte{})
	must(t, err)
	for _, most := range []int{1, 3, 40, 1000} {
		docs := s.ordered()
		for c := uint32(0); c < s.Chunks; c += uint32(1 + r.Intn(most)) {
			d, lo, hi := docs.with(c)
			if info := s.doc(d); d != s.chunkDoc(c) || lo != info.First || hi != info.First+info.Chunks || docs.flags(d) != info.Flags {
				t.Fatalf("chunk %d is of document %d, %d to %d; want %d", c, d, lo, hi, s.chunkDoc(c))
			}
		}
		if err := safely(func() { docs.with(s.Chunks) }); !errors.Is(err, ErrDamaged) {
			t.Errorf("a chunk that is not there: %v", err)
		}
	}
}

// A vector that changed is found out when it is read, and a sign whenever any is.
func TestDamagedVectors(t *testing.T) {
	ctx := context.Background()
	data := sealed(t)
	near := unit(newMaker(32).Rand, sealedDims)
	p, err := snapshotOf(data)
	must(t, err)
	for _, sec := range []int{secVecs, secSigns} {
		for _, at := range []int{0, 5, len(p.segs[0].sec[sec]) - 1} {
			off := p.segs[0].off[sec] + at
			data[off] ^= 4
			q, err := snapshotOf(data)
			must(t, err)
			if _, err := q.Nearest(ctx, "own", near, 5, nil); !q.Damaged() || !onlyDamage(err) {
				t.Errorf("byte %d of section %d changed: %v", at, sec, err)
			}
			if err := q.segs[0].Check(); !errors.Is(err, ErrDamaged) {
				t.Errorf("byte %d of section %d changed: Check = %v", at, sec, err)
			}
			data[off] ^= 4
		}
	}
}
