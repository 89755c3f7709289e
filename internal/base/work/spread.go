// Package work divides independent work among the processors: each piece is done once,
// and all that was begun has ended when Each returns.
package work

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each does 0 to n, in any order, until ctx ends. A worker takes so many at a time: more
// where each is short. There are twice as many as processors, since most wait for files
// now and then. worker is called once for each of the workers, so that what the
// function that it returns uses is used by one goroutine.
func Each(ctx context.Context, n, piece int, worker func() (do func(i int))) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min((n+piece-1)/piece, 2*runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			do := worker()
			for from := int(next.Add(int64(piece))) - piece; from < n && ctx.Err() == nil; from = int(next.Add(int64(piece))) - piece {
				for i := from; i < min(from+piece, n); i++ {
					do(i)
				}
			}
		})
	}
	wg.Wait()
}
