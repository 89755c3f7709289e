package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// A usage is what a process took.
type usage struct {
	wall, cpu time.Duration
	anon      int64 // the most anonymous memory it was seen with, in bytes; 0 where the system does not say
	peak      int64 // the most memory at all
}

// sampling is how often a process is asked for its memory.
const sampling = 5 * time.Millisecond

// assay runs the binary in dir, not watched.
func (b *bench) assay(ctx context.Context, dir string, out io.Writer, args ...string) (usage, error) {
	return execute(ctx, dir, out, false, b.o.assay, args...)
}

// execute runs a program to its end and writes its output to out. Watching its
// anonymous memory costs it a little time.
func execute(ctx context.Context, dir string, out io.Writer, watch bool, name string, args ...string) (usage, error) {
	var u usage
	var msg bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	// Not the writer itself: a program may do less for a file that nobody reads.
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, struct{ io.Writer }{out}, &msg
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return u, err
	}
	over, sampled := make(chan struct{}), make(chan int64, 1)
	if watch {
		go func() { sampled <- watchAnon(cmd.Process.Pid, over) }()
	} else {
		sampled <- 0
	}
	err := cmd.Wait()
	u.wall = time.Since(start)
	close(over)
	u.anon = <-sampled
	u.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	u.peak = peakMemory(cmd.ProcessState)
	if err != nil {
		tail := msg.String()
		err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(tail[max(0, len(tail)-400):]))
	}
	return u, err
}

// version returns what the binary says of itself.
func (b *bench) version() string {
	var out bytes.Buffer
	if _, err := b.assay(context.Background(), b.work, &out, "version"); err != nil {
		return "unknown version"
	}
	return strings.TrimSpace(out.String())
}

// at returns the arguments that name a tree and its index.
func at(tree, index string) []string {
	return []string{"--root", tree, "--index-dir", index}
}
