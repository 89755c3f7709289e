package file

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	for _, data := range [][]byte{[]byte("one"), nil, bytes.Repeat([]byte("long "), 100_000), []byte("two")} {
		if err := Write(path, data, 0o640); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, data) {
			t.Errorf("Write of %d bytes: read %d, %v", len(data), len(got), err)
		}
	}
	if st, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && st.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v; want 0640", st.Mode(), err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a"}) {
		t.Errorf("files left: %q, want only a", got)
	}
}

// A write that cannot be finished leaves what was there, and nothing else.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "folder")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, "inside"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := Write(path, []byte("x"), 0o600)
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("Write over a folder = %v, want an error that names it", err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"folder"}) {
		t.Errorf("files left: %q, want only folder", got)
	}
	if err := Write(filepath.Join(dir, "absent", "a"), nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Write in no folder = %v, want fs.ErrNotExist", err)
	}
}

// A reader sees one content or the other, whenever it looks.
func TestWriteIsAtomic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	contents := [][]byte{bytes.Repeat([]byte("a"), 1<<16), bytes.Repeat([]byte("b"), 1<<17)}
	if err := Write(path, contents[0], 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				got, err := os.ReadFile(path)
				if err != nil || !bytes.Equal(got, contents[0]) && !bytes.Equal(got, contents[1]) {
					t.Errorf("read %d bytes, %v: neither the old content nor the new", len(got), err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := range 50 {
		if err := Write(path, contents[i%2], 0o600); err != nil {
			t.Error(err)
		}
	}
	close(done)
	readers.Wait()
}

func TestCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := Create(path, []byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := Create(path, []byte("second")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create over a file = %v, want fs.ErrExist", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "first" {
		t.Errorf("the file holds %q, want what was there first", got)
	}
}

func TestMap(t *testing.T) {
	dir := t.TempDir()
	for _, want := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte("page"), 5000)} {
		path := filepath.Join(dir, "a")
		if err := os.WriteFile(path, want, 0o600); err != nil {
			t.Fatal(err)
		}
		got, unmap, err := Map(path)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("Map of %d bytes = %d bytes, %v", len(want), len(got), err)
			continue
		}
		// What is mapped outlives its name.
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("a map of %d bytes changed when its name went", len(want))
		}
		unmap()
	}
	if _, _, err := Map(filepath.Join(dir, "absent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Map of nothing = %v, want fs.ErrNotExist", err)
	}
	if _, _, err := Map(dir); err == nil {
		t.Error("Map of a folder is no error")
	}
}

func TestSyncDir(t *testing.T) {
	if err := SyncDir(t.TempDir()); err != nil {
		t.Error(err)
	}
}

func TestNetwork(t *testing.T) {
	if Network(filepath.Join(t.TempDir(), "absent")) {
		t.Error("a path that is not there lies on a network")
	}
}

// TestSettled holds that a file that does not have what was written does not pass.
func TestSettled(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("abc"); err != nil {
		t.Fatal(err)
	}
	if err := Settled(f, 3); err != nil {
		t.Error(err)
	}
	if err := Settled(f, 4); err == nil || err.Error() != "3 of 4 bytes were stored" {
		t.Errorf("a byte is lost: %v", err)
	}
}

// What is read until a context ends is what there is, and after that an error that says so.
func TestUntil(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := Until(ctx, strings.NewReader("abc"))
	two := make([]byte, 2)
	if n, err := r.Read(two); n != 2 || err != nil || string(two) != "ab" {
		t.Errorf("Read = %d, %v: %q", n, err, two)
	}
	cancel()
	if n, err := r.Read(two); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %d, %v", n, err)
	}
}
