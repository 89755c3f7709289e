package index

import (
	"context"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/regex"
)

// dump returns all that a snapshot's live documents are found by, in an order that
// does not depend on how they lie in segments.
func dump(t testing.TB, p *Snapshot) (out []string) {
	t.Helper()
	err := p.safely(func() {
		for _, s := range p.segs {
			for d := range s.Docs {
				if s.dead.has(d) {
					continue
				}
				info := s.doc(d)
				lo, hi := s.docChunks(d)
				info.First = 0
				head, body := s.facts(d)
				out = append(out, fmt.Sprintf("doc %+v %q %q", info, head, body))
				for c := lo; c < hi; c++ {
					out = append(out, fmt.Sprintf("chunk %s %d %+v %d", info.Path, c-lo, s.chunk(c), s.words(c)))
				}
			}
			for c := s.termsFrom(0, true); c.next(); {
				postings{c.df, s.at(secPostings, c.at, c.size)}.each(s.Segment, func(chunk uint32, bits uint8) {
					if d := s.chunkDoc(chunk); !s.dead.has(d) {
						lo, _ := s.docChunks(d)
						out = append(out, fmt.Sprintf("term %s %s %d %#x", c.term, s.path(d), chunk-lo, bits))
					}
				})
			}
			for i := range s.nKeys() {
				s.keyDocs(i, func(d uint32) {
					if !s.dead.has(d) {
						out = append(out, fmt.Sprintf("key %d %s", s.key(i), s.path(d)))
					}
				})
			}
			for c := s.gramsFrom(0); c.next(); {
				c.docs(func(d uint32) {
					if !s.dead.has(d) {
						out = append(out, fmt.Sprintf("gram %d %s", c.key, s.path(d)))
					}
				})
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

func sameDump(t *testing.T, what string, got, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%.2000s", what, diff)
	}
}

// An overlay answers as the same documents do once they are published.
func TestWithIsPublish(t *testing.T) {
	m := newMaker(51)
	first, second, third := m.docs(1, 30, 4), m.docs(31, 10, 4), m.docs(41, 10, 4)
	dead := []uint32{2, 3, 17, 999}
	builder := func(docs []*Doc) *Builder {
		b := NewBuilder()
		for _, d := range docs {
			b.Add(d)
		}
		return b
	}
	x, w := open(t)
	publish(t, w, first)
	base := snapshot(t, x)
	before := dump(t, base)
	over, err := base.With(builder(second), dead)
	must(t, err)
	over, err = over.With(builder(third), nil)
	must(t, err)
	sameDump(t, "what lies below an overlay", dump(t, base), before)

	publish(t, w, second, dead...)
	publish(t, w, third)
	want := snapshot(t, x)
	sameDump(t, "an overlay", dump(t, over), dump(t, want))
	ids := func(p *Snapshot) (out []string) {
		for _, d := range append(first, append(second, third...)...) {
			chunks, err := p.Chunks(d.Path)
			must(t, err)
			for _, c := range chunks {
				out = append(out, fmt.Sprintf("%s %d %d", d.Path, c.ID, c.Start))
			}
		}
		return out
	}
	got := ids(over)
	if !slices.Equal(got, ids(want)) {
		t.Error("the chunks of an overlay have other ids than once they are published")
	}
	for range 20 {
		query := m.query(3)
		a, err := over.Lexical(context.Background(), query, 50, 3, nil)
		must(t, err)
		b, err := want.Lexical(context.Background(), query, 50, 3, nil)
		must(t, err)
		if diff := cmp.Diff(b, a); diff != "" {
			t.Fatalf("query %v: an overlay answers otherwise (-published +overlay):\n%s", query, diff)
		}
	}
	if o, err := base.With(nil, dead); err != nil || o.Segments() != 1 {
		t.Errorf("With without documents: %v", err)
	}
	mem := Memory([16]byte{1})
	o, err := snapshot(t, mem).With(builder(first), nil)
	must(t, err)
	sameDump(t, "an overlay over nothing", dump(t, o), before)
}

// Merged segments are what one segment of the same documents would be.
func TestMergeIsRebuild(t *testing.T) {
	ctx := context.Background()
	m := newMaker(52)
	x, w := open(t)
	var live []*Doc
	var dead []uint32
	next := uint32(1)
	for range 9 {
		docs := m.docs(next, 5+m.Intn(20), 4)
		next += uint32(len(docs))
		for _, d := range docs {
			if m.Intn(4) == 0 {
				dead = append(dead, d.ID)
			} else {
				live = append(live, d)
			}
		}
		publish(t, w, docs)
	}
	publish(t, w, nil, dead...)
	before := dump(t, snapshot(t, x))
	must(t, w.Merge(ctx, 1<<30))
	p := snapshot(t, x)
	if p.Segments() >= 9 {
		t.Fatalf("%d segments after the merge", p.Segments())
	}
	sameDump(t, "the merged", dump(t, p), before)
	for _, s := range p.segs {
		must(t, s.Check())
	}
	other, ow := open(t)
	publish(t, ow, live)
	sameDump(t, "the merged, against rebuilt", dump(t, p), dump(t, snapshot(t, other)))
	mod := model{docs: live}
	for range 20 {
		query := m.query(3)
		a, err := p.Lexical(ctx, query, 1000, 3, nil)
		must(t, err)
		if diff := same(hitsOf(t, a, p.Describe), mod.lexical(query, 3, nil), 1000); diff != "" {
			t.Fatalf("query %v: %s", query, diff)
		}
	}
	// All dead, a segment goes.
	var all []uint32
	for _, d := range live {
		all = append(all, d.ID)
	}
	publish(t, w, nil, all...)
	must(t, w.Merge(ctx, 1<<30))
	if p := snapshot(t, x); p.Segments() != 0 || len(dump(t, p)) != 0 {
		t.Errorf("%d segments of dead documents", p.Segments())
	}
}

// What dies while a merge is under way is dead in what it makes.
func TestDeadDuringMerge(t *testing.T) {
	ctx := context.Background()
	m := newMaker(53)
	x, w := open(t)
	for i := range 3 {
		publish(t, w, m.docs(uint32(1+10*i), 10, 3), uint32(1+10*i))
	}
	publish(t, w, nil, 2, 12)
	p := snapshot(t, x)
	mg, built, err := x.prepareMerge(p, p.segs)
	must(t, err)
	publish(t, w, m.docs(31, 5, 3), 5, 15, 25)
	want := dump(t, snapshot(t, x))
	must(t, w.publishMerge(ctx, mg, built))
	p = snapshot(t, x)
	sameDump(t, "after the merge", dump(t, p), want)
	if p.Segments() != 2 {
		t.Errorf("%d segments, want the merged and the new", p.Segments())
	}
	if err := w.publishMerge(ctx, mg, built); err == nil {
		t.Error("a merge is published twice")
	}
}

func TestMergeable(t *testing.T) {
	seg := func(name string, size int64, docs, dead uint32) *segment {
		s := &segment{Segment: &Segment{Name: name, size: size, Docs: docs, ok: make([]atomic.Uint32, 1)}}
		s.sec[secDocs] = make([]byte, docs*docSize)
		s.ok[0].Store(1)
		for d := range dead {
			s.dead.set(d)
		}
		return s
	}
	many := func(n int, size int64) (out []*segment) {
		for i := range n {
			out = append(out, seg(fmt.Sprintf("%d of %d", i, size), size, 10, 2))
		}
		return out
	}
	for name, c := range map[string]struct {
		segs  []*segment
		limit int64
		want  int
	}{
		"none":                     {nil, 1 << 40, 0},
		"few":                      {many(7, 1000), 1 << 40, 0},
		"a tier":                   {many(8, 1000), 1 << 40, 8},
		"too large":                {many(8, 1000), 999, 0},
		"two sizes":                {append(many(7, 1000), many(7, 1<<22)...), 1 << 40, 0},
		"much dead":                {append(many(2, 1000), seg("dead", 5000, 10, 3)), 1 << 40, 1},
		"all dead, and large":      {append(many(2, 1000), seg("dead", 1<<30, 10, 10), seg("too", 1<<30, 10, 10)), 999, 2},
		"much to write again":      {[]*segment{seg("a", 60<<20, 10, 3), seg("b", 60<<20, 10, 3)}, 999, 1},
		"crumbs":                   {append(many(5, 1<<20), many(2, 1<<24)...), 1 << 40, 0},
		"many crumbs":              {append(many(5, 1<<20), many(1, 1<<24)...), 1 << 40, 5},
		"an overlay is not merged": {append(many(7, 1000), seg("", 1000, 10, 9)), 1 << 40, 0},
		"more than offsets reach":  {many(30, 200<<20), 1 << 40, 10},
	} {
		p := &Snapshot{segs: c.segs, vecs: make([]*vectors, len(c.segs))}
		if got, err := p.mergeable(c.limit); err != nil || len(got) != c.want {
			t.Errorf("%s: %d segments to merge, %v, want %d", name, len(got), err, c.want)
		}
	}
}

// Matching omits no document that satisfies the query, and names no other.
func TestMatching(t *testing.T) {
	ctx := context.Background()
	m := newMaker(54)
	x, w := open(t)
	var all []*Doc
	for i := range 4 {
		docs := m.docs(uint32(1+25*i), 25, 4)
		publish(t, w, docs)
		all = append(all, docs...)
	}
	publish(t, w, nil, 7, 8, 60)
	over, err := snapshot(t, x).With(func() *Builder {
		b := NewBuilder()
		d := text1("overlay.txt", "value error ſpecial \u212aelvin")
		d.ID = 500
		b.Add(d)
		all = append(all, d)
		return b
	}(), []uint32{9})
	must(t, err)
	trigrams := map[uint32]*regex.Set{}
	for _, d := range all {
		trigrams[d.ID] = new(regex.Set)
		regex.GramSet(d.Text, trigrams[d.ID])
	}
	dead := map[uint32]bool{7: true, 8: true, 9: true, 60: true}
	queries := []regex.Query{{}, {Op: regex.None}, {Op: regex.And}, {Op: regex.Or}}
	for _, pattern := range []string{"value", "va(lue|lid)", "err.*idx|query", "検索", "größe", "[a-z]+_[a-z]+", "zebra.*quartz", "(?i)SPECIAL", "kelvin", "a|b", "x86|sha256", "no such thing"} {
		re, err := regex.Compile(pattern, regex.Options{})
		must(t, err)
		queries = append(queries, re.Query())
	}
	for range 60 {
		queries = append(queries, randomQuery(m.Rand, all, 3))
	}
	for _, q := range queries {
		var want, got []uint32
		for _, d := range all {
			if !dead[d.ID] && q.Match(trigrams[d.ID].Has) {
				want = append(want, d.ID)
			}
		}
		must(t, over.Matching(ctx, q, func(d DocInfo) bool { got = append(got, d.ID); return true }))
		if q.Op == regex.Or && len(q.Trigrams)+len(q.Sub) == 0 {
			continue // of no alternatives; package regex makes none
		}
		if !slices.Equal(got, want) {
			t.Errorf("query %+v matches %v, want %v", q, got, want)
		}
	}
	n := 0
	must(t, over.Matching(ctx, regex.Query{}, func(DocInfo) bool { n++; return n < 3 }))
	if n != 3 {
		t.Errorf("%d documents after the third was enough", n)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if err := over.Matching(stopped, regex.Query{}, func(DocInfo) bool { return true }); err == nil {
		t.Error("Matching goes on after it was cancelled")
	}
}

// randomQuery makes a query of trigrams that some document has, or nobody.
func randomQuery(r *rand.Rand, docs []*Doc, depth int) regex.Query {
	q := regex.Query{Op: []regex.Op{regex.And, regex.Or}[r.Intn(2)]}
	for range 1 + r.Intn(4) {
		g := regex.Gram(r.Intn(regex.Trigrams))
		if d := docs[r.Intn(len(docs))]; r.Intn(5) > 0 && len(d.Text) > 3 {
			at := r.Intn(len(d.Text) - 3)
			var seen regex.Set
			regex.GramSet(d.Text[at:at+3], &seen)
			if found := seen.Trigrams(); len(found) > 0 { // none where a wide letter folds into one byte
				g = found[0]
			}
		}
		q.Trigrams = append(q.Trigrams, g)
	}
	for depth > 0 && r.Intn(2) == 0 {
		q.Sub = append(q.Sub, randomQuery(r, docs, depth-1))
		depth--
	}
	return q
}

// unit returns a random vector of length 1.
func unit(r *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	sum := 0.
	for i := range v {
		x := r.NormFloat64()
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

// Nearest finds what a scan of the vectors in floats finds, but for what eight
// bits cannot tell apart.
func TestNearest(t *testing.T) {
	ctx := context.Background()
	const dims = 96
	m := newMaker(55)
	x, w := open(t)
	byChunk := map[string][]float32{}
	for i := range 3 {
		docs := m.docs(uint32(1+60*i), 60, 5)
		publish(t, w, docs)
	}
	publish(t, w, nil, 5, 70)
	p := snapshot(t, x)
	for i, s := range p.segs {
		vecs := make([][]float32, s.Chunks)
		refs, err := p.LiveChunks(i)
		must(t, err)
		found, err := p.Describe(refs)
		must(t, err)
		for k, r := range refs {
			if m.Intn(10) == 0 {
				continue // some have none
			}
			vecs[r.Chunk] = unit(m.Rand, dims)
			byChunk[fmt.Sprint(found[k].Doc.Path, " ", r.Chunk-found[k].Doc.First)] = vecs[r.Chunk]
		}
		must(t, w.PutVectors(ctx, p, i, "model", dims, vecs))
	}
	p = snapshot(t, x)
	if left, n := p.Unembedded("model"); len(left) != 0 || n != 0 {
		t.Errorf("%d chunks without vectors in %v", n, left)
	}
	if left, n := p.Unembedded("other"); len(left) != 3 || n == 0 {
		t.Errorf("another embedder has vectors: %v, %d", left, n)
	}
	shared, wanted := 0, 0
	for range 30 {
		q := unit(m.Rand, dims)
		got, err := p.Nearest(ctx, "model", q, 10, nil)
		must(t, err)
		shared += overlapWith(t, p, got, byChunk, q)
		wanted += 10
		for i := 1; i < len(got); i++ {
			if got[i].Cosine > got[i-1].Cosine {
				t.Fatalf("hit %d is nearer than the one before it", i)
			}
		}
		again := append([]corpus.Candidate(nil), got...)
		for i := range again {
			again[i].Cosine = 0
		}
		must(t, p.FillCosine("model", q, again))
		if diff := cmp.Diff(got, again); diff != "" {
			t.Fatalf("FillCosine says otherwise (-Nearest +FillCosine):\n%s", diff)
		}
	}
	if recall := float64(shared) / float64(wanted); recall < .97 {
		t.Errorf("recall %.3f of the nearest ten, want .97", recall)
	}
	every, err := p.Nearest(ctx, "model", unit(m.Rand, dims), 10_000, nil)
	must(t, err)
	if len(every) != len(byChunk) {
		t.Errorf("%d chunks are near at all, want the %d that live and have a vector", len(every), len(byChunk))
	}
	nearestEdges(t, p, dims, m)
}

func overlapWith(t *testing.T, p *Snapshot, got []corpus.Candidate, byChunk map[string][]float32, q []float32) (shared int) {
	t.Helper()
	type near struct {
		name string
		cos  float64
	}
	var all []near
	for name, v := range byChunk {
		sum := 0.
		for i := range v {
			sum += float64(v[i]) * float64(q[i])
		}
		all = append(all, near{name, sum})
	}
	slices.SortFunc(all, func(a, b near) int { return int(math.Copysign(1, b.cos-a.cos)) })
	for _, h := range hitsOf(t, got, p.Describe) {
		name := fmt.Sprint(h.path, " ", h.chunk)
		at := slices.IndexFunc(all, func(n near) bool { return n.name == name })
		if at < 0 {
			t.Fatalf("%s is near and has no vector, or is dead", name)
		}
		if math.Abs(all[at].cos-float64(h.Cosine)) > .02 {
			t.Fatalf("%s has cosine %v, want %v", name, h.Cosine, all[at].cos)
		}
		if at < 10 {
			shared++
		}
	}
	return shared
}

func nearestEdges(t *testing.T, p *Snapshot, dims int, m *maker) {
	t.Helper()
	ctx := context.Background()
	q := unit(m.Rand, dims)
	for name, c := range map[string]struct {
		embedder string
		vec      []float32
		n        int
		f        Filter
	}{
		"another embedder": {"other", q, 5, nil},
		"another length":   {"model", q[:dims-1], 5, nil},
		"no vector":        {"model", nil, 5, nil},
		"a zero vector":    {"model", make([]float32, dims), 0, nil},
		"none wanted":      {"model", q, 0, nil},
		"less than none":   {"model", q, -1, nil},
		"nothing passes":   {"model", q, 5, func(DocInfo) bool { return false }},
	} {
		if got, err := p.Nearest(ctx, c.embedder, c.vec, c.n, c.f); err != nil || len(got) != 0 {
			t.Errorf("%s: Nearest = %d hits, %v; want none", name, len(got), err)
		}
	}
	got, err := p.Nearest(ctx, "model", q, 1000, func(d DocInfo) bool { return strings.HasSuffix(d.Path, ".go") })
	must(t, err)
	for _, h := range hitsOf(t, got, p.Describe) {
		if !strings.HasSuffix(h.path, ".go") {
			t.Errorf("%s passed the filter", h.path)
		}
	}
	if len(got) == 0 {
		t.Error("nothing near ends in .go")
	}
}

// Vectors belong to a segment: they go with it, and are replaced by newer ones.
func TestVectorsOfMergedSegments(t *testing.T) {
	ctx := context.Background()
	m := newMaker(56)
	x, w := open(t)
	publish(t, w, m.docs(1, 20, 3))
	p := snapshot(t, x)
	put := func(p *Snapshot, embedder string) error {
		vecs := make([][]float32, p.segs[0].Chunks)
		for i := range vecs {
			vecs[i] = unit(m.Rand, 8)
		}
		return w.PutVectors(ctx, p, 0, embedder, 8, vecs)
	}
	must(t, put(p, "one"))
	must(t, put(p, "two"))
	now := snapshot(t, x)
	if got, _ := now.Nearest(ctx, "one", unit(m.Rand, 8), 5, nil); len(got) != 0 {
		t.Error("vectors of the embedder before are still asked")
	}
	if got, _ := now.Nearest(ctx, "two", unit(m.Rand, 8), 5, nil); len(got) != 5 || now.Embedder != "two" {
		t.Errorf("%d hits by the newer vectors of %q", len(got), now.Embedder)
	}
	if err := w.PutVectors(ctx, p, 0, "one", 8, nil); err == nil {
		t.Error("vectors for none of the chunks are no error")
	}
	publish(t, w, nil, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	must(t, w.Merge(ctx, 1<<30))
	if left, _ := snapshot(t, x).Unembedded("two"); len(left) != 1 {
		t.Errorf("a merged segment has vectors: %v", left)
	}
	must(t, put(p, "late")) // for a segment that is no more
	if got, _ := snapshot(t, x).Nearest(ctx, "late", unit(m.Rand, 8), 5, nil); len(got) != 0 {
		t.Error("vectors of a segment that is gone are asked")
	}
	must(t, w.CacheVectors(ctx, "two", map[corpus.Hash][]float32{{1}: {1, 2}, {2}: {3}}))
	for hash, want := range map[corpus.Hash][]float32{{1}: {1, 2}, {2}: {3}, {3}: nil} {
		if got, err := x.CachedVector(ctx, hash, "two"); err != nil || !slices.Equal(got, want) {
			t.Errorf("the cached vector of %v is %v, %v; want %v", hash, got, err, want)
		}
	}
	if got, err := x.CachedVector(ctx, corpus.Hash{1}, "one"); err != nil || got != nil {
		t.Errorf("a cached vector of another embedder: %v, %v", got, err)
	}
}

// How many documents have a key is what it is, however many they are and whether any has gone:
// the ranking reads it.
func TestCountKeyed(t *testing.T) {
	for _, n := range []int{1, 127, 128, 300, 20000} {
		b := NewBuilder()
		for i := range n {
			d := text1(fmt.Sprintf("%d.txt", i), "cherry")
			d.ID, d.Keys = uint32(i+1), []uint32{7, uint32(100 + i)}
			b.Add(d)
		}
		s, err := b.segment([16]byte{1})
		must(t, err)
		p := &Snapshot{}
		p.add(&segment{Segment: s})
		got, err := p.CountKeyed(7)
		if err != nil || got != n {
			t.Errorf("%d of %d documents have a key, %v", got, n, err)
		}
		gone, err := p.With(nil, []uint32{1})
		must(t, err)
		if got, err = gone.CountKeyed(7); err != nil || got != n-1 {
			t.Errorf("%d of %d documents have a key when one has gone, %v", got, n, err)
		}
	}
}
