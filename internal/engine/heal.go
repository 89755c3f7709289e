package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-dev/assay/internal/discover"
	"github.com/assay-dev/assay/internal/file"
	"github.com/assay-dev/assay/internal/index"
	"github.com/assay-dev/assay/internal/store"
)

// Damaged reports whether an error says that the index on the disk is not sound.
func Damaged(err error) bool {
	return errors.Is(err, index.ErrDamaged) || errors.Is(err, store.ErrDamaged)
}

// errUnmended says that the index is damaged and cannot be repaired now.
var errUnmended = errors.New("the index is damaged")

// mended repairs the index and looks at the tree again.
func (e *Engine) mended(ctx context.Context, opt Options) (*discover.Tree, *plan, *index.Snapshot, error) {
	if e.ix.ReadOnly() {
		return nil, nil, nil, fmt.Errorf("%w, and may only be read", errUnmended)
	}
	w, err := e.lockWithin(ctx, patience)
	if errors.Is(err, file.ErrLocked) {
		return nil, nil, nil, fmt.Errorf("%w, and another process is writing it", errUnmended)
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w: %s", errUnmended, reason(err))
	}
	defer w.Close()
	if err := e.repair(ctx, w); err != nil {
		if Damaged(err) || ctx.Err() != nil {
			return nil, nil, nil, err
		}
		return nil, nil, nil, fmt.Errorf("%w: %s", errUnmended, reason(err))
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
	v := &View{e: e, Snap: snap, Tree: tree, Written: why.Error()}
	p := compare(tree, nil)
	if !e.ix.ReadOnly() {
		p.trim(busyFiles, busyBytes)
	}
	err = v.lay(ctx, p, opt)
	v.Unreadable = p.unreadable + tree.Skipped[discover.Unreadable]
	return v, err
}

// Mend reads all of the index, repairs what is damaged and returns what was.
func (e *Engine) Mend(ctx context.Context) ([]index.Problem, error) {
	w, err := e.lock(ctx, true)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	problems, err := e.ix.Problems(ctx)
	if err != nil || len(problems) == 0 {
		return problems, err
	}
	if err := w.Repair(ctx); err != nil && !Damaged(err) {
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

// Heal takes out of the index what made a call fail with err, so that the next
// look at the tree indexes it again.
func (e *Engine) Heal(ctx context.Context, err error) error {
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
