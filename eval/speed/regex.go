package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/eval/timed"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/regex"
)

// patterns are looked for by both programs: literals common and rare, classes,
// alternatives, boundaries and a fold of case.
var patterns = []string{
	`TODO`,
	`deadline exceeded`,
	`[A-Za-z]+Error\b`,
	`func \w+\(ctx`,
	`(read|write)_?timeout`,
	`(?i)permission denied`,
	`^import .*`,
	`0x[0-9a-fA-F]{8}`,
}

// A place is a line of a file.
type place struct {
	path string
	line int
}

// regex measures patterns beside ripgrep.
func (b *bench) regex(ctx context.Context) error {
	rg, err := exec.LookPath("rg")
	if err != nil {
		b.table.note("regex left out: rg is not installed")
		return nil
	}
	e, err := b.synced(ctx, b.tree, "regex")
	if err != nil {
		return err
	}
	defer e.Close()
	differ := 0
	for _, p := range patterns {
		same, err := b.pattern(ctx, rg, e.IndexDir(), p)
		if err != nil {
			return err
		}
		if err := b.patternHere(ctx, e, p); err != nil {
			return err
		}
		if !same {
			differ++
		}
	}
	if differ > 0 {
		return fmt.Errorf("%d of %d patterns found other lines than rg", differ, len(patterns))
	}
	return nil
}

// pattern measures one pattern with both programs in turns, and reports whether
// they find the same lines.
func (b *bench) pattern(ctx context.Context, rg, index, p string) (same bool, err error) {
	// What rg leaves out by default and assay does not: hidden files. What both
	// must: the repository itself.
	theirs := []string{"--no-config", "-j2", "--hidden", "--no-require-git", "--glob", "!.git", "--color=never", "--no-heading", "--line-number", "-e", p}
	ours := append([]string{"search", "--regex"}, at(b.tree, index)...)
	var out bytes.Buffer
	if err := grep(timed.Program{Dir: b.tree, Out: &out}.Run(ctx, rg, append(theirs, "--null", ".")...)); err != nil {
		return false, err
	}
	want, err := rgPlaces(out.Bytes())
	if err != nil {
		return false, err
	}
	out.Reset()
	if _, err := b.assay(ctx, b.tree, &out, append(ours, "--jsonl", "--", p)...); err != nil {
		return false, err
	}
	got, err := b.assayPlaces(out.Bytes())
	if err != nil {
		return false, err
	}
	more, less := missing(got, want), missing(want, got)
	if len(more)+len(less) > 0 {
		b.table.note("regex %s: assay finds %d lines, rg %d; only assay %d%s, only rg %d%s", p, len(got), len(want), len(more), example(more), len(less), example(less))
	}
	var a, r, ratio []float64
	for i := range max(manySamples, b.o.runs) {
		var ua, ur timed.Usage
		run := []func() error{
			func() error {
				ua, err = b.assay(ctx, b.tree, io.Discard, append(ours, "--", p)...)
				return err
			},
			func() error {
				ur, err = timed.Program{Dir: b.tree, Out: io.Discard}.Run(ctx, rg, append(theirs, ".")...)
				return grep(ur, err)
			},
		}
		if i%2 == 1 {
			slices.Reverse(run)
		}
		for _, f := range run {
			if err := f(); err != nil {
				return false, err
			}
		}
		a, r, ratio = append(a, ms(ua.Wall)), append(r, ms(ur.Wall)), append(ratio, float64(ua.Wall)/float64(ur.Wall))
	}
	b.table.add(fmt.Sprintf("regex %s (%d lines): assay, process", p, len(got)), "ms", a...)
	b.table.add("  rg -j2", "ms", r...)
	b.table.add("  assay / rg", "", ratio...)
	return len(more)+len(less) == 0, nil
}

// patternHere measures a pattern in this process, with a look at the tree.
func (b *bench) patternHere(ctx context.Context, e *engine.Engine, p string) error {
	var took []float64
	for range max(manySamples, b.o.runs) {
		start := time.Now()
		re, err := regex.Compile(p, regex.Options{})
		if err != nil {
			return err
		}
		v, err := e.View(ctx, engine.Options{})
		if err != nil {
			return err
		}
		if _, err := v.Match(ctx, re, func(index.DocInfo) bool { return true }, func(engine.FileMatch) bool { return true }); err != nil {
			return err
		}
		took = append(took, ms(time.Since(start)))
	}
	b.table.add("  in this process", "ms", took...)
	return nil
}

// grep passes over the status by which rg says that nothing matches.
func grep(_ timed.Usage, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil
	}
	return err
}

// rgPlaces reads rg's output with --null: path, NUL, line, colon, text.
func rgPlaces(out []byte) ([]place, error) {
	var places []place
	for line := range bytes.Lines(out) {
		path, rest, ok := bytes.Cut(line, []byte{0})
		if !ok {
			// A file whose first match comes before its first NUL is announced.
			if bytes.Contains(line, []byte("binary file matches")) {
				continue
			}
			return nil, fmt.Errorf("rg said %q", line)
		}
		number, _, _ := bytes.Cut(rest, []byte(":"))
		n, err := strconv.Atoi(string(number))
		if err != nil {
			return nil, fmt.Errorf("rg said %q", line)
		}
		places = append(places, place{filepath.ToSlash(filepath.Clean(string(path))), n})
	}
	return places, nil
}

// assayPlaces reads assay's JSON lines.
func (b *bench) assayPlaces(out []byte) ([]place, error) {
	var places []place
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<30)
	for lines.Scan() {
		var h struct {
			Path string
			Span struct {
				First int `json:"line_start"`
				Last  int `json:"line_end"`
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &h); err != nil {
			return nil, fmt.Errorf("assay said %q: %v", lines.Text(), err)
		}
		rel, err := filepath.Rel(b.tree, h.Path)
		if err != nil {
			return nil, err
		}
		for n := h.Span.First; n <= h.Span.Last; n++ {
			places = append(places, place{filepath.ToSlash(rel), n})
		}
	}
	return places, lines.Err()
}

// missing returns what of all is not in have.
func missing(all, have []place) (out []place) {
	set := make(map[place]bool, len(have))
	for _, p := range have {
		set[p] = true
	}
	for _, p := range all {
		if !set[p] {
			out = append(out, p)
		}
	}
	return out
}

func example(ps []place) string {
	if len(ps) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s:%d%s)", ps[0].path, ps[0].line, strings.Repeat(" ...", min(1, len(ps)-1)))
}
