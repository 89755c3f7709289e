package library

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A closed file is served from a medium that cannot be written.
func TestReadOnlyMount(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can mount")
	}
	path := oldFile(t)
	dir := filepath.Join(t.TempDir(), "medium")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16m"); err != nil {
		t.Skipf("mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	there := filepath.Join(dir, "docs.db")
	if err := os.WriteFile(there, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o644); err == nil {
		t.Fatal("the mount can be written")
	}
	db, err := OpenReadOnly(context.Background(), there)
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []Ranking{Lexical, Hybrid} {
		if got := titlesBy(t, db, "/a/b", "word", how); got != "Old" {
			t.Errorf("found %q, want Old", got)
		}
	}
	// What is exported from there comes to lie elsewhere.
	out := filepath.Join(t.TempDir(), "lib.db")
	if _, err := db.Export(context.Background(), "/a/b", out); err != nil {
		t.Errorf("Export = %v", err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v lie there, %v, want the file alone", entries, err)
	}
}
