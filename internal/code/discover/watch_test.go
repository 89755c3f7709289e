package discover

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/goleak"
)

// A watched is a running watch.
type watched struct {
	t     *testing.T
	root  string
	calls chan int
	done  chan error
	ended bool
}

// start watches root, polling if there is no notification.
func start(t *testing.T, root string, set func(*watch)) *watched {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &watched{t: t, root: root, calls: make(chan int, 1000), done: make(chan error, 1)}
	n := 0
	var inside atomic.Bool
	w, err := newWatch(root, func() {
		if inside.Swap(true) {
			t.Error("changed is called while it runs")
		}
		time.Sleep(time.Millisecond)
		n++
		s.calls <- n
		inside.Store(false)
	})
	if err != nil {
		t.Fatal(err)
	}
	w.poll = 20 * time.Millisecond
	if set != nil {
		set(w)
	}
	go func() { s.done <- w.run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if !s.ended {
			if err := s.end(); err != nil {
				t.Errorf("Watch = %v after its context ended", err)
			}
		}
		goleak.VerifyNone(t)
	})
	s.wait("the beginning")
	return s
}

func (s *watched) wait(what string) {
	s.t.Helper()
	select {
	case <-s.calls:
	case <-time.After(5 * time.Minute):
		s.t.Fatalf("no call after %s", what)
	}
	s.calm()
}

// calm waits until calls that belong together have come.
func (s *watched) calm() {
	for {
		select {
		case <-s.calls:
		case <-time.After(250 * time.Millisecond):
			return
		}
	}
}

func (s *watched) silent(what string) {
	s.t.Helper()
	select {
	case <-s.calls:
		s.t.Errorf("a call after %s", what)
		s.calm()
	case <-time.After(300 * time.Millisecond):
	}
}

func (s *watched) end() error {
	s.ended = true
	select {
	case err := <-s.done:
		return err
	case <-time.After(5 * time.Minute):
		return errors.New("it does not end")
	}
}

func (s *watched) path(rel string) string { return filepath.Join(s.root, rel) }

func (s *watched) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func noNotification(w *watch) {
	w.open = func() (*fsnotify.Watcher, error) { return nil, errors.New("none") }
}

func TestWatch(t *testing.T) {
	for _, how := range []struct {
		name string
		set  func(*watch)
	}{{"notified", nil}, {"polling", noNotification}} {
		t.Run(how.name, func(t *testing.T) {
			s := start(t, plant(t, "a.go: a", "sub/deep/b.go: b", ".gitignore: *.log\nbuild/\n", "build/x", ".git/HEAD"), how.set)
			s.silent("nothing")
			write(t, s.path("a.go"), "longer")
			s.wait("a change")
			write(t, s.path("sub/deep/c.go"), "c")
			s.wait("a new file")
			s.must(os.Remove(s.path("sub/deep/b.go")))
			s.wait("a removal")
			s.must(os.Rename(s.path("sub/deep/c.go"), s.path("sub/c.go")))
			s.wait("a move")

			write(t, s.path("new/folder/in/d.go"), "d")
			s.wait("new folders")
			write(t, s.path("new/folder/in/d.go"), "changed")
			s.wait("a change in a new folder")
			s.must(os.Rename(s.path("new"), s.path("moved")))
			s.wait("a folder's move")
			write(t, s.path("moved/folder/in/d.go"), "changed again")
			s.wait("a change in a moved folder")

			write(t, s.path("x.log"), "noise")
			write(t, s.path("build/y"), "noise")
			write(t, s.path(".git/index"), "noise")
			s.silent("changes of what is ignored")
			write(t, s.path(".gitignore"), "build/\n")
			s.wait("a change of the rules")
			write(t, s.path("x.log"), "no noise any more")
			s.wait("a change of what was ignored")
		})
	}
}

// TestWatchCatchesUp holds that a folder made after its parent was listed and
// before it is heard is not lost.
func TestWatchCatchesUp(t *testing.T) {
	var once sync.Once
	s := start(t, plant(t, "a.go"), func(w *watch) {
		w.add = func(fw *fsnotify.Watcher, path string) error {
			if filepath.Base(path) == "new" {
				once.Do(func() { mkdir(t, filepath.Join(path, "late/later")) })
			}
			return fw.Add(path)
		}
	})
	mkdir(t, s.path("new"))
	s.wait("a folder")
	write(t, s.path("new/late/later/x.go"), "x")
	s.wait("a file in a folder that was made meanwhile")
}

func TestWatchFallsBack(t *testing.T) {
	for _, late := range []bool{true, false} {
		t.Run(fmt.Sprintf("late %v", late), func(t *testing.T) {
			var full atomic.Bool
			full.Store(!late)
			s := start(t, plant(t, "a.go"), func(w *watch) {
				w.add = func(fw *fsnotify.Watcher, path string) error {
					if full.Load() {
						return syscall.ENOSPC
					}
					return fw.Add(path)
				}
			})
			full.Store(true)
			write(t, s.path("x/y.go"), "y")
			s.wait("a change without notification")
		})
	}
}

func TestWatchWhenNotificationEnds(t *testing.T) {
	var fw *fsnotify.Watcher
	s := start(t, plant(t, "a.go"), func(w *watch) {
		open := w.open
		w.open = func() (_ *fsnotify.Watcher, err error) {
			fw, err = open()
			return fw, err
		}
	})
	s.must(fw.Close())
	s.wait("the end of notification")
	write(t, s.path("x/y.go"), "y")
	s.wait("a change without notification")
}

func TestWatchRescans(t *testing.T) {
	s := start(t, plant(t, "a.go", "sub/b.go"), func(w *watch) {
		w.rescan = 30 * time.Millisecond
		open := w.open
		w.open = func() (*fsnotify.Watcher, error) {
			fw, err := open()
			if err == nil {
				w.known["sub"] = true // it is not: as if a notification were lost
			}
			return fw, err
		}
	})
	write(t, s.path("sub/c.go"), "c")
	s.wait("a change that nobody heard of")
}

func TestWatchEnds(t *testing.T) {
	for _, how := range []struct {
		name string
		set  func(*watch)
	}{{"notified", nil}, {"polling", noNotification}} {
		t.Run(how.name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "root")
			write(t, filepath.Join(root, "a.go"), "a")
			s := start(t, root, how.set)
			s.must(os.RemoveAll(root))
			if err := s.end(); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("Watch = %v after its root was removed, want that it is not there", err)
			}
		})
	}
	if err := Watch(context.Background(), filepath.Join(t.TempDir(), "none"), func() { t.Error("called") }); err == nil {
		t.Error("Watch of nothing = nil")
	}
}
