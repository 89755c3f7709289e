package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/docs/library"
)

type speedOptions struct {
	pages, snippets, askers int
	db, profile             string
	fresh                   bool
}

func (s *speedOptions) flags(f *flag.FlagSet) {
	f.IntVar(&s.pages, "pages", 5000, "speed: pages to read, parse and put")
	f.BoolVar(&s.fresh, "fresh", false, "speed: pages that come again say something else each time, so that each is written")
	f.IntVar(&s.snippets, "snippets", 100_000, "speed: snippets of the library that is asked")
	f.IntVar(&s.askers, "askers", 1, "speed: how many ask at a time")
	f.StringVar(&s.profile, "profile", "", "speed: where to write a profile of the processor")
	f.StringVar(&s.db, "db", "", "speed: the file of that library; kept, and asked as it is if it is there")
}

// speed times reading pages, and asking about a library that is as large as wanted:
// the sets that are chosen, one after the other and again.
func speed(ctx context.Context, o options, s speedOptions, w io.Writer) error {
	o.split = "all"
	if s.profile != "" {
		f, err := os.Create(s.profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer func() {
			pprof.StopCPUProfile()
			_ = f.Close()
		}()
	}
	if s.db == "" {
		temp, err := os.MkdirTemp("", "assay-eval-docs-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temp)
		s.db = filepath.Join(temp, "asked.db")
	}
	if s.pages > 0 {
		if err := ingest(ctx, o, s, w); err != nil {
			return err
		}
	}
	if s.snippets == 0 {
		return nil
	}
	if _, err := os.Stat(s.db); err != nil {
		if err := fill(ctx, o, s, w); err != nil {
			return err
		}
	}
	var asks []string
	for _, set := range o.chosen() {
		c, err := load(ctx, o.dir, set)
		if err != nil {
			return err
		}
		for _, q := range c.questions() {
			asks = append(asks, q.ask)
		}
	}
	runtime.GC()
	for _, how := range []library.Ranking{library.Lexical, library.Hybrid} {
		if err := askFast(ctx, s, how, asks, w); err != nil {
			return err
		}
	}
	return nil
}

// again yields the files of all sets, and those again, up to n.
func again(o options, n int) (iter.Seq2[library.File, error], func(), error) {
	var roots []*os.Root
	end := func() {
		for _, r := range roots {
			r.Close()
		}
	}
	for _, s := range o.chosen() {
		root, err := os.OpenRoot(filepath.Join(o.dir, s.name))
		if err != nil {
			end()
			return nil, nil, err
		}
		roots = append(roots, root)
	}
	return func(yield func(library.File, error) bool) {
		for round := 0; n > 0; round++ {
			for i, s := range o.chosen() {
				for f, err := range files(roots[i]) {
					f.Path = fmt.Sprintf("%s/%d/%s", s.name, round, f.Path)
					if n == 0 || !yield(f, err) {
						return
					}
					n--
				}
			}
		}
	}, end, nil
}

// ingest times 5,000 pages from the disk into a file.
func ingest(ctx context.Context, o options, s speedOptions, w io.Writer) error {
	path := s.db + ".ingest"
	defer os.Remove(path)
	defer os.Remove(path + ".lock")
	files, end, err := again(o, s.pages)
	if err != nil {
		return err
	}
	defer end()
	db, err := library.Open(ctx, path)
	if err != nil {
		return err
	}
	start, busy := time.Now(), processor()
	l, err := db.Put(ctx, library.Library{ID: "/eval/all"}, func(yield func(library.Page, error) bool) {
		for p, err := range library.Read(ctx, 0, files) {
			if s.fresh {
				another(&p)
			}
			if !yield(p, err) {
				return
			}
		}
	})
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	took, worked := time.Since(start), processor()-busy
	fmt.Fprintf(w, "ingest: %d pages, %d snippets in %.1f s on %d cores, %.2f s of a processor, %.0f pages a second of it, %.0f snippets/s\n",
		l.Pages, l.Snippets, took.Seconds(), runtime.GOMAXPROCS(0), worked.Seconds(), float64(l.Pages)/max(worked, time.Millisecond).Seconds(), float64(l.Snippets)/took.Seconds())
	return nil
}

// fill writes the library that is asked.
func fill(ctx context.Context, o options, s speedOptions, w io.Writer) error {
	files, end, err := again(o, 1<<30)
	if err != nil {
		return err
	}
	defer end()
	part := s.db + ".part"
	db, err := library.Open(ctx, part)
	if err != nil {
		return err
	}
	n := 0
	start := time.Now()
	l, err := db.Put(ctx, library.Library{ID: "/eval/all"}, func(yield func(library.Page, error) bool) {
		for p, err := range library.Read(ctx, 0, files) {
			another(&p)
			if n += len(p.Snippets); n > s.snippets || !yield(p, err) {
				return
			}
		}
	})
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	st, err := os.Stat(part)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "file: %d snippets, %d MB, written in %.0f s\n", l.Snippets, st.Size()>>20, time.Since(start).Seconds())
	return os.Rename(part, s.db)
}

// another makes the snippets of a page of a later round others than those of the first: what pages
// repeat word for word is kept once.
func another(p *library.Page) {
	_, rest, _ := strings.Cut(p.Path, "/")
	round, _, _ := strings.Cut(rest, "/")
	if round == "0" {
		return
	}
	for i := range p.Snippets {
		p.Snippets[i].Content += "\n\ncopy " + round
	}
}

// askFast asks each question once.
func askFast(ctx context.Context, s speedOptions, how library.Ranking, asks []string, w io.Writer) error {
	db, err := library.OpenReadOnly(ctx, s.db)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	first, err := db.QueryWith(ctx, "/eval/all", asks[0], library.Options{Ranking: how})
	if err != nil {
		return err
	}
	took := make([]time.Duration, len(asks))
	errs := make([]error, s.askers)
	start, busy := time.Now(), processor()
	var group sync.WaitGroup
	for a := range s.askers {
		group.Go(func() {
			for i := a; i < len(asks); i += s.askers {
				t := time.Now()
				_, err := db.QueryWith(ctx, "/eval/all", asks[i], library.Options{Ranking: how})
				took[i], errs[a] = time.Since(t), errors.Join(errs[a], err)
			}
		})
	}
	group.Wait()
	all := time.Since(start)
	slices.Sort(took)
	at := func(p int) float64 { return float64(took[len(took)*p/100].Microseconds()) / 1000 }
	fmt.Fprintf(w, "query: %s, %d snippets, %d at a time: p50 %.1f ms, p95 %.1f ms, p99 %.1f ms, %.0f/s, %.1f ms of a processor each; memory %s\n",
		how, first.Library.Snippets, s.askers, at(50), at(95), at(99), float64(len(asks))/all.Seconds(), float64((processor()-busy).Microseconds())/1000/float64(len(asks)), memory())
	return errors.Join(errs...)
}

// memory returns what the system says of the memory of this process.
func memory() string {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(raw)) {
		if v, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			return oneLine(v)
		}
	}
	return "unknown"
}

// processor returns how long this process has kept processors busy, in hundredths
// of a second; 0 where the system does not tell.
func processor() time.Duration {
	raw, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	var sum int
	for _, f := range fields[11:13] { // utime and stime
		n, err := strconv.Atoi(f)
		if err != nil {
			return 0
		}
		sum += n
	}
	return time.Duration(sum) * 10 * time.Millisecond
}
