// Package workspace opens the trees that questions are about. It finds a tree's root,
// decides where its index is and whether one that is there may be trusted, opens it, gives
// a view of the tree as it is now, and repairs what turns out to be damaged.
//
// Features answer from a view; none opens an engine by itself, because two that opened the
// same index would each index the tree.
package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
)

// Config is what a workspace needs to know of its surroundings.
type Config struct {
	WorkDir  string                                        // absolute: relative paths start here
	Home     string                                        // the user's folder, never indexed whole; may be empty
	CacheDir string                                        // where indexes go that cannot be in their tree
	IndexDir string                                        // where indexes go instead of their tree; empty: in the tree
	Owner    func() (safe.Identity, error)                 // marks the folders of indexes; nil: any folder is taken as it is
	Roots    []string                                      // the only trees served; empty: any
	Repos    []Repo                                        // what else is known of them, one for each; empty: their names
	File     string                                        // the workspace file of the user's settings; may be empty
	Embedder func(provider string) (embed.Provider, error) // nil: none
	Refresh  time.Duration                                 // how long a question may index before it is answered; 0: until done
	First    time.Duration                                 // the same of a question in words, where much of the tree is not indexed
	Wait     time.Duration                                 // how long one may that else would claim an absence; 0: until done
	Lately   time.Duration                                 // how old a look at a tree may be that found nothing changed; 0: each question looks
	Most     int                                           // changed files that a call indexes at most; 0: as many as its time allows
	Server   bool                                          // several calls come: what is not indexed in time is indexed behind them
	Apart    bool                                          // no tree takes over the index of another work tree: others may read that
	Now      func() time.Time                              // nil: time.Now
	// Shared returns where the index of that name is shared, and how that place is called; nil:
	// nothing is shared.
	Shared func(name string) (index.Objects, string, error)
	// Backend opens the index of that name which several machines share, in place of one in the
	// tree; nil: there is none.
	Backend func(ctx context.Context, name string) (index.Backend, error)
}

// A Workspace is the roots that are opened together. It is safe for concurrent use.
type Workspace struct {
	cfg   Config
	repos []Repo // those that are served

	fetching sync.Mutex

	mu       sync.Mutex
	engines  map[string]*engine.Engine // by root and index folder
	replaced []*engine.Engine          // those whose index is another by now
	catchUp  map[string]bool           // index folders that are brought up to date behind a call
	taken    map[string]chan struct{}  // index folders for which a shared index was looked for; closed when that is done
	known    map[string]*Repo          // by root, those that were asked together with others
	closed   bool
	behind   sync.WaitGroup
	stop     context.CancelFunc
	bg       context.Context
}

// New returns a workspace that has opened nothing yet.
func New(cfg Config) *Workspace {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if real, err := filepath.EvalSymlinks(cfg.Home); err == nil && cfg.Home != "" {
		cfg.Home = real // it is compared with paths behind all links
	}
	w := &Workspace{cfg: cfg, engines: map[string]*engine.Engine{}, catchUp: map[string]bool{}, taken: map[string]chan struct{}{}, known: map[string]*Repo{}, repos: cfg.Repos}
	if len(cfg.Repos) == 0 {
		w.repos = Named(cfg.Roots)
	}
	w.remember(w.repos)
	w.bg, w.stop = context.WithCancel(context.Background())
	return w
}

// Config returns what the workspace was made with.
func (w *Workspace) Config() Config { return w.cfg }

// Close releases every tree that was opened.
func (w *Workspace) Close() error {
	w.mu.Lock()
	w.closed = true // before the wait: what began after it would use an engine that is closed
	w.mu.Unlock()
	w.stop()
	w.behind.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	for _, e := range w.engines {
		errs = append(errs, e.Close())
	}
	for _, e := range w.replaced {
		errs = append(errs, e.Close())
	}
	w.engines, w.replaced = map[string]*engine.Engine{}, nil
	return errors.Join(errs...)
}

