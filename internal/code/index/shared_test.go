package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
)

// A lent is a Backend whose state is that of a folder.
type lent struct {
	*Index
	err error
}

func (l lent) Current(ctx context.Context) (*Snapshot, error) {
	if l.err != nil {
		return nil, l.err
	}
	return l.Snapshot(ctx)
}
func (lent) Change(context.Context, Change) error { return nil }
func (lent) Tidy(context.Context) error           { return nil }
func (lent) Close()                               {}

// The folders of a shared index are those that this machine has seen, as far as the index has
// their files: one with another text looks changed, and one that was not seen is there.
func TestSharedManifest(t *testing.T) {
	x, w := open(t)
	var docs []*Doc
	for i, path := range []string{"a.go", "b.go", "sub/c.go", "sub/deep/d.go"} {
		d := text1(path, fmt.Sprintf("text %d\n", i))
		d.ID = uint32(i + 1)
		docs = append(docs, d)
	}
	publish(t, w, docs)
	entry := func(name string, doc uint32, text string) Entry {
		return Entry{Name: name, Size: 7, Mtime: 5, Ctime: 6, Inode: 9, Doc: doc, Hash: hashOf([]byte(text))}
	}
	dir := func(seen int64, all ...Entry) Dir {
		d := Dir{Seen: seen}
		for i := range all {
			d.Entries = AppendEntry(d.Entries, &all[i])
		}
		return d
	}
	s := Shared(lent{Index: x}, map[string]Dir{
		"":    dir(3, entry("a.go", 77, "text 0\n"), entry("b.go", 78, "another\n"), entry("gone.go", 79, "gone\n"), entry("z.bin", 0, "binary")),
		"old": dir(4, entry("x.go", 80, "x")),
	})
	if s.ID() != x.ID() {
		t.Error("it is another index")
	}
	list := func() (out []string) {
		t.Helper()
		p, dirs, err := s.Current(t.Context())
		must(t, err)
		if p.Segments() != 1 {
			t.Errorf("%d segments", p.Segments())
		}
		again, err := s.Manifest(t.Context())
		must(t, err)
		if !maps.EqualFunc(dirs, again, func(a, b Dir) bool { return a.Seen == b.Seen && string(a.Entries) == string(b.Entries) }) {
			t.Error("Manifest is not that of Current")
		}
		for _, path := range slices.Sorted(maps.Keys(dirs)) {
			r := dirs[path].Read()
			for e := (Entry{}); r.Next(&e); {
				out = append(out, fmt.Sprintf("%d %s/%s %d %d", dirs[path].Seen, path, e.Name, e.Doc, e.Inode))
			}
			if r.Corrupt() {
				t.Errorf("the entries of %q are corrupt", path)
			}
		}
		return out
	}
	// Which is known, by its document here; which has another text, without size and times; which
	// would have a document and has none, not at all; and which has none, as it was seen.
	if got, want := list(), []string{"3 /a.go 1 9", "3 /b.go 2 0", "3 /z.bin 0 9", "0 sub/c.go 3 0", "0 sub/deep/d.go 4 0"}; !slices.Equal(got, want) {
		t.Errorf("the folders are %q, want %q", got, want)
	}
	all := s.See(map[string]Dir{"sub": dir(8, entry("c.go", 0, "text 2\n")), "old": {}, "new": dir(9, entry("n", 0, "n"))})
	if got := slices.Sorted(maps.Keys(all)); !slices.Equal(got, []string{"", "new", "sub"}) {
		t.Errorf("seen are %q", got)
	}
	if got, want := list(), []string{"3 /a.go 1 9", "3 /b.go 2 0", "3 /z.bin 0 9", "9 new/n 0 9", "8 sub/c.go 3 9", "0 sub/deep/d.go 4 0"}; !slices.Equal(got, want) {
		t.Errorf("then the folders are %q, want %q", got, want)
	}
	away := errors.New("away")
	gone := Shared(lent{x, away}, nil)
	if _, err := gone.Snapshot(t.Context()); !errors.Is(err, away) {
		t.Errorf("a backend that is away: %v", err)
	}
	if _, _, err := gone.Current(t.Context()); !errors.Is(err, away) {
		t.Errorf("a backend that is away: %v", err)
	}
}

// A far answers for segments, of which it notes what it is asked.
type far struct {
	of    *Snapshot
	asked []string
	err   error
}

