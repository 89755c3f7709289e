package engine

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-dev/assay/internal/base/heap"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/index"
)

// Options say how far a sync may go.
type Options struct {
	Full     bool          // forget the index first
	Budget   time.Duration // stop after this, with what is done; 0: never
	Wait     bool          // for another process that writes
	Whole    bool          // of a view: Budget bounds the wait for the lock too
	Progress func(stage string, done, total int64)
	// Sought is the words that a view is asked about: if more changed than the budget may suffice for, the
	// files that have them are indexed first, and SoughtBudget is the budget if that is longer.
	Sought       *Sought
	SoughtBudget time.Duration

	writes bool // what is read is published
	keeps  bool // documents are kept with what was loaded, in place of a segment of them
}

// A Report says what a sync did.
type Report struct {
	Files   int           // in the tree
	Changed int           // that were not as the index had them
	Read    int           // that had to be read to tell
	Removed int           // documents taken away
	Left    int           // changed files not looked at
	Docs    int           // documents made
	Chunks  int           // of those documents
	Reused  int           // of those chunks, how many were known before
	Bytes   int64         // read
	Took    time.Duration // all together
	Skipped map[discover.Reason]int
	Tree    *discover.Tree
}

const (
	// overlayFiles and overlayBytes bound what a search indexes in memory before
	// it answers.
	overlayFiles = 200
	overlayBytes = 4 << 20
	// flushBytes is how much a worker gathers before it publishes, so that what is
	// done survives an interruption and memory stays bounded.
	flushBytes = 28 << 20
	// sendBytes is how much text a worker gathers before it sends that to a shared index.
	sendBytes = 4 << 20
	// A worker takes changes by the run: neighbours share a folder.
	runLength = 16
)

// Sync makes the index agree with the tree.
func (e *Engine) Sync(ctx context.Context, opt Options) (Report, error) {
	if e.shared != nil {
		return e.syncShared(ctx, opt)
	}
	start := e.cfg.Now()
	var rep Report
	w, err := e.lock(ctx, opt.Wait)
	if err != nil {
		return rep, err
	}
	defer w.Close()
	if opt.Full {
		if err := w.Clear(ctx); err != nil {
			return rep, err
		}
	}
	if err := e.repair(ctx, w); err != nil {
		return rep, err
	}
	tree, p, snap, err := e.look(ctx, opt)
	if err != nil {
		return rep, err
	}
	rep = Report{Files: p.files, Skipped: tree.Skipped, Tree: tree}
	err = e.build(ctx, w, p, snap, opt, &rep)
	if err == nil {
		err = e.tidy(ctx, w, true)
	}
	if err == nil && opt.Full {
		err = w.CollectAll(ctx, e.cfg.Now())
	}
	e.pastLog(ctx, syncHistoryPatience)
	rep.Took = e.cfg.Now().Sub(start)
	return rep, err
}

// lock makes this process the writer.
func (e *Engine) lock(ctx context.Context, wait bool) (*index.Writer, error) {
	if wait {
		return e.ix.Lock(ctx)
	}
	return e.ix.TryLock()
}

// repair drops what cannot be read, so that it is indexed again.
func (e *Engine) repair(ctx context.Context, w *index.Writer) error {
	snap, err := e.ix.Snapshot(ctx)
	if err == nil && !snap.Damaged() {
		_, err = e.ix.Manifest(ctx)
	} else if err == nil {
		err = index.ErrDamaged
	}
	if errors.Is(err, index.ErrDamaged) {
		return w.Repair(ctx)
	}
	return err
}

// build indexes the changes of a plan and publishes them as it goes.
func (e *Engine) build(ctx context.Context, w *index.Writer, p *plan, snap *index.Snapshot, opt Options, rep *Report) error {
	if len(p.dirs) == 0 {
		return nil
	}
	// What is live during a build is mostly flat bytes: collecting often is cheap
	// and keeps the peak near what is in use.
	defer heap.Flat()()
	var past sync.WaitGroup
	past.Go(func() { e.pastLog(ctx, historyPatience) }) // git works meanwhile
	defer past.Wait()
	save := context.WithoutCancel(ctx)
	opt.writes = true
	var publishing sync.Mutex
	publish := func(b *index.Builder, ls []loaded) error {
		var built []*index.Built
		if b.Len() > 0 { // workers are done with theirs at the same time, the last of all at least
			one, err := e.ix.Build(b)
			if err != nil {
				return err
			}
			built = append(built, one)
		}
		publishing.Lock()
		defer publishing.Unlock()
		batch := p.batch(ls, rep)
		batch.Segments = built
		batch.NextDoc = snap.NextDoc + uint32(len(p.changes))
		err := w.Publish(save, batch)
		if err == nil {
			e.published.Add(int64(len(ls)))
		}
		return err
	}
	// What was read and is lost, to an error, is not on its way.
	defer func() { e.read.Store(e.published.Load()) }()
	// The folders without anything left to read, and the files that are gone.
	if err := publish(index.NewBuilder(), nil); err != nil {
		return err
	}
	return e.run(ctx, p, snap, opt, publish)
}

