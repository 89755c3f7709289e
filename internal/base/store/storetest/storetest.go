// Package storetest checks that the steps of a schema create the layout that the schema declares.
package storetest

import (
	"path/filepath"
	"testing"

	"github.com/assay-dev/assay/internal/base/store"
)

// Layout reports where the steps of a schema make another layout than the digest that it is
// known by, so that opening makes nothing to compare with.
func Layout(t *testing.T, s store.Schema) {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), s)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if db.Layout != s.Layout {
		t.Errorf("the steps make the layout %q, the schema says %q", db.Layout, s.Layout)
	}
}
