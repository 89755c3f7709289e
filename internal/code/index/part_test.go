package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/testaid"
	"github.com/assay-dev/assay/internal/base/vec"
)

// Postings that no PartWriter wrote are damage, never a crash.
func FuzzPartPostings(f *testing.F) {
	layout := Layout{Params: bm25.Default(), Fields: []Field{{Unit: 1, Mask: 0x0f, Weight: 1}}}
	f.Add(binary.AppendUvarint(nil, 3), []byte{2, 1, 4, 5})
	f.Add(binary.AppendUvarint(nil, 1<<63), []byte{0xff, 0xff})
	f.Add([]byte{}, []byte{0})
	f.Fuzz(func(t *testing.T, first, second []byte) {
		x := NewFile(nil, layout, false)
		r := x.reader(t.Context(), nil, 1, "a part")
		r.add(&resident{part: 1, codes: make([]byte, 1000), starts: []int{0, 400}, live: 1000, words: 1000})
		r.weigh()
		r.scan.arena = append(append(r.scan.arena, first...), second...)
		a, b := len(first), len(first)+len(second)
		r.terms[corpus.Term{Text: "a"}] = &sought{1, true, []stretch{{0, 0, 0, a}, {0, 1, a, b}}}
		r.terms[corpus.Term{Text: "b"}] = &sought{1, true, []stretch{{0, 0, a, b}, {0, 1, 0, a}}}
		hits, others, err := r.lexical([]corpus.Term{{Text: "a", Weight: 1}, {Text: "b", Weight: 2}}, 10, 10, nil, []uint32{3, 999})
		if len(r.scan.found) != 0 || slices.ContainsFunc(r.scan.worth, func(w float32) bool { return w != 0 }) {
			t.Fatal("something is left for the next question")
		}
		if err != nil {
			if !errors.Is(err, store.ErrDamaged) {
				t.Fatalf("lexical = %v, want damage", err)
			}
			return
		}
		seen := map[uint32]bool{}
		for _, h := range hits {
			if h.Chunk >= 1000 || seen[h.Chunk] || h.Score <= 0 {
				t.Fatalf("hits %v", hits)
			}
			seen[h.Chunk] = true
		}
		if len(others) != 2 {
			t.Fatalf("%d others", len(others))
		}
	})
}

func TestResidents(t *testing.T) {
	var k residents
	big := func() *resident { return &resident{codes: make([]byte, maxKept/3)} }
	for i := range 5 {
		k.put(keptKey{int64(i), "sum"}, big())
		k.get(keptKey{0, "sum"})
	}
	for i, want := range []bool{true, false, false, false, true} {
		if got := k.get(keptKey{int64(i), "sum"}) != nil; got != want {
			t.Errorf("part %d is kept: %v, want %v", i, got, want)
		}
	}
	if k.size > maxKept {
		t.Errorf("%d bytes are kept, at most %d", k.size, maxKept)
	}
	k.put(keptKey{9, "sum"}, &resident{codes: make([]byte, maxKept+1)})
	if k.get(keptKey{9, "sum"}) != nil || k.get(keptKey{0, "other"}) != nil {
		t.Error("what is too large or another's is kept")
	}
}

// That a chunk is gone is said of each of many, and as quickly where many are gone.
func TestBuried(t *testing.T) {
	p := editPart{gone: []chunkRange{{3, 2}, {7, 1}, {8, 3}}}
	var got []int64
	for c := range int64(13) {
		if p.buried(c) {
			got = append(got, c)
		}
	}
	if want := []int64{3, 4, 7, 8, 9, 10}; !slices.Equal(got, want) {
		t.Errorf("%v are gone, want %v", got, want)
	}
	if err := testaid.Linear(40_000, func(n int) {
		var many editPart
		for i := range int64(n) {
			many.gone = append(many.gone, chunkRange{2 * i, 1})
		}
		for i := range int64(n) {
			if many.buried(2*i + 1) {
				t.Fatalf("chunk %d is gone", 2*i+1)
			}
		}
	}); err != nil {
		t.Error(err)
	}
}

// nearest is the slow and obvious way.
func TestSigns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const dims = 128
	var signs []uint64
	var vectors [][]int8
	for range 500 {
		v := make([]int8, dims)
		for i := range v {
			v[i] = int8(r.IntN(255) - 127)
		}
		vectors = append(vectors, v)
		signs = append(signs, vec.Words(vec.AppendSigns(nil, v))...)
	}
	for _, v := range vectors[:20] {
		order := make([]int, len(vectors))
		far := make([]int, len(vectors))
		for i := range vectors {
			order[i] = i
			var apart [1]uint16
			vec.SketchOf(v).Apart(apart[:], signs[2*i:2*i+2])
			far[i] = int(apart[0])
		}
		slices.SortStableFunc(order, func(a, b int) int { return far[a] - far[b] })
		var room []uint16
		for _, k := range []int{1, 24, 499, 500, 1000} {
			if got := nearest(signs, vec.SketchOf(v), k, &room); !slices.Equal(got, order[:min(k, len(order))]) {
				t.Fatalf("nearest(%d) = %v, want %v", k, got, order)
			}
		}
	}
	stored := func(v []int8) (out []byte) {
		for _, x := range v {
			out = append(out, byte(x))
		}
		return out
	}
	if got := Alike(stored(vectors[0]), vectors[0]); got < .999 || got > 1.001 {
		t.Errorf("a vector is alike to itself by %v", got)
	}
	if Alike(stored(vectors[0]), make([]int8, dims)) != 0 || Alike(nil, vectors[0]) != 0 || Alike(nil, nil) != 0 {
		t.Error("nothing is alike to something")
	}
}

