//go:build !slim

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/memory"
	"github.com/assay-dev/assay/internal/present/cli"
)

// A client takes a status other than 0 of a hook for a verdict: with 2, which is also that
// of a Go program that panics, Claude Code and Codex refuse the user's prompt. So a hook
// always ends with 0 and in time, says nothing where something is wrong, on standard error
// neither, which some clients show in the session, and writes down what that was. Only another process can hold to that whatever happens: a panic of any
// goroutine, memory that runs out and a file system that hangs end or stop the process that
// they happen in. The one that the client waits for therefore starts one that answers, and
// passes its answer on.

// hookName is what the program is called where it answers a hook for another process.
const hookName = "assay-hook"

// hookLogName is what it is called where it writes down for another process what went wrong.
const hookLogName = "assay-hook-log"

// Variables, since tests run on machines that are busy with others.
var (
	tellLimit = 350 * time.Millisecond // for what a turn waits for: with hookGrace 400 ms
	hookLimit = 2 * time.Second        // for an answer that a session waits for
	leftLimit = 10 * time.Minute       // for what goes on when the client has gone on
	hookGrace = 500 * time.Millisecond // more, for the process that waits for another, but no seventh of its limit
	tailLimit = 200 * time.Millisecond // for what comes after the answer: the log, closing
)

const (
	maxAnswer  = 1 << 20  // bytes on standard output, and on standard error
	maxPayload = 16 << 20 // bytes on standard input
)

// isHook reports whether a command line answers an event of an agent's session.
func isHook(args []string) bool { return len(args) > 0 && args[0] == "hook" }

// limit is how long a hook may take.
func limit(args []string) time.Duration {
	switch {
	case slices.Contains(args, "--now"):
		return leftLimit
	case slices.ContainsFunc(args, func(a string) bool { return a == "session-start" || a == "prompt" || a == "pre-compact" }):
		return tellLimit
	}
	return hookLimit
}

// grace is how much longer the process that waits for another waits.
func grace(args []string) time.Duration { return min(hookGrace, limit(args)/7) }

// hookLog is where hooks write down what went wrong. It is in the same place whatever the
// settings say, which may be what is wrong.
func hookLog() memory.HookLog {
	l := memory.HookLog{Now: time.Now}
	if homeFolder(); filepath.IsAbs(dataHome()) {
		l.Dir = filepath.Join(dataHome(), "assay", "hooks")
	}
	return l
}

// note writes down what went wrong in a hook. The log may be what hangs, so nobody waits
// for it longer than tailLimit.
func note(args []string, err error) {
	words := []string{"", ""} // the agent and the event
	n := 0
	for _, a := range args[1:] {
		if n < len(words) && !strings.HasPrefix(a, "-") {
			words[n] = a
			n++
		}
	}
	soon(func() { hookLog().Add(words[0], words[1], err) })
}

// noteElsewhere is note by another process: one that writes to a disk that hangs cannot be ended,
// and the client waits for this one.
func noteElsewhere(args []string, failed error) {
	exe, err := os.Executable()
	if err != nil {
		return
	}
	from, to, err := os.Pipe()
	if err != nil {
		return
	}
	cmd := exec.Command(exe, args...)
	cmd.Args[0] = hookLogName
	cmd.Stdin = from
	err = cmd.Start()
	from.Close()
	if err == nil {
		_, _ = to.Write(asSaid(failed)) // less than a pipe holds: nobody waits for a reader
	}
	to.Close()
	if err == nil {
		soon(func() { _ = cmd.Wait() })
	}
}

// A said is an error on its way to another process.
type said struct{ Says, Hint string }

// asSaid packs as much of an error as the log may read. Of a letter that JSON escapes it makes
// six: that too is less than the 64 KiB that a pipe holds.
func asSaid(failed error) []byte {
	short := func(s string) string {
		if s = s[:min(len(s), 4<<10)]; len(s) == 4<<10 {
			s = s[:max(strings.LastIndexByte(s, ' '), len(s)/2)] // half of a key would not be recognised as one
		}
		return s
	}
	b, _ := json.Marshal(said{short(failed.Error()), short(fault.HintOf(failed))}) // two texts always can be packed
	return b
}

// writeNote writes down what another process says on standard input.
func writeNote(args []string) int {
	var s said
	if json.NewDecoder(io.LimitReader(os.Stdin, 1<<20)).Decode(&s) == nil && s.Says != "" {
		err := error(fault.New(fault.Unavailable, "%s", s.Says))
		if s.Hint != "" {
			err = fault.New(fault.Unavailable, "%s", s.Says).Or("%s", s.Hint)
		}
		note(args, err)
	}
	return 0
}

