package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/index"
)

// Damaged reports whether an error says that the index on the disk is not sound.
func Damaged(err error) bool {
	return errors.Is(err, index.ErrDamaged) || errors.Is(err, store.ErrDamaged)
}

// errUnrepaired says that the index is damaged and cannot be repaired now.
var errUnrepaired = errors.New("the index is damaged")

// repairBudget is for how long a view that was not to look at the tree reads again what
// damage has taken from the index.
const repairBudget = 2 * time.Second

// lookRepaired is look at an index that is repaired first where that is needed.
func (e *Engine) lookRepaired(ctx context.Context, opt Options) (*discover.Tree, *plan, *index.Snapshot, error) {
	tree, p, snap, err := e.lookLately(ctx, opt)
	if errors.Is(err, index.ErrDamaged) || err == nil && snap.Damaged() {
		return e.repaired(ctx, opt)
	}
	return tree, p, snap, err
}

// repaired repairs the index and scans the tree again.
func (e *Engine) repaired(ctx context.Context, opt Options) (*discover.Tree, *plan, *index.Snapshot, error) {
	if e.ix.ReadOnly() {
		return nil, nil, nil, fmt.Errorf("%w, and may only be read", errUnrepaired)
	}
	w, err := e.lockWithin(ctx, patienceOf(opt))
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w: %s", errUnrepaired, unwritable(err))
	}
	defer w.Close()
	if err := e.repair(ctx, w); err != nil {
		if Damaged(err) || ctx.Err() != nil {
			return nil, nil, nil, err
		}
		return nil, nil, nil, fmt.Errorf("%w: %w", errUnrepaired, file.Bare(err))
	}
	return e.look(ctx, opt)
}

// withoutIndex is the view where there is a damaged index that cannot be repaired now:
// what it would still say could be less than there is, and nobody would see it.
func (e *Engine) withoutIndex(ctx context.Context, opt Options, why error) (*View, error) {
	tree, err := e.walk(ctx)
	if err != nil {
		return nil, err
	}
	snap, err := index.Memory(e.ix.ID()).Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	v := &View{e: e, Snap: snap, Tree: tree, Written: why.Error(), published: e.published.Load()}
	p := compare(tree, nil)
	p.trim(e.cfg.Most, math.MaxInt64)
	if !e.ix.ReadOnly() {
		p.trim(busyFiles, busyBytes)
	}
	err = v.lay(ctx, p, opt)
	v.Unreadable = p.unreadable + tree.Skipped[discover.Unreadable]
	return v, err
}

// Mend reads all of the index, repairs what is damaged and returns what was.
func (e *Engine) Mend(ctx context.Context) ([]index.Problem, error) {
	if e.shared != nil {
		return nil, nil // what a database holds, it checks and repairs
	}
	w, err := e.lock(ctx, true)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	problems, err := e.ix.Problems(ctx)
	if err != nil || len(problems) == 0 {
		return problems, err
	}
	// Where it cannot be written either, the database is given up: SQLite takes a
	// damaged header for one that only a newer version may write.
	_ = w.Repair(ctx)
	if err := ctx.Err(); err != nil {
		return problems, err
	}
	if left, err := e.ix.Problems(ctx); err != nil || len(left) == 0 {
		return problems, err
	}
	if err := e.ix.Reset(ctx); err != nil || e.ix.Moved() != "" {
		return problems, err
	}
	return problems, w.Clear(ctx)
}

// Heal removes from the index what made a call fail with err, so that the next
// look at the tree indexes it again.
func (e *Engine) Heal(ctx context.Context, err error) error {
	if e.shared != nil {
		return err
	}
	if errors.Is(err, store.ErrDamaged) {
		return e.ix.Reset(ctx)
	}
	w, err := e.lock(ctx, true)
	if err != nil {
		return err
	}
	defer w.Close()
	return w.Repair(ctx)
}
