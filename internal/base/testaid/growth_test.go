package testaid

import (
	"runtime"
	"sync/atomic"
	"testing"
)

// Work that grows with the square of its input is told from work that does not, while
// others keep the processors busy.
func TestLinear(t *testing.T) {
	var over atomic.Bool
	defer over.Store(true)
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for !over.Load() {
				spin(1)
			}
		}()
	}
	for name, c := range map[string]struct {
		work   func(n int)
		linear bool
	}{
		"linear": {func(n int) { spin(n) }, true},
		"square": {func(n int) { spin(n * n / 2000) }, false},
		"tiny":   {func(n int) { spin(n * n / 1_000_000_000) }, true},
	} {
		if err := LinearBeyond(20_000, c.work); (err == nil) != c.linear {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var sink atomic.Uint64

func spin(n int) {
	x := uint64(1)
	for range n * 1000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink.Store(x)
}
