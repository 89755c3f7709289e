package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/assay-dev/assay/internal/corpus"
	"github.com/assay-dev/assay/internal/store"
)

func TestFTSText(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "x.db")
	x := openFTS(t, path)
	docs := newMaker(21).docs(1, 30, 4)
	if err := x.Put(ctx, docs...); err != nil {
		t.Fatal(err)
	}
	if err := x.Delete(ctx, 3, 999); err != nil {
		t.Fatal(err)
	}
	x.db.Close()
	x = openFTS(t, path)
	for _, d := range docs {
		got, err := x.Text(ctx, d.ID)
		info, findErr := x.Find(ctx, d.Path)
		if d.ID == 3 {
			if !errors.Is(err, fs.ErrNotExist) || !errors.Is(findErr, fs.ErrNotExist) {
				t.Errorf("a deleted document: Text = %v, Find = %v; want fs.ErrNotExist", err, findErr)
			}
			continue
		}
		if err != nil || !bytes.Equal(got, d.Text) {
			t.Errorf("Text(%d) = %q, %v; want %q", d.ID, got, err, d.Text)
		}
		if findErr != nil || info.ID != d.ID {
			t.Errorf("Find(%q) = %+v, %v", d.Path, info, findErr)
		}
	}
	var got []string
	x.Docs(ctx, func(d DocInfo) bool { got = append(got, d.Path); return len(got) < 5 })
	if len(got) != 5 || got[0] != docs[0].Path || got[2] != docs[3].Path {
		t.Errorf("the first documents are %q", got)
	}
	if found, err := x.Describe(ctx, []corpus.Ref{{Chunk: 1 << 30}}); err != nil || found[0].ID != 0 {
		t.Errorf("Describe of a chunk that is not there = %+v, %v; want an empty one", found, err)
	}
}

// A change is made whole or not at all.
func TestFTSRollback(t *testing.T) {
	ctx := context.Background()
	x := openFTS(t, filepath.Join(t.TempDir(), "x.db"))
	if err := x.Put(ctx, &Doc{ID: 1, Document: text1("a", "apple").Document, Chunks: text1("a", "apple").Chunks}); err != nil {
		t.Fatal(err)
	}
	before, _ := x.State(ctx)
	good, bad := text1("b", "banana"), text1("c", "cherry")
	good.ID, bad.ID = 2, 3
	bad.Chunks[0].End = 100
	if err := x.Put(ctx, good, bad); err == nil {
		t.Error("a chunk that leaves its text is no error")
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if err := x.Put(stopped, good); !errors.Is(err, context.Canceled) {
		t.Errorf("Put = %v after it was cancelled", err)
	}
	if _, err := x.Lexical(stopped, terms("apple"), 5, 5, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Lexical = %v after it was cancelled", err)
	}
	if after, _ := x.State(ctx); after != before {
		t.Errorf("state %+v after changes that failed, want %+v", after, before)
	}
	if c, err := x.Lexical(ctx, terms("banana", "cherry"), 5, 5, nil); err != nil || len(c) != 0 {
		t.Errorf("a change that failed left %v, %v", c, err)
	}
}

// Others keep their tables in the same file, and add steps when they must.
func TestFTSSharesAFile(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "x.db")
	steps := append([]string{"CREATE TABLE libraries(id TEXT PRIMARY KEY)"}, FTSSteps()...)
	for range 2 {
		db, err := store.Open(ctx, path, store.Schema{Name: "test", Steps: steps})
		if err != nil {
			t.Fatal(err)
		}
		x, err := OpenFTS(ctx, db)
		if err != nil {
			t.Fatal(err)
		}
		d := text1("a", "apple")
		d.ID = 1
		if err := x.Put(ctx, d); err != nil {
			t.Fatal(err)
		}
		if c, err := x.Lexical(ctx, terms("appl"), 5, 5, nil); err != nil || len(c) != 1 {
			t.Errorf("Lexical = %v, %v", c, err)
		}
		if err := db.Check(ctx); err != nil {
			t.Error(err)
		}
		if db.Moved != "" {
			t.Errorf("the file was moved to %s", db.Moved)
		}
		db.Close()
		steps = append(steps, "CREATE TABLE later(x)")
	}
}

func TestFTSWithoutTables(t *testing.T) {
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "x.db"), store.Schema{Name: "test", Steps: []string{"CREATE TABLE other(x)"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if x, err := OpenFTS(ctx, db); err == nil {
		t.Errorf("OpenFTS = %v in a database without its tables", x)
	}
}

func TestFTSStateMissing(t *testing.T) {
	ctx := context.Background()
	x := openFTS(t, filepath.Join(t.TempDir(), "x.db"))
	if _, err := x.db.Exec("DELETE FROM ix_meta"); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"OpenFTS": func() error { _, err := OpenFTS(ctx, x.db); return err }(),
		"Put":     x.Put(ctx, text1("a", "b")),
		"Lexical": func() error { _, err := x.Lexical(ctx, terms("b"), 1, 1, nil); return err }(),
		"DF":      func() error { _, _, err := x.DF(ctx, terms("b")); return err }(),
	} {
		if !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s = %v without the state, want store.ErrDamaged", what, err)
		}
	}
}

func TestFTSReadOnly(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "x.db")
	x := openFTS(t, path)
	d := text1("a", "apple")
	d.ID = 1
	if err := x.Put(ctx, d); err != nil {
		t.Fatal(err)
	}
	x.db.Close()
	db, err := store.OpenReadOnly(ctx, path, store.Schema{Name: "test", Steps: FTSSteps()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ro, err := OpenFTS(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := ro.Lexical(ctx, terms("appl"), 5, 5, nil); err != nil || len(c) != 1 {
		t.Errorf("Lexical = %v, %v in a read-only database", c, err)
	}
	if err := ro.Put(ctx, d); err == nil {
		t.Error("a read-only database was changed")
	}
}

// Readers see whole changes while writers make them.
func TestFTSConcurrent(t *testing.T) {
	ctx := context.Background()
	x := openFTS(t, filepath.Join(t.TempDir(), "x.db"))
	// Each change replaces all documents by ones with a word of its own.
	put := func(round int) error {
		var docs []*Doc
		for i := range 5 {
			d := text1(fmt.Sprint(i), fmt.Sprintf("everywhere round%d", round))
			d.ID = uint32(i + 1)
			docs = append(docs, d)
		}
		return x.Put(ctx, docs...)
	}
	if err := put(0); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				c, err := x.Lexical(ctx, terms("everywher"), 100, 10, nil)
				if err != nil || len(c) != 5 {
					t.Errorf("a reader finds %d documents, %v; want 5", len(c), err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	var writers sync.WaitGroup
	for w := range 2 {
		writers.Go(func() {
			for i := range 15 {
				if err := put(100*w + i); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	if err := x.db.Check(ctx); err != nil {
		t.Error(err)
	}
	if _, err := x.db.Exec("INSERT INTO ix_fts(ix_fts) VALUES ('integrity-check')"); err != nil {
		t.Error(err)
	}
	if st, _ := x.State(ctx); st.Epoch != 31 {
		t.Errorf("epoch %d after 31 changes", st.Epoch)
	}
	var total []string
	x.Docs(ctx, func(d DocInfo) bool { total = append(total, d.Path); return true })
	if slices.Sort(total); !slices.Equal(total, []string{"0", "1", "2", "3", "4"}) {
		t.Errorf("documents %q", total)
	}
}
