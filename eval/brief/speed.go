package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/brief"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// A timing is what briefs over a tree are timed with.
type timing struct {
	dir, index, assay, tasks, profile string
	rounds                            int
}

// run measures briefs over a tree: in this process, where the tree is open, where it is
// opened for each, and by a process each. The tasks are the lines of a file, asked in turns.
// With a profile, what those spend that open the tree is written to that file, for go tool
// pprof.
func (x *timing) run(ctx context.Context) (err error) {
	text, err := os.ReadFile(x.tasks)
	if err != nil {
		return err
	}
	asked := slices.DeleteFunc(strings.Split(string(text), "\n"), func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(asked) == 0 {
		return errors.New("no tasks")
	}
	for _, frozen := range []bool{false, true} {
		trees := x.open()
		one := brief.New(trees, nil, nil)
		took, err := x.ask(asked, 1, func(task string) error {
			_, err := one.Brief(ctx, brief.Input{Task: task, Root: x.dir, NoRefresh: frozen})
			return err
		})
		if err = errors.Join(err, trees.Close()); err != nil {
			return err
		}
		spread(fmt.Sprintf("warm, looking at the tree: %v", !frozen), took)
	}
	if err := x.opening(ctx, asked); err != nil {
		return err
	}
	return x.processes(ctx, asked)
}

func (x *timing) open() *workspace.Workspace {
	return workspace.New(workspace.Config{WorkDir: x.dir, IndexDir: x.index, Embedder: func(string) (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static"}) }})
}

// ask times every task in each round, but for the first rounds.
func (x *timing) ask(asked []string, skip int, one func(task string) error) (took []time.Duration, err error) {
	for round := range x.rounds + skip {
		for _, task := range asked {
			start := time.Now()
			if err := one(task); err != nil {
				return nil, err
			}
			if round >= skip {
				took = append(took, time.Since(start))
			}
		}
	}
	return took, nil
}

// opening measures briefs that open the tree first.
func (x *timing) opening(ctx context.Context, asked []string) (err error) {
	if x.profile != "" {
		stop, err := profiled(x.profile)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, stop()) }()
	}
	var stages []string
	by := map[string][]time.Duration{}
	took, err := x.ask(asked, 0, func(task string) error {
		trees := x.open()
		stage, since := "Opening", time.Now()
		next := func(to string, _, _ int64) {
			if to == stage {
				return
			}
			if by[stage] == nil {
				stages = append(stages, stage)
			}
			by[stage] = append(by[stage], time.Since(since))
			stage, since = to, time.Now()
		}
		_, err := brief.New(trees, nil, nil).Brief(work.With(ctx, work.Report{Progress: next, Note: func(string, ...any) {}}), brief.Input{Task: task, Root: x.dir})
		next("", 0, 0)
		return errors.Join(err, trees.Close())
	})
	if err != nil {
		return err
	}
	spread("opened for each", took)
	for _, stage := range stages {
		spread("  "+stage, by[stage])
	}
	return nil
}

// processes measures briefs by a process each.
func (x *timing) processes(ctx context.Context, asked []string) error {
	for _, args := range [][]string{{}, {"--no-refresh"}} {
		var took, cpu []time.Duration
		for range x.rounds {
			for _, task := range asked {
				cmd := exec.CommandContext(ctx, x.assay, append([]string{"brief", "--root", x.dir, "--index-dir", x.index, task}, args...)...)
				start := time.Now()
				if out, err := cmd.CombinedOutput(); err != nil {
					return fmt.Errorf("%v: %s", err, out)
				}
				took = append(took, time.Since(start))
				cpu = append(cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
			}
		}
		spread("process, processor time "+strings.Join(args, " "), cpu)
		spread("process "+strings.Join(args, " "), took)
	}
	return nil
}

// profiled writes a profile of the processor's time to a file until it is stopped.
func profiled(name string) (stop func() error, err error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}

func spread(what string, took []time.Duration) {
	slices.Sort(took)
	at := func(share float64) time.Duration {
		return took[min(len(took)-1, int(share*float64(len(took))))].Round(100 * time.Microsecond)
	}
	fmt.Printf("%-40s median %s, p95 %s, most %s (%d)\n", what, at(.5), at(.95), took[len(took)-1].Round(100*time.Microsecond), len(took))
}
