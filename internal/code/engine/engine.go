// Package engine joins the core into two verbs over one source tree: Sync makes
// the index agree with the tree, and a View answers from both. It contains no
// SQL, no parsing and no ranking.
//
// A View never waits for another process, and answers alike whether its index
// could be written or not: what is newer than the index is laid over it in
// memory.
package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/index"
)

// Config says which tree and where its index lies.
type Config struct {
	Root     string                        // absolute, without symbolic links
	IndexDir string                        // absolute
	Owner    func() (safe.Identity, error) // marks the folder of the index; nil: any folder is taken as it is
	Embedder embed.Provider
	NoIgnore bool // what ignore files say does not count
	Now      func() time.Time
	// Has reports whether a file is a part of the tree, by its path below Root; nil: each is.
	Has func(path string) bool
	// Backend opens the index that several machines share, in place of one in IndexDir; nil:
	// there is none.
	Backend func(context.Context) (index.Backend, error)
	// Most is how many changed files one look indexes; 0: as many as its time allows.
	Most int
	// Lately is how old a look may be that found nothing changed, for a view to do without one of its
	// own; 0: each view has its own. Many who ask of one large tree would spend most of their time on
	// looking at files that nobody changes.
	Lately time.Duration
}

// An Engine is one tree and its index. It is safe for concurrent use.
type Engine struct {
	cfg  Config
	root *safe.Root

	ix        *index.Index
	shared    index.Backend // of ix; nil where that is in a folder
	structure structure

	// How many files the writer of this process has read, and how many of them it has
	// published: both only grow.
	read, published atomic.Int64

	looking chan struct{} // full while a view looks at the tree, or takes what another saw
	seen    *sight        // by the last such look that found nothing changed

	past pastChanges

	unkept atomic.Pointer[func()] // keeps a look beside the index, once the answer is given

	unusable string // why there is no index on the disk; empty where there is one
	moved    string
	other    bool
}

// Open opens a tree. An index that cannot be created or written is not an error:
// then answers come from memory, and Unusable says why.
func Open(ctx context.Context, cfg Config) (*Engine, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	root, err := safe.OpenRoot(cfg.Root)
	if err != nil {
		return nil, err
	}
	e := &Engine{cfg: cfg, root: root, looking: make(chan struct{}, 1)}
	if err := e.openIndex(ctx); err != nil {
		root.Close()
		return nil, err
	}
	return e, nil
}

func (e *Engine) openIndex(ctx context.Context) error {
	if e.cfg.Backend != nil {
		return e.openShared(ctx)
	}
	if err := e.claim(); err != nil {
		e.unusable = file.Bare(err).Error()
		e.ix = index.Memory([16]byte(hashOf([]byte(e.cfg.Root))))
		return nil
	}
	ix, err := index.Open(ctx, e.cfg.IndexDir, false)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		e.unusable = file.Bare(err).Error()
		if ro, roErr := index.Open(ctx, e.cfg.IndexDir, true); roErr == nil {
			ix = ro
		} else {
			ix = index.Memory([16]byte(hashOf([]byte(e.cfg.Root))))
		}
	}
	e.ix, e.moved, e.other = ix, ix.Moved(), ix.Other()
	return nil
}

// claim makes sure that the index in its folder, if there is one, was written by this
// user on this machine, and makes and marks the folder if there is none.
func (e *Engine) claim() error {
	if e.cfg.Owner == nil {
		return nil
	}
	owner, err := e.cfg.Owner()
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(e.cfg.Root, e.cfg.IndexDir); err == nil && filepath.IsLocal(rel) && rel != "." {
		return owner.Folder(e.root, rel)
	}
	up := filepath.Dir(e.cfg.IndexDir)
	if err := os.MkdirAll(up, 0o755); err != nil {
		return err
	}
	root, err := safe.OpenRoot(up)
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.Base(e.cfg.IndexDir)
	if err = owner.Folder(root, name); !errors.Is(err, safe.ErrForeign) {
		return err
	}
	// Whoever names a folder may have other things in it, if not another index.
	sub, subErr := root.Sub(name)
	if subErr != nil {
		return subErr
	}
	defer sub.Close()
	if index.In(sub) {
		return err
	}
	return owner.Adopt(sub)
}

// Close releases the tree and its index.
func (e *Engine) Close() error {
	resolved.forget(&e.structure)
	err := e.ix.Close()
	e.root.Close()
	return err
}

// Root returns the tree's folder.
func (e *Engine) Root() string { return e.cfg.Root }

// IndexDir returns where the index lies.
func (e *Engine) IndexDir() string { return e.cfg.IndexDir }

// Unusable says why the index on the disk cannot be written, or is empty.
func (e *Engine) Unusable() string { return e.unusable }

// Stored reports whether an index on the disk is read, be it that it cannot be written.
func (e *Engine) Stored() bool { return e.ix.Stored() }

// Moved returns where an index was put that could not be used when this one was
// opened, or "".
func (e *Engine) Moved() string { return e.moved }

// Other reports whether that one was not damaged but of another version.
func (e *Engine) Other() bool { return e.other }

// Abs returns the absolute path of a file of the tree.
func (e *Engine) Abs(path string) string {
	return filepath.Join(e.cfg.Root, filepath.FromSlash(path))
}

// walk scans the tree, without the index where that lies inside it.
func (e *Engine) walk(ctx context.Context) (*discover.Tree, error) {
	at := e.cfg.Now()
	tree, err := discover.Walk(ctx, e.cfg.Root, discover.Options{All: e.cfg.NoIgnore, Listing: at})
	if err == nil && e.cfg.Has != nil {
		tree.Keep(e.cfg.Has)
	}
	if err == nil {
		tree.At = at
	}
	return tree, err
}
