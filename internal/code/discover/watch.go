package discover

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/assay-dev/assay/internal/base/file"
)

// Watch calls changed whenever something that a walk of root would list may have
// changed, and once when it begins to look. Calls come one after the other, at
// least 50 ms apart from the first sign of a change, and some for nothing. Where
// the system's notification fails, and on network file systems, it walks the
// tree again and again; it does so once a minute anyway. It returns nil when ctx
// ends and an error when root cannot be read any more.
func Watch(ctx context.Context, root string, changed func()) error {
	w, err := newWatch(root, changed)
	if err != nil {
		return err
	}
	return w.run(ctx)
}

// A watch is one call of Watch.
type watch struct {
	root    string
	changed func()

	quiet  time.Duration // without a sign before changed is called
	most   time.Duration // that signs may put the call off
	rescan time.Duration // between two walks while notification works
	poll   time.Duration // between two walks where it does not, at least

	seed  maphash.Seed
	last  uint64          // what the last walk found
	known map[string]bool // the folders that are notified of
	open  func() (*fsnotify.Watcher, error)
	add   func(fw *fsnotify.Watcher, path string) error

	wake chan struct{} // something is in news
	mu   sync.Mutex
	news news
	now  *walker // the last walk, for its rules
}

// news are what the notifications since the last look amount to.
type news struct {
	folders bool     // some came, or the rules changed: walk
	gone    []string // folders that are not notified of any more
}

func newWatch(root string, changed func()) (*watch, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	return &watch{
		root: abs, changed: changed,
		quiet: 50 * time.Millisecond, most: 500 * time.Millisecond, rescan: time.Minute, poll: time.Second,
		seed: maphash.MakeSeed(), known: map[string]bool{}, open: fsnotify.NewWatcher, add: (*fsnotify.Watcher).Add,
		wake: make(chan struct{}, 1),
	}, nil
}

func (w *watch) run(ctx context.Context) error {
	err := errUnheard
	if !file.Network(w.root) {
		err = w.listen(ctx)
	}
	if errors.Is(err, errUnheard) {
		err = w.pollTree(ctx)
	}
	if ctx.Err() == nil {
		return err
	}
	return nil // stopped as asked
}

// errUnheard says that the system does not notify of everything in the tree.
var errUnheard = errors.New("no notification")

// listen waits for notifications.
func (w *watch) listen(ctx context.Context) error {
	fw, err := w.open()
	if err != nil {
		return errUnheard
	}
	unheard := make(chan struct{})
	go func() {
		w.hear(fw)
		close(unheard)
	}()
	defer func() {
		fw.Close()
		<-unheard
	}()

	if _, err := w.cover(ctx, fw); err != nil {
		return err
	}
	w.changed()
	again := time.NewTicker(w.rescan)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-unheard:
			return errUnheard
		case <-again.C:
			before := w.last
			if _, err := w.cover(ctx, fw); err != nil {
				return err
			}
			if w.last == before {
				continue
			}
		case <-w.wake:
			if !Settle(ctx, w.wake, w.quiet, w.most) {
				return nil
			}
			n := w.take()
			for _, path := range n.gone {
				w.forget(fw, path)
			}
			if n.folders {
				if _, err := w.cover(ctx, fw); err != nil {
					return err
				}
			}
		}
		w.changed()
	}
}

// Settle waits until no sign has come for a while that is quiet, or for the longest time
// that signs may put it off; false: ctx ended.
func Settle(ctx context.Context, signs <-chan struct{}, quiet, most time.Duration) bool {
	end := time.After(most)
	t := time.NewTimer(quiet)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-end:
			return true
		case <-t.C:
			return true
		case <-signs:
			t.Reset(quiet)
		}
	}
}

func (w *watch) take() news {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.news
	w.news = news{}
	return n
}

// cover walks the tree and asks to be notified of the folders that are new. A
// folder may get others before it is heard, so it walks until none is new.
func (w *watch) cover(ctx context.Context, fw *fsnotify.Watcher) (added int, err error) {
	for range 10 {
		if err := w.look(ctx); err != nil {
			return added, err
		}
		fresh := 0
		for path := range w.now.folder {
			if w.known[path] {
				continue
			}
			err := w.add(fw, w.abs(path))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return added, errUnheard
			}
			w.known[path] = true
			fresh++
		}
		if added += fresh; fresh == 0 {
			break
		}
	}
	for path := range w.known {
		if _, ok := w.now.folder[path]; !ok {
			w.forget(fw, path)
		}
	}
	return added, nil
}

