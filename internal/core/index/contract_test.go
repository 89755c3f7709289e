package index

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/text"
)

// A backend is one of the ways to keep a corpus. The tests of this file hold all
// of them to one contract.
type backend interface {
	// change puts documents and deletes paths, in one commit. A document takes the
	// place of the one at its path.
	change(t testing.TB, put []*Doc, del ...string)
	lexical(t testing.TB, terms []corpus.Term, n, perDoc int, f Filter) []hit
	df(t testing.TB, terms []corpus.Term) ([]int, int)
	docs(t testing.TB) []DocInfo
	describe(t testing.TB, hits []hit) []Found
	state(t testing.TB) State
	// settle makes deleted documents stop to count.
	settle(t testing.TB)
}

func eachBackend(t *testing.T, f func(t *testing.T, b backend)) {
	t.Run("segments", func(t *testing.T) { f(t, newSegments(t)) })
	t.Run("fts", func(t *testing.T) { f(t, newFTS(t)) })
}

// segments is the backend of an Index.
type segments struct {
	x    *Index
	w    *Writer
	next uint32
	ids  map[string]uint32
}

func newSegments(t testing.TB) backend {
	x, w := open(t)
	return &segments{x, w, 1, map[string]uint32{}}
}

func (s *segments) change(t testing.TB, put []*Doc, del ...string) {
	t.Helper()
	var dead []uint32
	gone := func(path string) {
		if id := s.ids[path]; id != 0 {
			dead = append(dead, id)
		}
		delete(s.ids, path)
	}
	for _, path := range del {
		gone(path)
	}
	var docs []*Doc
	for _, d := range put {
		gone(d.Path)
		n := *d
		n.ID = s.next // an ID is never used again
		s.next++
		s.ids[d.Path] = n.ID
		docs = append(docs, &n)
	}
	publish(t, s.w, docs, dead...)
}

func (s *segments) lexical(t testing.TB, terms []corpus.Term, n, perDoc int, f Filter) []hit {
	t.Helper()
	p := snapshot(t, s.x)
	cands, err := p.Lexical(context.Background(), terms, n, perDoc, f)
	if err != nil {
		t.Fatal(err)
	}
	return hitsOf(t, cands, p.Describe)
}

// hitsOf names candidates.
func hitsOf(t testing.TB, cands []corpus.Candidate, describe func([]corpus.Ref) ([]Found, error)) []hit {
	t.Helper()
	refs := make([]corpus.Ref, len(cands))
	for i, c := range cands {
		refs[i] = c.Ref
	}
	found, err := describe(refs)
	if err != nil {
		t.Fatal(err)
	}
	hits := make([]hit, len(cands))
	for i, c := range cands {
		hits[i] = hit{path: found[i].Doc.Path, chunk: int(refs[i].Chunk - found[i].Doc.First), Candidate: c}
	}
	return hits
}

func refsOf(hits []hit) []corpus.Ref {
	refs := make([]corpus.Ref, len(hits))
	for i, h := range hits {
		refs[i] = h.Ref
	}
	return refs
}

func (s *segments) df(t testing.TB, terms []corpus.Term) ([]int, int) {
	t.Helper()
	df, n, err := snapshot(t, s.x).DF(terms)
	if err != nil {
		t.Fatal(err)
	}
	return df, n
}

func (s *segments) docs(t testing.TB) (out []DocInfo) {
	t.Helper()
	if err := snapshot(t, s.x).Docs(func(d DocInfo) bool { out = append(out, d); return true }); err != nil {
		t.Fatal(err)
	}
	return out
}