func (f *far) postings(_ context.Context, p *Snapshot, terms []string) (map[string][]postings, error) {
	f.asked = append(f.asked, terms...)
	out := map[string][]postings{}
	for _, t := range terms {
		out[t] = f.of.term(t).found
	}
	return out, f.err
}
func (f *far) nearest(ctx context.Context, _ *Snapshot, embedder string, unit []float32, n int, filter Filter) ([]corpus.Candidate, error) {
	c, err := f.of.Nearest(ctx, embedder, unit, n, filter)
	return c, errors.Join(err, f.err)
}
func (f *far) fillCosine(_ context.Context, _ *Snapshot, embedder string, unit []float32, c []corpus.Candidate) error {
	return errors.Join(f.of.FillCosine(embedder, unit, c), f.err)
}
func (f *far) embedded(embedder string) bool { return embedder == "own" }

// A snapshot whose words are elsewhere answers as one that has them, asks for each term once, and
// says what could not be had.
func TestDistant(t *testing.T) {
	m := newMaker(91)
	x, w := open(t)
	publish(t, w, m.docs(1, 30, 3))
	publish(t, w, m.docs(31, 30, 3), 4, 5)
	here := snapshot(t, x)
	f := &far{of: here}
	there := &Snapshot{State: here.State, id: here.id, far: f}
	for _, s := range here.segs {
		there.add(&segment{Segment: s.Segment, dead: s.dead, lo: s.lo, total: s.total, gone: s.gone, deadChunks: s.deadChunks, lost: s.lost})
		there.vecs, there.own = append(there.vecs, nil), append(there.own, nil)
	}
	query := append(terms("valu", "error", "valu"), corpus.Term{Text: "ind", Weight: 1, Match: corpus.Begins})
	for range 2 {
		got, err := there.Lexical(t.Context(), query, 50, 3, nil)
		must(t, err)
		want, err := here.Lexical(t.Context(), query, 50, 3, nil)
		must(t, err)
		if !slices.Equal(got, want) || len(got) == 0 {
			t.Errorf("%v, want %v", got, want)
		}
		df, n, err := there.DF(query)
		must(t, err)
		wantDF, wantN, err := here.DF(query)
		must(t, err)
		if !slices.Equal(df, wantDF) || n != wantN {
			t.Errorf("%v of %d, want %v of %d", df, n, wantDF, wantN)
		}
	}
	if !slices.Equal(f.asked, []string{"valu", "error"}) {
		t.Errorf("asked for %q, want each term once and none that only begins a word", f.asked)
	}
	if left, n := there.Unembedded("own"); len(left) != 0 || n != 0 {
		t.Errorf("%d chunks have no vectors", n)
	}
	if left, _ := there.Unembedded("other"); len(left) != 2 {
		t.Errorf("vectors of another embedder: %v are without", left)
	}
	f.err = errors.New("away")
	if _, err := there.Lexical(t.Context(), terms("index"), 50, 3, nil); !errors.Is(err, f.err) {
		t.Errorf("Lexical = %v", err)
	}
	if _, _, err := there.DF(terms("index")); !errors.Is(err, f.err) {
		t.Errorf("DF = %v", err)
	}
	if _, err := there.Nearest(t.Context(), "own", []float32{1}, 5, nil); !errors.Is(err, f.err) {
		t.Errorf("Nearest = %v", err)
	}
	if err := there.FillCosine("own", []float32{1}, nil); !errors.Is(err, f.err) {
		t.Errorf("FillCosine = %v", err)
	}
}

