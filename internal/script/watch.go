//go:build !slim

package script

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/script/check"
	"github.com/assay-dev/assay/internal/script/lua"
)

// lookAgain is the pause between two looks at the files of a suite. They are few, and may lie in several folders and on other
// machines, where no system tells of changes.
const lookAgain = 250 * time.Millisecond

// A watchedFile is how a file looked before it was read.
type watchedFile struct {
	size int64
	time time.Time
}

func lookAt(path string) (w watchedFile) {
	if info, err := os.Stat(path); err == nil {
		w = watchedFile{info.Size(), info.ModTime()}
	}
	return w
}

// track tells uses of the files that a suite reads: below the folders that names are relative to, one that is not there yet too.
func (in *RunInput) track(runner *check.Runner, o *lua.Options, dirs ...string) {
	if in.uses == nil {
		return
	}
	note := func(name string) {
		for _, dir := range dirs {
			if filepath.IsAbs(name) {
				dir = ""
			}
			in.uses(filepath.Join(dir, name))
		}
	}
	for _, read := range []*func(string) ([]byte, error){&runner.File, &runner.Own} {
		next := *read
		*read = func(name string) ([]byte, error) {
			note(name)
			return next(name)
		}
	}
	require := o.Require
	o.Require = func(name string) ([]byte, string, error) {
		note(filepath.Join("modules", strings.TrimPrefix(name, "assay.")+".lua"))
		return require(name)
	}
}

// watchChecks runs checks again whenever a file changes that they use, until ctx ends: what came of the last run that ended is the result.
func watchChecks(ctx context.Context, f *Feature, in RunInput, memory int64) (out *RunResult, err error) {
	for run := 1; ; run++ {
		var mu sync.Mutex
		files := map[string]watchedFile{}
		in.uses = func(path string) {
			mu.Lock()
			defer mu.Unlock()
			if _, known := files[path]; !known {
				files[path] = lookAt(path)
			}
		}
		for _, name := range []string{in.File, in.Secrets, in.Data, in.Policy} {
			if name != "" {
				in.uses(f.path(name))
			}
		}
		result, failed := f.checks(ctx, in, memory)
		switch {
		case run == 1 && failed != nil, run == 1 && ctx.Err() != nil:
			return result, failed
		case ctx.Err() != nil:
			return out, err
		}
		out, err = result, failed
		if lost := tellRun(ctx, f, in, out, err); lost != nil {
			return nil, lost
		}
		for changed := false; !changed; {
			if work.Sleep(ctx, lookAgain) != nil {
				return out, err
			}
			for path, was := range files {
				changed = changed || lookAt(path) != was
			}
		}
		_ = work.Sleep(ctx, lookAgain) // many programs write a file in several steps
	}
}

// tellRun shows what came of a run: on a terminal how many checks passed and which failed, elsewhere each check on a line.
func tellRun(ctx context.Context, f *Feature, in RunInput, out *RunResult, failed error) error {
	var b strings.Builder
	switch {
	case failed != nil:
		fmt.Fprintf(&b, "%v\n", failed)
	default:
		out.told = !work.FromContext(ctx).Document
		for _, o := range out.Report.Checks {
			if !o.Passed || !f.cfg.Terminal {
				fmt.Fprintln(&b, o.Line())
			}
		}
		n := len(out.Report.Checks)
		fmt.Fprintf(&b, "%s: %d of %d checks passed in %d ms\n", in.File, n-out.Report.Failed(), n, out.Report.DurationMS)
	}
	if f.cfg.Terminal {
		b.WriteString("waiting for a change; Ctrl-C ends\n")
	}
	w := f.stdout
	if work.FromContext(ctx).Document {
		w = f.stderr
	}
	if _, err := w.Write([]byte(b.String())); err != nil {
		return fault.New(fault.Unavailable, "the summary cannot be written").Because(err)
	}
	return nil
}
