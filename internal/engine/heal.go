package engine

import (
	"context"
	"errors"

	"github.com/assay-dev/assay/internal/index"
	"github.com/assay-dev/assay/internal/store"
)

// Damaged reports whether an error says that the index on the disk is not sound.
func Damaged(err error) bool {
	return errors.Is(err, index.ErrDamaged) || errors.Is(err, store.ErrDamaged)
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
