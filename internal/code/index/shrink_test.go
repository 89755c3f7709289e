package index

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// cached returns which of some texts an index has cuts of.
func cached(t *testing.T, x *Index, hashes ...corpus.Hash) (out []bool) {
	t.Helper()
	for _, h := range hashes {
		b, err := x.Content(context.Background(), h)
		must(t, err)
		out = append(out, b != nil)
	}
	return out
}

// Cuts of texts that no document has are dropped once they are many, the oldest first; those
// of live documents stay, and so do a few of what was left a moment ago.
func TestShrinkContents(t *testing.T) {
	ctx := context.Background()
	m := newMaker(71)
	x, w := open(t)
	put := func(docs []*Doc, dead ...uint32) {
		b := batchOf(t, w, docs)
		b.Dead = dead
		for _, d := range docs {
			b.Contents = append(b.Contents, Content{Hash: d.Hash, Chunks: bytes.Repeat([]byte{1}, 1000)})
		}
		must(t, w.Publish(ctx, b))
	}
	kept, old, late := m.docs(1, 20, 2), m.docs(101, 20, 2), m.docs(201, 20, 2)
	for i, d := range slices.Concat(kept, old, late) {
		d.Hash = corpus.Hash{1, byte(i)}
	}
	put(kept)
	put(old)
	var dead []uint32
	for _, d := range old {
		dead = append(dead, d.ID)
	}
	few := dead[:5]
	put(nil, few...)
	must(t, w.Shrink(ctx, false))
	if got := cached(t, x, old[0].Hash, old[10].Hash, kept[0].Hash); !slices.Equal(got, []bool{true, true, true}) {
		t.Errorf("after few texts went, the cuts of some are %v, want all", got)
	}
	put(late, dead[5:]...)
	dead = dead[:0]
	for _, d := range late {
		dead = append(dead, d.ID)
	}
	put(nil, dead...)
	must(t, w.Shrink(ctx, false))
	n := 0
	for i, d := range slices.Concat(kept, old, late) {
		has := cached(t, x, d.Hash)[0]
		if has {
			n++
		}
		if i < len(kept) && !has || i >= len(kept) && i < 2*len(kept) && has {
			t.Errorf("text %d: kept %v", i, has)
		}
	}
	if n != len(kept)+len(kept)/goneShare {
		t.Errorf("the cuts of %d texts are kept of %d that live", n, len(kept))
	}
}

// Vectors that were paid for are kept for chunks that live, by the embedder in use.
func TestShrinkVectors(t *testing.T) {
	ctx := context.Background()
	m := newMaker(72)
	x, w := open(t)
	docs := m.docs(1, 10, 2)
	publish(t, w, docs)
	vecs := map[corpus.Hash][]float32{}
	for i := range 50 {
		vecs[corpus.Hash{9, byte(i)}] = make([]float32, 8) // of chunks that are gone
	}
	live := docs[0].Chunks[0].Hash
	vecs[live] = make([]float32, 8)
	must(t, w.CacheVectors(ctx, "model", vecs))
	must(t, w.CacheVectors(ctx, "other", map[corpus.Hash][]float32{live: make([]float32, 8)}))
	p := snapshot(t, x)
	must(t, w.PutVectors(ctx, p, 0, "model", 8, make([][]float32, p.segs[0].Chunks)))
	must(t, w.Shrink(ctx, false))
	count := func() (n int) {
		must(t, x.db.QueryRow("SELECT count(*) FROM vectors").Scan(&n))
		return n
	}
	if n := count(); n != 52 {
		t.Errorf("Shrink(ctx, false) leaves %d vectors, want 52: without the flag it must not compare them with the chunks", n)
	}
	must(t, w.Shrink(ctx, true))
	if n := count(); n != 1 {
		t.Errorf("%d vectors are left, want that of the live chunk", n)
	}
	if v, err := x.CachedVector(ctx, live, "model"); err != nil || v == nil {
		t.Errorf("the vector of a live chunk is %v, %v", v, err)
	}
}

// TestShrinkBesideReaders deletes segments while readers are open. A reader that has a state keeps it
// and a new one reads the newest, in this process and in others. The files that remain are sound.
func TestShrinkBesideReaders(t *testing.T) {
	ctx := context.Background()
	m := newMaker(73)
	x, w := open(t)
	all := m.docs(1, 200, 3)
	publish(t, w, all)
	publish(t, w, m.docs(1001, 5, 3))
	other, err := Open(ctx, x.dir, true) // as another process does
	must(t, err)
	defer other.Close()
	old, theirs := snapshot(t, x), snapshot(t, other)
	want := dump(t, old)
	tx, err := other.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // a reader in the middle of the rows
	must(t, err)
	var rows int
	must(t, tx.QueryRow("SELECT count(*) FROM seg").Scan(&rows))
	var dead []uint32
	for _, d := range all {
		dead = append(dead, d.ID)
	}
	publish(t, w, nil, dead...)
	must(t, w.Merge(ctx, 1<<20))
	must(t, w.Shrink(ctx, true))
	must(t, w.CollectAll(ctx, time.Now()))
	var again int
	must(t, tx.QueryRow("SELECT count(*) FROM seg").Scan(&again))
	if again != rows {
		t.Errorf("a reader sees %d rows and then %d", rows, again)
	}
	must(t, tx.Rollback())
	sameDump(t, "a state that was merged away", dump(t, old), want)
	sameDump(t, "that of another process", dump(t, theirs), want)
	must(t, w.CollectAll(ctx, time.Now()))
	if got, named := segFiles(t, x), segNames(snapshot(t, x)); !slices.Equal(got, named) {
		t.Errorf("files %q are left, want %q", got, named)
	}
	now := snapshot(t, other)
	if mine := snapshot(t, x); now.Damaged() || now.chunks != mine.chunks || now.chunks == 0 || now.chunks >= theirs.chunks {
		t.Errorf("another process finds %d chunks of %d, damaged: %v", now.chunks, mine.chunks, now.Damaged())
	}
	sameDump(t, "a state whose files are gone", dump(t, theirs), want)
	must(t, x.Check(ctx))
}

// A file that this writer has merged away goes at once; one that it knows nothing of may be
// about to be named, and goes once it is old.
func TestCollectOwn(t *testing.T) {
	ctx := context.Background()
	m := newMaker(74)
	x, w := open(t)
	publish(t, w, m.docs(1, 20, 3))
	publish(t, w, nil, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	orphan, err := x.Build(func() *Builder { b := NewBuilder(); b.Add(m.doc(99, 3)); return b }())
	must(t, err)
	must(t, w.Merge(ctx, 1<<20))
	must(t, w.Collect(ctx, time.Now()))
	named := segNames(snapshot(t, x))
	if got := segFiles(t, x); len(got) != len(named)+1 || !slices.Contains(got, orphan.name) {
		t.Errorf("files %q are left, want %q and %q", got, named, orphan.name)
	}
	must(t, w.CollectAll(ctx, time.Now()))
	if got := segFiles(t, x); !slices.Equal(got, named) {
		t.Errorf("files %q are left, want %q", got, named)
	}
	if _, err := os.Stat(filepath.Join(x.dir, database)); err != nil {
		t.Error(err)
	}
}
