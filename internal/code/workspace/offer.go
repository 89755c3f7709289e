package workspace

import (
	"context"
	"os"
	"path/filepath"

	"github.com/assay-dev/assay/internal/code/engine"
)

// OfferPaths returns paths that begin with prefix of the files in the indexes of the served trees.
func (w *Workspace) OfferPaths(ctx context.Context, prefix string) ([]string, error) {
	return w.offer(ctx, prefix, (*engine.Engine).OfferPaths)
}

// OfferNames returns names that begin with prefix of the declarations in the indexes of the served trees.
func (w *Workspace) OfferNames(ctx context.Context, prefix string) ([]string, error) {
	return w.offer(ctx, prefix, (*engine.Engine).OfferNames)
}

// offer asks the index of each served tree, or of the project around the working folder, if it has one on this machine. It
// makes none. The index of a part of a repository has nothing of the rest.
func (w *Workspace) offer(ctx context.Context, prefix string, ask func(*engine.Engine, context.Context, string) ([]string, error)) (out []string, err error) {
	places := make([]Place, max(1, len(w.repos)))
	for i := range w.repos {
		places[i].Root = w.repos[i].Root
	}
	for _, p := range places {
		t, err := w.Resolve(p, nil)
		if err != nil {
			return out, err
		}
		dir, _, err := w.indexDir(ctx, t)
		if err != nil {
			return out, err
		}
		if st, _ := os.Stat(filepath.Join(dir, "index.db")); st == nil || w.cfg.Backend != nil {
			continue
		}
		e, err := w.Open(ctx, t)
		if err != nil {
			return out, err
		}
		more, err := ask(e, ctx, prefix)
		if out = append(out, more...); err != nil {
			return out, err
		}
	}
	return out, nil
}
