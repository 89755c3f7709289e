package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

type options struct {
	most     int
	seed     uint64
	timeout  time.Duration
	parallel int
	least    float64
	short    bool
	verbose  bool
	also     []string
}

func main() {
	var o options
	flag.IntVar(&o.most, "n", 0, "changes of a package at most; 0: all")
	flag.Uint64Var(&o.seed, "seed", 1, "which sample is taken")
	flag.DurationVar(&o.timeout, "timeout", time.Minute, "how long the tests may take")
	flag.IntVar(&o.parallel, "p", 2, "changes tried at once")
	flag.Float64Var(&o.least, "least", 0, "end with status 1 where a smaller share is noticed")
	flag.BoolVar(&o.short, "short", false, "run the tests with -short: what only a longer one notices is not noticed")
	flag.BoolVar(&o.verbose, "v", false, "print each change that survives")
	flag.Func("also", "packages, with commas between them, whose tests are run with what the package's own do not notice", func(s string) error {
		o.also = strings.Split(s, ",")
		return nil
	})
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: go run ./eval/mutate [flags] PACKAGE...")
		os.Exit(2)
	}
	if err := o.run(context.Background(), flag.Args(), os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "mutate: %v\n", err)
		os.Exit(1)
	}
}

// A figure is what became of the changes of a package.
type figure struct {
	killed, survived, broken int
	also                     int // of those that survive, noticed by tests of other packages
}

func (f figure) share() float64 { return float64(f.killed) / float64(max(1, f.killed+f.survived)) }

// with returns the figure by the tests of the other packages too.
func (f figure) with() figure {
	return figure{killed: f.killed + f.also, survived: f.survived - f.also, broken: f.broken}
}

// interval returns between which shares that of all changes lies, of which these are a
// sample, with 95 % confidence (Wilson 1927).
func (f figure) interval() (low, high float64) {
	const z = 1.96
	n := float64(max(1, f.killed+f.survived))
	p := f.share()
	middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return (middle - half) / (1 + z*z/n), (middle + half) / (1 + z*z/n)
}

// run tries the packages one after the other.
func (o options) run(ctx context.Context, patterns []string, w io.Writer) error {
	out, err := exec.CommandContext(ctx, "go", append([]string{"list", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{join .GoFiles \" \"}}"}, patterns...)...).Output()
	if err != nil {
		return fmt.Errorf("go list %v: %w", patterns, err)
	}
	var weak []string
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) < 3 {
			continue // tests alone
		}
		all, err := o.sample(f[1], strings.Fields(f[2]))
		if err != nil {
			return err
		}
		if err := o.sound(ctx, f[0], f[1]); err != nil {
			return err
		}
		got, err := o.try(ctx, f[0], f[1], strings.Fields(f[2]), all, w)
		if err != nil {
			return err
		}
		low, high := got.interval()
		fmt.Fprintf(w, "%s: %d of %d changes noticed, %.3f, %.2f to %.2f of all (%d did not compile)\n", f[0], got.killed, got.killed+got.survived, got.share(), low, high, got.broken)
		if len(o.also) > 0 {
			got = got.with()
			low, high = got.interval()
			fmt.Fprintf(w, "%s, with the tests of %s: %d of %d, %.3f, %.2f to %.2f of all\n", f[0], strings.Join(o.also, " "), got.killed, got.killed+got.survived, got.share(), low, high)
		}
		if got.share() < o.least {
			weak = append(weak, f[0])
		}
	}
	if weak != nil {
		return fmt.Errorf("below %.2f: %s", o.least, strings.Join(weak, ", "))
	}
	return nil
}

// sample returns the changes of the files of a package.
func (o options) sample(dir string, files []string) (all []mutant, err error) {
	for _, name := range files {
		src, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		more, err := mutants(name, src)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	if o.most > 0 && o.most < len(all) {
		r := rand.New(rand.NewPCG(o.seed, 0))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:o.most]
	}
	return all, nil
}

// sound runs the tests of the package as it is: where they fail, nothing can be said.
func (o options) sound(ctx context.Context, pkg, dir string) error {
	state, out, err := o.test(ctx, pkg, dir, nil)
	if err == nil && state != survived {
		err = fmt.Errorf("the tests of %s fail:\n%s", pkg, out)
	}
	return err
}

