package engine

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/index"
)

// look compares the tree with the index.
func (e *Engine) look(ctx context.Context, opt Options) (*discover.Tree, *plan, *index.Snapshot, error) {
	if opt.Progress != nil {
		opt.Progress("looking at files", 0, 0)
	}
	seen, err := e.lookAgain(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	if seen.plan != nil {
		return seen.tree, seen.plan, seen.snap, nil
	}
	var manifest map[string]index.Dir
	var snap *index.Snapshot
	var indexErr error
	done := make(chan struct{})
	go func() {
		defer close(done)
		snap, manifest, indexErr = e.ix.Current(ctx)
	}()
	tree := seen.tree
	if tree == nil {
		tree, err = e.walk(ctx)
	}
	<-done
	if err := errors.Join(err, indexErr); err != nil {
		return nil, nil, nil, err
	}
	p := compare(tree, manifest)
	e.keepLook(tree, p, snap)
	tree.Listing = nil // kept where it is of use; of a large tree it is large
	return tree, p, snap, nil
}

// An earlier look is what is still known by one: nothing, what the tree is, or that it is as
// the index has it.
type earlier struct {
	tree *discover.Tree
	plan *plan // of nothing to do
	snap *index.Snapshot
}

// lookAgain compares the tree with what an earlier look kept beside the index.
func (e *Engine) lookAgain(ctx context.Context) (got earlier, err error) {
	if !e.keepsLooks() {
		return got, nil
	}
	snap, err := e.ix.Snapshot(ctx)
	if err != nil || snap.Damaged() {
		return got, err
	}
	kept, same := e.ix.Sight(snap.State)
	p, listing := unpackPlan(kept)
	if p == nil {
		return got, nil
	}
	at := e.cfg.Now()
	tree, unchanged := discover.Again(ctx, e.cfg.Root, listing, discover.Options{All: e.cfg.NoIgnore})
	if tree == nil {
		return got, ctx.Err()
	}
	tree.At = at
	if !same || !unchanged {
		return earlier{tree: tree}, nil
	}
	p.at = at.UnixNano()
	return earlier{tree, p, snap}, nil
}

// keepsLooks reports whether what a look finds is kept beside the index: of a part of a
// tree, or where others write the index, it is not.
func (e *Engine) keepsLooks() bool { return e.shared == nil && e.cfg.Has == nil && e.ix.Stored() }

// keepLook has Publish keep a look that found nothing changed.
func (e *Engine) keepLook(tree *discover.Tree, p *plan, snap *index.Snapshot) {
	if len(p.dirs) > 0 || p.unreadable > 0 || tree.Listing == nil || snap.Damaged() || !e.keepsLooks() {
		return
	}
	state, packed := snap.State, append(p.pack(), tree.Listing...)
	e.unkept.Store(new(func() { e.ix.KeepSight(state, packed) }))
}

// keepNow writes what keepLook was given, if there is something.
func (e *Engine) keepNow() {
	if keep := e.unkept.Swap(nil); keep != nil {
		(*keep)()
	}
}

// pack returns what a plan of nothing to do says.
func (p *plan) pack() []byte {
	b := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(p.files)), uint64(len(p.without)))
	for _, w := range p.without {
		b = append(codec.AppendPacked(codec.AppendPacked(b, w.dir), w.name), byte(w.why))
	}
	return b
}

// unpackPlan returns the plan that was packed, or nil, and what follows it.
func unpackPlan(b []byte) (*plan, []byte) {
	r := codec.PackedReader{Rest: b}
	p := &plan{files: r.Int()}
	p.without = make([]without, r.Count(3))
	for i := range p.without {
		p.without[i] = without{r.Str(), r.Str(), index.Why(r.Byte())}
	}
	if r.Bad {
		return nil, nil
	}
	return p, r.Rest
}

// A sight is a tree that was as the index has it.
type sight struct {
	tree  *discover.Tree
	plan  plan // of nothing to do
	state index.State
}

// lookLately is look, or what another look saw not long ago, if the index is still what that was compared
// with. Those who come while one looks wait for it: their own looks would be as long, and all slower.
func (e *Engine) lookLately(ctx context.Context, opt Options) (*discover.Tree, *plan, *index.Snapshot, error) {
	if e.cfg.Lately <= 0 || e.looking == nil {
		return e.look(ctx, opt)
	}
	select {
	case e.looking <- struct{}{}:
		defer func() { <-e.looking }()
	case <-ctx.Done():
		return nil, nil, nil, ctx.Err()
	}
	if s := e.seen; s != nil && e.cfg.Now().Sub(s.tree.At).Abs() < e.cfg.Lately {
		snap, err := e.ix.Snapshot(ctx)
		if err == nil && !snap.Damaged() && snap.State == s.state {
			p := s.plan
			return s.tree, &p, snap, nil
		}
	}
	tree, p, snap, err := e.look(ctx, opt)
	e.seen = nil
	if err == nil && len(p.dirs) == 0 && !snap.Damaged() {
		e.seen = &sight{tree, *p, snap.State}
	}
	return tree, p, snap, err
}
