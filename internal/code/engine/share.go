package engine

import (
	"context"
	"errors"

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
	return e.ix.Beside(ctx, dir, progress)
}

// Fresh reports whether the index on the disk can be written and nothing was ever indexed.
func (e *Engine) Fresh(ctx context.Context) (bool, error) {
	if e.ix.ReadOnly() {
		return false, nil
	}
	snap, err := e.ix.Snapshot(ctx)
	return err == nil && snap.NextDoc == 1, err
}
