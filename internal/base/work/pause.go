// Package work waits, as long as it is wanted.
package work

import (
	"context"
	"time"
)

// For waits for a while, and returns the error of ctx where that ends before.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
