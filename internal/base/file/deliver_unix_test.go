//go:build unix

package file

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A rename over /dev/null, which root may do, takes it from every program.
func TestWriteSparesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	pipe, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, link, dir} {
		before, _ := os.Lstat(path)
		err := Write(path, []byte("x"), 0o600)
		after, statErr := os.Lstat(path)
		if !errors.Is(err, ErrNotFile) || statErr != nil || !os.SameFile(before, after) {
			t.Errorf("Write(%s) = %v; it is now %v, want ErrNotFile and what was there", path, err, after)
		}
	}
}

func TestWriteNamesThePathOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("x", 300))
	for name, err := range map[string]error{"Write": Write(path, nil, 0o600), "Create": Create(path, nil)} {
		if err == nil || strings.Count(err.Error(), path) != 1 || !errors.Is(err, syscall.ENAMETOOLONG) {
			t.Errorf("%s: %v, want the path once and why", name, err)
		}
	}
}
