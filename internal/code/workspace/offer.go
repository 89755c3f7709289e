package workspace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
)

// OfferPaths returns paths that begin with prefix of the files in the indexes of the served trees.
func (w *Workspace) OfferPaths(ctx context.Context, prefix string) ([]string, error) {
	return w.offer(ctx, prefix, engine.OfferPaths)
}

// OfferNames returns names that begin with prefix of the declarations in the indexes of the served trees.
func (w *Workspace) OfferNames(ctx context.Context, prefix string) ([]string, error) {
	return w.offer(ctx, prefix, engine.OfferNames)
}

// An asker returns the values in an index that begin with prefix.
type asker func(ctx context.Context, snap *index.Snapshot, prefix string) ([]string, error)

// offer asks the index of each served tree, or of the project around the working folder, if it has one on this machine. An
// index that cannot be read offers nothing and hides nothing of the others. The index of a part of a repository has nothing of
// the rest.
func (w *Workspace) offer(ctx context.Context, prefix string, ask asker) (out []string, err error) {
	if w.cfg.Backend != nil {
		return nil, nil
	}
	places := make([]Place, max(1, len(w.repos)))
	for i := range w.repos {
		places[i].Root = w.repos[i].Root
	}
	var errs []error
	for _, p := range places {
		more, err := w.offerOf(ctx, p, prefix, ask)
		out, errs = append(out, more...), append(errs, err)
	}
	return out, errors.Join(errs...)
}

// offerOf asks the index of one tree, as it is: it is opened read-only because a completion must not move aside or rebuild an
// index that is damaged or of another version.
func (w *Workspace) offerOf(ctx context.Context, p Place, prefix string, ask asker) ([]string, error) {
	t, err := w.Resolve(p, nil)
	if err != nil {
		return nil, err
	}
	dir, _, err := w.indexDir(ctx, t)
	if err != nil {
		return nil, err
	}
	var ix *index.Index
	if err = w.isOurs(dir); err == nil {
		ix, err = index.Open(ctx, dir, true)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = ix.Close() }()
	snap, err := ix.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return ask(ctx, snap, prefix)
}

// isOurs returns nil if this user made the folder of an index on this machine.
func (w *Workspace) isOurs(dir string) error {
	if w.cfg.Owner == nil {
		return nil
	}
	r, err := safe.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer r.Close()
	owner, err := w.cfg.Owner()
	return cmp.Or(err, owner.Owns(r))
}
