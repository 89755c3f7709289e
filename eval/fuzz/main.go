// Command fuzz runs every fuzz target of the module for a while, one after another.
//
//	go run ./eval/fuzz -time 3m                     # all of them
//	go run ./eval/fuzz -time 1m -match syntax       # those whose package or name matches
//	go run ./eval/fuzz -time 3m -budget 1h          # tonight's share of them
//	go run ./eval/fuzz -list                        # their names
//	go run ./eval/fuzz -trees DIR -changes 20       # source files below DIR, changed at random
//
// With -trees it reads the source files below a folder as the index does, each as it is and
// with changes, and reports which is not read within -patience: a reader that does not
// come on would keep an index from ever being finished.
//
// With -budget it runs as many targets as fit into that time and begins where the
// night before ended, by the date: no target waits longer than a few nights, and
// nothing need be kept between runs. The inputs that go test finds interesting stay
// in Go's build cache, so a machine that keeps its cache goes on where it stopped.
//
// What fails is shown as go test prints it. go test leaves the input under the
// package's testdata/fuzz, where every later go test runs it: commit it together with
// the fix. The exit status is 1 if any target failed and 2 if nothing could be run.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A target is one fuzz test.
type target struct{ pkg, name string }

func (t target) String() string { return t.pkg + " " + t.name }

type options struct {
	each, budget time.Duration
	match        *regexp.Regexp
	parallel     int
	list         bool
}

func main() {
	var o options
	match := flag.String("match", "", "run only targets whose `pattern` matches \"package name\"")
	flag.DurationVar(&o.each, "time", 3*time.Minute, "for each target")
	flag.DurationVar(&o.budget, "budget", 0, "for all of them together; 0: no limit")
	flag.IntVar(&o.parallel, "parallel", max(1, runtime.GOMAXPROCS(0)-1), "processes that fuzz at once")
	flag.BoolVar(&o.list, "list", false, "print the targets and run nothing")
	dir := flag.String("trees", "", "instead, read the source files below this `folder`")
	changes := flag.Int("changes", 20, "with -trees, how often each file is changed")
	patience := flag.Duration("patience", 20*time.Second, "with -trees, how long one reading may take")
	flag.Parse()
	var failed int
	var err error
	if *dir != "" {
		failed, err = trees(os.Stdout, *dir, *changes, *patience)
	} else if o.match, err = regexp.Compile(*match); err == nil {
		failed, err = run(context.Background(), o, flag.Args(), time.Now(), os.Stdout)
	}
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(2)
	case failed > 0:
		os.Exit(1)
	}
}

// run fuzzes the targets of the packages that patterns name, all by default, and
// returns how many failed.
func run(ctx context.Context, o options, patterns []string, now time.Time, w io.Writer) (failed int, err error) {
	all, err := targets(ctx, patterns)
	if err != nil {
		return 0, err
	}
	all = slices.DeleteFunc(all, func(t target) bool { return !o.match.MatchString(t.String()) })
	if len(all) == 0 {
		return 0, errors.New("no fuzz target matches")
	}
	if o.budget > 0 {
		all = share(all, int(o.budget/o.each), now)
	}
	var failures []string
	for i, t := range all {
		if o.list {
			fmt.Fprintln(w, t)
			continue
		}
		fmt.Fprintf(w, "%d of %d: %s\n", i+1, len(all), t)
		out, err := fuzz(ctx, t, o)
		if err != nil {
			failures = append(failures, t.String())
			fmt.Fprintf(w, "%s\n%v\n", out, err)
			continue
		}
		fmt.Fprintf(w, "    %s\n", executions(out))
	}
	if !o.list {
		fmt.Fprintf(w, "%d targets, %v each: %d failed\n", len(all), o.each, len(failures))
	}
	for _, f := range failures {
		fmt.Fprintln(w, "    FAILED", f)
	}
	return len(failures), nil
}

// share returns the n targets, at least one, that are due on a day: they follow those
// of the day before, round and round.
func share(all []target, n int, day time.Time) []target {
	n = min(max(n, 1), len(all))
	first := int(day.Unix()/(24*60*60)) * n % len(all)
	return append(slices.Clone(all[first:]), all[:first]...)[:n]
}

// targets lists the fuzz tests that would be compiled on this machine.
func targets(ctx context.Context, patterns []string) ([]target, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles", "--"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []target
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir           string
			TestGoFiles, XTestGoFiles []string
		}
		if err := d.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		for _, name := range append(p.TestGoFiles, p.XTestGoFiles...) {
			names, err := fuzzTests(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			for _, n := range names {
				all = append(all, target{p.ImportPath, n})
			}
		}
	}
}

// fuzzTests returns the names of the functions of a file that go test would fuzz.
func fuzzTests(path string) (names []string, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Fuzz") && len(fn.Type.Params.List) == 1 {
			names = append(names, fn.Name.Name)
		}
	}
	return names, nil
}

func fuzz(ctx context.Context, t target, o options) (out []byte, err error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-run=^$", "-fuzz=^"+t.name+"$", "-fuzztime="+o.each.String(), "-parallel="+strconv.Itoa(o.parallel), t.pkg)
	return cmd.CombinedOutput()
}

// executions returns the last line of progress in the output of a target that passed.
func executions(out []byte) (last string) {
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "execs:") {
			last = strings.TrimSpace(line)
		}
	}
	return last
}
