package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code/engine"
)

// A view keeps a few changed files in memory until it is published, and writes more files or
// bytes than that to the index at once.
func TestWhatAViewWrites(t *testing.T) {
	line := "a line of words that no other text has, as long as lines are in a program\n"
	for _, tc := range []struct {
		files, bytes int
		writes       bool
	}{{1, 10, false}, {200, 10, false}, {201, 10, true}, {3, 1 << 20, false}, {3, 3 << 19, true}} {
		tr := newTree(t, map[string]string{"a.go": goFile("Alpha")})
		e := tr.open()
		sync(t, e)
		before := epoch(t, e)
		for i := range tc.files {
			tr.write(fmt.Sprintf("new/f%d.txt", i), strings.Repeat(line, 1+tc.bytes/len(line)))
		}
		v := viewOf(t, e, engine.Options{})
		if wrote := epoch(t, e) > before; wrote != tc.writes || v.Newer() == tc.writes || v.Hit() || v.Stale != 0 {
			t.Errorf("%d files of %d bytes: written %v, in memory %v, %d stale", tc.files, tc.bytes, wrote, v.Newer(), v.Stale)
		}
		if err := v.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
		if rep := sync(t, e); rep.Docs != 0 {
			t.Errorf("%d files of %d bytes: %d documents are made again", tc.files, tc.bytes, rep.Docs)
		}
	}
}

// An indexing that is given up says so, and what it had read is not lost.
func TestGivenUpSync(t *testing.T) {
	tr := newTree(t, nil)
	for i := range 300 {
		tr.write(fmt.Sprintf("d%d/f%d.go", i%9, i), fmt.Sprintf("package d\n\nfunc F%d() {}\n", i))
	}
	e := tr.open()
	ctx, stop := context.WithCancel(t.Context())
	rep, err := e.Sync(ctx, engine.Options{Progress: func(stage string, done, _ int64) {
		if stage == "indexing" && done > 0 {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) || rep.Docs == 0 || rep.Docs == 300 {
		t.Errorf("%+v, %v", rep, err)
	}
	again := sync(t, e)
	if again.Docs+rep.Docs != 300 || again.Left != 0 {
		t.Errorf("%d documents before it was given up, %d after, of 300", rep.Docs, again.Docs)
	}
}
