package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-dev/assay/internal/base/safe"
)

// TestFolderAbove holds that a folder named .assay above a project does not make what
// lies beside the project part of it: not above a git work tree, and not where somebody
// else put it there.
func TestFolderAbove(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	id, err := safe.OpenIdentity(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := New(Config{WorkDir: top, Owner: func() (safe.Identity, error) { return id, nil }})
	t.Cleanup(func() { w.Close() })
	dir := func(rel string) string {
		path := filepath.Join(top, filepath.FromSlash(rel))
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	want := func(rel, root string) {
		t.Helper()
		if got, err := w.Project(dir(rel)); got != dir(root) || err != nil {
			t.Errorf("the project of %s is %s, %v; want %s", rel, got, err, dir(root))
		}
	}
	dir("planted/.assay/index/seg")
	want("planted/sub", "planted/sub")

	r, err := safe.OpenRoot(dir("own"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := id.Folder(r, ".assay/index"); err != nil {
		t.Fatal(err)
	}
	want("own/sub/deeper", "own")
	dir("own/repo/.git")
	if err := os.WriteFile(filepath.Join(top, "own/repo/.git/HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	want("own/repo/sub", "own/repo")
}
