package index

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/bm25"
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
	// nearest asks by vectors of the embedder "own".
	nearest(t testing.TB, unit []float32, n int, f Filter) []hit
	df(t testing.TB, terms []corpus.Term) ([]int, int)
	docs(t testing.TB) []DocInfo
	state(t testing.TB) State
	// model ranks as the backend does, and info is what that says of a document.
	model() *model
	info(d DocInfo) DocInfo
}

func eachBackend(t *testing.T, f func(t *testing.T, b backend)) {
	t.Run("segments", func(t *testing.T) { f(t, newSegments(t)) })
	t.Run("file", func(t *testing.T) { f(t, newFile(t)) })
	for name, make := range others() {
		t.Run(name, func(t *testing.T) { f(t, make(t)) })
	}
}

var _ Reader = (*Snapshot)(nil)

// Lexical is the Reader's.
func (p *Snapshot) Lexical(ctx context.Context, terms []corpus.Term, n, perDoc int, f Filter) ([]corpus.Candidate, error) {
	return p.LexicalBeside(ctx, terms, n, perDoc, f, 0)
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

func (s *segments) nearest(t testing.TB, unit []float32, n int, f Filter) []hit {
	t.Helper()
	p := snapshot(t, s.x)
	cands, err := p.Nearest(context.Background(), "own", unit, n, f)
	if err != nil {
		t.Fatal(err)
	}
	return hitsOf(t, cands, p.Describe)
}

func (s *segments) model() *model { return &model{} }

func (s *segments) info(d DocInfo) DocInfo {
	d.ID, d.First = 0, 0
	return d
}

func (s *segments) state(t testing.TB) State { return snapshot(t, s.x).State }

// aFile is the backend of a part of a File that changes by documents.
type aFile struct {
	db *store.DB
	x  *File
}

// fileLayout is how the documents of tests are found in a File.
func fileLayout() Layout {
	return Layout{
		Params: bm25.Params{K1: 1.4, B: .7},
		Fields: []Field{{Unit: 0x01, Mask: 0x0f, Weight: 1}, {Unit: 0x10, Mask: 0x30, Weight: 4}, {Unit: 0x40, Mask: 0xc0, Weight: 2}},
		Terms:  func(word string) []string { return text.Code().Terms(nil, []byte(word)) },
	}
}

// textsOf are the fields of a chunk in a File.
func textsOf(d *Doc, c *corpus.Chunk) []string {
	names := c.Scope
	for _, s := range c.Symbols {
		names += " " + s.Name
	}
	return []string{string(d.Text[c.Start:c.End]), names, d.Path}
}

func newFile(t testing.TB) backend {
	t.Helper()
	db, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "x.db"), store.Schema{Name: "test", Steps: []string{PartTables + ";" + EditTables}, Sound: Sound})
	if err != nil {
		t.Fatal(err)
	}
	f := &aFile{db, NewFile(db, fileLayout(), true)}
	t.Cleanup(func() {
		if err := Sound(context.Background(), db); err != nil {
			t.Errorf("at the end: %v", err)
		}
		f.x.Close()
		db.Close()
	})
	return f
}

// thePart is one of several in the file, as those that follow are not to be seen in it.
const thePart = 3

func (f *aFile) edit(t testing.TB, change func(e *Edit) error) {
	t.Helper()
	ctx := context.Background()
	if err := f.db.Write(ctx, func(tx *sql.Tx) error {
		e := f.x.Edit(ctx, tx, "own")
		if err := change(e); err != nil {
			return err
		}
		return e.Close()
	}); err != nil {
		t.Fatal(err)
	}
}

func (f *aFile) change(t testing.TB, put []*Doc, del ...string) {
	t.Helper()
	f.edit(t, func(e *Edit) error {
		if _, err := e.part(thePart); err != nil { // a change of nothing is one too
			return err
		}
		for _, path := range del {
			if err := e.Delete(thePart, path); err != nil {
				return err
			}
		}
		for _, d := range put {
			entries := make([]Findable, len(d.Chunks))
			for i := range d.Chunks {
				entries[i].Texts = textsOf(d, &d.Chunks[i])
				entries[i].Inside = strings.ToLower(entries[i].Texts[0])
				if d.Embedder != "" {
					dims := len(d.Vectors) / len(d.Chunks)
					entries[i].Vector = Quantise(nil, d.Vectors[i*dims:(i+1)*dims])
				}
			}
			if _, err := e.Put(thePart, d.Path, entries); err != nil {
				return err
			}
			if _, err := e.Put(thePart+1, "of another part "+d.Path, entries); err != nil {
				return err
			}
		}
		return nil
	})
}

