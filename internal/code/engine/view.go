package engine

import (
	"context"
	"errors"
	"maps"
	"math"
	"path"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/index"
)

// A View is the tree at one moment, ready to be asked.
type View struct {
	e    *Engine
	Snap *index.Snapshot
	Tree *discover.Tree // nil where the tree was not checked

	Stale  int      // changed files that the view does not have
	unread []string // their paths
	// Unreadable counts files and folders that the view lacks because they cannot be
	// read.
	Unreadable int
	Written    string // why what is new was not written to the index; empty if it was or will be

	frozen  bool // no file was read
	wrote   bool // files were indexed for the view, and written
	untidy  bool // and what that left behind is not merged yet
	pending *index.Batch
	overlay []*index.Builder
	without []without

	// readAll is the words of the question of which every file was read, where not all of the tree was.
	readAll []string

	// Of the files that are stale here, those that the writer has read since the look.
	published  int64 // at the look
	onTheirWay int
}

// Frozen returns the index as it is. It does not look at the tree where the index had all
// of it when it was last written. After an indexing that was interrupted it compares the
// two without reading a file, and counts as stale what the index has otherwise or lacks.
func (e *Engine) Frozen(ctx context.Context) (*View, error) {
	if e.shared != nil { // others write it: that it has all of this tree it cannot say
		return e.View(ctx, Options{})
	}
	snap, err := e.ix.Snapshot(ctx)
	if err == nil && !snap.Damaged() && snap.Left == 0 {
		return &View{e: e, Snap: snap, frozen: true}, nil
	}
	tree, p, snap, err := e.look(ctx, Options{})
	if errors.Is(err, index.ErrDamaged) || err == nil && snap.Damaged() {
		return e.View(ctx, Options{Budget: repairBudget})
	}
	if err != nil {
		return nil, err
	}
	v := &View{e: e, Snap: snap, Tree: tree, Stale: len(p.dead), frozen: true, without: p.without,
		Unreadable: p.unreadable + tree.Skipped[discover.Unreadable]}
	for i := range p.changes {
		if c := &p.changes[i]; !c.suspect { // one that was written a moment ago may be as it was
			v.Stale++
			v.unread = append(v.unread, path.Join(p.dirs[c.dir].path, c.file.Name))
		}
	}
	return v, nil
}

// View scans the tree and returns it as it is now, as far as the budget goes.
// A few changed files are indexed in memory; many are written to the index, if no
// other process is writing it: a search does not wait for that one, but a view that is
// to be whole does. Publish keeps the former.
func (e *Engine) View(ctx context.Context, opt Options) (*View, error) {
	start := time.Now()
	tree, p, snap, err := e.lookRepaired(ctx, opt)
	if errors.Is(err, errUnrepaired) {
		return e.withoutIndex(ctx, opt, err)
	}
	if err != nil {
		return nil, err
	}
	opt = e.prepare(ctx, p, opt)
	v := &View{e: e, Snap: snap, Tree: tree, Written: e.unusable, without: p.without, published: e.published.Load()}
	defer func() { v.Unreadable = p.unreadable + tree.Skipped[discover.Unreadable] }()
	small := p.cut == 0 && len(p.changes) <= overlayFiles && p.bytes <= overlayBytes
	switch {
	case len(p.dirs) == 0:
		return v, nil
	case small || e.shared != nil:
		return v, v.lay(ctx, p, opt)
	}
	if v.Written == "" {
		if opt.Whole && opt.Progress != nil {
			opt.Progress("waiting for the index", 0, 0)
		}
		w, err := e.lockWithin(ctx, patienceOf(opt))
		if opt.Budget > 0 {
			opt.Budget = max(opt.Budget-time.Since(start), leastBudget)
		}
		if err == nil {
			defer w.Close()
			return v, v.write(ctx, w, p, opt)
		}
		v.Written = unwritable(err)
	}
	if !e.ix.ReadOnly() {
		p.trim(busyFiles, busyBytes)
	}
	return v, v.lay(ctx, p, opt)
}

