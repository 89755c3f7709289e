// Package heap says how often the runtime collects what is no longer used: seldom in a
// program that ends soon, often while an index is built.
package heap

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Percentages of what is live that the heap may grow by before it is collected. The
// runtime's own least is 4 MiB for each hundred of them.
const (
	usual = 100
	late  = 1600 // first at 64 MiB: a query ends before that and never collects
	flat  = 20
	tight = 40
	roomy = 400
)

var state struct {
	sync.Mutex
	usual int // what holds where nothing else is said; 0 before the first question
	flat  int // how many keep flat bytes alone
	tight int // how many want it tight
	roomy int // how many want it roomy

	servers int // how many share it among many callers
	floor   int // what holds for these where nothing else does, after the last collection
}

// Late lets the heap grow to 64 MiB before it is collected for the first time, for a program
// that answers one question and ends. Afterwards, or where GOGC says something, it changes
// nothing.
func Late() {
	state.Lock()
	defer state.Unlock()
	if said := debug.SetGCPercent(late); said != usual {
		debug.SetGCPercent(said)
		return
	}
	state.usual = late
	set()
	sentinel := new([16]byte)
	runtime.AddCleanup(sentinel, func(struct{}) { // after the first collection
		state.Lock()
		defer state.Unlock()
		state.usual = usual
		set()
	}, struct{}{})
	runtime.KeepAlive(sentinel)
}

// Tight keeps the heap near what is live until the last of its callers calls what it
// returns, once each. It suits work whose live data is mostly flat bytes, which are cheap
// to collect.
func Tight() (end func()) { return held(&state.tight) }

// Flat is Tight for work whose live data is flat bytes and little else: it is collected
// twice as often.
func Flat() (end func()) { return held(&state.flat) }

// Roomy lets the heap grow to five times what is live until the last of its callers calls
// what it returns, once each. It suits work that keeps little and throws much away. Where
// somebody wants it tight, or GOGC says something, it changes nothing.
func Roomy() (end func()) { return held(&state.roomy) }

// shared is the size below which the heap of a server is not collected: answers are thrown away, and to collect ten times
// a second what little is live takes a fifth of a processor.
const shared = 64 << 20

// Shared lets the heap grow to 64 MiB before it is collected, whatever is live, until the last of its callers calls what it
// returns, once each. It suits a server that many clients ask; where more than half of that is live, or GOGC says
// something, it changes nothing.
func Shared() (end func()) {
	end = held(&state.servers)
	state.Lock()
	defer state.Unlock()
	if state.servers == 1 {
		state.floor = late
		set()
		watch()
	}
	return end
}

// watch sets after each collection how far the heap may grow until the next.
func watch() {
	sentinel := new([16]byte)
	runtime.AddCleanup(sentinel, func(struct{}) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		state.Lock()
		defer state.Unlock()
		if state.servers == 0 {
			return
		}
		if floor := growth(live[0].Value.Uint64()); floor != state.floor {
			state.floor = floor
			set()
		}
		watch()
	}, struct{}{})
	runtime.KeepAlive(sentinel)
}

// growth is by how many percent of what is live a server's heap may grow, in steps, so that it seldom changes.
func growth(live uint64) int {
	if live == 0 {
		return late
	}
	percent := (shared - min(shared, live)) * 100 / live
	return int(min(max(percent/50*50, usual), late))
}

func held(wanted *int) (end func()) {
	state.Lock()
	defer state.Unlock()
	if state.usual == 0 {
		state.usual = debug.SetGCPercent(usual)
	}
	*wanted++
	set()
	return sync.OnceFunc(func() {
		state.Lock()
		defer state.Unlock()
		*wanted--
		set()
	})
}

func set() {
	switch {
	case state.flat > 0:
		debug.SetGCPercent(flat)
	case state.tight > 0:
		debug.SetGCPercent(tight)
	case state.roomy > 0 && (state.usual == usual || state.usual == late):
		debug.SetGCPercent(roomy)
	case state.servers > 0 && state.usual == usual:
		debug.SetGCPercent(state.floor)
	default:
		debug.SetGCPercent(state.usual)
	}
}
