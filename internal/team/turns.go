package team

import (
	"context"
	"slices"
	"sync"

	"github.com/assay-dev/assay/internal/base/fault"
)

// What a server does at once where its file says nothing: so many calls for each processor, and so many
// that wait. Each that runs has memory of its own; more than the processors can do at a time only makes
// all of them later.
const (
	perProcessor = 2
	mostWaiting  = 256
)

// Turns say which calls of all teams run. Calls that take a processor for long have places of their own,
// and so many that quick ones find a processor free; neither kind waits for the other. Of those that
// wait, the next is of the team with the fewest that run, and of these the one that came first.
type turns struct {
	of   map[string]int // calls of a team at once
	most int            // that wait, of each team: one that floods the server keeps no other out

	mu      sync.Mutex
	free    [2]int // places of quick and of heavy calls
	queues  [2][]*waiter
	running map[string]int // by team
}

// A waiter is a call that waits for its turn.
type waiter struct {
	team string
	kind int           // 1 of a heavy call
	turn chan struct{} // closed when it has it
}

// newTurns returns turns of so many calls at once, 0 being as many as the processors take, on so many
// processors.
func newTurns(calls, processors int, teams map[string]*Team) *turns {
	if calls == 0 {
		calls = perProcessor*processors + 1
	}
	heavy := min(max(1, processors/2), max(1, calls/2))
	t := &turns{of: map[string]int{}, most: max(1, mostWaiting/max(1, len(teams))), free: [2]int{max(1, calls-heavy), heavy}, running: map[string]int{}}
	for name, team := range teams {
		t.of[name] = team.Parallel
	}
	return t
}

// take waits for the turn of a call, and returns what ends it. What cannot be served in time is refused at once.
func (t *turns) take(ctx context.Context, team string, heavy bool) (end func(), err error) {
	w, err := t.join(team, heavy)
	if err != nil {
		return nil, err
	}
	return t.await(ctx, w)
}

// join puts a call into its queue, and gives it its turn where there is a place.
func (t *turns) join(team string, heavy bool) (*waiter, error) {
	w := &waiter{team: team, turn: make(chan struct{})}
	if heavy {
		w.kind = 1
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queues[w.kind] = append(t.queues[w.kind], w)
	t.next(w.kind)
	if t.waiting(team) > t.most && t.withdraw(w) {
		return nil, t.busy()
	}
	return w, nil
}

// await returns when a call has its turn, or was given up.
func (t *turns) await(ctx context.Context, w *waiter) (end func(), err error) {
	end = func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.free[w.kind]++
		t.running[w.team]--
		t.next(0)
		t.next(1) // the team may have been at its limit
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
	return nil, t.busy()
}

func (t *turns) busy() error {
	return fault.New(fault.Unavailable, "the server is busy: up to %d calls of a team wait for their turn", t.most).Or("call again in a moment")
}

// next gives the free places of a kind to those that wait.
func (t *turns) next(kind int) {
	for t.free[kind] > 0 {
		at := -1
		for i, w := range t.queues[kind] {
			n := t.running[w.team]
			if limit := t.of[w.team]; limit > 0 && n >= limit {
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

// withdraw removes a call that waits, and reports whether it did.
func (t *turns) withdraw(w *waiter) bool {
	i := slices.Index(t.queues[w.kind], w)
	if i >= 0 {
		t.queues[w.kind] = slices.Delete(t.queues[w.kind], i, i+1)
	}
	return i >= 0
}

// waiting returns how many calls of a team wait.
func (t *turns) waiting(team string) (n int) {
	for _, queue := range t.queues {
		for _, w := range queue {
			if w.team == team {
				n++
			}
		}
	}
	return n
}

// full reports whether as many calls of a team wait as may.
func (t *turns) full(team string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.waiting(team) >= t.most
}

// waits returns how many calls wait.
func (t *turns) waits() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queues[0]) + len(t.queues[1])
}
