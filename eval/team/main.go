package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// Options are what a run is asked for.
type options struct {
	assay, tree, out, keep string
	users                  int
	think, time, p95       time.Duration
	size                   size
	work                   string
}

var errMissed = errors.New("an aim was missed")

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "team:", err)
		os.Exit(1)
	}
}

func parse() (options, error) {
	var o options
	flag.StringVar(&o.assay, "assay", "", "measure this `FILE` instead of building one")
	flag.StringVar(&o.tree, "tree", "", "what the teams have code of; this repository otherwise")
	flag.StringVar(&o.keep, "keep", "", "with -lines: make what the teams have in `DIR` and leave it there, or take what is there already")
	flag.StringVar(&o.out, "out", "", "write the figures to `FILE` too")
	flag.IntVar(&o.users, "users", 200, "users")
	flag.DurationVar(&o.think, "think", 10*time.Second, "how long a user thinks between calls, on average")
	flag.DurationVar(&o.time, "for", 2*time.Minute, "how long")
	flag.DurationVar(&o.p95, "p95", 150*time.Millisecond, "the most that 95 of 100 calls may take")
	flag.IntVar(&o.size.repositories, "repositories", 10, "with -lines: repositories, two of a team")
	flag.IntVar(&o.size.lines, "lines", 0, "make repositories of so many lines each, of the trees of -tree in turn")
	flag.IntVar(&o.size.snippets, "snippets", 3000, "snippets of documentation, of all teams")
	flag.IntVar(&o.size.notes, "notes", 0, "notes, of all teams")
	flag.Parse()
	if o.keep != "" && o.size.lines == 0 {
		return o, errors.New("-keep needs -lines")
	}
	if flag.NArg() > 0 || o.users < 1 || o.think <= 0 || o.time <= 0 {
		return o, errors.New("the numbers have to be above 0; see -help")
	}
	return o, nil
}

func run(ctx context.Context) (err error) {
	o, err := parse()
	if err != nil {
		return err
	}
	if o.keep != "" {
		if o.work, err = filepath.Abs(o.keep); err == nil {
			err = os.MkdirAll(o.work, 0o700)
		}
	} else if o.work, err = os.MkdirTemp("", "assay-team-"); err == nil {
		defer func() { err = errors.Join(err, os.RemoveAll(o.work)) }()
	}
	if err != nil {
		return err
	}
	var to io.Writer = os.Stdout
	if o.out != "" {
		f, err := os.Create(o.out)
		if err != nil {
			return err
		}
		defer f.Close()
		to = io.MultiWriter(os.Stdout, f)
	}
	if o.tree == "" {
		if o.tree, err = os.Getwd(); err != nil {
			return err
		}
	}
	if o.assay == "" {
		o.assay = filepath.Join(o.work, "assay")
		cmd := exec.CommandContext(ctx, "go", "build", "-o", o.assay, "github.com/assay-dev/assay/cmd/assay")
		cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	if o.assay, err = filepath.Abs(o.assay); err != nil {
		return err
	}
	fmt.Fprintf(to, "date      %s\nmachine   %d cores, %s/%s, %s, load %s\n", time.Now().Format(time.DateOnly), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), loadOf())
	return serving(ctx, o, to)
}

// loadOf returns how many processes want a processor, as the system says.
func loadOf() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	var one, five string
	if _, err := fmt.Sscan(string(b), &one, &five); err != nil {
		return "unknown"
	}
	return one + ", " + five + " over five minutes"
}

// program runs assay with a home of its own and returns what it printed.
func program(ctx context.Context, o options, env []string, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, o.assay, args...)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), homes(o)...), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("assay %v: %w\n%s", args, err, out)
	}
	return string(out), nil
}

// homes are the variables of a user who has nothing yet.
func homes(o options) []string {
	return []string{"HOME=" + filepath.Join(o.work, "home"), "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "XDG_DATA_HOME="}
}
