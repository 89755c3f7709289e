package index

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
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
	for i, flags := range []corpus.Flags{0, corpus.Vendored, corpus.Vendored | corpus.Generated, corpus.Example, corpus.Example | corpus.Vendored, 1 << 14} {
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

// Of more chunks than are compared, exactly those are whose signs are nearest, 4,096 or 16 for each
// that is wanted, as if others than live, pass and have no flags were not there, however the index
// came to hold them.
func TestNearestOfMoreThanAreCompared(t *testing.T) {
	ctx := context.Background()
	const dims, size, least = 256, 800, 40
	r := rand.New(rand.NewSource(43))
	x, w := open(t)
	y, v := open(t)
	docs := manyDocs(r, 1, size, dims)
	var live []*Doc
	var dead []uint32
	for _, d := range docs {
		if r.Intn(5) == 0 {
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
	if s := p.survey(ctx, "own", unit(r, dims), nil, 0); s.least != 4096 {
		t.Errorf("at least %d are compared, want 4096", s.least)
	}
	type place struct {
		path  string
		chunk int
	}
	type far struct {
		place
		flags corpus.Flags
		apart int
		cos   float32
	}
	// best returns the n best, and where some with flags are among them those and the n best of the rest.
	best := func(of []far, n int, flags corpus.Flags) (out []place) {
		slices.SortStableFunc(of, func(a, b far) int { return cmp.Compare(b.cos, a.cos) })
		first := of[:min(n, len(of))]
		flagged := slices.ContainsFunc(first, func(a far) bool { return a.flags&flags != 0 }) && len(first) == n
		for _, a := range first {
			if !flagged || a.flags&flags != 0 {
				out = append(out, a.place)
			}
		}
		for _, a := range of {
			if flagged && a.flags&flags == 0 && n > 0 {
				out = append(out, a.place)
				n--
			}
		}
		return out
	}
	missed, wide := 0, 0
	for name, f := range map[string]Filter{"all": nil, "most": func(d DocInfo) bool { return d.ID%10 != 3 }, "few": func(d DocInfo) bool { return d.ID%4 == 3 }} {
		for i, flags := range []corpus.Flags{0, 1, 3, 0, 1} {
			r := rand.New(rand.NewSource(int64(i)))
			q := unit(r, dims)
			query := vec.NewQuery(q)
			var all []far
			for _, d := range live {
				for i := range d.Chunks {
					if f != nil && !f(DocInfo{ID: d.ID}) {
						continue
					}
					one := vecTable{embedder: "own", dims: dims}
					one.put(d.Vectors[i*dims : (i+1)*dims])
					row := openVectors(bare(0, 1, map[int][]byte{secVecs: one.rows, secSigns: one.signs, secVecName: []byte("own")}), 1)
					numbers, scale := row.row(0)
					var apart [1]uint16
					query.Sketch().Apart(apart[:], row.signs())
					all = append(all, far{place{d.Path, i}, d.Flags, int(apart[0]), query.Dot(numbers, scale)})
				}
			}
			n := []int{2, 20}[i%2]
			want := max(least, 16*n)
			var counted []int
			for _, a := range all {
				if a.flags&flags == 0 {
					counted = append(counted, a.apart)
				}
			}
			slices.Sort(counted)
			reach := query.Sketch().Most() + 1
			if len(counted) >= want {
				reach = counted[want-1] + 1
				wide++
			}
			exact := best(slices.Clone(all), n, flags)
			found := best(slices.DeleteFunc(all, func(a far) bool { return a.apart >= reach }), n, flags)
			for _, e := range exact {
				if !slices.Contains(found, e) {
					missed++
				}
			}
			for how, p := range map[string]*Snapshot{"in three": p, "at once": alone} {
				s := p.survey(ctx, "own", q, f, flags)
				s.least = least
				h, err := s.nearest(n)
				must(t, err)
				var got []place
				for _, c := range h.sorted() {
					d := p.segs[c.Segment].doc(c.Doc)
					if c.First != (c.Chunk == d.First) || int(c.Chunks) != int(d.Chunks) || c.Flags != d.Flags {
						t.Fatalf("%+v is of %+v", c, d)
					}
					got = append(got, place{d.Path, int(c.Chunk - d.First)})
				}
				if !slices.Equal(got, found) {
					t.Fatalf("%d of %s but %b, %s: %v, want %v", n, name, flags, how, got, found)
				}
				again := p.survey(ctx, "own", q, f, flags)
				again.least = least
				if got, err := again.reach(n); err != nil || got != reach {
					t.Fatalf("%d of %s but %b, %s: a reach of %d, %v; want %d", n, name, flags, how, got, err, reach)
				}
			}
		}
	}
	if wide < 10 || missed == 0 {
		t.Errorf("%d times more are there than are compared, %d nearest missed: the test tells nothing", wide, missed)
	}
}

// How many are compared is no less than what finds nearly all of the nearest, even of random vectors,
// which have no neighbours.
func TestEnoughAreCompared(t *testing.T) {
	const dims, n = 256, 20
	r := rand.New(rand.NewSource(44))
	x, w := open(t)
	publish(t, w, manyDocs(r, 1, 5000, dims))
	p := snapshot(t, x)
	missed := 0
	for range 5 {
		q := unit(r, dims)
		got, err := p.Nearest(t.Context(), "own", q, n, nil)
		must(t, err)
		all := p.survey(t.Context(), "own", q, nil, 0)
		all.least = int(p.chunks)
		exact, err := all.nearest(n)
		must(t, err)
		for _, c := range exact.sorted() {
			if !slices.Contains(got, c) {
				missed++
			}
		}
	}
	if missed > 2 {
		t.Errorf("%d of %d nearest are not among those compared", missed, 5*n)
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

// A row lies where no block is read for another reason, so that only its own checksum tells that it
// changed: whatever asks for it says so, and none answers with it.
func TestBrokenRow(t *testing.T) {
	ctx := context.Background()
	const dims = 256
	b := NewBuilder()
	docs := manyDocs(rand.New(rand.NewSource(54)), 1, 200, dims)
	for _, d := range docs {
		b.Add(d)
	}
	var buf bytes.Buffer
	_, _, err := b.WriteTo(&buf, [16]byte{})
	must(t, err)
	data := buf.Bytes()
	sound, err := snapshotOf(data)
	must(t, err)
	v := sound.own[0]
	chunk := int(sound.chunks / 2)
	var q []float32 // what the row is of
	for _, d := range docs {
		if n := len(d.Chunks); len(q) == 0 && n > 0 && sound.segs[0].doc(d.ID-1).First+uint32(n) > uint32(chunk) {
			i := chunk - int(sound.segs[0].doc(d.ID-1).First)
			q = d.Vectors[i*dims : (i+1)*dims]
		}
	}
	at := v.off[secVecs] + chunk*(vecHead+dims)
	if first, end := v.off[secVecs], v.off[secVecs]+len(v.sec[secVecs]); at>>blockBits == first>>blockBits || (at+vecHead+dims)>>blockBits == (end-1)>>blockBits {
		t.Fatal("the row shares a block with what is not a row")
	}
	ref := corpus.Candidate{Ref: corpus.Ref{Chunk: uint32(chunk)}}
	asked := map[string]func(p *Snapshot) error{
		"Nearest": func(p *Snapshot) error {
			got, err := p.Nearest(ctx, "own", q, 3, nil)
			if err == nil && (len(got) != 3 || got[0].Chunk != uint32(chunk) || got[0].Cosine < .99) {
				t.Errorf("Nearest = %v, want chunk %d first", got, chunk)
			}
			return err
		},
		"FillCosine": func(p *Snapshot) error {
			cands := []corpus.Candidate{ref}
			err := p.FillCosine("own", q, cands)
			if err == nil && cands[0].Cosine < .99 || err != nil && cands[0].Cosine != 0 {
				t.Errorf("FillCosine gives %v, %v", cands[0].Cosine, err)
			}
			return err
		},
		"Prints": func(p *Snapshot) error {
			return p.Prints("own", func(x Print) bool {
				if p.Damaged() {
					t.Errorf("the print of %s after damage was seen", x.Path)
				}
				return true
			})
		},
		"a merge": func(p *Snapshot) error {
			var err error
			return cmp.Or(p.safely(func() {
				m := &merger{segs: []*segment{p.segs[0]}}
				m.plan()
				_, _, err = m.writeTo(io.Discard, [16]byte{})
			}), err)
		},
	}
	for name, ask := range asked {
		p, err := snapshotOf(data)
		must(t, err)
		if err := ask(p); err != nil || p.Damaged() {
			t.Errorf("%s of what is sound: %v", name, err)
		}
		for _, byteOf := range []int{0, 5, vecHead, vecHead + dims/2, vecHead + dims - 1} {
			data[at+byteOf] ^= 4
			p, err := snapshotOf(data)
			must(t, err)
			if err := ask(p); !errors.Is(err, ErrDamaged) || !p.Damaged() {
				t.Errorf("%s with byte %d of a row changed: %v, want ErrDamaged", name, byteOf, err)
			}
			data[at+byteOf] ^= 4
		}
	}
}