func (f *aFile) read(t testing.TB, ask func(r *PartReader) error) {
	t.Helper()
	ctx := context.Background()
	if err := f.x.Prepare(ctx); err != nil {
		t.Fatal(err)
	}
	tx, err := f.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	r, err := f.x.Open(ctx, tx, thePart)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := ask(r); err != nil {
		t.Fatal(err)
	}
}

// named names candidates.
func (f *aFile) named(r *PartReader, cands []corpus.Candidate) (hits []hit, err error) {
	if err := r.docs.load(r); err != nil {
		return nil, err
	}
	for _, c := range cands {
		d := r.docs.of(int(c.Chunk))
		hits = append(hits, hit{path: d.Path, chunk: int(c.Chunk - d.First), Candidate: c})
	}
	return hits, nil
}

func (f *aFile) lexical(t testing.TB, terms []corpus.Term, n, perDoc int, filter Filter) (hits []hit) {
	t.Helper()
	f.read(t, func(r *PartReader) error {
		cands, err := r.Lexical(context.Background(), terms, n, perDoc, filter)
		if err == nil {
			hits, err = f.named(r, cands)
		}
		return err
	})
	return hits
}

func (f *aFile) nearest(t testing.TB, unit []float32, n int, filter Filter) (hits []hit) {
	t.Helper()
	f.read(t, func(r *PartReader) error {
		cands, err := r.Nearest(context.Background(), "own", unit, n, filter)
		if err != nil {
			return err
		}
		if hits, err = f.named(r, cands); err != nil {
			return err
		}
		again := slices.Clone(cands)
		for i := range again {
			again[i].Cosine = -2
		}
		if err := r.FillCosine("own", unit, again); err != nil || !slices.Equal(again, cands) {
			t.Errorf("FillCosine: %v, not what Nearest says", err)
		}
		return nil
	})
	return hits
}

func (f *aFile) df(t testing.TB, terms []corpus.Term) (df []int, n int) {
	t.Helper()
	f.read(t, func(r *PartReader) (err error) {
		df, n, err = r.DF(terms)
		return err
	})
	return df, n
}

func (f *aFile) docs(t testing.TB) (out []DocInfo) {
	t.Helper()
	f.read(t, func(r *PartReader) error {
		return r.Docs(func(d DocInfo) bool { out = append(out, d); return true })
	})
	return out
}

func (f *aFile) state(t testing.TB) (s State) {
	t.Helper()
	f.read(t, func(r *PartReader) error {
		s.Epoch = r.epoch
		return f.db.QueryRow("SELECT coalesce(max(next), 0) FROM parts WHERE part = ?", thePart).Scan(&s.next)
	})
	return s
}

func (f *aFile) model() *model { return &model{file: true} }

