package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/work"
)

// ErrLocked says that somebody else holds the lock.
var ErrLocked = errors.New("locked by another process")

// slow is the time after which a waiting user is told the reason.
const slow = 3 * time.Second

// Lock waits until only this caller holds the lock at path, among all processes and within this one. Waiters get it in the
// order in which they came. Only ctx limits the wait, because on a loaded machine every fixed limit is too short, and a
// holder releases the lock however it ends.
//
// A regular file must be at path; Lock creates it if it does not exist.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	g := enter(path)
	select {
	case g.turn <- struct{}{}: // even where no time is left: nobody is waited for
	default:
		select {
		case g.turn <- struct{}{}:
		case <-ctx.Done():
			g.exit()
			return nil, fmt.Errorf("wait for %s, which this process holds: %w", path, ctx.Err())
		}
	}
	for {
		f, err := g.take(ctx, path)
		if err != nil {
			g.pass()
			return nil, err
		}
		// If somebody deleted the file, the lock is on a file that nobody else can open, so lock again.
		if named(path, f) {
			return g.held(f), nil
		}
		f.Close()
	}
}

// TryLock is Lock for those who would rather not wait: if the lock is held, it
// returns ErrLocked at once.
func TryLock(path string) (unlock func(), err error) {
	g := enter(path)
	select {
	case g.turn <- struct{}{}:
	default:
		g.exit()
		return nil, ErrLocked
	}
	for {
		f, ok, err := try(path)
		if err == nil && !ok {
			f.Close()
			err = ErrLocked
		}
		if err != nil {
			g.pass()
			return nil, err
		}
		if named(path, f) {
			return g.held(f), nil
		}
		f.Close()
	}
}

// A gate is this process's queue for one path. A call that waits for the kernel's
// lock cannot be interrupted: with a gate at most one thread per path waits so, no
// matter how many callers come and give up.
type gate struct {
	path  string
	turn  chan struct{} // full while a caller holds the lock or is the one to wait for it
	users int           // callers that know the gate, and the wait that was left
	left  *wait         // whose caller gave up; the next one takes it over
}

// A wait is a call that waits for the kernel's lock.
type wait struct {
	f      *os.File
	wanted bool // somebody will use the lock
	err    error
	done   chan struct{}
}

// gates are the process's, as the kernel's locks are. The mutex guards every field
// of a gate and of its wait but the channels.
var gates = struct {
	sync.Mutex
	at map[string]*gate
}{at: map[string]*gate{}}

// enter returns the gate of a path. The caller ends with exit, or with pass if it had
// its turn.
func enter(path string) *gate {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	gates.Lock()
	defer gates.Unlock()
	g := gates.at[path]
	if g == nil {
		g = &gate{path: path, turn: make(chan struct{}, 1)}
		gates.at[path] = g
	}
	g.users++
	return g
}

func (g *gate) exit() {
	gates.Lock()
	defer gates.Unlock()
	g.drop()
}

// drop is exit for those who have the mutex.
func (g *gate) drop() {
	if g.users--; g.users == 0 {
		delete(gates.at, g.path)
	}
}

func (g *gate) pass() {
	<-g.turn
	g.exit()
}

// held says in the file who holds the lock, and returns how to give it back.
func (g *gate) held(f *os.File) (unlock func()) {
	// A courtesy to those who wait: on a full or read-only disk it stays empty.
	if _, err := f.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0); err == nil {
		_ = f.Truncate(int64(len(strconv.Itoa(os.Getpid())) + 1))
	}
	var once sync.Once
	return func() {
		once.Do(func() {
			f.Close()
			g.pass()
		})
	}
}

// take waits for the kernel's lock.
func (g *gate) take(ctx context.Context, path string) (*os.File, error) {
	w := g.resume()
	if w == nil {
		f, ok, err := try(path)
		if err != nil {
			return nil, err
		}
		if ok {
			return f, nil
		}
		w = g.begin(f)
	}
	late := time.NewTimer(slow)
	defer late.Stop()
	for {
		select {
		case <-w.done:
			if w.err != nil {
				return nil, fmt.Errorf("lock %s: %w", path, Bare(w.err))
			}
			return w.f, nil
		case <-late.C:
			work.FromContext(ctx).Note("waiting for %s, which %s holds", path, Holder(path))
		case <-ctx.Done():
			if g.leave(w) {
				return nil, fmt.Errorf("wait for %s, which %s holds: %w", path, Holder(path), ctx.Err())
			}
			ctx = context.WithoutCancel(ctx) // the lock has just come
		}
	}
}

// begin waits for the kernel's lock beside the caller.
func (g *gate) begin(f *os.File) *wait {
	w := &wait{f: f, wanted: true, done: make(chan struct{})}
	go func() {
		err := lockFile(f)
		gates.Lock()
		defer gates.Unlock()
		w.err = err
		if err != nil || !w.wanted {
			f.Close()
		}
		if !w.wanted {
			g.left = nil
			g.drop()
		}
		close(w.done)
	}()
	return w
}

// leave lets a wait go on without its caller, unless it is over.
func (g *gate) leave(w *wait) bool {
	gates.Lock()
	defer gates.Unlock()
	select {
	case <-w.done:
		return false
	default:
	}
	w.wanted, g.left = false, w
	g.users++
	return true
}

// resume returns the wait that somebody left, if there is one.
func (g *gate) resume() *wait {
	gates.Lock()
	defer gates.Unlock()
	w := g.left
	if w != nil {
		w.wanted, g.left = true, nil
		g.drop()
	}
	return w
}

// try opens the file at path and takes its lock if nobody holds it. The caller closes
// the file.
func try(path string) (f *os.File, ok bool, err error) {
	f, err = openLock(path)
	if err == nil {
		if ok, err = tryFile(f); err != nil {
			f.Close()
		}
	}
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", path, Bare(err))
	}
	return f, ok, nil
}

// errPlanted says that the path of a lock was prepared by somebody else.
var errPlanted = errors.New("it is not a regular file with a single name: move it to another place")

// openLock opens the file of a lock, and nothing else: a link would create files
// elsewhere, a pipe would hold the program up.
func openLock(path string) (*os.File, error) {
	if st, err := os.Lstat(path); err == nil && !st.Mode().IsRegular() {
		return nil, errPlanted
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		// A lock that is there already can be had without a right to write it.
		if g, e := os.OpenFile(path, os.O_RDONLY|noFollow, 0); e == nil {
			f, err = g, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() || manyNames(st) {
		f.Close()
		return nil, errPlanted
	}
	return f, nil
}

// named reports whether f is the file at path.
func named(path string, f *os.File) bool {
	at, err := os.Lstat(path)
	if err != nil {
		return false
	}
	is, err := f.Stat()
	return err == nil && os.SameFile(at, is)
}

// Holder says who holds the lock at path, as far as its file tells: "process 123".
func Holder(path string) string {
	f, err := openLock(path)
	if err != nil {
		return "another process"
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, 20))
	if pid, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 32); err == nil {
		return fmt.Sprintf("process %d", pid)
	}
	return "another process"
}