func (w *watch) abs(path string) string { return filepath.Join(w.root, filepath.FromSlash(path)) }

// forget drops a folder and all below it.
func (w *watch) forget(fw *fsnotify.Watcher, path string) {
	for p := range w.known {
		if p == path || path == "" || strings.HasPrefix(p, path+"/") {
			delete(w.known, p)
			_ = fw.Remove(w.abs(p)) // it is mostly gone already
		}
	}
}

// look walks the tree.
func (w *watch) look(ctx context.Context) error {
	now, err := walk(ctx, w.root, Options{}, true)
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	w.mu.Lock()
	w.now = now
	w.mu.Unlock()
	w.last = w.digest(now.tree)
	return nil
}

// digest returns a number that differs, all but certainly, where trees differ.
func (w *watch) digest(t *Tree) uint64 {
	var h maphash.Hash
	h.SetSeed(w.seed)
	var b []byte
	for _, d := range t.Dirs {
		b = append(append(b[:0], d.Path...), 0)
		for _, f := range d.Files {
			b = append(append(b, f.Name...), 0)
			for _, n := range [...]uint64{uint64(f.Size), uint64(f.Mtime), uint64(f.Ctime), f.Inode} {
				b = binary.LittleEndian.AppendUint64(b, n)
			}
		}
		h.Write(b)
	}
	return h.Sum64()
}

// hear takes notifications until fw is closed.
func (w *watch) hear(fw *fsnotify.Watcher) {
	for {
		var n news
		var ok bool
		select {
		case ev, more := <-fw.Events:
			if !more {
				return
			}
			n, ok = w.judge(ev)
		case _, more := <-fw.Errors:
			if !more {
				return
			}
			// Most likely there were more than the system keeps.
			n, ok = news{folders: true}, true
		}
		if !ok {
			continue
		}
		w.mu.Lock()
		w.news.folders = w.news.folders || n.folders
		w.news.gone = append(w.news.gone, n.gone...)
		w.mu.Unlock()
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
}

// judge returns what a notification means; false for nothing.
func (w *watch) judge(ev fsnotify.Event) (news, bool) {
	if ev.Op == fsnotify.Chmod {
		return news{}, false
	}
	rel, err := filepath.Rel(w.root, ev.Name)
	if err != nil {
		return news{folders: true}, true
	}
	if rel == "." {
		return news{folders: true, gone: []string{""}}, !ev.Has(fsnotify.Write)
	}
	rel = filepath.ToSlash(rel)
	dir, name := "", rel
	if i := strings.LastIndexByte(rel, '/'); i >= 0 {
		dir, name = rel[:i], rel[i+1:]
	}
	if skipDir([]byte(name)) {
		return news{}, false
	}
	if ruleFile([]byte(name)) >= 0 || name == "pyvenv.cfg" {
		return news{folders: true}, true
	}
	w.mu.Lock()
	now := w.now
	w.mu.Unlock()
	if r, ok := now.folder[dir]; ok {
		full := []byte(now.prefix + rel)
		at := len(full) - len(name)
		if r.ignored(full, at, false) && r.ignored(full, at, true) {
			return news{}, false
		}
	}
	var n news
	switch {
	case ev.Has(fsnotify.Create):
		st, err := os.Lstat(ev.Name)
		n.folders = err == nil && st.IsDir()
	case ev.Has(fsnotify.Remove), ev.Has(fsnotify.Rename):
		if _, ok := now.folder[rel]; ok {
			n = news{folders: true, gone: []string{rel}}
		}
	}
	return n, true
}

// pollTree walks the tree again and again, pausing the longer the larger it is.
func (w *watch) pollTree(ctx context.Context) error {
	first := true
	for {
		before, start := w.last, time.Now()
		if err := w.look(ctx); err != nil {
			return err
		}
		if first || w.last != before {
			w.changed()
		}
		first = false
		pause := time.NewTimer(max(w.poll, 20*time.Since(start)))
		select {
		case <-ctx.Done():
			pause.Stop()
			return nil
		case <-pause.C:
		}
	}
}
