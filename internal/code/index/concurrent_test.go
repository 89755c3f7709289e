package index

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/file"
)

// A generation replaces all documents by ones that carry its number, so that any
// committed state is one generation, whole.
const perGeneration = 12

func generation(g int) (docs []*Doc, dead []uint32) {
	for i := range perGeneration {
		d := text1(fmt.Sprintf("dir%d/file%d.txt", i%3, i), fmt.Sprintf("everywhere generation%d document%d\n", g, i))
		d.ID = uint32(g*perGeneration + i + 1)
		d.Lines = g + 1 // recognisable without the text
		docs = append(docs, d)
		if g > 0 {
			dead = append(dead, d.ID-perGeneration)
		}
	}
	return docs, dead
}

// whole makes sure that p is one generation, by every way to look, and returns
// which.
func whole(p *Snapshot) (g int, err error) {
	ctx := context.Background()
	if p.Damaged() {
		return 0, fmt.Errorf("damaged: %v", p.damaged)
	}
	ids := map[uint32]int{}
	if err := p.Docs(func(d DocInfo) bool { ids[d.ID] = d.Lines - 1; return true }); err != nil {
		return 0, err
	}
	if len(ids) == 0 {
		return -1, nil
	}
	if len(ids) != perGeneration {
		return 0, fmt.Errorf("%d documents: %v", len(ids), ids)
	}
	g = -1
	for id, in := range ids {
		if g >= 0 && in != g || int(id-1)/perGeneration != in {
			return 0, fmt.Errorf("generations mixed: %v", ids)
		}
		g = in
	}
	for query, want := range map[string]int{"everywher": perGeneration, fmt.Sprintf("generation%d", g): perGeneration,
		fmt.Sprintf("generation%d", g-1): 0, fmt.Sprintf("generation%d", g+1): 0} {
		cands, err := p.Lexical(ctx, terms(query), 1000, 10, nil)
		if err != nil {
			return 0, err
		}
		if len(cands) != want {
			return 0, fmt.Errorf("%d hits for %s in generation %d", len(cands), query, g)
		}
		var refs []corpus.Ref
		for _, c := range cands {
			refs = append(refs, c.Ref)
		}
		found, err := p.Describe(refs)
		if err != nil {
			return 0, err
		}
		for _, f := range found {
			if f.Doc.Lines-1 != g {
				return 0, fmt.Errorf("a hit of generation %d in %d", f.Doc.Lines-1, g)
			}
		}
	}
	return g, nil
}

// step publishes generation g in one commit of two segments and keeps house.
func step(ctx context.Context, w *Writer, g int, now time.Time) error {
	docs, dead := generation(g)
	batch := Batch{Dead: dead, NextDoc: uint32((g+1)*perGeneration + 1), Dirs: treeOf(int64(g), docs)}
	for _, part := range [][]*Doc{docs[:5], docs[5:]} {
		b := NewBuilder()
		for _, d := range part {
			b.Add(d)
		}
		built, err := w.x.Build(b)
		if err != nil {
			return err
		}
		batch.Segments = append(batch.Segments, built)
	}
	if err := w.Publish(ctx, batch); err != nil {
		return err
	}
	if err := w.Merge(ctx, 1<<30); err != nil {
		return err
	}
	return w.Collect(ctx, now)
}

// Readers in several goroutines and over several handles see whole generations,
// none older than the one before, while writers publish, merge and collect.
func TestConcurrent(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	x, err := Open(ctx, dir, false)
	must(t, err)
	defer x.Close()
	other, err := Open(ctx, dir, false) // as another process has it
	must(t, err)
	defer other.Close()
	generations := 60
	if testing.Short() {
		generations = 20
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	read := func(x *Index) {
		last := -1
		for {
			p, err := x.Snapshot(ctx)
			if err == nil {
				var g int
				if g, err = whole(p); err == nil && g < last {
					err = fmt.Errorf("generation %d after %d", g, last)
				}
				last = g
			}
			if err != nil {
				t.Error(err)
				return
			}
			select {
			case <-done:
				return
			default:
			}
		}
	}
	for range 2 {
		readers.Go(func() { read(x) })
		readers.Go(func() { read(other) })
	}
	var mu sync.Mutex
	next := 0
	var writers sync.WaitGroup
	for _, x := range []*Index{x, other} {
		writers.Go(func() {
			for {
				w, err := x.TryLock()
				if errors.Is(err, file.ErrLocked) {
					time.Sleep(time.Millisecond)
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				g := next
				next++
				mu.Unlock()
				if g >= generations {
					w.Close()
					return
				}
				// Collect at once what a minute would protect.
				err = step(ctx, w, g, time.Now().Add(2*collectAge))
				w.Close()
				if err != nil {
					t.Errorf("generation %d: %v", g, err)
					return
				}
			}
		})
	}
	writers.Go(func() {
		for range 30 {
			if err := x.Merge(ctx, 1<<30); err != nil {
				t.Error(err)
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	writers.Wait()
	close(done)
	readers.Wait()
	if g, err := whole(snapshot(t, x)); err != nil || g != generations-1 {
		t.Errorf("in the end generation %d, %v; want %d", g, err, generations-1)
	}
	must(t, x.Check(ctx))
}
