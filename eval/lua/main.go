package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/script/lua"
)

func main() {
	// A process that this one starts: told apart before anything else, since one
	// that is not would measure too, and start others.
	if len(os.Args) == 3 && os.Args[1] == childArg {
		if err := runChild(os.Args[2], os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "lua: %v\n", err)
			os.Exit(1)
		}
		return
	}
	only := flag.Bool("work", false, "only work")
	tests := flag.String("tests", "", "only the official tests of Lua 5.4, in this folder")
	verbose := flag.Bool("v", false, "with -tests: say what fails")
	n := flag.Int("n", 7, "runs of each measurement")
	check := flag.Bool("check", false, "fail where a bound does not hold")
	flag.Parse()
	if flag.NArg() > 0 || *n < 1 {
		fmt.Fprintln(os.Stderr, "usage: go run ./eval/lua [flags]")
		flag.PrintDefaults()
		os.Exit(2)
	}
	if err := run(context.Background(), options{*n, *check, *only, *tests, *verbose}, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "lua: %v\n", err)
		os.Exit(1)
	}
}

const childArg = "child"

// runChild runs a program as a script.
func runChild(src string, w io.Writer) error {
	vm := lua.New(lua.Options{Stdout: w, Memory: 2 << 30, Alone: true})
	_, err := vm.Run(context.Background(), "child", []byte(src))
	return errors.Join(err, vm.Close())
}

type options struct {
	n           int
	check, only bool
	tests       string
	verbose     bool
}

func run(ctx context.Context, o options, w io.Writer) error {
	fmt.Fprintf(w, "%s %s/%s, %d processors\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var broken []string
	bound := func(what string, got, most float64) {
		if most > 0 && got > most {
			broken = append(broken, fmt.Sprintf("%s is %.1f, more than %g", what, got, most))
		}
	}
	luac, err := exec.LookPath("lua5.4")
	switch {
	case o.tests != "" && err != nil:
		return fmt.Errorf("the official tests are counted by what C Lua passes: %w", err)
	case o.tests != "":
		err = official(ctx, w, o.tests, luac, o.verbose, bound)
	default:
		err = measure(ctx, w, self, luac, o, bound)
	}
	if err != nil {
		return err
	}
	if o.check && len(broken) > 0 {
		return errors.New(strings.Join(broken, "; "))
	}
	return nil
}

// measure measures times; luac is "" where C Lua is not installed.
func measure(ctx context.Context, w io.Writer, self, luac string, o options, bound func(string, float64, float64)) error {
	if luac == "" {
		fmt.Fprintln(w, "work: left out, lua5.4 is not installed")
	} else if err := work(ctx, w, self, luac, o.n, bound); err != nil {
		return err
	}
	if o.only {
		return nil
	}
	if err := linear(ctx, w, self, o.n, bound); err != nil {
		return err
	}
	return start(ctx, w, self, o.n, bound)
}

// spent runs a program by a command and returns the seconds of processor that the
// process took: what else the machine does counts for little.
func spent(ctx context.Context, src string, name string, args ...string) (float64, error) {
	var bad bytes.Buffer
	cmd := exec.CommandContext(ctx, name, append(args, src)...)
	cmd.Stderr = &bad
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", name, err, bad.String())
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), nil
}

// took is what the body of a program takes: all of it without what comes before.
func took(ctx context.Context, p program, setup string, name string, args ...string) (float64, error) {
	without, err := spent(ctx, setup, name, args...)
	if err != nil {
		return 0, err
	}
	with, err := spent(ctx, setup+"\n"+p.body, name, args...)
	return max(with-without, 1e-6), err
}

func linear(ctx context.Context, w io.Writer, self string, n int, bound func(string, float64, float64)) error {
	fmt.Fprintf(w, "%-12s %10s %10s %7s  %s\n", "linear", "1 MB", "10 MB", "ratio", "least-most")
	for _, p := range linears {
		var small, large, ratios []float64
		for range n {
			var both [2]float64
			for i, size := range [2]int{1e6, 1e7} {
				var err error
				if both[i], err = took(ctx, p, fmt.Sprintf("local n = %d\n%s", size, p.setup), self, childArg); err != nil {
					return err
				}
			}
			small, large, ratios = append(small, both[0]), append(large, both[1]), append(ratios, both[1]/both[0])
		}
		slices.Sort(ratios)
		ratio := median(ratios)
		fmt.Fprintf(w, "%-12s %7.1f ms %7.1f ms %7.1f  %.1f-%.1f\n", p.name, 1e3*median(small), 1e3*median(large), ratio, ratios[0], ratios[n-1])
		bound(p.name, ratio, 20)
	}
	fmt.Fprintln(w)
	return nil
}

func start(ctx context.Context, w io.Writer, self string, n int, bound func(string, float64, float64)) error {
	var process, within []float64
	for range 3 * n {
		cmd := exec.CommandContext(ctx, self, childArg, "print('first')")
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		began := time.Now()
		if err := cmd.Start(); err != nil {
			return err
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			return err
		}
		process = append(process, time.Since(began).Seconds())
		if err := cmd.Wait(); err != nil {
			return err
		}
		began = time.Now()
		if err := runChild("print('first')", io.Discard); err != nil {
			return err
		}
		within = append(within, time.Since(began).Seconds())
	}
	fmt.Fprintf(w, "%-12s %10s  %s\n", "start", "median", "least-most")
	for _, m := range []struct {
		name string
		took []float64
		most float64
	}{{"process", process, 8}, {"within one", within, 0}} {
		slices.Sort(m.took)
		fmt.Fprintf(w, "%-12s %7.2f ms  %.2f-%.2f\n", m.name, 1e3*median(m.took), 1e3*m.took[0], 1e3*m.took[len(m.took)-1])
		bound("the start of a "+m.name, 1e3*median(m.took), m.most)
	}
	return nil
}

func median(list []float64) float64 {
	s := slices.Sorted(slices.Values(list))
	return s[len(s)/2]
}