func (s *segments) describe(t testing.TB, hits []hit) []Found {
	t.Helper()
	found, err := snapshot(t, s.x).Describe(refsOf(hits))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func (s *segments) state(t testing.TB) State { return snapshot(t, s.x).State }

// settle has nothing to do: only what lives counts.
func (s *segments) settle(testing.TB) {}

// fts is the backend of an FTS.
type fts struct {
	x    *FTS
	next uint32
	ids  map[string]uint32
}

func newFTS(t testing.TB) backend {
	return &fts{openFTS(t, filepath.Join(t.TempDir(), "x.db")), 1, map[string]uint32{}}
}

func openFTS(t testing.TB, path string) *FTS {
	t.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, path, store.Schema{Name: "test", Steps: FTSSteps()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	x, err := OpenFTS(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func (s *fts) change(t testing.TB, put []*Doc, del ...string) {
	t.Helper()
	var gone []uint32
	for _, path := range del {
		gone = append(gone, s.ids[path]) // 0, which is nobody's, where there is none
		delete(s.ids, path)
	}
	var docs []*Doc
	for _, d := range put {
		n := *d
		if n.ID = s.ids[d.Path]; n.ID == 0 {
			n.ID = s.next
			s.next++
		}
		s.ids[d.Path] = n.ID
		docs = append(docs, &n)
	}
	err := s.x.change(context.Background(), func(c *ftsChange) error {
		for _, id := range gone {
			if err := c.remove(id); err != nil {
				return err
			}
		}
		return c.put(docs)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (s *fts) lexical(t testing.TB, terms []corpus.Term, n, perDoc int, f Filter) []hit {
	t.Helper()
	ctx := context.Background()
	cands, err := s.x.Lexical(ctx, terms, n, perDoc, f)
	if err != nil {
		t.Fatal(err)
	}
	return hitsOf(t, cands, func(refs []corpus.Ref) ([]Found, error) { return s.x.Describe(ctx, refs) })
}

func (s *fts) df(t testing.TB, terms []corpus.Term) ([]int, int) {
	t.Helper()
	df, n, err := s.x.DF(context.Background(), terms)
	if err != nil {
		t.Fatal(err)
	}
	return df, n
}

func (s *fts) docs(t testing.TB) (out []DocInfo) {
	t.Helper()
	if err := s.x.Docs(context.Background(), func(d DocInfo) bool { out = append(out, d); return true }); err != nil {
		t.Fatal(err)
	}
	return out
}

func (s *fts) describe(t testing.TB, hits []hit) []Found {
	t.Helper()
	found, err := s.x.Describe(context.Background(), refsOf(hits))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func (s *fts) state(t testing.TB) State {
	t.Helper()
	st, err := s.x.State(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func (s *fts) settle(t testing.TB) {
	t.Helper()
	if err := s.x.Optimize(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// text1 returns a document of one chunk, its whole text.
func text1(path, s string) *Doc {
	n := max(1, strings.Count(s, "\n"))
	return &Doc{Document: corpus.Document{Path: path, Text: []byte(s)}, Hash: hashOf([]byte(s)), Lines: n,
		Chunks: []corpus.Chunk{{Span: corpus.Span{End: len(s)}, Lines: corpus.Range{First: 1, Last: n}, Hash: hashOf([]byte(s))}}}
}

func terms(words ...string) (out []corpus.Term) {
	for _, w := range words {
		out = append(out, corpus.Term{Text: w, Weight: 1})
	}
	return out
}

// wordsOf returns the terms of words as a question has them.
func wordsOf(s string) (out []corpus.Term) {
	text.Words([]byte(s), func(w []byte) { out = append(out, terms(text.Code().Terms(nil, w)[0])...) })
	return out
}

func paths(hits []hit) (out []string) {
	for _, h := range hits {
		out = append(out, h.path)
	}
	return out
}

func wantPaths(t testing.TB, b backend, query []corpus.Term, want ...string) {
	t.Helper()
	got := paths(b.lexical(t, query, 100, 10, nil))
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("a query for %.100v finds %q, want %q", query, got, want)
	}
}

func TestContractEmpty(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		wantPaths(t, b, terms("any"))
		wantPaths(t, b, nil)
		if df, n := b.df(t, terms("any")); df[0] != 0 || n != 0 {
			t.Errorf("DF = %v of %d chunks in an empty corpus", df, n)
		}
		if d := b.docs(t); len(d) != 0 {
			t.Errorf("documents %v in an empty corpus", d)
		}
		b.change(t, []*Doc{{Document: corpus.Document{Path: "empty"}}, text1("blank", "")})
		wantPaths(t, b, terms("any"))
		wantPaths(t, b, terms("blank"), "blank") // by its name
		if d := b.docs(t); len(d) != 2 || d[0].Path != "empty" || d[0].Chunks != 0 || d[0].Size != 0 {
			t.Errorf("documents %+v, want one without chunks and one without words", d)
		}
	})
}

func TestContractPutReplaceDelete(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		b.change(t, []*Doc{text1("one.txt", "apple banana"), text1("two.txt", "banana cherry")})
		wantPaths(t, b, terms("banana"), "one.txt", "two.txt")
		b.change(t, []*Doc{text1("one.txt", "damson")})
		wantPaths(t, b, terms("banana"), "two.txt")
		wantPaths(t, b, terms("apple"))
		wantPaths(t, b, terms("damson"), "one.txt")
		b.change(t, nil, "two.txt", "absent.txt")
		wantPaths(t, b, terms("banana", "cherry"))
		b.change(t, []*Doc{text1("two.txt", "cherry")}, "one.txt")
		wantPaths(t, b, terms("cherry", "damson", "banana"), "two.txt")
		b.change(t, nil)
		wantPaths(t, b, terms("cherry"), "two.txt")
		if d := b.docs(t); len(d) != 1 || d[0].Path != "two.txt" {
			t.Errorf("documents %+v, want two.txt alone", d)
		}
	})
}

func TestContractUnicode(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		b.change(t, []*Doc{
			text1("de.txt", "Größere Straßen"), text1("ja.txt", "全文検索エンジン"), text1("ru.txt", "Поиск по тексту"),
			text1("hi.txt", "हिन्दी में खोज"), text1("bytes.txt", "caf\xe9 \xff\x00 日"), text1("naïve/データ.txt", "x"),
			text1("deseret.txt", "𐐀𐐯𐑊𐐬"),
		})
		for want, query := range map[string]string{
			"de.txt": "größere", "ja.txt": "検索", "ru.txt": "поиск", "hi.txt": "हिन्दी", "bytes.txt": "caf",
			"naïve/データ.txt": "naïve", "deseret.txt": "𐐨𐐯𐑊𐐬",
		} {
			var got string
			for _, h := range b.lexical(t, wordsOf(query), 10, 10, nil) {
				got += h.path
			}
			if got != want {
				t.Errorf("a query for %.100v finds %q, want %q", query, got, want)
			}
		}
		wantPaths(t, b, terms("日"), "bytes.txt")
		wantPaths(t, b, terms("ータ"), "naïve/データ.txt")
	})
}

// Whatever a term is, a query is no error, and finds what has that term alone.
func TestContractHostileTerms(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		b.change(t, []*Doc{text1("plain.txt", "body path or near not and zed a b"), text1("other.txt", "nothing")})
		for _, s := range []string{
			`"`, `""`, `'`, `*`, `zed*`, `^zed`, `-zed`, `zed OR nothing`, `zed AND nothing`, `NEAR(zed nothing)`, `NOT`, `body:zed`,
			`{body}:zed`, `zed"`, `"zed"`, `zed" OR "nothing`, `(`, `)`, `zed)`, `ZED`, `Zed`, ``, ` `, "zed ", "\x00", "zed\x00", "\xff", "zed\xff", "a b", "a_b",
			`;DROP TABLE ix_docs`, strings.Repeat("z", 1<<20), strings.Repeat(`"`, 1000), "zed\n", "é\x00",
		} {
			wantPaths(t, b, terms(s))
			wantPaths(t, b, terms(s, "zed"), "plain.txt")
			if df, _ := b.df(t, terms(s, "zed")); df[0] != 0 || df[1] != 1 {
				t.Errorf("DF of %.20q and of zed = %v, want 0 and 1", s, df)
			}
		}
		for _, s := range []string{"or", "and", "near", "not", "path", "body"} {
			wantPaths(t, b, terms(s), "plain.txt")
		}
		var many []corpus.Term
		for i := range 100 {
			many = append(many, corpus.Term{Text: fmt.Sprintf("w%d", i), Weight: 1})
		}
		wantPaths(t, b, append(many, terms("zed")...)) // past MaxTerms
		wantPaths(t, b, append(terms("zed"), many...), "plain.txt")
		wantPaths(t, b, terms("zed", "zed"), "plain.txt")
		b.df(t, many)
	})
}

func TestContractFilter(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		m := newMaker(3)
		docs := m.docs(1, 60, 4)
		b.change(t, docs)
		dead := docs[10].Path
		b.change(t, nil, dead)
		want := map[string]DocInfo{}
		for _, d := range docs {
			want[d.Path] = infoOf(d)
		}
		query := terms("value", "error", "index")
		all := b.lexical(t, query, 1000, 10, nil)
		for name, f := range map[string]Filter{
			"flags":   func(d DocInfo) bool { return d.Flags&corpus.Test != 0 },
			"path":    func(d DocInfo) bool { return strings.HasSuffix(d.Path, ".go") },
			"nothing": func(DocInfo) bool { return false },
			"seen": func(d DocInfo) bool {
				w := want[d.Path]
				if w.ID, w.First = d.ID, d.First; d != w || d.Path == dead {
					t.Errorf("the filter is asked about %+v, want %+v alive", d, w)
				}
				return true
			},
		} {
			var left []hit
			for _, h := range all {
				if d := want[h.path]; name == "seen" || f(d) {
					left = append(left, h)
				}
			}
			got := b.lexical(t, query, 1000, 10, f)
			if !slices.Equal(paths(got), paths(left)) {
				t.Errorf("filter %s: %d hits, want the %d that pass, in their order", name, len(got), len(left))
			}
		}
	})
}

// A query has one answer. Equal hits come in the order of paths where segments may be
// merged, else in that of the table.
func TestContractStable(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		var docs []*Doc
		var want []string
		for i := range 40 {
			docs = append(docs, text1(fmt.Sprintf("%d.txt", i*7%40), "zed yak here"))
			want = append(want, docs[i].Path)
		}
		for i := 0; i < 40; i += 10 {
			b.change(t, docs[i:i+10])
		}
		if _, ok := b.(*segments); ok {
			slices.Sort(want)
		}
		for range 3 {
			if got := paths(b.lexical(t, terms("zed", "yak"), 100, 10, nil)); !slices.Equal(got, want) {
				t.Errorf("equal hits come as %q, want %q", got, want)
			}
		}
		for _, n := range []int{0, -1, 1, 7, 40} {
			if got := paths(b.lexical(t, terms("yak"), n, 10, nil)); !slices.Equal(got, want[:max(0, n)]) {
				t.Errorf("the first %d of equal hits are %q", n, got)
			}
		}
		if got := b.lexical(t, terms("words"), 10, 0, nil); len(got) != 0 {
			t.Errorf("%d hits where none of a document is wanted", len(got))
		}
	})
}

