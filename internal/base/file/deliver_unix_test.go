//go:build unix

package file

import (
	"errors"
	"io"
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

func TestDeliver(t *testing.T) {
	dir := t.TempDir()
	pipe, old, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "old"), filepath.Join(dir, "link")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, []byte("longer than what comes"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("old", link); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		f, err := os.Open(pipe)
		if err != nil {
			got <- err.Error()
			return
		}
		defer f.Close()
		b, _ := io.ReadAll(f)
		got <- string(b)
	}()
	if err := Deliver(pipe, []byte("report"), 0o600); err != nil {
		t.Error(err)
	}
	if s := <-got; s != "report" {
		t.Errorf("the pipe gave %q, want report", s)
	}
	for _, path := range []string{link, filepath.Join(dir, "new")} {
		if err := Deliver(path, []byte("report"), 0o600); err != nil {
			t.Error(err)
		}
		if b, err := os.ReadFile(path); string(b) != "report" {
			t.Errorf("%s holds %q, %v; want report", path, b, err)
		}
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is now %v, %v; want a link still", st, err)
	}
	if err := Deliver(dir, []byte("x"), 0o600); !errors.Is(err, ErrNotFile) {
		t.Errorf("Deliver to a folder: %v, want ErrNotFile", err)
	}
}
