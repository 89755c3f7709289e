package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// TestLinkedHome holds that the user's folder is too wide to be a project by whatever path HOME names it.
func TestLinkedHome(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, link := filepath.Join(dir, "data", "me"), filepath.Join(dir, "home")
	if err := os.MkdirAll(filepath.Join(home, "p"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(home, link); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, home, dir string
		refused         bool
	}{
		{"the folder itself", home, home, true},
		{"HOME is a link", link, home, true},
		{"the working folder is behind the link too", link, link, true},
		{"above it", link, filepath.Dir(home), true},
		{"a project in it", link, filepath.Join(link, "p"), false},
		{"beside it, where the link is", filepath.Join(dir, "other"), home, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := New(Config{WorkDir: tt.dir, Home: tt.home})
			defer w.Close()
			if _, err := w.Resolve(Place{}, nil); (fault.KindOf(err) == fault.Usage) != tt.refused || !tt.refused && err != nil {
				t.Errorf("%s with the home %s: %v, want it refused: %t", tt.dir, tt.home, err, tt.refused)
			}
		})
	}
}
