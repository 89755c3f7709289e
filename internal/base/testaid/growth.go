// Package testaid holds in tests that work grows with its input as it should. It counts
// the processor time of the thread that works: what else the machine has to do makes a
// clock on the wall run on, and does not count here.
package testaid

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

const (
	step = 8
	// slack is what growth in proportion to the input may add to step: a cache that the
	// larger input no longer fits, a collection of garbage that falls into one run only.
	// Work that grows with the square takes step times step.
	slack = 3
	// least is what no growth is seen in.
	least = 100 * time.Millisecond
	tries = 4
	// shortPart is the part of an input that short tests work on: growth with its square still shows there,
	// if less of it is seen.
	shortPart = 4
)

// Linear does work on an input of size n/8 and of size n, and returns an error if the
// second takes so much longer that the work is not linear in its input. Short tests (-short) take a quarter of n.
func Linear(n int, work func(n int)) error {
	if testing.Short() {
		n /= shortPart
	}
	return linear(n, work)
}

func linear(n int, work func(n int)) error {
	var small, large time.Duration
	for try := range tries {
		a, b := spent(func() { work(n / step) }), spent(func() { work(n) })
		if try == 0 {
			small, large = a, b
		}
		small, large = min(small, a), min(large, b)
		if large <= least || large <= slack*step*small {
			return nil
		}
	}
	return fmt.Errorf("%v of processor time for size %d, %v for %d: not linear", small, n/step, large, n)
}

// spent returns the processor time that f takes.
func spent(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := clock()
	f()
	return clock() - began
}
