// Package timed runs programs and says what they took.
package timed

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// A Usage is what a process took.
type Usage struct {
	Wall, CPU time.Duration
	Anon      int64 // the most anonymous memory it was seen with, in bytes; 0 where it was not watched
	Peak      int64 // the most memory at all, in bytes
}

// sampling is how often a process is asked for its memory.
const sampling = 5 * time.Millisecond

// A Program is one that is run in a folder, with an environment: nil is this process's own.
type Program struct {
	Dir   string
	Env   []string
	Out   io.Writer // of its standard output
	Watch bool      // its anonymous memory, which costs it a little time
	Group bool      // what it starts is stopped with it, on Linux
}

// Run runs a program to its end.
func (p Program) Run(ctx context.Context, name string, args ...string) (Usage, error) {
	var u Usage
	var msg bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	// Not the writer itself: a program may do less for a file that nobody reads.
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.Dir, p.Env, struct{ io.Writer }{p.Out}, &msg
	if p.Group {
		group(cmd)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return u, err
	}
	over, sampled := make(chan struct{}), make(chan int64, 1)
	if p.Watch {
		go func() { sampled <- watchAnon(cmd.Process.Pid, over) }()
	} else {
		sampled <- 0
	}
	err := cmd.Wait()
	u.Wall = time.Since(start)
	close(over)
	u.Anon = <-sampled
	u.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	u.Peak = peakMemory(cmd.ProcessState)
	if err != nil {
		tail := msg.String()
		err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(tail[max(0, len(tail)-400):]))
	}
	return u, err
}
