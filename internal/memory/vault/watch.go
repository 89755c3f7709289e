package vault

import (
	"context"
	"hash/maphash"
	"os"
	"time"

	"github.com/assay-dev/assay/internal/code/discover"
)

// How Watch goes about it.
const (
	quiet   = 1500 * time.Millisecond // without a sign before the index is refreshed
	most    = 10 * time.Second        // that signs may put it off
	glance  = 2 * time.Second         // between two looks at where the agents write
	rescan  = 30 * time.Second        // between two looks at everything
	retries = 5 * time.Second         // while there is no vault
)

// The states of a watched memory.
const (
	unwatched = iota
	behind
	current // nothing has changed since the last refresh
)

// Watch keeps the index up to date until ctx ends: it hears of changes in the vault
// from the system, looks often at where the agents keep their sessions, and looks
// through everything now and then anyway. It calls did after each refresh that
// changed something or failed. While it runs, Search need not look for changes.
func (m *Memory) Watch(ctx context.Context, did func(SyncReport, error)) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	signs := make(chan struct{}, 1)
	sign := func() {
		m.state.Store(behind)
		select {
		case signs <- struct{}{}:
		default:
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.hear(ctx, sign)
	}()
	defer func() {
		stop()
		<-done
		m.state.Store(unwatched)
	}()
	look := time.NewTicker(glance)
	defer look.Stop()
	again := time.NewTicker(rescan)
	defer again.Stop()
	m.state.Store(behind)
	m.refresh(ctx, did)
	seen := m.glimpse()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			now := m.glimpse()
			if now == seen {
				continue
			}
			seen = now
			m.state.Store(behind)
		case <-again.C:
		case <-signs:
		}
		if !discover.Settle(ctx, signs, quiet, most) {
			return
		}
		m.refresh(ctx, did)
	}
}

// refresh brings the index up to date. A sign that comes meanwhile leaves the state
// behind.
func (m *Memory) refresh(ctx context.Context, did func(SyncReport, error)) {
	m.state.Store(current)
	r, err := m.Sync(ctx, SyncOptions{})
	if ctx.Err() != nil {
		return
	}
	if err != nil || r.Stale > 0 || r.Busy || r.Missing != "" || r.Pending > 0 {
		m.state.Store(behind)
	}
	if err != nil || r.Changed+r.Removed > 0 {
		did(r, err)
	}
}

// hear listens to the vault, which may come and go.
func (m *Memory) hear(ctx context.Context, sign func()) {
	for ctx.Err() == nil {
		// An error is that the vault is not there: what else goes wrong, it polls.
		_ = discover.Watch(ctx, m.cfg.Vault, sign)
		select {
		case <-ctx.Done():
		case <-time.After(retries):
		}
	}
}

// glimpse is a number that changes when an agent may have written.
func (m *Memory) glimpse() uint64 {
	var h maphash.Hash
	h.SetSeed(m.seed)
	for _, src := range m.cfg.Sources {
		for _, path := range src.Watch() {
			st, err := os.Stat(path)
			if err != nil {
				continue
			}
			_, _ = h.WriteString(path) // it never fails
			maphash.WriteComparable(&h, [2]int64{st.Size(), st.ModTime().UnixNano()})
		}
	}
	return h.Sum64()
}