// What is described is what was put.
func TestContractDescribe(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		m := newMaker(5)
		docs := m.docs(1, 40, 5)
		byPath := map[string]*Doc{}
		for i := 0; i < len(docs); i += 10 {
			b.change(t, docs[i:i+10])
		}
		for _, d := range docs {
			byPath[d.Path] = d
		}
		hits := b.lexical(t, terms("value", "error", "index", "name", "file", "path"), 1000, 10, nil)
		if len(hits) < 40 {
			t.Fatalf("only %d hits to describe", len(hits))
		}
		seen := map[uint64]bool{}
		for i, f := range b.describe(t, hits) {
			d := byPath[f.Doc.Path]
			w := infoOf(d)
			w.ID, w.First = f.Doc.ID, f.Doc.First
			if f.Doc != w {
				t.Errorf("document %+v, want %+v", f.Doc, w)
			}
			c := d.Chunks[hits[i].chunk]
			if diff := cmp.Diff(c, f.Chunk); diff != "" {
				t.Errorf("chunk %d of %s differs (-want +got):\n%s", hits[i].chunk, d.Path, diff)
			}
			if seen[f.ID] || f.ID == 0 {
				t.Errorf("chunk id %d twice", f.ID)
			}
			seen[f.ID] = true
		}
	})
}

