package file

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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

// holding starts a process that holds the lock at path until it is killed.
func holding(t *testing.T, path string) (kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "FILE_TEST_LOCK="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	t.Cleanup(kill)
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	return kill
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
	kill := holding(t, path)
	if _, err := TryLock(path); !errors.Is(err, ErrLocked) {
		t.Errorf("TryLock = %v while another process holds the lock, want ErrLocked", err)
	}
	kill()
	unlock, err := TryLock(path)
	if err != nil {
		t.Fatalf("TryLock = %v after the holder was killed", err)
	}
	unlock()
}

// However many wait, each gets the lock, alone, as often as the others.
func TestLockIsExclusive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var group sync.WaitGroup
	held := 0 // the lock guards it; the race detector is a judge too
	for range 8 {
		group.Go(func() {
			for range 100 {
				unlock, err := Lock(t.Context(), path)
				if err != nil {
					t.Error(err)
					return
				}
				if held++; held > 1 {
					t.Error("two hold the lock")
				}
				runtime.Gosched()
				held--
				unlock()
			}
		})
	}
	group.Wait()
	if len(gates.at) != 0 {
		t.Errorf("%d gates are left", len(gates.at))
	}
}

// One who takes the lock again as soon as he has given it back does not keep others
// from it.
func TestLockIsFair(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan struct{})
	go func() {
		defer close(got)
		if unlock, err := Lock(t.Context(), path); err != nil {
			t.Error(err)
		} else {
			unlock()
		}
	}()
	for waiting := 0; waiting < 2; runtime.Gosched() {
		gates.Lock()
		for _, g := range gates.at {
			waiting = g.users
		}
		gates.Unlock()
	}
	for turns := 0; ; turns++ {
		unlock()
		if unlock, err = Lock(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		select {
		case <-got:
			unlock()
			return
		default:
		}
		// The other may not have been scheduled yet; once it is in the queue it is
		// the next.
		if turns > 100_000 {
			t.Fatal("the other one never gets the lock")
		}
		runtime.Gosched()
	}
}

// Those who give up while another process holds the lock are told who, leave at most
// one wait behind, and take nothing with them.
func TestLockGivenUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	kill := holding(t, path)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	told := false
	for range 100 {
		_, err := Lock(gone, path)
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), path) {
			t.Fatalf("Lock = %v, want context.Canceled and the path", err)
		}
		told = told || strings.Contains(err.Error(), "which process ")
	}
	if !told && runtime.GOOS != "windows" {
		t.Error("nobody was told which process holds the lock")
	}
	gates.Lock()
	if len(gates.at) != 1 {
		t.Errorf("%d gates, want the one of the wait that was left", len(gates.at))
	}
	for _, g := range gates.at {
		if g.users != 1 || g.left == nil {
			t.Errorf("%d waits were left behind, want 1", g.users)
		}
	}
	gates.Unlock()

	// The next one takes the wait over.
	got := make(chan func())
	go func() {
		unlock, err := Lock(context.Background(), path)
		if err != nil {
			t.Error(err)
		}
		got <- unlock
	}()
	kill()
	unlock := <-got
	if _, err := TryLock(path); !errors.Is(err, ErrLocked) {
		t.Errorf("TryLock = %v while the lock is held, want ErrLocked", err)
	}
	unlock()
	for empty := false; !empty; runtime.Gosched() {
		gates.Lock()
		empty = len(gates.at) == 0
		gates.Unlock()
	}
}

// A wait that nobody took over gives the lock back as soon as it has it.
func TestLockLeftBehind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	kill := holding(t, path)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 50 {
		if _, err := Lock(gone, path); err == nil {
			t.Fatal("Lock got what another process holds")
		}
	}
	kill()
	unlock, err := Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

// A lock whose file was deleted meanwhile is nobody's: it is taken in the file that
// others find.
func TestLockOfDeletedFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // it keeps the file of a lock from being deleted
	}
	path := filepath.Join(t.TempDir(), "lock")
	kill := holding(t, path)
	got := make(chan func())
	go func() {
		unlock, err := Lock(context.Background(), path)
		if err != nil {
			t.Error(err)
		}
		got <- unlock
	}()
	for waiting := false; !waiting; runtime.Gosched() {
		gates.Lock()
		for _, g := range gates.at {
			waiting = len(g.turn) > 0
		}
		gates.Unlock()
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	kill()
	defer (<-got)()
	refused(t, path)
}

// refused holds that another process does not get the lock at path.
func refused(t *testing.T, path string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "FILE_TEST_LOCK="+path)
	out, err := cmd.Output()
	if err == nil || strings.TrimSpace(string(out)) != ErrLocked.Error() {
		t.Errorf("another process says %q, %v; want %q", out, err, ErrLocked)
	}
}

// A lock that nobody holds is had even where there is no time to wait.
func TestLockFree(t *testing.T) {
	ended, stop := context.WithCancel(t.Context())
	stop()
	for range 50 {
		unlock, err := Lock(ended, filepath.Join(t.TempDir(), "x.lock"))
		if err != nil {
			t.Fatal(err)
		}
		unlock()
	}
}
