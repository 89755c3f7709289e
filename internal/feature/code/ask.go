package code

import (
	"context"
	"path/filepath"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/progress"
	"github.com/assay-dev/assay/internal/core/engine"
)

// Ask gives other features a tree as it is now. The tree is the one at root or, where
// that is empty, the one around path or the working directory; within is path in
// that tree, "." for all of it, and empty where there is nothing at path: it may be
// a pattern or a name. What ask was given is good until it returns. Other features
// conclude from what is not there: the view waits to be whole, and says if it is not.
func (f *Feature) Ask(ctx context.Context, root, indexDir, path string, refresh bool, ask func(e *engine.Engine, v *engine.View, within string) error) error {
	if f.several(Place{Root: root}, nil) {
		if _, err := f.existing(path); path == "" || absent(err) {
			return f.askEach(ctx, indexDir, path, refresh, ask)
		}
	}
	t, within, err := f.about(Place{Root: root, IndexDir: indexDir}, path)
	if err != nil {
		return err
	}
	_, err = healed(ctx, f, t, func() (struct{}, error) {
		d := whole
		if !refresh {
			d = frozen
		}
		e, v, err := f.view(ctx, t, d)
		if err != nil {
			return struct{}{}, err
		}
		if err := ask(e, v, within); err != nil {
			return struct{}{}, err
		}
		if err := v.Publish(ctx); err != nil {
			progress.Of(ctx).Note("index not written: %v", err)
		}
		return struct{}{}, nil
	})
	return err
}

// about resolves a path that need not be one.
func (f *Feature) about(p Place, path string) (t target, within string, err error) {
	if path != "" {
		// A folder of the project around the working directory is a part of that, and
		// no project of its own.
		if p.Root == "" {
			if t, err := f.resolve(p, nil); err == nil {
				if abs, err := f.existing(path); err == nil {
					if rel, err := filepath.Rel(t.root, abs); err == nil && filepath.IsLocal(rel) {
						return t, filepath.ToSlash(rel), f.served(t.root, filepath.ToSlash(rel))
					}
				}
			}
		}
		t, err = f.resolve(p, []string{path})
		if err == nil {
			if within = "."; len(t.within) > 0 {
				within = t.within[0]
			}
			return t, within, nil
		}
		// A word too long to be a name of a file is no path either.
		if !absent(err) && fault.KindOf(err) != fault.Unavailable {
			return t, "", err
		}
	}
	t, err = f.resolve(p, nil)
	return t, "", err
}

// absent reports whether an error says that something is not there.
func absent(err error) bool { return err != nil && fault.KindOf(err) == fault.NotFound }