// prepare chooses which changes a view indexes, in which order, and how long it may take.
func (e *Engine) prepare(ctx context.Context, p *plan, opt Options) Options {
	many := opt.Budget > 0 && len(p.changes) > overlayFiles || e.cfg.Most > 0 && len(p.changes) > e.cfg.Most
	if opt.Sought != nil && many {
		if opt.Budget > 0 {
			opt.Budget = max(opt.Budget, opt.SoughtBudget)
		}
		e.seek(ctx, p, opt.Sought, opt.Budget*3/4)
	}
	p.trim(e.cfg.Most, math.MaxInt64)
	return opt
}

// Busy is why a view was not written that waits for who writes the index.
const Busy = "another process is writing it"

// busyFiles and busyBytes bound what a search indexes in memory while another
// process has the lock: more than that is said to be stale.
const (
	busyFiles = 1000
	busyBytes = 16 << 20
)

// patience is how long a view with much to index waits for the writer's lock: a
// process that was killed holds it until the system has cleaned up after it. One
// that is to be whole waits for its budget, or mostPatience where that has no limit.
const (
	patience     = 250 * time.Millisecond
	mostPatience = 30 * time.Second
	leastBudget  = time.Millisecond // for what is left to do after the wait
)

func patienceOf(opt Options) time.Duration {
	switch {
	case !opt.Whole:
		return patience
	case opt.Budget == 0:
		return mostPatience
	}
	return opt.Budget
}

// unwritable says why the writer's lock could not be had.
func unwritable(err error) string {
	if errors.Is(err, file.ErrLocked) {
		return Busy
	}
	return file.Bare(err).Error()
}

func (e *Engine) lockWithin(ctx context.Context, d time.Duration) (*index.Writer, error) {
	wait, stop := context.WithTimeout(ctx, d)
	defer stop()
	w, err := e.lock(wait, true)
	if err != nil && wait.Err() != nil && ctx.Err() == nil {
		return nil, file.ErrLocked
	}
	return w, err
}

// write brings the index up to date under the lock.
func (v *View) write(ctx context.Context, w *index.Writer, p *plan, opt Options) error {
	e := v.e
	// Another process may have written between the look and the lock.
	if now, err := e.ix.Snapshot(ctx); err != nil {
		return err
	} else if now != v.Snap {
		if v.Tree, p, v.Snap, err = e.look(ctx, opt); err != nil {
			return err
		}
		opt = e.prepare(ctx, p, opt)
	}
	var rep Report
	err := e.build(ctx, w, p, v.Snap, opt, &rep)
	if err != nil && ctx.Err() == nil {
		// The disk may be full. Answer from memory, and say why.
		v.Written = file.Bare(err).Error()
		if v.Snap, err = e.ix.Snapshot(ctx); err != nil {
			return err
		}
		manifest, err := e.ix.Manifest(ctx)
		if err != nil {
			return err
		}
		return v.lay(ctx, compare(v.Tree, manifest), opt)
	}
	if err != nil {
		return err
	}
	if v.Snap, err = e.ix.Snapshot(ctx); err != nil {
		return err
	}
	v.published, v.wrote, v.untidy = e.published.Load(), true, true
	v.leave(p)
	return v.estimate(p)
}

// lay indexes the changes of a plan in memory over the snapshot.
func (v *View) lay(ctx context.Context, p *plan, opt Options) error {
	var rep Report
	base := v.Snap
	total := index.Batch{Dirs: map[string]index.Dir{}, NextDoc: base.NextDoc + uint32(len(p.changes))}
	merge := func(b index.Batch) {
		total.Dead = append(total.Dead, b.Dead...)
		total.Contents, total.Left = append(total.Contents, b.Contents...), b.Left
		maps.Copy(total.Dirs, b.Dirs)
	}
	merge(p.batch(nil, &rep))
	err := v.e.run(ctx, p, base, opt, inTurn(func(b *index.Builder, ls []loaded) error {
		merge(p.batch(ls, &rep))
		if b.Len() > 0 {
			v.overlay = append(v.overlay, b)
		}
		return nil
	}))
	if err != nil {
		return err
	}
	dead := total.Dead
	for _, b := range v.overlay {
		if v.Snap, err = v.Snap.With(b, dead); err != nil {
			return err
		}
		dead = nil
	}
	if len(v.overlay) == 0 && len(dead) > 0 {
		if v.Snap, err = v.Snap.With(nil, dead); err != nil {
			return err
		}
	}
	v.pending = &total
	v.leave(p)
	return v.estimate(p)
}

