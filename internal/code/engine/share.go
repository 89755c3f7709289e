package engine

import (
	"context"
	"errors"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/code/index"
)

// errNotStored says that there is no index on the disk to be shared or replaced.
var errNotStored = errors.New("there is no index on the disk that can be written")

// Push shares the index as it was last committed.
func (e *Engine) Push(ctx context.Context, to index.Objects, progress func(stage string, done, total int64)) (*index.Moved, error) {
	if e.ix.ReadOnly() {
		return nil, errNotStored
	}
	return e.ix.Push(ctx, to, e.cfg.Now(), progress)
}

// Pull makes the index one that was shared. The next look at the tree finds what that has
// otherwise.
func (e *Engine) Pull(ctx context.Context, from index.Objects, progress func(stage string, done, total int64)) (*index.Moved, error) {
	if e.ix.ReadOnly() {
		return nil, errNotStored
	}
	return e.ix.Pull(ctx, from, progress)
}

// Beside makes the index what the one in another folder is, as Pull does.
func (e *Engine) Beside(ctx context.Context, dir string, progress func(stage string, done, total int64)) (*index.Moved, error) {
	if e.ix.ReadOnly() {
		return nil, errNotStored
	}
	moved, err := e.ix.Beside(ctx, dir, progress)
	if err != nil || moved.Same {
		return moved, err
	}
	// The other tree may have a long history, of which this one needs nothing.
	return moved, e.tidyFree(ctx)
}

// tidyFree is tidy, unless another process is writing: then that one does it.
func (e *Engine) tidyFree(ctx context.Context) error {
	w, err := e.ix.TryLock()
	if errors.Is(err, file.ErrLocked) {
		return nil
	}
	if err != nil {
		return err
	}
	defer w.Close()
	return e.tidy(ctx, w, false)
}

// Fresh reports whether the index on the disk can be written and nothing was ever indexed.
func (e *Engine) Fresh(ctx context.Context) (bool, error) {
	if e.ix.ReadOnly() {
		return false, nil
	}
	snap, err := e.ix.Snapshot(ctx)
	return err == nil && snap.NextDoc == 1, err
}
