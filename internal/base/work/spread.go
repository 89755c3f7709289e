// Package work divides independent work among the processors: each piece is done once,
// and all that was begun has ended when Each returns.
package work

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each runs the tasks 0 to n, in any order, until ctx ends. A worker takes several tasks at a time, more if each is short.
// There are twice as many workers as processors, because most wait for files now and then. worker is called once for each
// worker, so that only one goroutine uses the variables of the function that it returns.
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
