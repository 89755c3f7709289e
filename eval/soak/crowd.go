package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// crowd lets searchers, an indexer and an editor work on the tree at once.
func (s *soak) crowd(ctx context.Context, last time.Duration) error {
	if _, err := s.run(ctx, "index", "--quiet"); err != nil {
		return err
	}
	over := time.Now().Add(last)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var group sync.WaitGroup
	// Each works until the time is over or one of them fails.
	work := func(name string, do func(i int) error) {
		group.Go(func() {
			for i := 0; time.Now().Before(over) && ctx.Err() == nil; i++ {
				if err := do(i); err != nil {
					stop(fmt.Errorf("%s: %w", name, err))
					return
				}
			}
		})
	}
	for n := range s.o.searchers {
		rng := rand.New(rand.NewPCG(s.o.seed, 100+uint64(n)))
		work(fmt.Sprintf("searcher %d", n+1), func(int) error { return s.ask(ctx, rng) })
	}
	work("indexer", func(i int) error {
		args := []string{"index", "--quiet"}
		if s.o.full && i%5 == 4 {
			args = append(args, "--full")
		}
		s.tally(func() { s.count.indexed++ })
		_, err := s.run(ctx, args...)
		return err
	})
	work("editor", func(int) error {
		s.tally(func() { s.count.edits++ })
		time.Sleep(5 * time.Millisecond)
		return s.garden.edit()
	})
	group.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return ctx.Err()
}
