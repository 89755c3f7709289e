// Package testaid writes the programs that tests run.
package testaid

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Write writes a program to path, whose folder must exist, and replaces an existing file.
//
// A process that another test starts inherits, between fork and exec, every file that is
// open, and while any process has a program open for writing the kernel refuses to run it
// ("text file busy", https://go.dev/issue/22315). So nothing forks until the file is closed.
func WriteProgram(t testing.TB, path string, text []byte) {
	t.Helper()
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, text, 0o700)
	syscall.ForkLock.RUnlock()
	if err == nil {
		err = os.Chmod(path, 0o755) // also if it was there
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Copy makes the program that is at from available at path too: by a hard link where that
// is possible, else as a copy.
func CopyProgram(t testing.TB, from, path string) {
	t.Helper()
	if os.Link(from, path) == nil {
		return
	}
	text, err := os.ReadFile(filepath.Clean(from))
	if err != nil {
		t.Fatal(err)
	}
	WriteProgram(t, path, text)
}
