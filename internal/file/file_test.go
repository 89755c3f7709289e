package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The test binary runs itself as another process that holds a lock.
func TestMain(m *testing.M) {
	if path := os.Getenv("FILE_TEST_LOCK"); path != "" {
		if _, err := TryLock(path); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("locked")
		io.Copy(io.Discard, os.Stdin) // until killed
		os.Exit(0)
	}
	os.Exit(m.Run())
}

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

func TestTryLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := TryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := TryLock(path); !errors.Is(err, ErrLocked) {
		t.Errorf("TryLock of a lock that is held = %v, want ErrLocked", err)
	}
	unlock()
	unlock, err = TryLock(path)
	if err != nil {
		t.Fatalf("TryLock of a lock that was given back = %v", err)
	}
	unlock()
	if _, err := TryLock(filepath.Join(path, "absent")); err == nil || errors.Is(err, ErrLocked) {
		t.Errorf("TryLock where no file can be = %v, want another error than ErrLocked", err)
	}
}

func TestTryLockIsExclusive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var group sync.WaitGroup
	var mu sync.Mutex
	held, got := 0, 0
	for range 8 {
		group.Go(func() {
			for range 200 {
				unlock, err := TryLock(path)
				if err != nil {
					continue
				}
				mu.Lock()
				held++
				got++
				if held > 1 {
					t.Error("two hold the lock")
				}
				mu.Unlock()
				runtime.Gosched()
				mu.Lock()
				held--
				mu.Unlock()
				unlock()
			}
		})
	}
	group.Wait()
	if got == 0 {
		t.Error("nobody got the lock")
	}
}

// A lock ends with the process that holds it, however it ends.
func TestLockOfKilledProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "FILE_TEST_LOCK="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, len("locked"))
	if _, err := io.ReadFull(out, said); err != nil || string(said) != "locked" {
		t.Fatalf("the other process says %q, %v", said, err)
	}
	if _, err := TryLock(path); !errors.Is(err, ErrLocked) {
		t.Errorf("TryLock = %v while another process holds the lock, want ErrLocked", err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	unlock, err := TryLock(path)
	if err != nil {
		t.Fatalf("TryLock = %v after the holder was killed", err)
	}
	unlock()
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
