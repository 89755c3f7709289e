package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/core/embed"
	"github.com/assay-dev/assay/internal/core/workspace"
	"github.com/assay-dev/assay/internal/feature/brief"
)

// speed measures briefs over a tree: in this process, where the tree is open, and by a
// process each. The tasks are the lines of a file, asked in turns.
func speed(ctx context.Context, dir, index, assay, tasks string, rounds int) (err error) {
	f, err := os.Open(tasks)
	if err != nil {
		return err
	}
	defer f.Close()
	var asked []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := strings.TrimSpace(s.Text()); line != "" {
			asked = append(asked, line)
		}
	}
	if len(asked) == 0 {
		return errors.New("no tasks")
	}
	trees := workspace.New(workspace.Config{WorkDir: dir, IndexDir: index, Embedder: func(string) (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static"}) }})
	defer func() { err = errors.Join(err, trees.Close()) }()
	one := brief.New(trees, nil, nil)
	for _, frozen := range []bool{false, true} {
		var took []time.Duration
		for round := range rounds + 1 {
			for _, task := range asked {
				start := time.Now()
				if _, err := one.Brief(ctx, brief.Input{Task: task, Root: dir, NoRefresh: frozen}); err != nil {
					return err
				}
				if round > 0 { // the first opens the index
					took = append(took, time.Since(start))
				}
			}
		}
		spread(fmt.Sprintf("warm, looking at the tree: %v", !frozen), took)
	}
	for _, args := range [][]string{{}, {"--no-refresh"}} {
		var took, cpu []time.Duration
		for range rounds {
			for _, task := range asked {
				cmd := exec.CommandContext(ctx, assay, append([]string{"brief", "--root", dir, "--index-dir", index, task}, args...)...)
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

func spread(what string, took []time.Duration) {
	slices.Sort(took)
	at := func(share float64) time.Duration {
		return took[min(len(took)-1, int(share*float64(len(took))))].Round(100 * time.Microsecond)
	}
	fmt.Printf("%-40s median %s, p95 %s, most %s (%d)\n", what, at(.5), at(.95), took[len(took)-1].Round(100*time.Microsecond), len(took))
}