// Open returns the engine of a target, opening it on first use.
func (w *Workspace) Open(ctx context.Context, t Target) (*engine.Engine, error) {
	dir, why, err := w.indexDir(ctx, t)
	if err != nil {
		return nil, err
	}
	if why != "" {
		work.FromContext(ctx).Note("index in %s: %s", dir, why)
	}
	key := t.Root + "\x00" + dir + "\x00" + t.place.Embed
	part, name := w.Repo(t.Root), w.SharedName(t)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, fault.New(fault.Unavailable, "the server is shutting down")
	}
	if e, ok := w.engines[key]; ok {
		return e, nil
	}
	cfg := engine.Config{Root: t.Root, IndexDir: dir, NoIgnore: t.place.NoIgnore, Owner: w.cfg.Owner, Now: w.cfg.Now, Most: w.cfg.Most, Lately: w.cfg.Lately}
	if !part.Whole() {
		cfg.Has = part.Has
	}
	if w.cfg.Backend != nil {
		cfg.Backend = func(ctx context.Context) (index.Backend, error) { return w.cfg.Backend(ctx, name) }
	}
	if w.cfg.Embedder != nil {
		if cfg.Embedder, err = w.cfg.Embedder(t.place.Embed); err != nil {
			return nil, err
		}
	}
	e, err := engine.Open(ctx, cfg)
	if err != nil {
		if errors.Is(err, os.ErrPermission) {
			return nil, fault.New(fault.Unavailable, "cannot read %s", t.Root).Because(err).Or("check the folder's permissions")
		}
		return nil, err
	}
	switch to := e.Moved(); {
	case e.Other():
		work.FromContext(ctx).Note("the index was made by another version of assay and is rebuilt; the old one is %s", to)
	case to != "":
		work.FromContext(ctx).Note("the index was damaged and is rebuilt; the old one is %s", to)
	}
	w.engines[key] = e
	return e, nil
}

// reopen opens a target whose index was replaced. Calls that are at the old one keep it: it is
// closed with the workspace.
func (w *Workspace) reopen(ctx context.Context, t Target, old *engine.Engine) (*engine.Engine, error) {
	w.mu.Lock()
	for key, e := range w.engines {
		if e == old {
			delete(w.engines, key)
			w.replaced = append(w.replaced, old)
		}
	}
	w.mu.Unlock()
	return w.Open(ctx, t)
}

// A Depth says how much of a tree a call wants to know.
type Depth uint8

// The depths.
const (
	Frozen  Depth = iota // what the index has
	Current              // what changed too, as far as Config.Refresh goes
	Whole                // all of it, as far as Config.Wait goes: nothing less shows that something is absent
)

// View returns the tree as it is now, and starts to catch up behind the call
// where the budget did not suffice.
func (w *Workspace) View(ctx context.Context, t Target, d Depth) (*engine.Engine, *engine.View, error) {
	return w.ViewFor(ctx, t, d, nil)
}

// ViewFor is View for a question in words: the files that have them are indexed first.
func (w *Workspace) ViewFor(ctx context.Context, t Target, d Depth, sought *engine.Sought) (*engine.Engine, *engine.View, error) {
	e, err := w.Open(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	w.Take(ctx, t, e)
	opt := engine.Options{Budget: w.cfg.Refresh, Progress: work.FromContext(ctx).Progress, Sought: sought, SoughtBudget: w.cfg.First}
	switch d {
	case Frozen:
		v, err := e.Frozen(ctx)
		return e, v, err
	case Whole:
		opt.Budget, opt.Whole = w.cfg.Wait, true
	}
	v, err := e.View(ctx, opt)
	if errors.Is(err, index.ErrReplaced) { // by another process: what is there now has another id
		if e, err = w.reopen(ctx, t, e); err == nil {
			v, err = e.View(ctx, opt)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if v.Stale > 0 && w.cfg.Server && e.Unusable() == "" && !e.Shared() {
		w.follow(e)
	}
	return e, v, nil
}

// follow indexes what is left of a tree behind the calls.
func (w *Workspace) follow(e *engine.Engine) {
	key := e.IndexDir()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.catchUp[key] || w.closed {
		return
	}
	w.catchUp[key] = true
	w.behind.Go(func() {
		_, _ = e.Sync(w.bg, engine.Options{}) // what fails here fails again, and is told, in the next call
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.catchUp, key)
	})
}

// Display returns a path as people read it: relative to where relative paths start, so that
// it can be given back, if it lies there.
func (w *Workspace) Display(abs string) string {
	if rel, err := filepath.Rel(w.start(), abs); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return abs
}

// Repaired runs ask, and runs it again after repairing the index if that was damaged.
func Repaired[T any](ctx context.Context, w *Workspace, t Target, ask func() (T, error)) (T, error) {
	out, err := ask()
	if err == nil || !engine.Damaged(err) {
		return out, err
	}
	e, openErr := w.Open(ctx, t)
	if openErr != nil {
		return out, openErr
	}
	if e.Heal(ctx, err) != nil {
		return out, fault.New(fault.Unavailable, "the index in %s is damaged and cannot be repaired", e.IndexDir()).Because(err).
			Or("delete that folder: it is rebuilt")
	}
	work.FromContext(ctx).Note("the index was damaged and has been repaired")
	return ask()
}
