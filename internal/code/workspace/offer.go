package workspace

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-dev/assay/internal/code/engine"
)

// OfferPaths returns paths that begin with prefix of the files in the indexes of the served trees.
func (w *Workspace) OfferPaths(ctx context.Context, prefix string, _ int) (out []string, err error) {
	err = w.eachIndex(ctx, func(e *engine.Engine, r *Repo) error {
		paths, err := e.OfferPaths(ctx, prefix)
		out = append(out, slices.DeleteFunc(paths, func(path string) bool { return !r.Has(path) })...)
		return err
	})
	return out, err
}

// OfferNames returns names that begin with prefix of the declarations in the indexes of the served trees.
func (w *Workspace) OfferNames(ctx context.Context, prefix string, _ int) (out []string, err error) {
	err = w.eachIndex(ctx, func(e *engine.Engine, _ *Repo) error {
		names, err := e.OfferNames(ctx, prefix)
		out = append(out, names...)
		return err
	})
	return out, err
}

// eachIndex calls ask with the index of each served tree, or of the project around the working folder, if it has one on this
// machine. It makes none.
func (w *Workspace) eachIndex(ctx context.Context, ask func(*engine.Engine, *Repo) error) error {
	if w.cfg.Backend != nil {
		return nil
	}
	places := []Place{{}}
	if len(w.repos) > 0 {
		places = nil
		for i := range w.repos {
			places = append(places, Place{Root: w.repos[i].Root})
		}
	}
	for _, p := range places {
		t, err := w.Resolve(p, nil)
		if err != nil {
			return err
		}
		dir, _, err := w.indexDir(ctx, t)
		if err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(dir, "index.db")); err != nil {
			continue
		}
		e, err := w.Open(ctx, t)
		if err == nil {
			err = ask(e, w.Repo(t.Root))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
