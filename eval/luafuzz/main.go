package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
)

func main() {
	n := flag.Int("n", 10_000, "how many programs")
	seed := flag.Uint64("seed", 1, "the seed of the first")
	out := flag.String("out", "", "a folder for programs that differ")
	show := flag.Bool("print", false, "print the program of -seed and end")
	workers := flag.Int("workers", runtime.NumCPU(), "programs at a time")
	flag.Parse()
	if *show {
		_, _ = io.WriteString(os.Stdout, prelude+program(*seed))
		return
	}
	if err := run(*n, *seed, *out, *workers, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "luafuzz: %v\n", err)
		os.Exit(1)
	}
}

// maxShown is after how many differences a run ends.
const maxShown = 10

func run(n int, seed uint64, out string, workers int, w io.Writer) error {
	var next, differ, failed atomic.Int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	errs := make([]error, workers)
	for i := range workers {
		wg.Go(func() {
			ref, err := startReference()
			if err != nil {
				errs[i] = err
				return
			}
			defer func() { errs[i] = errors.Join(errs[i], ref.close()) }()
			for k := next.Add(1) - 1; k < int64(n) && differ.Load() < maxShown; k = next.Add(1) - 1 {
				src := program(seed + uint64(k))
				theirs, err := ref.run(src)
				if err != nil {
					errs[i] = fmt.Errorf("seed %d: %w", seed+uint64(k), err)
					return
				}
				if isSyntaxError(theirs) {
					failed.Add(1)
				}
				if ours(src) == theirs {
					continue
				}
				differ.Add(1)
				src, theirs = shrink(ref, src, theirs)
				mu.Lock()
				fmt.Fprintf(w, "== seed %d\n%s-- C Lua:\n%s-- here:\n%s", seed+uint64(k), src, theirs, ours(src))
				mu.Unlock()
				if out != "" {
					name := filepath.Join(out, fmt.Sprintf("seed%d", seed+uint64(k)))
					errs[i] = errors.Join(os.WriteFile(name+".lua", []byte(prelude+src), 0o644), os.WriteFile(name+".out", []byte(theirs), 0o644))
				}
			}
		})
	}
	wg.Wait()
	ran := min(next.Load(), int64(n))
	fmt.Fprintf(w, "%d programs, %d with errors of syntax, %d differ\n", ran, failed.Load(), differ.Load())
	err := errors.Join(errs...)
	if differ.Load() > 0 {
		err = errors.Join(err, fmt.Errorf("%d programs differ", differ.Load()))
	}
	return err
}
