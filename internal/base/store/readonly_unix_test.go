//go:build unix

package store

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/assay-dev/assay/internal/base/testaid"
)

// asReader runs childReadOnly on a database in a folder made read-only, as a user
// whom that stops.
func asReader(t *testing.T, path string) string {
	t.Helper()
	dir := filepath.Dir(path)
	cmd := child("readonly", path)
	if os.Geteuid() == 0 {
		cmd = exec.Command(reachable(t), path)
		cmd.Env = append(os.Environ(), "STORE_TEST_CHILD=readonly")
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	share(t, dir, 0o555)
	out, err := cmd.Output()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// share gives dir a mode, and lets everybody into the test's folders above it.
func share(t *testing.T, dir string, mode os.FileMode) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.Chmod(filepath.Join(dir, e.Name()), 0o555); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
}

// reachable copies the test binary to where another user may run it.
func reachable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "test")
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	testaid.WriteProgram(t, path, text)
	share(t, dir, 0o755)
	return path
}

func TestReadOnlyFolder(t *testing.T) {
	made := func() (path string, db *DB) {
		path = filepath.Join(t.TempDir(), "x.db")
		db = mustOpen(t, path, latest())
		run(t, db, "INSERT INTO kept(what) VALUES ('a')")
		return path, db
	}

	path, db := made()
	db.Close()
	if got, want := asReader(t, path), "rows 1 immutable true"; got != want {
		t.Errorf("closed cleanly: %q, want %q", got, want)
	}

	path, db = made()
	run(t, db, "PRAGMA journal_mode = DELETE")
	db.Close()
	if got, want := asReader(t, path), "rows 1 immutable false"; got != want {
		t.Errorf("closed without a log mode: %q, want %q", got, want)
	}

	// A writer was killed: its log lies there, and the memory that goes with it
	// does not. Opened as it lies, the database would show its past.
	path, db = made()
	run(t, db, "PRAGMA wal_checkpoint(TRUNCATE)", "INSERT INTO kept(what) VALUES ('b')")
	log, err := os.ReadFile(path + "-wal")
	if err != nil || len(log) == 0 {
		t.Fatalf("no log to test with: %v", err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	for name, b := range map[string][]byte{path: data, path + "-wal": log} {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := asReader(t, path); got != "rows 2 immutable true" {
		t.Errorf("with a log beside it: %q, want both rows", got)
	}
}
