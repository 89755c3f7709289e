package workspace

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/core/index"
)

// What a call of a server has no time to index is indexed behind it, once at a time; and
// nothing begins behind a workspace that is being closed.
func TestBehind(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "one.go"), []byte("package one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := New(Config{WorkDir: root, Server: true, Refresh: time.Nanosecond, Now: func() time.Time { return time.Now().Add(time.Hour) }})
	target, err := w.Resolve(Place{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, v, err := w.View(t.Context(), target, Current)
	if err != nil {
		t.Fatal(err)
	}
	if v.Stale == 0 {
		t.Fatal("a nanosecond was enough")
	}
	w.behind.Wait()
	if len(w.catchUp) != 0 {
		t.Errorf("what is done is still awaited: %v", w.catchUp)
	}
	if _, v, err = w.View(t.Context(), target, Frozen); err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := v.Snap.Docs(func(index.DocInfo) bool { n++; return true }); err != nil || n != 1 {
		t.Errorf("%d files are indexed, %v", n, err)
	}
	w.behind.Go(func() {
		<-w.bg.Done()
		w.follow(e)
		w.mu.Lock()
		defer w.mu.Unlock()
		if len(w.catchUp) != 0 {
			t.Error("indexing began while the workspace was being closed")
		}
	})
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
}