// leave notes which changes were not looked at.
func (v *View) leave(p *plan) {
	for _, c := range p.changes {
		if w := p.dirs[c.dir]; !w.has(c.file.Name) {
			v.Stale++
			v.unread = append(v.unread, path.Join(w.path, c.file.Name))
		}
	}
	v.Stale += p.cut
	v.unread = append(v.unread, p.cutPaths...)
	v.without = p.without
	v.onTheirWay = int(max(0, min(v.e.read.Load()-v.published, int64(v.Stale))))
}

// trim omits what is more than so many files, 0 being no limit, or bytes.
func (p *plan) trim(files int, bytes int64) {
	if files == 0 {
		return
	}
	var sum int64
	for i, c := range p.changes {
		if sum += min(c.file.Size, discover.MaxFile); i < files && sum <= bytes {
			continue
		}
		for _, c := range p.changes[i:] {
			p.cut++
			p.cutPaths = append(p.cutPaths, path.Join(p.dirs[c.dir].path, c.file.Name))
		}
		p.changes = p.changes[:i]
		return
	}
}

// Publish writes what the view indexed in memory to the index, if nobody else is
// writing and nothing was written since; and it keeps what the look found, for the next
// one. It is done after the answer was given.
func (v *View) Publish(ctx context.Context) error {
	v.e.keepNow()
	if v.untidy {
		v.untidy = false
		return v.e.tidyFree(ctx)
	}
	if v.pending == nil || v.Written != "" {
		return nil
	}
	batch := v.pending
	v.pending = nil
	if v.e.shared != nil {
		v.e.see(batch.Dirs)
		return nil
	}
	w, err := v.e.ix.TryLock()
	if errors.Is(err, file.ErrLocked) {
		return nil
	}
	if err != nil {
		return err
	}
	defer w.Close()
	now, err := v.e.ix.Snapshot(ctx)
	if err != nil || now.Epoch != v.Snap.Epoch || now.Nonce != v.Snap.Nonce {
		return err
	}
	for _, b := range v.overlay {
		built, err := v.e.ix.Build(b)
		if err != nil {
			return err
		}
		batch.Segments = append(batch.Segments, built)
	}
	if err := w.Publish(ctx, *batch); err != nil {
		return err
	}
	return v.e.tidy(ctx, w, false)
}

// Secrets returns how many files were omitted because they look secret.
func (v *View) Secrets() int {
	if v.Tree == nil {
		return 0
	}
	return v.Tree.Skipped["secret"]
}

// Age is for how long a frozen view may be used in place of a look at the tree
// when a watcher reports no change.
const Age = 10 * time.Second

// ID identifies the index that the view is of.
func (v *View) ID() [16]byte { return v.e.ix.ID() }

// State returns the present state of the index.
func (v *View) State(ctx context.Context) (index.State, error) {
	snap, err := v.e.ix.Snapshot(ctx)
	if err != nil {
		return index.State{}, err
	}
	return snap.State, nil
}

// Files returns how many files the tree has; -1 where it was not looked at.
func (v *View) Files() int {
	if v.Tree == nil {
		return -1
	}
	n := 0
	for _, d := range v.Tree.Dirs {
		n += len(d.Files)
	}
	return n
}

// Ignored says why a path of the tree is not looked at, if it is not.
func (v *View) Ignored(path string) (string, bool) {
	if v.e.cfg.NoIgnore {
		return "", false
	}
	return discover.Ignored(v.e.cfg.Root, path)
}

// Hit reports whether the index answered as it was: nothing was indexed for the view.
func (v *View) Hit() bool { return !v.wrote && !v.Newer() && v.Stale == 0 && v.Written == "" }

// Newer reports whether the view holds what the index does not.
func (v *View) Newer() bool {
	return len(v.overlay) > 0 || v.pending != nil && len(v.pending.Dead) > 0
}
