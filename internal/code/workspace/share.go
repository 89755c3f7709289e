package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
)

// How long a question may wait for an index that others share, before the tree is indexed here:
// one that a person waits for on a terminal, and one to a server, whose client gives up sooner.
const (
	pullTerminal = 10 * time.Minute
	pullServer   = 20 * time.Second
)

// SharedName is what the index of a target is called among those that are shared: as its
// workspace file calls the repository, or as its folder is called. What a repository says of
// itself does not count: it could claim to be another.
func (w *Workspace) SharedName(t Target) string {
	if r := w.Repo(t.Root); r != nil && r.Name != "" {
		return r.Name
	}
	return filepath.Base(t.Root)
}

// Take fills an index that nothing was ever indexed into with that of another work tree of the
// same repository or with the shared one, once: it is not an error that there is none, or that it
// cannot be had.
func (w *Workspace) Take(ctx context.Context, t Target, e *engine.Engine) {
	if e.Shared() || t.place.NoIgnore || !w.Repo(t.Root).Whole() {
		return
	}
	w.mu.Lock()
	taken, found := w.taken[e.IndexDir()]
	if !found {
		taken = make(chan struct{})
		w.taken[e.IndexDir()] = taken
	}
	w.mu.Unlock()
	if found { // who asks of this tree waits until it is there; who asks of another does not
		select {
		case <-taken:
		case <-ctx.Done():
		}
		return
	}
	defer close(taken)
	if fresh, err := e.Fresh(ctx); err != nil || !fresh {
		return // an error of the index shows when it is read
	}
	if w.beside(ctx, t, e) || w.cfg.Shared == nil {
		return
	}
	within := pullTerminal
	if w.cfg.Server {
		within = pullServer
	}
	limited, stop := context.WithTimeout(ctx, within)
	defer stop()
	from, at, err := w.cfg.Shared(w.SharedName(t))
	var got *index.Moved
	if err == nil {
		got, err = e.Pull(limited, from, work.FromContext(ctx).Progress)
	}
	switch {
	case err == nil:
		work.FromContext(ctx).Note("index taken from %s: %s", at, text.Size(got.SentBytes))
	case errors.Is(err, index.ErrNotShared):
		work.FromContext(ctx).Note("no index is shared at %s: this tree is indexed here; assay index push shares it", at)
	case ctx.Err() == nil:
		work.FromContext(ctx).Note("degraded: the index at %s cannot be had, the tree is indexed here: %v", at, err)
	}
}

// beside takes the index of another work tree of the same git repository, the one that was
// written last, and reports whether there was one: a new work tree costs what it has otherwise.
func (w *Workspace) beside(ctx context.Context, t Target, e *engine.Engine) bool {
	if w.cfg.Apart || w.cfg.IndexDir != "" || t.place.IndexDir != "" {
		return false // one folder for all is shared already
	}
	top, ok := git.TopLevel(t.Root)
	if !ok {
		return false
	}
	rel, err := filepath.Rel(top, t.Root)
	if err != nil {
		return false
	}
	var best, from string
	var last time.Time
	for _, tree := range git.Worktrees(top) {
		root := filepath.Join(tree, rel)
		// Only what this user made on this machine is trusted, as everywhere.
		dir, _, err := w.indexDir(ctx, Target{Root: root})
		if err != nil || dir == e.IndexDir() {
			continue
		}
		if st, err := os.Stat(filepath.Join(dir, "index.db")); err == nil && st.ModTime().After(last) {
			best, from, last = dir, root, st.ModTime()
		}
	}
	if best == "" {
		return false
	}
	got, err := e.Beside(ctx, best, work.FromContext(ctx).Progress)
	if err != nil {
		if ctx.Err() == nil {
			work.FromContext(ctx).Note("the index of the work tree %s cannot be taken over, the tree is indexed here: %v", w.Display(from), err)
		}
		return false
	}
	work.FromContext(ctx).Note("index taken over from the work tree %s: %s", w.Display(from), text.Size(got.Bytes))
	return true
}
