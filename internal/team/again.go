package team

import "context"

// again fetches the repositories whenever it is told to, until ctx ends. What comes while it fetches
// waits, however often it comes: one more time is enough.
func (d *door) again(ctx context.Context, told <-chan struct{}, tell func(string, ...any)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-told:
		}
		err := d.refresh(ctx)
		d.audit.write(d.entry(ctx, "refresh", Holder{Name: "signal"}, err))
		if err != nil && ctx.Err() == nil {
			tell("the repositories cannot be fetched again: %v", err)
		}
	}
}