func (f *aFile) info(d DocInfo) DocInfo { return DocInfo{Path: d.Path, Chunks: d.Chunks} }

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
		d := b.docs(t)
		slices.SortFunc(d, func(a, b DocInfo) int { return strings.Compare(b.Path, a.Path) })
		if len(d) != 2 || d[0].Path != "empty" || d[0].Chunks != 0 || d[0].Size != 0 {
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
			"chunks":  func(d DocInfo) bool { return d.Chunks%2 == 0 },
			"path":    func(d DocInfo) bool { return strings.HasSuffix(d.Path, ".go") },
			"nothing": func(DocInfo) bool { return false },
			"seen": func(d DocInfo) bool {
				w := b.info(want[d.Path])
				if b.info(d) != w || d.Path == dead {
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

// A query has one answer. Equal hits come in the order of paths, however the corpus came
// to hold them.
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
		slices.Sort(want)
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
func TestDescribe(t *testing.T) {
	b := newSegments(t).(*segments)
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
	found, err := snapshot(t, b.x).Describe(refsOf(hits))
	must(t, err)
	for i, f := range found {
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
}

func TestContractEpoch(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		last := b.state(t)
		for i := range 5 {
			b.change(t, []*Doc{text1(fmt.Sprint(i), "x")})
			st := b.state(t)
			if st.Epoch != last.Epoch+1 || st.next <= last.next && i > 0 {
				t.Errorf("change %d: state %+v after %+v", i, st, last)
			}
			last = st
		}
		b.change(t, nil, "4")
		if st := b.state(t); st.next != last.next || st.Epoch == last.Epoch {
			t.Errorf("a chunk's number is free again after it was deleted: %+v after %+v", st, last)
		}
	})
}

// Both backends rank as the model does, to the last mask, through any series of
// changes.
func TestContractModel(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		m := newMaker(7)
		mod := b.model()
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
			checkModel(t, b, mod, m)
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

// large fills a backend and returns its contents.
func large(t testing.TB, b backend, m *maker) *model {
	t.Helper()
	mod := b.model()
	for i := range 8 {
		docs := m.docs(uint32(1+120*i), 120, 6)
		b.change(t, docs)
		mod.docs = append(mod.docs, docs...)
	}
	return mod
}

// Whoever asks with the rarer words of a chunk is given its document first.
func TestContractKnownItem(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		mod := large(t, b, newWriter(11))
		r := newWriter(12)
		asked, found := 0, 0
		for asked < 100 {
			d := mod.docs[r.Intn(len(mod.docs))]
			if len(d.Chunks) == 0 {
				continue
			}
			c := d.Chunks[r.Intn(len(d.Chunks))]
			query := knownItem(b, t, d.Text[c.Start:c.End])
			if len(query) < 4 {
				continue
			}
			asked++
			if hits := b.lexical(t, query, 10, 10, nil); len(hits) > 0 && hits[0].path == d.Path {
				found++
			}
		}
		if found*10 < asked*9 {
			t.Errorf("%d of %d known items are found first, want nine of ten", found, asked)
		}
	})
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

// The nearest are those that the slow way finds, of what is there and passes the filter.
func TestContractNearest(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		const dims = 64
		m := newMaker(21)
		byChunk := map[string][]float32{}
		var docs []*Doc
		for i := range 5 {
			more := embed(m.Rand, m.docs(uint32(1+40*i), 40, 4), dims, byChunk)
			b.change(t, more)
			docs = append(docs, more...)
		}
		for _, d := range docs[:30] {
			b.change(t, nil, d.Path)
		}
		docs = docs[30:]
		even := func(d DocInfo) bool { return d.Chunks%2 == 0 }
		for i := range 20 {
			q := unit(m.Rand, dims)
			f := Filter(nil)
			if i%2 == 1 {
				f = even
			}
			var want []hit
			for _, d := range docs {
				for k := range d.Chunks {
					v, ok := byChunk[fmt.Sprint(d.Path, " ", k)]
					if !ok || d.Embedder == "" || f != nil && len(d.Chunks)%2 != 0 {
						continue
					}
					h := hit{path: d.Path, chunk: k}
					for j := range q {
						h.key += float64(q[j] * v[j])
					}
					want = append(want, h)
				}
			}
			slices.SortFunc(want, func(a, b hit) int {
				if a.key > b.key {
					return -1
				}
				return 1
			})
			got := b.nearest(t, q, 10, f)
			if len(got) != 10 {
				t.Fatalf("%d nearest of %d", len(got), len(want))
			}
			for _, g := range got {
				k := slices.IndexFunc(want, func(w hit) bool { return w.path == g.path && w.chunk == g.chunk })
				if k < 0 || math.Abs(want[k].key-float64(g.Cosine)) > .01 || want[k].key < want[9].key-.01 {
					t.Errorf("chunk %d of %s is near by %v, place %d of those that are", g.chunk, g.path, g.Cosine, k)
				}
			}
		}
	})
}

// An answer depends on what is there, not on how it came to be: any history of changes
// gives what putting it at once gives, to the last bit.
func TestContractHistory(t *testing.T) {
	eachBackend(t, func(t *testing.T, long backend) {
		short := newSegments(t)
		if _, ok := long.(*aFile); ok {
			short = newFile(t)
		}
		m := newMaker(31)
		docs := map[string]*Doc{}
		for round := range 60 {
			var put []*Doc
			for i := range 1 + m.Intn(3) {
				d := m.doc(uint32(10*round+i+1), 3)
				d.Path = fmt.Sprintf("d/%02d.go", m.Intn(40)) // most replace one
				put = append(put, d)
			}
			put = lastOfPath(put)
			var del []string
			if path := fmt.Sprintf("d/%02d.go", m.Intn(40)); !slices.ContainsFunc(put, func(d *Doc) bool { return d.Path == path }) {
				del = append(del, path)
				delete(docs, path)
			}
			for _, d := range put {
				docs[d.Path] = d
			}
			long.change(t, put, del...)
		}
		var all []*Doc
		for _, path := range slices.Sorted(maps.Keys(docs)) {
			all = append(all, docs[path])
		}
		short.change(t, all)
		for range 40 {
			query := m.query(1 + m.Intn(4))
			a, b := long.lexical(t, query, 20, 20, nil), short.lexical(t, query, 20, 20, nil)
			if len(a) != len(b) {
				t.Fatalf("query %v: %d hits after a long history, %d after a short one", query, len(a), len(b))
			}
			for i := range a {
				if a[i].path != b[i].path || a[i].chunk != b[i].chunk || a[i].Score != b[i].Score {
					t.Fatalf("query %v: hit %d is %+v after a long history, %+v after a short one", query, i, a[i], b[i])
				}
			}
		}
	})
}