// batch makes ls part of the plan's folders and returns what to publish.
func (p *plan) batch(ls []loaded, rep *Report) index.Batch {
	b := index.Batch{Dead: p.dead, Dirs: map[string]index.Dir{}}
	rep.Removed += len(p.dead)
	p.dead = nil
	touched := map[*dirPlan]bool{}
	if ls == nil {
		for _, w := range p.dirs {
			touched[w] = true
		}
	}
	for _, l := range ls {
		w := p.dirs[l.c.dir]
		if w.done == nil {
			w.done = map[string]index.Entry{}
		}
		w.done[l.entry.Name] = l.entry
		p.note(w.path, &l.entry)
		w.left--
		touched[w] = true
		if l.c.old.Doc != 0 && l.c.old.Doc != l.entry.Doc {
			b.Dead = append(b.Dead, l.c.old.Doc)
		}
		if l.content != nil {
			b.Contents = append(b.Contents, *l.content)
		}
		if l.entry.Why == index.Unreadable {
			p.unreadable++
		}
		rep.Read++
		rep.Bytes += l.entry.Size
		if !l.same {
			rep.Changed++
		}
		if l.entry.Doc != 0 && !l.same {
			rep.Docs++
			rep.Chunks += l.chunks
			rep.Reused += l.reused
		}
	}
	for w := range touched {
		b.Dirs[w.path] = w.entries(p.at)
		if w.left == 0 {
			w.done = nil // nobody asks for it again, and a large tree has many
		}
	}
	rep.Left = len(p.changes) - rep.Read
	b.Left = rep.Left + p.cut
	return b
}

// inTurn returns f for one call at a time.
func inTurn(f func(*index.Builder, []loaded) error) func(*index.Builder, []loaded) error {
	var one sync.Mutex
	return func(b *index.Builder, ls []loaded) error {
		one.Lock()
		defer one.Unlock()
		return f(b, ls)
	}
}

// run loads the changes with all processors and gives emit, several calls at a time,
// builders with what was loaded into them. It stops when ctx ends or the budget
// is used up, after emitting what is done.
func (e *Engine) run(ctx context.Context, p *plan, snap *index.Snapshot, opt Options, emit func(*index.Builder, []loaded) error) error {
	work, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if opt.Budget > 0 {
		var end context.CancelFunc
		work, end = context.WithTimeout(work, opt.Budget)
		defer end()
	}
	workers := min(runtime.GOMAXPROCS(0), 1+len(p.changes)/runLength)
	var next, done atomic.Int64
	var group sync.WaitGroup
	errs := make([]error, workers)
	for i := range workers {
		group.Go(func() {
			l := loader{e: e, p: p, base: snap.NextDoc, b: index.NewBuilder(), keeps: opt.keeps}
			defer l.close()
			flush := func() error {
				if len(l.out) == 0 {
					return nil
				}
				err := emit(l.b, l.out)
				if opt.writes && err == nil {
					l.b.Reset() // it is on the disk
				} else {
					l.b = nil
				}
				l.out, l.kept = nil, 0
				return err
			}
			for work.Err() == nil {
				lo := int(next.Add(runLength)) - runLength
				if lo >= len(p.changes) {
					break
				}
				hi := min(lo+runLength, len(p.changes))
				if l.b == nil {
					l.b = index.NewBuilder()
				}
				l.load(work, lo, hi)
				if opt.writes {
					e.read.Add(int64(hi - lo))
				}
				if n := done.Add(int64(hi - lo)); opt.Progress != nil {
					opt.Progress("indexing", n, int64(len(p.changes)))
				}
				if l.b.Bytes() > flushBytes || l.kept > sendBytes {
					if errs[i] = flush(); errs[i] != nil {
						stop(errs[i])
						return
					}
				}
			}
			errs[i] = flush()
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return ctx.Err()
}

// A loader is one worker's hands: a builder and the folder it is in.
type loader struct {
	e    *Engine
	p    *plan
	base uint32
	b    *index.Builder
	out  []loaded
	dir  int32
	root *safe.Root

	keeps bool // see Options
	kept  int  // bytes of the documents that are kept
}

func (l *loader) load(ctx context.Context, lo, hi int) {
	for i := lo; i < hi && ctx.Err() == nil; i++ {
		c := &l.p.changes[i]
		dir := l.p.dirs[c.dir].path
		if l.root == nil || l.dir != c.dir {
			l.close()
			root, err := l.e.root.Sub("./" + dir)
			if err != nil {
				l.out = append(l.out, loaded{c: c, entry: index.Entry{Name: c.file.Name, Size: c.file.Size, Why: index.Unreadable}})
				continue
			}
			l.root, l.dir = root, c.dir
		}
		got := l.e.load(ctx, l.root, dir, c, l.base+uint32(i), l.p.first)
		switch {
		case got.doc != nil && l.keeps:
			l.kept += len(got.doc.Text)
		case got.doc != nil:
			l.b.Add(got.doc)
			got.doc = nil // its text is not needed any more
		}
		l.out = append(l.out, got)
	}
}

func (l *loader) close() {
	if l.root != nil {
		l.root.Close()
		l.root = nil
	}
}

// tidy merges small segments and those that are dead, drops what is kept for texts that are gone,
// and removes files that nothing names. With thorough it looks through all that is kept.
func (e *Engine) tidy(ctx context.Context, w *index.Writer, thorough bool) error {
	if err := w.Merge(ctx, mergeInline); err != nil {
		return err
	}
	if err := w.Shrink(ctx, thorough); err != nil {
		return err
	}
	return w.Collect(ctx, e.cfg.Now())
}

// mergeInline is the size below which segments are merged while a command waits.
const mergeInline = 8 << 20
