package library

import (
	"path/filepath"
	"testing"

	"github.com/assay-dev/assay/internal/base/store"
)

// What the steps make is known by its digest, so that opening makes nothing to compare it with.
func TestLayout(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), schema())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if want := schema().Layout; db.Layout != want {
		t.Errorf("the steps make the layout %q, the schema says %q", db.Layout, want)
	}
}