// Chunks are in the order that comparing them one by one gives, whatever their scores.
func TestArrange(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var all []scored
		for range r.IntN(40) {
			all = append(all, scored{int(r.Uint32()), [...]float32{0, -0.5, 0.5, 1e-40, -1e-40, 3e38, -3e38, r.Float32()}[r.IntN(8)]})
		}
		for _, best := range []bool{true, false} {
			want, got := slices.Clone(all), slices.Clone(all)
			slices.SortFunc(want, func(a, b scored) int {
				if best {
					return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at))
				}
				return cmp.Compare(a.at, b.at)
			})
			if arrange(got, best); !slices.Equal(got, want) {
				t.Fatalf("best %v: %v is arranged as %v, want %v", best, all, got, want)
			}
		}
	}
}

// The n best of any order of offers are the n best; with ties, so are all that are equal
// to the least of them.
func TestKeeper(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var all []scored
		for at := range r.IntN(60) {
			all = append(all, scored{at, float32(r.IntN(6))})
		}
		n := 1 + r.IntN(20)
		plain, tied := keeper{n: n}, keeper{n: n, ties: true}
		for _, i := range r.Perm(len(all)) {
			plain.offer(all[i])
			tied.offer(all[i])
		}
		slices.SortFunc(all, func(a, b scored) int {
			if b.less(a) {
				return -1
			}
			return 1
		})
		got := append([]scored{}, plain.heap...)
		slices.SortFunc(got, func(a, b scored) int {
			if b.less(a) {
				return -1
			}
			return 1
		})
		if want := all[:min(n, len(all))]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("the %d best are %v, want %v", n, got, want)
		}
		equal := 0
		for _, h := range all {
			if len(all) > n && h.score == all[n-1].score {
				equal++
			}
		}
		for _, h := range append(tied.heap, tied.tied...) {
			if len(all) > n && h.score == all[n-1].score {
				equal--
			}
		}
		if equal != 0 {
			t.Fatalf("%d of those equal to the last of the %d best are lost", equal, n)
		}
	}
}

// A filter leaves the best of what passes, in the order that all are in, whether it passes
// most documents, which are then looked up one by one, or few, for which all are read.
func TestFileFilter(t *testing.T) {
	f := newFile(t)
	m := newMaker(5)
	const dims = 64
	byChunk := map[string][]float32{}
	var alike []*Doc
	for i := range 900 {
		alike = append(alike, text1(fmt.Sprintf("alike/%03d.md", i), "zed yak here"))
	}
	embed(m.Rand, alike, dims, byChunk)
	for half := range 2 { // numbers are not in the order of paths
		f.change(t, alike[450-450*half:][:450])
	}
	f.change(t, embed(m.Rand, m.docs(1, 600, 3), dims, byChunk))
	asked := map[string]bool{}
	for name, passes := range map[string]Filter{
		"most":    func(d DocInfo) bool { return !strings.HasSuffix(d.Path, "7.md") },
		"few":     func(d DocInfo) bool { return strings.HasSuffix(d.Path, "99.md") },
		"nothing": func(DocInfo) bool { return false },
	} {
		filter := func(d DocInfo) bool {
			asked[name+d.Path] = true
			return passes(d)
		}
		check := func(what string, all []hit, n int, got []hit) {
			t.Helper()
			var want []hit
			for _, h := range all {
				if passes(DocInfo{Path: h.path}) && len(want) < n {
					want = append(want, h)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, filter %s: %v, want %v", what, name, paths(got), paths(want))
			}
		}
		for _, n := range []int{1, 20, 700} {
			for _, query := range [][]corpus.Term{terms("value", "error"), terms("zed", "yak")} {
				check("words", f.lexical(t, query, 5000, 5000, nil), n, f.lexical(t, query, n, n, filter))
			}
			q := unit(m.Rand, dims)
			check("meaning", f.nearest(t, q, 5000, nil), n, f.nearest(t, q, n, filter))
		}
	}
	f.(*aFile).read(t, func(r *PartReader) error {
		for _, want := range [][]string{{"alike/003.md", "alike/004.md", "alike/nowhere.md"}, {}, {"alike/899.md"}} {
			passes := func(d DocInfo) bool { return slices.Contains(want, d.Path) && d.Path != "alike/004.md" }
			for _, perDoc := range []int{1, 20} {
				var answers [2][]corpus.Candidate
				for i, paths := range [][]string{nil, want} {
					if err := r.Narrow(paths); err != nil {
						return err
					}
					found, err := r.Lexical(context.Background(), terms("zed"), 20, perDoc, passes)
					if err != nil {
						return err
					}
					near, err := r.Nearest(context.Background(), "own", unit(m.Rand, dims), 2000, passes)
					if err != nil {
						return err
					}
					for _, c := range near {
						c.Cosine = 0
						found = append(found, c)
					}
					answers[i] = found
				}
				if !slices.Equal(answers[0], answers[1]) {
					t.Errorf("narrowed to %v it finds %v, else %v", want, answers[1], answers[0])
				}
			}
		}
		if err := r.Narrow(nil); err != nil {
			return err
		}
		found, err := r.Lexical(context.Background(), terms("zed"), 2000, 2000, nil)
		if len(found) != len(alike) {
			t.Errorf("%d of %d are found afterwards", len(found), len(alike))
		}
		return err
	})
	if !asked["few"+alike[0].Path] {
		t.Error("the filter was not asked")
	}
}
