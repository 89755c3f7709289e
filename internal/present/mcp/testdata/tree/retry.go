package client

import (
	"context"
	"time"
)

// Backoff says how long to wait between attempts.
type Backoff struct {
	First time.Duration
	Most  time.Duration
}

// Delay returns the wait before the given attempt: it doubles each time, and is
// never longer than b.Most.
func (b Backoff) Delay(attempt int) time.Duration {
	d := b.First << attempt
	if d <= 0 || d > b.Most {
		return b.Most
	}
	return d
}

// Retry calls f until it succeeds, the attempts are used up or ctx ends.
func Retry(ctx context.Context, b Backoff, attempts int, f func() error) error {
	var err error
	for i := 0; i < attempts; i++ {
		if err = f(); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(b.Delay(i)):
		}
	}
	return err
}