// try runs the tests with each of the changes: those that one program can have are built
// once, and the others by themselves.
func (o options) try(ctx context.Context, pkg, dir string, names []string, all []mutant, w io.Writer) (f figure, err error) {
	temp, err := os.MkdirTemp("", "assay-mutate-")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(temp)
	program, has, overlay, err := o.together(ctx, pkg, dir, temp, names, all)
	if err != nil {
		return f, err
	}
	var by map[int][]test
	if len(has) > 0 {
		if by, err = o.reaching(ctx, program, dir, temp); err != nil {
			return f, err
		}
	}
	var mu sync.Mutex
	left := map[int]string{} // what survives, and what is said of it
	err = each(o.parallel, len(all), func(i int) error {
		var state state
		var err error
		note := ""
		if _, in := has[i+1]; in {
			if state, err = o.selected(ctx, program, dir, i+1, by[i+1]); len(by[i+1]) == 0 {
				note = " (no test comes by it)"
			}
		} else {
			state, _, err = o.test(ctx, pkg, dir, &all[i])
		}
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil:
		case state == killed:
			f.killed++
		case state == broken:
			f.broken++
		default:
			f.survived++
			left[i] = note
		}
		return err
	})
	for _, path := range o.also {
		if err == nil && len(left) > 0 {
			err = o.beside(ctx, path, dir, overlay, has, all, left)
		}
	}
	f.also = f.survived - len(left)
	for _, i := range slices.Sorted(maps.Keys(left)) {
		if o.verbose {
			fmt.Fprintf(w, "%v%s\n", all[i], left[i])
		}
	}
	return f, err
}

// beside runs the tests of another package with each change that is left, and removes from
// those what they notice.
func (o options) beside(ctx context.Context, path, of string, overlay []string, has map[int]mutant, all []mutant, left map[int]string) error {
	out, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.ImportPath}}\t{{.Dir}}", path).Output()
	if err != nil {
		return fmt.Errorf("go list %s: %w", path, err)
	}
	pkg, dir, _ := strings.Cut(strings.TrimSpace(string(out)), "\t")
	temp, err := os.MkdirTemp("", "assay-mutate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	program := filepath.Join(temp, "tests.exe")
	var by map[int][]test
	if len(has) > 0 {
		args := append(append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", program}, overlay...), pkg)
		if out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
		}
		if by, err = o.reaching(ctx, program, dir, temp); err != nil {
			return err
		}
	}
	var mu sync.Mutex
	list := slices.Sorted(maps.Keys(left))
	return each(o.parallel, len(list), func(k int) error {
		i := list[k]
		var state state
		var err error
		if _, in := has[i+1]; in {
			state, err = o.selected(ctx, program, dir, i+1, by[i+1])
		} else {
			state, _, err = o.test(ctx, pkg, of, &all[i])
		}
		if err == nil && state == killed {
			mu.Lock()
			delete(left, i)
			mu.Unlock()
		}
		return err
	})
}

type state int

const (
	survived state = iota
	killed
	broken
)

// environ returns the environment of tests. A property that fails leaves its input in the
// tree, and later runs begin with it: a change would be noticed by what an earlier one
// left.
func environ() []string { return append(os.Environ(), "RAPID_NOFAILFILE=true") }

// test runs the tests of a package with a change, or without any.
func (o options) test(ctx context.Context, pkg, dir string, m *mutant) (state, []byte, error) {
	args := []string{"test", "-count=1", "-vet=off", "-failfast", "-short=" + strconv.FormatBool(o.short), "-ldflags=-s -w", "-timeout", o.timeout.String()}
	if m != nil {
		temp, err := os.MkdirTemp("", "assay-mutate-")
		if err != nil {
			return 0, nil, err
		}
		defer os.RemoveAll(temp)
		path := filepath.Join(dir, m.file)
		src, err := os.ReadFile(path)
		if err != nil {
			return 0, nil, err
		}
		changed := filepath.Join(temp, m.file)
		if err := os.WriteFile(changed, m.apply(src), 0o600); err != nil {
			return 0, nil, err
		}
		overlay, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
		if err != nil {
			return 0, nil, err
		}
		list := filepath.Join(temp, "overlay.json")
		if err := os.WriteFile(list, overlay, 0o600); err != nil {
			return 0, nil, err
		}
		args = append(args, "-overlay", list)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, pkg)...)
	cmd.Dir = dir
	cmd.Env = environ()
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return survived, out, nil
	case bytes.Contains(out, []byte("[build failed]")), bytes.Contains(out, []byte("[setup failed]")):
		return broken, out, nil
	}
	if _, failed := errors.AsType[*exec.ExitError](err); failed && ctx.Err() == nil {
		return killed, out, nil
	}
	return 0, nil, fmt.Errorf("go test %s: %w", pkg, err)
}
