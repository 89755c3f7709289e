package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// reached is the environment variable with the file to which a program appends the numbers
// of the changes that it comes by.
const reached = "ASSAY_MUTATE_REACHED"

// A test is one of a program, and how long it takes without a change.
type test struct {
	name string
	took time.Duration
}

// reaching runs each test of a program by itself, without a change, and returns which come by
// a change, by its number: no other test can notice it. A test that comes by a change in some
// runs only may be omitted, so that a share can be too low for that and not too high.
func (o options) reaching(ctx context.Context, program, dir, temp string) (map[int][]test, error) {
	list := exec.CommandContext(ctx, program, "-test.list=.")
	list.Dir, list.Env = dir, environ()
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("%s -test.list: %w", program, err)
	}
	names := slices.DeleteFunc(strings.Fields(string(out)), func(s string) bool { return strings.HasPrefix(s, "Benchmark") })
	by := map[int][]test{}
	var mu sync.Mutex
	err = each(o.parallel, len(names), func(i int) error {
		file := filepath.Join(temp, "reached-"+strconv.Itoa(i))
		one := test{name: names[i]}
		cmd := o.command(ctx, program, dir, []test{one}, o.timeout)
		cmd.Env = append(cmd.Env, reached+"="+file)
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s by itself: %w\n%s", one.name, err, out)
		}
		one.took = time.Since(start)
		numbers, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		for _, n := range bytes.Fields(numbers) {
			// The other processes of a test write the numbers again.
			if k, err := strconv.Atoi(string(n)); err == nil && !slices.Contains(by[k], one) {
				by[k] = append(by[k], one)
			}
		}
		return nil
	})
	return by, err
}

// rounds says which tests are run together: the quick ones first, because most changes are
// noticed by many, and then ever more.
func rounds(tests []test) (out [][]test) {
	limit, sum := 25*time.Millisecond, time.Duration(0)
	for i, t := range slices.SortedFunc(slices.Values(tests), func(a, b test) int { return cmp.Or(cmp.Compare(a.took, b.took), cmp.Compare(a.name, b.name)) }) {
		if sum += t.took; i == 0 || sum > limit {
			out, limit, sum = append(out, nil), 4*max(limit, t.took), t.took
		}
		out[len(out)-1] = append(out[len(out)-1], t)
	}
	return out
}

// command runs some tests of a program.
func (o options) command(ctx context.Context, program, dir string, tests []test, limit time.Duration) *exec.Cmd {
	names := make([]string, len(tests))
	for i, t := range tests {
		names[i] = regexp.QuoteMeta(t.name)
	}
	cmd := exec.CommandContext(ctx, program, "-test.failfast", "-test.short="+strconv.FormatBool(o.short), "-test.timeout="+limit.String(), "-test.run=^("+strings.Join(names, "|")+")$")
	cmd.Dir, cmd.Env = dir, environ()
	return cmd
}

// selected runs tests of a program that has many changes, with one of them in force.
func (o options) selected(ctx context.Context, program, dir string, number int, tests []test) (state, error) {
	for _, of := range rounds(tests) {
		// What hangs is killed long before a limit that is meant for all tests together.
		limit := 10 * time.Second
		for _, t := range of {
			limit += 10 * t.took
		}
		cmd := o.command(ctx, program, dir, of, min(limit, o.timeout))
		cmd.Env = append(cmd.Env, selected+"="+strconv.Itoa(number))
		err := cmd.Run()
		if err == nil {
			continue
		}
		if _, failed := errors.AsType[*exec.ExitError](err); failed && ctx.Err() == nil {
			return killed, nil
		}
		return 0, fmt.Errorf("%s: %w", program, err)
	}
	return survived, nil
}

// each calls f with the numbers below n, so many at a time.
func each(parallel, n int, f func(int) error) error {
	errs := make([]error, n)
	jobs := make(chan int)
	var wait sync.WaitGroup
	for range max(1, parallel) {
		wait.Go(func() {
			for i := range jobs {
				errs[i] = f(i)
			}
		})
	}
	for i := range n {
		jobs <- i
	}
	close(jobs)
	wait.Wait()
	return errors.Join(errs...)
}