// soon does something, and does not wait for it longer than tailLimit.
func soon(do func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(tailLimit):
	}
}

// superviseHook has a hook answered by another process and passes its answer on, if it
// ends as it should.
func superviseHook(args []string) int {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM)
	// Writing to a client that has gone is an error and not the end of the program.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	var stdout, stderr bounded
	exe, err := os.Executable()
	cmd := exec.Command(exe, args...)
	cmd.Args[0] = hookName
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, &stdout, &stderr
	cmd.WaitDelay = tailLimit
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		note(args, fmt.Errorf("no process of its own: %w", err))
		return answerHook(args, asides())
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err = <-done:
	case <-ended:
		_ = cmd.Process.Kill() // it has ended already, or it is over now
		return 0
	case <-time.After(limit(args) + grace(args)):
		_ = cmd.Process.Kill()
		noteElsewhere(args, late(args))
		return 0
	}
	_, _ = asides().Write(stderr.text.Bytes())
	if err == nil && stdout.over {
		err = fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	if err != nil {
		noteElsewhere(args, crashed(err, stderr.text.Bytes()))
		return 0
	}
	if _, err := os.Stdout.Write(stdout.text.Bytes()); err != nil {
		noteElsewhere(args, fmt.Errorf("the answer cannot be written: %w", err))
	}
	return 0
}

// late says that a hook took too long.
func late(args []string) error {
	return fault.New(fault.Unavailable, "it did not end within %s", limit(args)).
		Or("run the same command on a terminal to see what it waits for; a client has to close the standard input of a hook")
}

// crashed says how a process ended that should have ended with 0.
func crashed(err error, stderr []byte) error {
	says := err.Error()
	for line := range strings.Lines(string(stderr)) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "runtime: ") {
			says += ": " + line
			break
		}
	}
	return fault.New(fault.Internal, "%s", says).Or("this is a defect: please report it with the output of the same command on a terminal")
}

// asides is where a hook says what is not its answer: to a person who runs it by hand.
func asides() io.Writer {
	if terminal(os.Stderr) {
		return os.Stderr
	}
	return io.Discard
}

// answerHook answers a hook in this process; what is not its answer goes to say.
func answerHook(args []string, say io.Writer) int {
	defer func() {
		if p := recover(); p != nil {
			note(args, fault.New(fault.Internal, "panic: %v", p).Or("this is a defect: please report it"))
		}
	}()
	time.AfterFunc(limit(args), func() {
		note(args, late(args))
		os.Exit(0)
	})
	var answer bytes.Buffer
	var failed error
	env := standard()
	env.Stdin, env.Stdout, env.Stderr, env.Terminal = &oneValue{from: os.Stdin}, &answer, say, false
	env.Failed = func(err error) { failed = err }
	env, ops, shut := prepare(env)
	env.Ignored = "" // what a repository sets wrongly is nothing to a session
	ctx, stop := interruptible()
	defer stop()
	cli.Run(ctx, ops, args, env)
	if failed == nil {
		if _, err := os.Stdout.Write(answer.Bytes()); err != nil {
			failed = fmt.Errorf("the answer cannot be written: %w", err)
		}
	}
	if failed != nil {
		note(args, failed)
	}
	soon(shut)
	return 0
}

// A oneValue is standard input up to the end of the first JSON value in it, or all of it
// where there is none: not every client closes it.
type oneValue struct {
	from io.Reader
	read io.Reader
}

func (v *oneValue) Read(p []byte) (int, error) {
	if v.read == nil {
		var value json.RawMessage
		var all bytes.Buffer
		if err := json.NewDecoder(io.TeeReader(io.LimitReader(v.from, maxPayload), &all)).Decode(&value); err != nil {
			value = all.Bytes() // the hook says what is wrong with it
		}
		v.read = bytes.NewReader(value)
	}
	return v.read.Read(p)
}

// A bounded is the beginning of what is written to it. The buffer is a field of its own,
// so that its ReadFrom, which has no bound, is not used in place of Write.
type bounded struct {
	text bytes.Buffer
	over bool // there was more
}

func (b *bounded) Write(p []byte) (int, error) {
	room := min(len(p), maxAnswer-b.text.Len())
	b.over = b.over || room < len(p)
	b.text.Write(p[:room])
	return len(p), nil
}
