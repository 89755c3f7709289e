package work

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
)

func TestEach(t *testing.T) {
	for _, c := range []struct{ n, piece int }{{0, 1}, {1, 64}, {7, 2}, {1000, 1}, {1000, 64}, {64, 64}} {
		did := make([]atomic.Int32, c.n)
		var workers atomic.Int32
		Each(t.Context(), c.n, c.piece, func() func(int) {
			workers.Add(1)
			return func(i int) { did[i].Add(1) }
		})
		for i := range did {
			if n := did[i].Load(); n != 1 {
				t.Fatalf("%+v: %d was done %d times", c, i, n)
			}
		}
		if most := min(2*runtime.GOMAXPROCS(0), (c.n+c.piece-1)/c.piece); int(workers.Load()) != most {
			t.Errorf("%+v: %d workers, want %d", c, workers.Load(), most)
		}
	}
}

// When its context ends, no further piece is begun.
func TestEachEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var did atomic.Int32
	Each(ctx, 1_000_000, 1, func() func(int) {
		return func(int) {
			did.Add(1)
			stop()
		}
	})
	if n := int(did.Load()); n == 0 || n > 2*runtime.GOMAXPROCS(0) {
		t.Errorf("%d were done after the end", n)
	}
}
