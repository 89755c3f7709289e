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

// A hook must always exit with 0 and in time, because a client takes any other status for a verdict: with 2, which is also
// the status of a Go program that panics, Claude Code and Codex refuse the user's prompt. A failing hook prints nothing, not
// even on standard error, because some clients show that in the session; it logs the error. A second process is needed
// because a panic, an exhausted memory or a hanging file system ends or stops the process it happens in: the process that
// the client waits for starts another one that answers, and passes its answer on.

// hookName is the name of the process that answers a hook for another process.
const hookName = "assay-hook"

// hookLogName is the name of the process that logs the error of another process.
const hookLogName = "assay-hook-log"

// The time limits. They are variables because tests on busy machines need longer ones.
var (
	tellLimit = 350 * time.Millisecond // of hooks that a turn waits for; with hookGrace 400 ms
	hookLimit = 2 * time.Second        // of hooks that a session waits for
	leftLimit = 10 * time.Minute       // of work in the background
	hookGrace = 500 * time.Millisecond // added for the supervising process, at most a seventh of the limit
	tailLimit = 200 * time.Millisecond // of the work after the answer: logging and closing
)

const (
	maxAnswer  = 1 << 20  // bytes on standard output, and on standard error
	maxPayload = 16 << 20 // bytes on standard input
)

// isHook reports whether a command line answers an event of an agent's session.
func isHook(args []string) bool { return len(args) > 0 && args[0] == "hook" }

// limit returns the time limit of a hook.
func limit(args []string) time.Duration {
	switch {
	case slices.Contains(args, "--now"):
		return leftLimit
	case slices.ContainsFunc(args, func(a string) bool { return a == "session-start" || a == "prompt" || a == "pre-compact" }):
		return tellLimit
	}
	return hookLimit
}

// grace returns the time that the supervising process waits beyond the limit.
func grace(args []string) time.Duration { return min(hookGrace, limit(args)/7) }

// hookLog returns the log of failed hooks. Its place must not depend on the settings, because those may be the error.
func hookLog() memory.HookLog {
	l := memory.HookLog{Now: time.Now}
	if homeFolder(); filepath.IsAbs(dataHome()) {
		l.Dir = filepath.Join(dataHome(), "assay", "hooks")
	}
	return l
}

// note logs the error of a hook. It waits for tailLimit at most, because the disk of the log may hang.
func note(args []string, err error) {
	words := []string{"", ""} // the agent and the event
	n := 0
	for _, a := range args[1:] {
		if n < len(words) && !strings.HasPrefix(a, "-") {
			words[n] = a
			n++
		}
	}
	runBriefly(func() { hookLog().Add(words[0], words[1], err) })
}

// noteElsewhere logs an error by another process, because a process that writes to a hanging disk cannot be ended, and the
// client waits for this one.
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
		_, _ = to.Write(packError(failed)) // fits into the pipe, so that it never blocks
	}
	to.Close()
	if err == nil {
		runBriefly(func() { _ = cmd.Wait() })
	}
}

// A hookError is an error in the form that is passed to another process.
type hookError struct{ Says, Hint string }

// packError packs an error, cut to the length that the log reads. Even if JSON escapes every character with six bytes, it
// fits into the 64 KiB of a pipe.
func packError(failed error) []byte {
	short := func(s string) string {
		if s = s[:min(len(s), 4<<10)]; len(s) == 4<<10 {
			s = s[:max(strings.LastIndexByte(s, ' '), len(s)/2)] // cut at a space, because half of a key would not be redacted
		}
		return s
	}
	b, _ := json.Marshal(hookError{short(failed.Error()), short(fault.HintOf(failed))}) // two strings can always be marshalled
	return b
}

// writeNote logs the error that another process writes to standard input.
func writeNote(args []string) int {
	var s hookError
	if json.NewDecoder(io.LimitReader(os.Stdin, 1<<20)).Decode(&s) == nil && s.Says != "" {
		err := error(fault.New(fault.Unavailable, "%s", s.Says))
		if s.Hint != "" {
			err = fault.New(fault.Unavailable, "%s", s.Says).Or("%s", s.Hint)
		}
		note(args, err)
	}
	return 0
}

