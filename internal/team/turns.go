package team

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/assay-dev/assay/internal/base/fault"
)

// The default limits: running calls per processor, and waiting calls in all. Each running call needs memory, and more
// calls than processors only make all of them finish later.
const (
	callsPerProcessor = 2
	maxWaitingCalls   = 256
)

// turns decide which calls of all teams run. Heavy calls have places of their own, fewer than there are processors, so that
// quick calls find a processor free; neither kind waits for the other. The next call to run is the oldest one of the team
// that has the fewest running calls.
type turns struct {
	limits     map[string]int // concurrent calls allowed, by team; 0: no limit
	maxWaiting int            // waiting calls of each team, because one team must not fill the queue of all

	mu      sync.Mutex
	free    [2]int // free places for quick and for heavy calls
	queues  [2][]*waiter
	running map[string]int // by team
}

// A waiter is a call that waits for its turn.
type waiter struct {
	team string
	kind int           // 0: a quick call, 1: a heavy call
	turn chan struct{} // closed when the call may run
}

// newTurns returns turns for a number of concurrent calls; 0 derives it from the number of processors.
func newTurns(calls, processors int, teams map[string]*Team) *turns {
	calls = cmp.Or(calls, callsPerProcessor*processors+1)
	heavy := min(max(1, processors/2), max(1, calls/2))
	t := &turns{limits: map[string]int{}, maxWaiting: max(1, maxWaitingCalls/max(1, len(teams))), free: [2]int{max(1, calls-heavy), heavy}, running: map[string]int{}}
	for name, team := range teams {
		t.limits[name] = team.Parallel
	}
	return t
}

// acquire waits until a call may run and returns a function that ends its turn. It refuses the call at once if too many of
// its team wait already.
func (t *turns) acquire(ctx context.Context, team string, heavy bool) (end func(), err error) {
	w, err := t.enqueue(team, heavy)
	if err != nil {
		return nil, err
	}
	return t.await(ctx, w)
}

// enqueue adds a call to its queue, and lets it run if a place is free.
func (t *turns) enqueue(team string, heavy bool) (*waiter, error) {
	w := &waiter{team: team, turn: make(chan struct{})}
	if heavy {
		w.kind = 1
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queues[w.kind] = append(t.queues[w.kind], w)
	t.startNext(w.kind)
	if t.waitingOf(team) > t.maxWaiting && t.withdraw(w) {
		return nil, t.busyError()
	}
	return w, nil
}

// await returns when a call may run, or with an error when ctx ends first.
func (t *turns) await(ctx context.Context, w *waiter) (end func(), err error) {
	end = func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.free[w.kind]++
		t.running[w.team]--
		t.startNext(0)
		t.startNext(1) // the team may have been at its limit
	}
	select {
	case <-w.turn:
		return end, nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.withdraw(w) { // it had its turn meanwhile
		return end, nil
	}
	return nil, t.busyError()
}

func (t *turns) busyError() error {
	return fault.New(fault.Unavailable, "the server is busy: at most %d calls of a team may wait", t.maxWaiting).Or("call again in a few seconds")
}

// startNext gives the free places of a kind to waiting calls.
func (t *turns) startNext(kind int) {
	for t.free[kind] > 0 {
		at := -1
		for i, w := range t.queues[kind] {
			n := t.running[w.team]
			if limit := t.limits[w.team]; limit > 0 && n >= limit {
				continue
			}
			if at < 0 || n < t.running[t.queues[kind][at].team] {
				at = i
			}
		}
		if at < 0 {
			return
		}
		w := t.queues[kind][at]
		t.queues[kind] = slices.Delete(t.queues[kind], at, at+1)
		t.free[kind]--
		t.running[w.team]++
		close(w.turn)
	}
}

// withdraw removes a waiting call, and reports whether it was still waiting.
func (t *turns) withdraw(w *waiter) bool {
	i := slices.Index(t.queues[w.kind], w)
	if i >= 0 {
		t.queues[w.kind] = slices.Delete(t.queues[w.kind], i, i+1)
	}
	return i >= 0
}

// waitingOf returns the number of waiting calls of a team.
func (t *turns) waitingOf(team string) (n int) {
	for _, queue := range t.queues {
		for _, w := range queue {
			if w.team == team {
				n++
			}
		}
	}
	return n
}

// isFull reports whether no further call of a team may wait.
func (t *turns) isFull(team string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.waitingOf(team) >= t.maxWaiting
}

// countWaiting returns the number of waiting calls of all teams.
func (t *turns) countWaiting() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queues[0]) + len(t.queues[1])
}
