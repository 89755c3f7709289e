// Package code is the feature that answers "where is it?": search, similar, index,
// status and watch over source trees.
//
// Every answer agrees with the tree as it is when it is asked for, or says how far
// it does not. No hit is shown that is not in its file.
package code

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/progress"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/core/embed"
	"github.com/assay-dev/assay/internal/core/engine"
)

// Config is what the feature needs to know of its surroundings.
type Config struct {
	WorkDir    string                                        // absolute
	Home       string                                        // the user's folder, never indexed whole; may be empty
	CacheDir   string                                        // where indexes go that cannot lie in their tree
	IndexDir   string                                        // where indexes go instead of their tree; empty: in the tree
	Owner      func() (safe.Identity, error)                 // marks the folders of indexes; nil: any folder is taken as it is
	Roots      []string                                      // the only trees served; empty: any
	Embedder   func(provider string) (embed.Provider, error) // nil: none
	TopK       int                                           // hits where a call does not say; 0: 10
	Budget     int                                           // tokens where a call does not say; 0: no limit
	Piped      bool                                          // nobody reads the answer on a terminal: without a limit, DefaultBudget is one
	Semantic   *float64                                      // threshold of the tools where a call has none; nil: .4
	Hybrid     *float64                                      // the same; nil: .5
	Refresh    time.Duration                                 // how long a search may index before it answers; 0: until done
	Wait       time.Duration                                 // how long one may that else would say that there is nothing; 0: until done
	Most       int                                           // changed files that a call indexes at most; 0: as many as its time allows
	Trajectory string                                        // "strict": no search without what it expects; "lenient": all are logged; "off": only those that say why; empty: "lenient" where an agent framework keeps its state
	Gate       func(root string) error                       // stops a search of a project that may not be trusted; nil: none
	Agent      string                                        // who searches, where a call does not say
	Server     bool                                          // several calls come: what is not indexed in time is indexed behind them
	Now        func() time.Time
}

// A Feature answers questions about code. It is safe for concurrent use.
type Feature struct {
	cfg Config

	mu      sync.Mutex
	engines map[string]*engine.Engine // by root and index folder
	catchUp map[string]bool           // roots that are being indexed behind a call
	closed  bool
	behind  sync.WaitGroup
	stop    context.CancelFunc
	bg      context.Context
}

// New returns a feature.
func New(cfg Config) *Feature {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	f := &Feature{cfg: cfg, engines: map[string]*engine.Engine{}, catchUp: map[string]bool{}}
	f.bg, f.stop = context.WithCancel(context.Background())
	return f
}

// Thresholds returns what hits have to score in the tools, where a call does not say.
func (f *Feature) Thresholds() (semantic, hybrid float64) {
	semantic, hybrid = .4, .5
	if f.cfg.Semantic != nil {
		semantic = *f.cfg.Semantic
	}
	if f.cfg.Hybrid != nil {
		hybrid = *f.cfg.Hybrid
	}
	return semantic, hybrid
}

// Close releases every tree the feature has opened.
func (f *Feature) Close() error {
	f.stop()
	f.behind.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	var errs []error
	for _, e := range f.engines {
		errs = append(errs, e.Close())
	}
	f.engines = map[string]*engine.Engine{}
	return errors.Join(errs...)
}

// open returns the engine of a target, opening it on first use.
func (f *Feature) open(ctx context.Context, t target) (*engine.Engine, error) {
	dir, why, err := f.indexDir(ctx, t)
	if err != nil {
		return nil, err
	}
	if why != "" {
		progress.Of(ctx).Note("index in %s: %s", dir, why)
	}
	key := t.root + "\x00" + dir + "\x00" + t.embed
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, fault.New(fault.Unavailable, "the server is shutting down")
	}
	if e, ok := f.engines[key]; ok {
		return e, nil
	}
	cfg := engine.Config{Root: t.root, IndexDir: dir, NoIgnore: t.all, Owner: f.cfg.Owner, Now: f.cfg.Now, Most: f.cfg.Most}
	if f.cfg.Embedder != nil {
		if cfg.Embedder, err = f.cfg.Embedder(t.embed); err != nil {
			return nil, err
		}
	}
	e, err := engine.Open(ctx, cfg)
	if err != nil {
		if errors.Is(err, os.ErrPermission) {
			return nil, fault.New(fault.Unavailable, "cannot read %s", t.root).Because(err).Or("check the folder's permissions")
		}
		return nil, err
	}
	switch to := e.Moved(); {
	case e.Other():
		progress.Of(ctx).Note("the index was made by another version of assay and is rebuilt; the old one is %s", to)
	case to != "":
		progress.Of(ctx).Note("the index was damaged and is rebuilt; the old one is %s", to)
	}
	f.engines[key] = e
	return e, nil
}

// A depth says how much of a tree a call wants to know.
type depth uint8

const (
	frozen  depth = iota // what the index has
	current              // what changed too, as far as the time of a search goes
	whole                // all of it: nothing less shows that something is not there
)

// view returns the tree as it is now, and starts to catch up behind the call
// where the budget did not suffice.
func (f *Feature) view(ctx context.Context, t target, d depth) (*engine.Engine, *engine.View, error) {
	e, err := f.open(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	opt := engine.Options{Budget: f.cfg.Refresh, Progress: progress.Of(ctx).Progress}
	switch d {
	case frozen:
		v, err := e.Frozen(ctx)
		return e, v, err
	case whole:
		opt.Budget, opt.Whole = f.cfg.Wait, true
	}
	v, err := e.View(ctx, opt)
	if err != nil {
		return nil, nil, err
	}
	if v.Stale > 0 && f.cfg.Server && e.Unusable() == "" {
		f.follow(e)
	}
	return e, v, nil
}

// follow indexes what is left of a tree behind the calls.
func (f *Feature) follow(e *engine.Engine) {
	key := e.IndexDir()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.catchUp[key] || f.closed {
		return
	}
	f.catchUp[key] = true
	f.behind.Go(func() {
		_, _ = e.Sync(f.bg, engine.Options{}) // what fails here fails again, and is told, in the next call
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.catchUp, key)
	})
}

// display returns a path as people read it: relative where that is shorter.
func (f *Feature) display(abs string) string {
	if rel, err := filepath.Rel(f.cfg.WorkDir, abs); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return abs
}

// healed runs ask, and once more after repairing the index if that was the trouble.
func healed[T any](ctx context.Context, f *Feature, t target, ask func() (T, error)) (T, error) {
	out, err := ask()
	if err == nil || !engine.Damaged(err) {
		return out, err
	}
	e, openErr := f.open(ctx, t)
	if openErr != nil {
		return out, openErr
	}
	if e.Heal(ctx, err) != nil {
		return out, fault.New(fault.Unavailable, "the index in %s is damaged and cannot be repaired", e.IndexDir()).Because(err).
			Or("delete that folder: it is rebuilt")
	}
	progress.Of(ctx).Note("the index was damaged and has been repaired")
	return ask()
}
