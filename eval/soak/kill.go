package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"time"
)

// A victim is a kind of process that writes the index.
type victim struct {
	name    string
	prepare func(*soak) error
	args    []string
}

func victims() []victim {
	edits := func(s *soak) error {
		for range 5 {
			if err := s.garden.edit(); err != nil {
				return err
			}
		}
		return nil
	}
	return []victim{
		{"first index", func(s *soak) error { return errors.Join(edits(s), os.RemoveAll(s.index)) }, []string{"index", "--quiet"}},
		{"refresh", func(s *soak) error { return errors.Join(edits(s), s.garden.churn(10)) }, []string{"index", "--quiet"}},
		{"index --full", edits, []string{"index", "--full", "--quiet"}},
		{"search", edits, []string{"search", "--json", "gravel meadow"}},
	}
}

// kill kills n processes, one after the other, at random moments of their lives.
func (s *soak) kill(ctx context.Context, n int) error {
	rng := rand.New(rand.NewPCG(s.o.seed, 2))
	vs := victims()
	lives := make([]time.Duration, len(vs))
	for i, v := range vs {
		if err := v.prepare(s); err != nil {
			return err
		}
		start := time.Now()
		if _, err := s.run(ctx, v.args...); err != nil {
			return err
		}
		lives[i] = time.Since(start)
	}
	for i := range n {
		k := i % len(vs)
		after := time.Duration(rng.Float64() * float64(lives[k]))
		landed, err := s.killOne(ctx, vs[k], after)
		if err != nil {
			return fmt.Errorf("after kill %d, of %s after %s: %w", i+1, vs[k].name, after, err)
		}
		// How long they live depends on what else the machine does.
		if lives[k] = lives[k] * 21 / 20; !landed {
			lives[k] = max(after, time.Millisecond)
		}
		for range 3 {
			if err := s.ask(ctx, rng); err != nil {
				return fmt.Errorf("after kill %d, of %s after %s: %w", i+1, vs[k].name, after, err)
			}
		}
		if err := s.check(ctx); err != nil {
			return fmt.Errorf("after kill %d, of %s after %s: %w", i+1, vs[k].name, after, err)
		}
	}
	return nil
}

// killOne starts a process and kills it, and reports whether it was still alive.
func (s *soak) killOne(ctx context.Context, v victim, after time.Duration) (landed bool, err error) {
	if err := v.prepare(s); err != nil {
		return false, err
	}
	r, err := s.start(ctx, v.args...)
	if err != nil {
		return false, err
	}
	time.Sleep(after)
	if err := r.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return false, err
	}
	err = r.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return false, err
	}
	landed = err != nil && exit.ExitCode() < 0
	if err != nil && !landed {
		return false, fmt.Errorf("it failed by itself: %w: %s", err, r.err.String())
	}
	s.tally(func() {
		s.count.kills++
		if landed {
			s.count.landed++
		}
	})
	return landed, nil
}
