// Package testaid checks in tests that work grows in proportion to its input. It counts the processor time of the working
// thread, because other work of the machine would distort a wall clock.
package testaid

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

const (
	step = 8
	// slack is the tolerance of linear growth: a larger input may no longer fit a cache, or a garbage collection may fall
	// into one run only. Quadratic work would take step times step.
	slack = 3
	// least is the shortest time in which growth can be measured.
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
	return LinearBeyond(n, work)
}

// LinearBeyond is Linear for work that is linear from a size of n/8 on only: short tests take all of n.
func LinearBeyond(n int, work func(n int)) error {
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