func TestContractEpoch(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		last := b.state(t)
		nonces := map[int64]bool{last.Nonce: true}
		for i := range 5 {
			b.change(t, []*Doc{text1(fmt.Sprint(i), "x")})
			st := b.state(t)
			if st.Epoch != last.Epoch+1 || nonces[st.Nonce] || st.NextDoc <= last.NextDoc {
				t.Errorf("change %d: state %+v after %+v", i, st, last)
			}
			nonces[st.Nonce] = true
			last = st
		}
		b.change(t, nil, "4")
		if st := b.state(t); st.NextDoc != last.NextDoc {
			t.Errorf("a document's number is free again after it was deleted: %+v after %+v", st, last)
		}
	})
}

// Both backends rank as the model does, to the last mask, through any series of
// changes.
func TestContractModel(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		m := newMaker(7)
		var mod model
		for round := range 6 {
			var put []*Doc
			var del []string
			for range 8 {
				put = append(put, m.doc(uint32(100*round+len(put)+1), 4))
			}
			for i := range 4 {
				if n := len(mod.docs); n > 0 {
					old := mod.docs[m.Intn(n)]
					if i%2 == 0 {
						del = append(del, old.Path)
					} else {
						d := m.doc(uint32(100*round+50+i), 4)
						d.Path = old.Path
						put = append(put, d)
					}
					mod.docs = slices.DeleteFunc(mod.docs, func(d *Doc) bool { return d.Path == old.Path })
				}
			}
			put = slices.DeleteFunc(put, func(d *Doc) bool { return slices.Contains(del, d.Path) })
			put = lastOfPath(put)
			b.change(t, put, del...)
			mod.docs = append(mod.docs, put...)
			b.settle(t)
			checkModel(t, b, &mod, m)
		}
	})
}

