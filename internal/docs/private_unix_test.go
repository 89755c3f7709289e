//go:build unix

package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/docs/library"
)

// What a person ingests is for that person: others of the machine cannot read it.
func TestPrivate(t *testing.T) {
	f := feature(t, tree(t, map[string]string{"a.md": "# A\n\nsome words\n"}))
	if _, err := f.Ingest(t.Context(), IngestInput{Where: Where{Source: ".", ID: "/org/lib"}}); err != nil {
		t.Fatal(err)
	}
	// Looked at while it is open, when its log lies beside it.
	err := f.writing(t.Context(), "", false, func(*library.DB) error {
		dir := filepath.Dir(f.path(""))
		entries, err := os.ReadDir(dir)
		for _, e := range entries {
			if st, err := e.Info(); err == nil && st.Mode().Perm()&0o077 != 0 && strings.HasPrefix(e.Name(), "docs.db") {
				t.Errorf("%s is %v", e.Name(), st.Mode())
			}
		}
		if st, err := os.Stat(dir); err != nil || st.Mode().Perm()&0o077 != 0 {
			t.Errorf("the folder is %v, %v", st.Mode(), err)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
