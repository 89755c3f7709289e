//go:build unix

package file

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A pipe that nobody writes to costs an error, not the wait for a writer.
func TestMapOfPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	done := make(chan error, 1)
	go func() {
		_, _, err := Map(path)
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil {
			t.Error("Map of a pipe is no error")
		}
	case <-time.After(5 * time.Minute):
		t.Fatal("Map waits for somebody to write to a pipe")
	}
}

// Reading a map past what its file has become is a panic that can be caught, as
// Map's comment promises.
func TestMapOfCutFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, make([]byte, 1<<16), 0o600); err != nil {
		t.Fatal(err)
	}
	data, unmap, err := Map(path)
	if err != nil {
		t.Fatal(err)
	}
	defer unmap()
	if err := os.Truncate(path, 10); err != nil {
		t.Fatal(err)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if _, ok := recover().(interface{ Addr() uintptr }); !ok {
			t.Error("no memory fault was caught")
		}
	}()
	if data[1<<15] == 0 {
		t.Error("a page that is gone was read")
	}
}