// runBriefly calls do and waits for tailLimit at most.
func runBriefly(do func()) {
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

// superviseHook starts another process that answers a hook, and passes its answer on if it exits with 0.
func superviseHook(args []string) int {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM)
	// A write to a client that has exited must be an error, not the end of the program.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	var stdout, stderr headBuffer
	exe, err := os.Executable()
	cmd := exec.Command(exe, args...)
	cmd.Args[0] = hookName
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, &stdout, &stderr
	cmd.WaitDelay = tailLimit
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		note(args, fmt.Errorf("cannot start a process for the hook: %w", err))
		return answerHook(args, messageWriter())
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err = <-done:
	case <-ended:
		_ = cmd.Process.Kill() // fails only if it has ended already
		return 0
	case <-time.After(limit(args) + grace(args)):
		_ = cmd.Process.Kill()
		noteElsewhere(args, lateError(args))
		return 0
	}
	_, _ = messageWriter().Write(stderr.text.Bytes())
	if err == nil && stdout.over {
		err = fmt.Errorf("the answer is longer than %d bytes", maxAnswer)
	}
	if err != nil {
		noteElsewhere(args, crashError(err, stderr.text.Bytes()))
		return 0
	}
	if _, err := os.Stdout.Write(stdout.text.Bytes()); err != nil {
		noteElsewhere(args, fmt.Errorf("cannot write the answer: %w", err))
	}
	return 0
}

// lateError returns the error of a hook that took too long.
func lateError(args []string) error {
	return fault.New(fault.Unavailable, "the hook did not end within %s", limit(args)).
		Or("run the same command on a terminal to see why; a client must close the standard input of a hook")
}

// crashError returns the error of a process that did not exit with 0, with the reason from its standard error.
func crashError(err error, stderr []byte) error {
	says := err.Error()
	for line := range strings.Lines(string(stderr)) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "runtime: ") {
			says += ": " + line
			break
		}
	}
	return fault.New(fault.Internal, "%s", says).Or("this is a defect of assay: please report it with the output of the same command on a terminal")
}

// messageWriter returns the writer for messages besides the answer: standard error if a person runs the hook by hand.
func messageWriter() io.Writer {
	if isTerminal(os.Stderr) {
		return os.Stderr
	}
	return io.Discard
}

// answerHook answers a hook in this process, and writes messages besides the answer to say.
func answerHook(args []string, say io.Writer) int {
	defer func() {
		if p := recover(); p != nil {
			note(args, fault.New(fault.Internal, "panic: %v", p).Or("this is a defect of assay: please report it"))
		}
	}()
	time.AfterFunc(limit(args), func() {
		note(args, lateError(args))
		os.Exit(0)
	})
	var answer bytes.Buffer
	var failed error
	env := standard()
	env.Stdin, env.Stdout, env.Stderr, env.Terminal = &oneValue{from: os.Stdin}, &answer, say, false
	env.Failed = func(err error) { failed = err }
	env, ops, shut := prepare(env)
	env.Ignored = "" // wrong settings of a repository must not appear in a session
	ctx, stop := interruptible()
	defer stop()
	cli.Run(ctx, ops, args, env)
	if failed == nil {
		if _, err := os.Stdout.Write(answer.Bytes()); err != nil {
			failed = fmt.Errorf("cannot write the answer: %w", err)
		}
	}
	if failed != nil {
		note(args, failed)
	}
	runBriefly(shut)
	return 0
}

// A oneValue reads standard input up to the end of its first JSON value, or all of it if there is none, because not every
// client closes it.
type oneValue struct {
	from io.Reader
	read io.Reader
}

func (v *oneValue) Read(p []byte) (int, error) {
	if v.read == nil {
		var value json.RawMessage
		var all bytes.Buffer
		if err := json.NewDecoder(io.TeeReader(io.LimitReader(v.from, maxPayload), &all)).Decode(&value); err != nil {
			value = all.Bytes() // the hook reports the error
		}
		v.read = bytes.NewReader(value)
	}
	return v.read.Read(p)
}

// A headBuffer keeps the first bytes that are written to it. It must not embed the buffer, because io.Copy would call its
// ReadFrom and bypass the limit.
type headBuffer struct {
	text bytes.Buffer
	over bool // more was written
}

func (b *headBuffer) Write(p []byte) (int, error) {
	room := min(len(p), maxAnswer-b.text.Len())
	b.over = b.over || room < len(p)
	b.text.Write(p[:room])
	return len(p), nil
}
