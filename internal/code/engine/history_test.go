package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
)

// A text that comes back under another name is cut as that name has it read: in a .vue
// file only the script is code.
func TestKnownTextUnderAnotherName(t *testing.T) {
	text := "<script>\nfunction one() { }\n</script>\n<p>function two() {}</p>\nfunction three() {}\n"
	tr := newTree(t, map[string]string{"a.ts": text})
	e := tr.open()
	sync(t, e)
	known := chunksOf(t, e, "a.ts")
	if err := os.Rename(filepath.Join(tr.root, "a.ts"), filepath.Join(tr.root, "a.vue")); err != nil {
		t.Fatal(err)
	}
	sync(t, e)
	fresh := newTree(t, map[string]string{"a.vue": text})
	f := fresh.open()
	sync(t, f)
	symbols := func(found []index.Found) (out []string) {
		for _, c := range found {
			for _, s := range c.Symbols {
				out = append(out, s.Name)
			}
		}
		return out
	}
	got, want, before := symbols(chunksOf(t, e, "a.vue")), symbols(chunksOf(t, f, "a.vue")), symbols(known)
	if !slices.Equal(got, want) || slices.Equal(want, before) {
		t.Errorf("after a rename the file declares %q, fresh %q, before %q", got, want, before)
	}
}

func chunksOf(t *testing.T, e *engine.Engine, path string) []index.Found {
	t.Helper()
	v, err := e.Frozen(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	found, err := v.Snap.Chunks(path)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A damaged index that another process is writing is not asked: the answer comes from
// the files, and says why. When the lock is free, it is repaired.
func TestDamagedAndLocked(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": goFile("Alpha"), "sub/b.go": goFile("Beta")})
	e := tr.open()
	sync(t, e)
	e.Close()
	segs, err := filepath.Glob(filepath.Join(tr.dir, "seg", "*"))
	if err != nil || len(segs) == 0 {
		t.Fatal(segs, err)
	}
	for _, s := range segs {
		if err := os.Truncate(s, 100); err != nil {
			t.Fatal(err)
		}
	}
	x, err := index.Open(context.Background(), tr.dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	w, err := x.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	e = tr.open()
	if got, v := ask(t, e, "Beta"); !slices.Equal(got, []string{"sub/b.go"}) || v.Written != "the index is damaged: another process is writing it" {
		t.Errorf("with the lock taken: %v, not written: %q", got, v.Written)
	}
	w.Close()
	if got, v := ask(t, e, "Beta"); !slices.Equal(got, []string{"sub/b.go"}) || v.Written != "" {
		t.Errorf("with the lock free: %v, not written: %q", got, v.Written)
	}
	sync(t, e)
	if problems, err := e.Check(context.Background()); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
}