func lastOfPath(docs []*Doc) (out []*Doc) {
	for i, d := range docs {
		if !slices.ContainsFunc(docs[i+1:], func(o *Doc) bool { return o.Path == d.Path }) {
			out = append(out, d)
		}
	}
	return out
}

func checkModel(t *testing.T, b backend, mod *model, m *maker) {
	t.Helper()
	for range 15 {
		query := m.query(1 + m.Intn(4))
		want := mod.lexical(query, 3, nil)
		if diff := same(b.lexical(t, query, 1000, 3, nil), want, 1000); diff != "" {
			t.Fatalf("query %v: %s", query, diff)
		}
		df, n := b.df(t, query)
		chunks, _ := mod.chunks()
		if wantDF := mod.df(query); !slices.Equal(df, wantDF) || n != chunks {
			t.Fatalf("query %v: DF %v of %d chunks, want %v of %d", query, df, n, wantDF, chunks)
		}
	}
	var live []string
	for _, d := range b.docs(t) {
		live = append(live, d.Path)
	}
	if len(live) != len(mod.docs) {
		t.Fatalf("%d documents, want %d", len(live), len(mod.docs))
	}
}

// large fills a backend and returns what lies in it.
func large(t testing.TB, b backend, m *maker) *model {
	t.Helper()
	var mod model
	for i := range 8 {
		docs := m.docs(uint32(1+120*i), 120, 6)
		b.change(t, docs)
		mod.docs = append(mod.docs, docs...)
	}
	return &mod
}

