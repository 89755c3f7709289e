package workspace_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// TestOfferLeavesIndex holds that a completion changes no index, and offers nothing of one that it cannot read.
func TestOfferLeavesIndex(t *testing.T) {
	a, b := tree(t, "alpha.go"), tree(t, "alps.go")
	for _, root := range []string{a, b} {
		w := open(t, workspace.Config{WorkDir: root})
		target, err := w.Resolve(workspace.Place{Root: root}, nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := w.Open(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Sync(t.Context(), engine.Options{}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	db := filepath.Join(a, ".assay", "index", "index.db")
	good, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	other := slices.Clone(good)
	copy(other[60:64], []byte{0, 0, 0x7f, 0xff}) // the number of its schema
	for _, tt := range []struct {
		name         string
		db           []byte
		paths, names []string
		fails        bool
	}{
		{"both", good, []string{"alpha.go", "alps.go"}, []string{"alpha", "alps"}, false},
		{"garbage", bytes.Repeat([]byte("garbage "), 1024), []string{"alps.go"}, []string{"alps"}, true},
		{"another version", other, []string{"alps.go"}, []string{"alps"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(db, tt.db, 0o600); err != nil {
				t.Fatal(err)
			}
			w := open(t, workspace.Config{WorkDir: a, Roots: []string{a, b}})
			paths, err := w.OfferPaths(t.Context(), "al")
			if !reflect.DeepEqual(paths, tt.paths) || (err != nil) != tt.fails {
				t.Errorf("paths %q, %v; want %q", paths, err, tt.paths)
			}
			names, err := w.OfferNames(t.Context(), "al")
			if !reflect.DeepEqual(names, tt.names) || (err != nil) != tt.fails {
				t.Errorf("names %q, %v; want %q", names, err, tt.names)
			}
			if now, err := os.ReadFile(db); err != nil || !bytes.Equal(now, tt.db) {
				t.Errorf("the index is changed, %v", err)
			}
		})
	}
}