// An index takes over what one in another folder is, and writes nothing there.
func TestBeside(t *testing.T) {
	from, to := openAt(t, t.TempDir()), openAt(t, t.TempDir())
	fill(t, from, docs(1, 1, 40))
	fill(t, from, docs(2, 41, 20), 3, 4)
	want := said(t, from)
	from.Close()
	before := contents(t, from.dir)
	moved, err := to.Beside(t.Context(), from.dir, quietly)
	if err != nil || moved.Same || moved.Segments != 2 {
		t.Fatalf("%+v, %v", moved, err)
	}
	if got := said(t, to); got != want {
		t.Errorf("taken over it says\n%s\nwant\n%s", got, want)
	}
	if after := contents(t, from.dir); !maps.Equal(before, after) {
		t.Errorf("the other folder has %v, had %v", after, before)
	}
	if moved, err = to.Beside(t.Context(), from.dir, quietly); err != nil || !moved.Same {
		t.Errorf("once more: %+v, %v", moved, err)
	}
	if _, err := to.Beside(t.Context(), filepath.Join(t.TempDir(), "none"), quietly); err == nil {
		t.Error("a folder without an index is taken over")
	}
	// What is damaged there is not taken over.
	segs, err := filepath.Glob(filepath.Join(from.dir, "seg", "*"))
	must(t, err)
	other := openAt(t, t.TempDir())
	data, err := os.ReadFile(segs[0])
	must(t, err)
	must(t, os.WriteFile(segs[0], append(data, 'x'), 0o600))
	if _, err := other.Beside(t.Context(), from.dir, quietly); !errors.Is(err, ErrDamaged) {
		t.Errorf("of a damaged index: %v", err)
	}
	if got := snapshot(t, other); got.Segments() != 0 {
		t.Error("some of a damaged index is taken over")
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Ext(path) != ".db-shm" && filepath.Ext(path) != ".db-wal" {
			var b []byte
			b, err = os.ReadFile(path)
			out[path] = version(b)
		}
		return err
	}))
	return out
}

// A state that fails its checksum is damage, of the database.
func TestDamagedState(t *testing.T) {
	for column, value := range map[string]string{"epoch": "epoch + 1", "next_doc": "next_doc + 1", "next_chunk": "next_chunk + 1", "embedder": "'other'", "files_left": "files_left + 1", "seg_sum": "seg_sum + 1", "row_sum": "row_sum + 1"} {
		x, w := open(t)
		publish(t, w, newMaker(3).docs(1, 4, 2))
		snapshot(t, x)
		_, err := x.db.Exec("UPDATE meta SET " + column + " = " + value)
		must(t, err)
		if _, err := x.Snapshot(t.Context()); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: Snapshot = %v", column, err)
		}
		if err := x.Check(t.Context()); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: Check = %v", column, err)
		}
	}
}

// Repair keeps the vectors of the segments that it keeps, and of cached ones those that are sound.
func TestRepairKeepsVectors(t *testing.T) {
	dir := t.TempDir()
	x, err := Open(t.Context(), dir, false)
	must(t, err)
	w, err := x.TryLock()
	must(t, err)
	m := newMaker(61)
	first, second := m.docs(1, 10, 3), m.docs(11, 10, 3)
	publishTree(t, w, first)
	publishTree(t, w, second)
	p := snapshot(t, x)
	for i := range p.segs {
		vecs := make([][]float32, p.segs[i].Chunks)
		for c := range vecs {
			vecs[c] = unit(m.Rand, 8)
		}
		must(t, w.PutVectors(t.Context(), p, i, "model", 8, vecs))
	}
	must(t, w.CacheVectors(t.Context(), "model", map[corpus.Hash][]float32{{1}: {1, 2}, {2}: {3, 4}}))
	_, err = x.db.Exec("UPDATE vectors SET vec = x'00000000' WHERE hash = ?", hashBytes(2))
	must(t, err)
	lost := p.segs[0].Name
	w.Close()
	must(t, x.Close())
	must(t, os.Truncate(filepath.Join(dir, "seg", lost), 100))
	x = openAt(t, dir)
	w, err = x.TryLock()
	must(t, err)
	defer w.Close()
	must(t, w.Repair(t.Context()))
	p = snapshot(t, x)
	if left, n := p.Unembedded("model"); len(left) != 0 || p.Segments() != 1 || n != 0 {
		t.Errorf("%d segments, of which %v are without vectors", p.Segments(), left)
	}
	got, err := p.Nearest(t.Context(), "model", unit(m.Rand, 8), 3, nil)
	if err != nil || len(got) != 3 {
		t.Errorf("%d are near, %v", len(got), err)
	}
	for hash, want := range map[byte][]float32{1: {1, 2}, 2: nil} {
		if got, err := x.CachedVector(t.Context(), corpus.Hash{hash}, "model"); err != nil || !slices.Equal(got, want) {
			t.Errorf("the cached vector %d is %v, %v; want %v", hash, got, err, want)
		}
	}
	if problems, err := x.Problems(t.Context()); err != nil || len(problems) != 0 {
		t.Errorf("%v, %v", problems, err)
	}
}

func hashBytes(b byte) []byte { h := corpus.Hash{b}; return h[:] }