// A file finds parts of words as well, in any script, and how words begin.
func TestFileInside(t *testing.T) {
	f := newFile(t).(*aFile)
	f.change(t, []*Doc{
		text1("de.txt", "Die Krankenversicherungskarte gilt.\n"), text1("th.txt", "ภาษาไทยเป็นภาษาราชการของประเทศไทยและมีผู้พูดมากมาย\n"),
		text1("en.txt", "somethings began\n"), text1("two.txt", "kranken versicherung\n"),
	})
	f.change(t, nil, "two.txt")
	for _, c := range []struct {
		how  corpus.Match
		text string
		want string
	}{
		{corpus.Inside, "versicherung", "de.txt"}, {corpus.Inside, "ราชการ", "th.txt"}, {corpus.Inside, "meth", "en.txt"},
		{corpus.Inside, "ngsk", "de.txt"}, {corpus.Inside, "absent", ""}, {corpus.Inside, "ve", ""}, {corpus.Inside, "", ""},
		{corpus.Begins, "kranken", "de.txt"}, {corpus.Begins, "some", "en.txt"}, {corpus.Begins, "", ""}, {corpus.Begins, "~kr", ""},
		{corpus.Same, "~kra", ""}, {corpus.Same, "kranken", ""},
	} {
		term := corpus.Term{Text: c.text, Weight: 1, Match: c.how}
		var got string
		for _, h := range f.lexical(t, []corpus.Term{term}, 10, 10, nil) {
			got += h.path
		}
		df, _ := f.df(t, []corpus.Term{term})
		if got != c.want || df[0] != min(1, len(c.want)) {
			t.Errorf("%q looked for as %d is in %q and in %d chunks, want %q", c.text, c.how, got, df[0], c.want)
		}
	}
}

// What is purged has left no posting.
func TestFilePurge(t *testing.T) {
	f := newFile(t).(*aFile)
	f.change(t, []*Doc{text1("a.txt", "alpha zebra\n"), text1("b.txt", "beta\n")})
	count := func() (n int) {
		must(t, f.db.QueryRow("SELECT count(*) FROM postings WHERE term IN ('zebra', '~zeb') AND library IN (SELECT segment FROM segments WHERE part = ?)", thePart).Scan(&n))
		return n
	}
	if count() != 2 {
		t.Fatalf("%d rows of what was put", count())
	}
	f.edit(t, func(e *Edit) error {
		if err := e.Delete(thePart, "a.txt"); err != nil {
			return err
		}
		return e.Purge(thePart)
	})
	if count() != 0 {
		t.Errorf("%d rows of what was purged", count())
	}
	wantPaths(t, f, terms("beta"), "b.txt")
	wantPaths(t, f, terms("zebra"))
}

// Segments stay few, and none is written again too often.
func TestFileMerges(t *testing.T) {
	f := newFile(t).(*aFile)
	for i := range 300 {
		f.change(t, []*Doc{text1(fmt.Sprintf("%d.txt", i), fmt.Sprintf("word%d of many\n", i))})
		var n int
		must(t, f.db.QueryRow("SELECT count(*) FROM segments WHERE part = ?", thePart).Scan(&n))
		if most := (fanOut - 1) * (bits.Len(uint(i+1))/3 + 1); n > most {
			t.Fatalf("%d segments after %d changes, at most %d", n, i+1, most)
		}
	}
	wantPaths(t, f, terms("word7"), "7.txt")
	df, n := f.df(t, terms("many"))
	if df[0] != 300 || n != 300 {
		t.Errorf("%d of %d chunks", df[0], n)
	}
	for _, c := range []struct {
		live, dead []int
		from, to   int
	}{
		{nil, nil, 0, 0},
		{[]int{1, 1, 1, 1, 1, 1, 1}, nil, 0, 0},
		{[]int{900, 1, 1, 1, 1, 1, 1, 1, 1}, nil, 1, 9},
		{[]int{900, 1, 1, 1, 1, 1, 1, 1}, nil, 0, 0},
		{[]int{900, 9, 9, 9, 9, 9, 9, 9, 1, 1, 9}, nil, 1, 11},
		{[]int{900, 3}, []int{0, 4}, 1, 2},
	} {
		var segs []segmentRow
		for i, n := range c.live {
			segs = append(segs, segmentRow{live: n})
			if c.dead != nil {
				segs[i].dead = c.dead[i]
			}
		}
		if from, to := mergeable(segs); from != c.from || to != c.to {
			t.Errorf("of %v with %v dead, %d to %d are merged, want %d to %d", c.live, c.dead, from, to, c.from, c.to)
		}
	}
}
