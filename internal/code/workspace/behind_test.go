package workspace

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/index"
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

// A slow is a place of shared indexes that does not answer before it is let go.
type slow struct {
	index.Objects
	asked, let chan struct{}
}

func (s *slow) Get(context.Context, string, int64, io.Writer) (string, error) {
	close(s.asked)
	<-s.let
	return "", fs.ErrNotExist
}

// Who asks of one tree does not wait for the shared index of another; who asks of the same does.
func TestTakeApart(t *testing.T) {
	roots := map[string]string{}
	for _, name := range []string{"api", "web"} {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		roots[name] = filepath.Join(dir, name)
		if err := os.MkdirAll(roots[name], 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(roots[name], "one.go"), []byte("package one\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := &slow{asked: make(chan struct{}), let: make(chan struct{})}
	w := New(Config{WorkDir: roots["api"], Shared: func(name string) (index.Objects, string, error) {
		if name == "api" {
			return s, "s3://there/api", nil
		}
		return nil, "", fs.ErrNotExist
	}})
	t.Cleanup(func() { w.Close() })
	done := make(chan string, 3)
	look := func(ctx context.Context, name, as string) {
		target, err := w.Resolve(Place{Root: roots[name]}, nil)
		if err == nil {
			_, _, err = w.View(ctx, target, Current)
		}
		if err != nil {
			as += ": " + err.Error()
		}
		done <- as
	}
	go look(t.Context(), "api", "first")
	<-s.asked
	look(t.Context(), "web", "beside")
	if got := <-done; got != "beside" {
		t.Errorf("first of all: %s", got)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	look(ctx, "api", "gave up")
	if got := <-done; !strings.HasPrefix(got, "gave up: ") {
		t.Errorf("who gave up: %s", got)
	}
	close(s.let)
	if got := <-done; got != "first" {
		t.Error(got)
	}
}
