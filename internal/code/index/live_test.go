package index

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// What is counted by the heads of blocks is what is counted one by one.
func TestWithin(t *testing.T) {
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		var ps []posting
		chunk := uint32(r.Intn(3))
		for range 1 + r.Intn(5*postBlock) {
			ps = append(ps, posting{chunk, 1})
			chunk += 1 + uint32(r.Intn(1+int(seed)*3))
		}
		var gone spans
		for at := uint32(0); ; {
			at += uint32(r.Intn(1 + 5*int(seed)))
			if at > chunk+10 {
				break
			}
			end := at + 1 + uint32(r.Intn(1+int(seed)))
			gone = append(gone, [2]uint32{at, end})
			at = end + 1
		}
		want := 0
		for _, p := range ps {
			if slices.ContainsFunc(gone, func(g [2]uint32) bool { return g[0] <= p.chunk && p.chunk < g[1] }) {
				want++
			}
		}
		s := &segment{Segment: &Segment{Chunks: chunk + 1}, gone: gone}
		for _, g := range gone {
			for c := g[0]; c < g[1]; c++ {
				s.deadChunks.set(c)
			}
		}
		got := postings{len(ps), appendPostings(nil, ps)}.within(s)
		if got != want {
			t.Fatalf("seed %d: %d of %d postings in %d spans, want %d", seed, got, len(ps), len(gone), want)
		}
	}
}

// The answer to a query is the same whatever became of other documents before: the
// same candidates in the same order, with the same scores.
func TestAnswersOfAnyHistory(t *testing.T) {
	ctx := context.Background()
	for seed := range int64(12) {
		m := newMaker(900 + seed)
		x, w := open(t)
		live := map[string]*Doc{}
		next := uint32(1)
		for range 4 + m.Intn(20) {
			var docs []*Doc
			var dead []uint32
			for range 1 + m.Intn(30) {
				d := m.doc(next, 4)
				// Twins of one content, so that there are ties.
				if m.Intn(3) == 0 {
					d = text1(fmt.Sprintf("twin/%d.txt", m.Intn(40)), "value error index name")
				}
				d.ID = next
				next++
				if old := live[d.Path]; old != nil {
					dead = append(dead, old.ID)
					docs = slices.DeleteFunc(docs, func(o *Doc) bool { return o.ID == old.ID })
				}
				live[d.Path] = d
				docs = append(docs, d)
			}
			for path, d := range live {
				if d.ID < next-40 && m.Intn(4) == 0 {
					dead = append(dead, d.ID)
					delete(live, path)
				}
			}
			publish(t, w, docs, dead...)
			if m.Intn(4) == 0 {
				must(t, w.Merge(ctx, 1<<30))
			}
		}
		// The fresh one has them in another order, in one segment.
		y, v := open(t)
		var fresh []*Doc
		for _, path := range slices.Sorted(mapKeysOf(live)) {
			d := *live[path]
			fresh = append(fresh, &d)
		}
		m.Shuffle(len(fresh), func(i, j int) { fresh[i], fresh[j] = fresh[j], fresh[i] })
		for i, d := range fresh {
			d.ID = uint32(i + 1)
		}
		publish(t, v, fresh)
		p, q := snapshot(t, x), snapshot(t, y)
		for range 40 {
			query, n := m.query(1+m.Intn(4)), []int{3, 10, 1000}[m.Intn(3)]
			got, want := answer(t, p, query, n), answer(t, q, query, n)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: query %v, the first %d: after %d commits\n%q\nfresh\n%q", seed, query, n, p.Epoch, got, want)
			}
		}
	}
}

func mapKeysOf[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// answer returns what a query finds, each candidate with all that ranking reads.
func answer(t testing.TB, p *Snapshot, query []corpus.Term, n int) (out []string) {
	t.Helper()
	df, chunks, err := p.DF(query)
	must(t, err)
	out = append(out, fmt.Sprint(df, chunks))
	cands, err := p.Lexical(context.Background(), query, n, 3, nil)
	must(t, err)
	for _, c := range cands {
		found, err := p.Describe([]corpus.Ref{c.Ref})
		must(t, err)
		c.Ref, c.Doc = corpus.Ref{}, 0
		out = append(out, fmt.Sprintf("%s:%d %+v", found[0].Doc.Path, found[0].Start, c))
	}
	return out
}

// A query over an index of which an eighth is dead, and over one where nothing is.
func BenchmarkDead(b *testing.B) {
	m := newWriter(5)
	for _, kill := range []int{0, 8, 4} {
		x, w := open(b)
		var dead []uint32
		for i := range 4 {
			publish(b, w, m.docs(uint32(1+4000*i), 4000, 6))
		}
		for id := 1; kill > 0 && id < 16000; id += kill {
			dead = append(dead, uint32(id))
		}
		publish(b, w, nil, dead...)
		p := snapshot(b, x)
		var queries [][]corpus.Term
		for range 50 {
			queries = append(queries, m.query(1+m.Intn(5)))
		}
		b.Run(fmt.Sprintf("1of%d", kill), func(b *testing.B) {
			for i := range b.N {
				q := queries[i%len(queries)]
				if i%len(queries) == 0 {
					x.cur = nil // nothing is remembered of the queries before
					p = snapshot(b, x)
				}
				if _, _, err := p.DF(q); err != nil {
					b.Fatal(err)
				}
				if _, err := p.Lexical(context.Background(), q, 256, 8, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What it costs to compare the rows of the folders of 50,000 files with their
// checksums, beside what it costs to read them.
func BenchmarkManifest(b *testing.B) {
	ctx := context.Background()
	x, w := open(b)
	dirs := map[string]Dir{}
	for i := range 2000 {
		var d Dir
		for k := range 25 {
			d.Entries = AppendEntry(d.Entries, &Entry{Name: fmt.Sprintf("file%03d_of_some_length.go", k), Size: 4000, Inode: 1 << 30, Doc: uint32(1 + 25*i + k)})
		}
		dirs[fmt.Sprintf("some/folder/%d", i)] = d
	}
	must(b, w.Publish(ctx, Batch{Dirs: dirs}))
	b.Run("read", func(b *testing.B) {
		for range b.N {
			if _, err := x.Manifest(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("seal", func(b *testing.B) {
		for range b.N {
			for path, d := range dirs {
				d.seal(path)
			}
		}
	})
}
