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

// A text that comes back under another name is cut as that name has it read: in a
// header a prototype is a declaration.
func TestKnownTextUnderAnotherName(t *testing.T) {
	text := "int open_file(const char *name);\nint close_file(int handle);\n"
	tr := newTree(t, map[string]string{"a.c": text})
	e := tr.open()
	sync(t, e)
	if err := os.Rename(filepath.Join(tr.root, "a.c"), filepath.Join(tr.root, "a.h")); err != nil {
		t.Fatal(err)
	}
	sync(t, e)
	fresh := newTree(t, map[string]string{"a.h": text})
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
	got, want := symbols(chunksOf(t, e, "a.h")), symbols(chunksOf(t, f, "a.h"))
	if !slices.Equal(got, want) || len(want) != 2 {
		t.Errorf("after a rename a header declares %q, fresh %q", got, want)
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