// Whoever asks with the rarer words of a chunk is given that chunk first, by both
// backends.
func TestContractKnownItem(t *testing.T) {
	segs, full := newSegments(t), newFTS(t)
	mod := large(t, segs, newWriter(11))
	large(t, full, newWriter(11))
	r := newWriter(12)
	asked, found := 0, 0
	for asked < 100 {
		d := mod.docs[r.Intn(len(mod.docs))]
		if len(d.Chunks) == 0 {
			continue
		}
		c := d.Chunks[r.Intn(len(d.Chunks))]
		query := knownItem(segs, t, d.Text[c.Start:c.End])
		if len(query) < 4 {
			continue
		}
		asked++
		a, b := segs.lexical(t, query, 10, 10, nil), full.lexical(t, query, 10, 10, nil)
		if len(a) == 0 || len(b) == 0 || a[0].path != b[0].path || a[0].chunk != b[0].chunk {
			t.Errorf("query %v: segments find %v first, FTS5 %v", query, a[:min(1, len(a))], b[:min(1, len(b))])
			continue
		}
		if a[0].path == d.Path {
			found++
		}
	}
	if found*10 < asked*9 {
		t.Errorf("%d of %d known items are found first, want nine of ten", found, asked)
	}
}

// knownItem returns the five rarest terms of a text.
func knownItem(b backend, t testing.TB, s []byte) (query []corpus.Term) {
	t.Helper()
	for _, q := range wordsOf(string(s)) {
		if !slices.Contains(query, q) && len(query) < 200 {
			query = append(query, q)
		}
	}
	df, _ := b.df(t, query)
	order := make([]int, len(query))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return df[a] - df[b] })
	var out []corpus.Term
	for _, i := range order[:min(5, len(order))] {
		out = append(out, query[i])
	}
	return out
}

// How many of the ten best of the oracle are among the ten best of a backend, over
// random questions. Segments leave nothing out, nor does FTS5 within its budget;
// with a twentieth of it the bound is what was measured, rounded down.
func TestContractRecall(t *testing.T) {
	thrifty := newFTS(t).(*fts)
	thrifty.x.budget = ftsBudget / 20
	for name, c := range map[string]struct {
		b    backend
		want float64
	}{"segments": {newSegments(t), .999}, "fts": {newFTS(t), .999}, "thrifty fts": {thrifty, .7}} {
		t.Run(name, func(t *testing.T) {
			m := newWriter(13)
			mod := large(t, c.b, m)
			shared, wanted := 0, 0
			for range 40 {
				query := m.query(2 + m.Intn(5))
				want := mod.lexical(query, 3, nil)
				if len(want) <= 10 {
					continue
				}
				least := want[9].key - 1e-4 // a tie for the tenth place is as good
				for _, h := range c.b.lexical(t, query, 10, 3, nil) {
					i := slices.IndexFunc(want, func(w hit) bool { return w.path == h.path && w.chunk == h.chunk })
					if i >= 0 && want[i].key >= least {
						shared++
					}
				}
				wanted += 10
			}
			got := float64(shared) / float64(wanted)
			t.Logf("recall %.3f of %d", got, wanted)
			if got < c.want {
				t.Errorf("recall of the ten best is %.3f, want %.3f", got, c.want)
			}
		})
	}
}

func TestAffordable(t *testing.T) {
	for _, c := range []struct {
		df, cost       []int
		chunks, budget int
		want           []int
	}{
		{nil, nil, 100, 10, nil},
		{[]int{0, 0}, []int{0, 0}, 100, 10, nil},
		{[]int{90}, []int{900}, 100, 10, []int{0}},                            // alone, it is read
		{[]int{90, 0, 80}, []int{900, 0, 800}, 100, 10, []int{2}},             // the rarest
		{[]int{90, 2, 1, 2}, []int{900, 50, 50, 50}, 100, 10, []int{1, 2, 3}}, // rare, whatever they cost
		{[]int{90, 5, 80, 3}, []int{90, 5, 80, 3}, 100, 100, []int{1, 2, 3}},
		{[]int{90, 5, 80, 3}, []int{90, 5, 80, 3}, 100, 1000, []int{0, 1, 2, 3}},
	} {
		if got := affordable(c.df, c.cost, c.chunks, c.budget); !slices.Equal(got, c.want) {
			t.Errorf("affordable(%v, %v, %d, %d) = %v, want %v", c.df, c.cost, c.chunks, c.budget, got, c.want)
		}
	}
}
