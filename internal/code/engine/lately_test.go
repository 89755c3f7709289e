package engine_test

import (
	"context"
	"slices"
	gosync "sync"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/engine"
)

// Where a look may be some seconds old, what changed is found after that time at the latest, at once where
// the index was written meanwhile, and what was found missing is never taken for a look that is done.
func TestLately(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha"), "b.go": goFile("Gamma")})
	e, err := engine.Open(context.Background(), engine.Config{Root: tr.root, IndexDir: tr.dir, Now: func() time.Time { return tr.now }, Lately: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	other := tr.open() // writes the same index
	finds := func(when string, want ...string) {
		t.Helper()
		if got, _ := ask(t, e, "Gamma"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	finds("the first look", "b.go")
	tr.write("c.go", goFile("Gamma"))
	finds("nothing was clean before", "b.go", "c.go")
	sync(t, other)
	finds("a clean look", "b.go", "c.go")
	tr.write("d.go", goFile("Gamma"))
	tr.now = tr.now.Add(time.Second)
	finds("a second later, by the look before", "b.go", "c.go")
	tr.now = tr.now.Add(1500 * time.Millisecond)
	finds("when that is old", "b.go", "c.go", "d.go")
	sync(t, other)
	finds("clean again", "b.go", "c.go", "d.go")
	tr.remove("d.go")
	sync(t, other)
	finds("the index has changed", "b.go", "c.go")

	var all gosync.WaitGroup
	for range 8 {
		all.Go(func() { finds("at once", "b.go", "c.go") })
	}
	all.Wait()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := e.View(ctx, engine.Options{}); err == nil {
		t.Error("a question that was given up is answered")
	}
}
