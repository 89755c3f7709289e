package team

import "context"

// refetchOnSignal fetches the repositories for each signal until ctx ends. Signals that arrive during a fetch cause only one
// more fetch, because that one sees all their changes.
func (d *gateway) refetchOnSignal(ctx context.Context, signals <-chan struct{}, warn func(string, ...any)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-signals:
		}
		err := d.refresh(ctx)
		d.audit.write(d.newEntry(ctx, "refresh", Holder{Name: "signal"}, err))
		if err != nil && ctx.Err() == nil {
			warn("cannot fetch the repositories: %v; the copies fetched before stay in use", err)
		}
	}
}
