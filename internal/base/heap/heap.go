// Package heap says how often the runtime collects what is no longer used: seldom in a
// program that ends soon, often while an index is built.
package heap

import (
	"runtime"
	"runtime/debug"
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
	default:
		debug.SetGCPercent(state.usual)
	}
}
