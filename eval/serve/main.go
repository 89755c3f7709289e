package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/assay-dev/assay/eval/served"
	"github.com/assay-dev/assay/internal/docs/library"
)

// Options are what a run is asked for.
type options struct {
	assay, db, out      string
	snippets, libraries int
	rate, conns         int
	time, p99           time.Duration
	rss                 int
	clients, different  int
	trivial, work       string
}

var errMissed = errors.New("an aim was missed")

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func parse() (options, error) {
	var o options
	flag.StringVar(&o.assay, "assay", "", "measure this `FILE` instead of building one")
	flag.StringVar(&o.db, "db", "", "ask this database, made if it is not there; a temporary one otherwise")
	flag.StringVar(&o.out, "out", "", "write the figures to `FILE` too")
	flag.IntVar(&o.snippets, "snippets", 100_000, "snippets of a database that is made")
	flag.IntVar(&o.libraries, "libraries", 20, "libraries of a database that is made")
	flag.IntVar(&o.rate, "rate", 500, "requests a second")
	flag.IntVar(&o.conns, "conns", 64, "connections")
	flag.DurationVar(&o.time, "for", time.Minute, "how long")
	flag.DurationVar(&o.p99, "p99", 50*time.Millisecond, "the most that 99 of 100 requests may take")
	flag.IntVar(&o.rss, "rss", 150, "the most memory of the server, in MiB")
	flag.IntVar(&o.clients, "clients", 0, "instead of a rate: this many clients, beside a trivial server")
	flag.IntVar(&o.different, "different", pool, "different questions that are asked, in turn")
	flag.StringVar(&o.trivial, "trivial", "", "be the trivial server that answers what is in `FILE`")
	flag.Parse()
	if flag.NArg() > 0 || o.snippets < 1 || o.libraries < 1 || o.rate < 1 || o.conns < 1 || o.different < 1 || o.different > pool || o.time <= 0 {
		return o, errors.New("the numbers have to be 1 or more; see -help")
	}
	return o, nil
}

func run(ctx context.Context) (err error) {
	o, err := parse()
	if err != nil {
		return err
	}
	if o.trivial != "" {
		ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
		defer stop()
		return trivial(ctx, o.trivial)
	}
	work, err := os.MkdirTemp("", "assay-serve-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	o.work = work
	var to io.Writer = os.Stdout
	if o.out != "" {
		f, err := os.Create(o.out)
		if err != nil {
			return err
		}
		defer f.Close()
		to = io.MultiWriter(os.Stdout, f)
	}
	if o.assay == "" {
		o.assay = filepath.Join(work, "assay")
		cmd := exec.CommandContext(ctx, "go", "build", "-o", o.assay, "github.com/assay-dev/assay/cmd/assay")
		cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	if o.db == "" {
		o.db = filepath.Join(work, "docs.db")
	}
	fmt.Fprintf(to, "date      %s\nmachine   %d cores, %s/%s, %s\n", time.Now().Format(time.DateOnly), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	if _, err := os.Stat(o.db); errors.Is(err, os.ErrNotExist) {
		start := time.Now()
		if err := generate(ctx, o.db, o.snippets, o.libraries); err != nil {
			return err
		}
		fmt.Fprintf(to, "made      in %v\n", time.Since(start).Round(time.Second))
	}
	asked, err := questions(ctx, o.db, to)
	if err != nil {
		return err
	}
	asked = asked[:o.different]
	if o.clients > 0 {
		return beside(ctx, o, asked, to)
	}
	return measure(ctx, o, asked, to)
}

// measure starts the server, asks it and prints the figures.
func measure(ctx context.Context, o options, asked [][]byte, to io.Writer) error {
	s, err := start(ctx, o.assay, o.db)
	if err != nil {
		return err
	}
	before := s.Memory()
	over, most := make(chan struct{}), make(chan served.Memory, 1)
	go func() { most <- s.Watch(over) }()
	r := load(ctx, o, s.URL, asked)
	close(over)
	peak := <-most
	cpu, err := s.Stop()
	if err != nil {
		return fmt.Errorf("the server: %w", err)
	}
	fmt.Fprintf(to, "load      %d requests a second over %d connections for %v\n", o.rate, o.conns, o.time)
	fmt.Fprintf(to, "answered  %d of %d, %d errors, %.0f a second\n", len(r.took), r.sent, len(r.errs), float64(len(r.took))/r.time.Seconds())
	fmt.Fprintf(to, "latency   p50 %v  p90 %v  p99 %v  p99.9 %v  most %v\n", r.at(.5), r.at(.9), r.at(.99), r.at(.999), r.at(1))
	fmt.Fprintf(to, "memory    %d MiB before, %d MiB at most (anonymous %d)\n", before.RSS>>20, peak.RSS>>20, peak.Anon>>20)
	fmt.Fprintf(to, "CPU       %.2f ms a request of the server\n", 1000*cpu.Seconds()/float64(max(1, len(r.took))))
	for i, err := range r.errs {
		if i == 5 {
			break
		}
		fmt.Fprintf(to, "error     %v\n", err)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(r.errs) > 0 || len(r.took) == 0 || r.at(.99) > o.p99 || int(peak.RSS>>20) > o.rss {
		fmt.Fprintf(to, "aims      p99 %v, %d MiB and no error: missed\n", o.p99, o.rss)
		return errMissed
	}
	fmt.Fprintf(to, "aims      p99 %v, %d MiB and no error: met\n", o.p99, o.rss)
	return nil
}

// describe prints what a database holds.
func describe(path string, libs []library.Library, to io.Writer) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	n := 0
	for i := range libs {
		n += libs[i].Snippets
	}
	_, err = fmt.Fprintf(to, "database  %d snippets of %d libraries, %d MiB\n", n, len(libs), info.Size()>>20)
	return err
}
