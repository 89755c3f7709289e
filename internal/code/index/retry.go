//go:build team

package index

import (
	"context"
	"time"

	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/work"
)

// trying calls f again while it fails for a reason that passes.
func trying(ctx context.Context, passes func(error) bool, f func() error) error {
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		err := f()
		if err == nil || !passes(err) || work.Sleep(ctx, wait) != nil {
			return err
		}
	}
}

// tidied sweeps and merges until there is nothing to be merged.
func tidied(ctx context.Context, passes func(error) bool, sweep func(context.Context) error, mergeOnce func(context.Context) (done bool, err error)) error {
	for done := false; !done; {
		err := sweep(ctx)
		if err == nil {
			err = trying(ctx, passes, func() (err error) { done, err = mergeOnce(ctx); return err })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// take adds segments to a state that has none, without words and vectors, and what has died of them.
func (p *Snapshot) take(segs []*segment, dead []uint32) error {
	gone := set.Of(dead)
	defer func() { p.own, p.vecs = make([]*vectors, len(p.segs)), make([]*vectors, len(p.segs)) }()
	return p.safely(func() {
		for _, seg := range segs {
			if seg.bury(gone) {
				seg.mourn()
			}
			p.add(seg)
		}
	})
}
