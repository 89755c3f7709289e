//go:build unix

package integrity

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A pipe in the place of a file is a finding, and nobody waits for its writer.
func TestPipes(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, ".claude"), 0o755); err != nil {
		t.Fatal(err)
	}
	sums := `{"files": {"a": "` + digest("x") + `"}}`
	if err := os.WriteFile(filepath.Join(root, sumsFile), []byte(sums), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", versionFile} {
		if err := unix.Mkfifo(filepath.Join(root, name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	done := make(chan *Report, 1)
	go func() {
		r, err := Check(root, Options{})
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	select {
	case r := <-done:
		if r == nil || len(r.Findings) != 2 {
			t.Errorf("%+v", r)
		}
	case <-time.After(5 * time.Minute):
		t.Fatal("somebody waits for a pipe")
	}
}
