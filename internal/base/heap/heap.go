// Package heap sets how often the garbage collector runs: seldom in a program that ends soon, often while an index is built.
package heap

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Percentages of the live heap that it may grow by before a collection (GOGC). Go's minimum heap is 4 MiB × GOGC/100.
const (
	usual = 100
	late  = 1600 // first at 64 MiB: a query ends before that and never collects
	flat  = 20
	tight = 40
	roomy = 400
)

var state struct {
	sync.Mutex
	usual int // the default; 0 before the first call
	flat  int // how many keep flat bytes alone
	tight int // how many want it tight
	roomy int // how many want it roomy

	servers int // how many share it among many callers
	floor   int // the percentage for shared callers, after the last collection
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

// Tight keeps the heap close to its live size until all of its callers have called the returned function once. It suits work
// whose live data is mostly flat bytes, because those are cheap to collect.
func Tight() (end func()) { return held(&state.tight) }

// Flat is Tight for work whose live data is flat bytes and little else: it is collected
// twice as often.
func Flat() (end func()) { return held(&state.flat) }

// Roomy lets the heap grow to five times its live size until all of its callers have called the returned function once. It
// suits work that allocates much and keeps little. It has no effect while Tight is in force, or if GOGC is set.
func Roomy() (end func()) { return held(&state.roomy) }

// shared is the size below which the heap of a server is not collected. Answers are garbage at once, and collecting a small
// live heap ten times a second takes a fifth of a processor.
const shared = 64 << 20

// Shared lets the heap grow to 64 MiB before a collection until all of its callers have called the returned function once. It
// suits a server with many clients. It has no effect if more than half of that is live, or if GOGC is set.
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

// growth returns the percentage by which a server's heap may grow, in steps, so that it seldom changes.
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
