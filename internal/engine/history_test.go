package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/engine"
	"github.com/assay-dev/assay/internal/index"
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
