package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/engine"
)

// Ask gives a feature a tree as it is now. The tree is the one at root or, where
// that is empty, the one around path or the working directory; within is path in
// that tree, "." for all of it, and empty where there is nothing at path: it may be
// a pattern or a name. What ask was given is good until it returns. Those
// who ask conclude from what is not there: the view waits to be whole, and says if it is not.
func (w *Workspace) Ask(ctx context.Context, root, indexDir, path string, refresh bool, ask func(e *engine.Engine, v *engine.View, within string) error) error {
	return w.AskFor(ctx, nil, root, indexDir, path, refresh, ask)
}

// AskFor is Ask for a question in words: the files that have them are indexed first.
func (w *Workspace) AskFor(
	ctx context.Context, sought *engine.Sought, root, indexDir, path string, refresh bool,
	ask func(e *engine.Engine, v *engine.View, within string) error,
) error {
	if len(w.cfg.Roots) > 1 && root == "" {
		if _, err := w.Existing(path); path == "" || absent(err) {
			return fault.New(fault.Usage, "several repositories are served, and this needs one").Or("name it with repo: %s", strings.Join(Names(w.repos), ", "))
		}
	}
	t, within, err := w.about(Place{Root: root, IndexDir: indexDir}, path)
	if err != nil {
		return err
	}
	return fault.Only(Repaired(ctx, w, t, func() (struct{}, error) {
		d := Whole
		if !refresh {
			d = Frozen
		}
		e, v, err := w.ViewFor(ctx, t, d, sought)
		if err != nil {
			return struct{}{}, err
		}
		if err := ask(e, v, within); err != nil {
			return struct{}{}, err
		}
		if err := v.Publish(ctx); err != nil {
			work.FromContext(ctx).Note("index not written: %v", err)
		}
		return struct{}{}, nil
	}))
}

// about resolves a path that need not be one.
func (w *Workspace) about(p Place, path string) (t Target, within string, err error) {
	if at, ok := w.inRepo(p.Root, path); ok {
		path = at
	}
	if path != "" {
		// A folder of the project around the working directory is a part of that, and
		// no project of its own.
		if p.Root == "" {
			if t, err := w.Resolve(p, nil); err == nil {
				if abs, err := w.Existing(path); err == nil {
					if rel, err := filepath.Rel(t.Root, abs); err == nil && filepath.IsLocal(rel) {
						return t, filepath.ToSlash(rel), w.served(t.Root, filepath.ToSlash(rel))
					}
				}
			}
		}
		t, err = w.Resolve(p, []string{path})
		if err == nil {
			if within = "."; len(t.Within) > 0 {
				within = t.Within[0]
			}
			return t, within, nil
		}
		// A word too long to be a name of a file is no path either.
		if !absent(err) && fault.KindOf(err) != fault.Unavailable && (w.Repo(p.Root) == nil || filepath.IsAbs(path)) {
			return t, "", err
		}
	}
	t, err = w.Resolve(p, nil)
	return t, "", err
}

// inRepo returns where a path is that is relative to a repository which is asked beside
// others: the working directory is in one of them at most.
func (w *Workspace) inRepo(root, path string) (string, bool) {
	if path == "" || root == "" || filepath.IsAbs(path) || w.Repo(root) == nil || !filepath.IsLocal(filepath.FromSlash(path)) {
		return "", false
	}
	at := filepath.Join(root, filepath.FromSlash(path))
	_, err := os.Lstat(at)
	return at, err == nil
}

// absent reports whether an error says that something is not there.
func absent(err error) bool { return err != nil && fault.KindOf(err) == fault.NotFound }
