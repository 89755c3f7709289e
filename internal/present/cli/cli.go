// Package cli presents operations as commands.
//
// Answers go to standard output and nothing else does. Everything for the person, errors included, goes to standard error, and an
// error ends with the command that puts it right, where there is one.
package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/present/op"
)

// Env is what a command line runs in.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Terminal       bool // standard output is one
	ErrTerminal    bool // standard error is one
	Colour         bool // standard output takes colours
	ErrColour      bool // standard error does
	Unpaged        bool // a long answer is not shown by a pager
	Version        string
	// Show shows the text of an answer on the terminal that standard output is, where it is
	// one. Without it a text is written as it is.
	Show     func(how Look, write func(io.Writer) error) error
	Now      func() time.Time // nil: the clock
	Commands []Command        // those without an operation
	Broken   error            // why nothing but help and version can run
	Ignored  string           // what of the project's settings does not count, for the person to know
	// Values are those that a shell offers for an argument after some letters, by its name or the operation's and its own.
	Values map[string]func(ctx context.Context, begun string) []string
	// Failed, where it is not nil, is given the error that a command line ended with.
	Failed func(error)

	ops []op.Op // what can be run
}

// A Look is how a text is shown on a terminal.
type Look struct {
	Colour bool
	Paged  bool // by a pager, where it is longer than the screen
}

// A Command is one that no operation describes. It reads its own arguments, --help among them.
type Command struct {
	Name, Brief string
	Always      bool // it runs although nothing else can
	// Complete returns what a shell may offer after some arguments; nil: nothing.
	Complete func(args []string) []string
	Run      func(ctx context.Context, args []string, env Env) error
}

// Run runs a command line and returns its exit status.
func Run(ctx context.Context, ops []op.Op, args []string, env Env) int {
	return ended(ctx, "assay", ops, env, func(env *Env) error {
		env.ops = ops
		args, err := looksLast(ops, args)
		if err != nil {
			return err
		}
		p := &program{ops: ops, env: *env}
		defer func() { env.ErrColour = p.env.ErrColour }() // as its flags have it
		root := p.tree(p.meant(args))
		if args, err = p.structural(root, args); err != nil {
			return err
		}
		p.prepare(root, args)
		root.SetArgs(args)
		_, err = root.ExecuteContextC(ctx)
		if err == nil {
			err = p.lost
		}
		return err
	})
}

// ended runs a command to its end, tells what went wrong, and returns the exit status.
func ended(ctx context.Context, name string, ops []op.Op, env Env, do func(*Env) error) int {
	out := asAnswer(env.Stdout)
	env.Stdout = out
	err := guarded(&env, do)
	if err != nil && env.Failed != nil {
		env.Failed(err)
	}
	_, isVerdict := errors.AsType[verdict](err)
	switch {
	case out.gone.Load():
		return 0 // whoever read the answer has enough of it
	case err == nil:
		return 0
	case ctx.Err() != nil && !isVerdict || fault.KindOf(err) == fault.Interrupted:
		fmt.Fprintf(env.Stderr, "%s: interrupted; what was done is kept\n", name)
		return int(fault.Interrupted)
	}
	fmt.Fprintf(env.Stderr, "%s %s\n", env.marked(red, name+":"), text.Log(err.Error()))
	if fix := fault.FixOf(err); fix != nil {
		if line := op.CommandLine(ops, *fix); line != "" {
			fmt.Fprintf(env.Stderr, "%s %s\n", env.marked(green, "fix:"), line)
		}
	}
	if hint := fault.HintOf(err); hint != "" {
		fmt.Fprintf(env.Stderr, "%s %s\n", env.marked(green, "hint:"), text.Log(hint))
	}
	return int(fault.KindOf(err))
}

// guarded turns a panic into an error: Go's own exit status for it, 2, would say that the command line was wrong.
func guarded(env *Env, do func(*Env) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(env.Stderr, "panic: %s\n%s", text.Log(fmt.Sprint(p)), debug.Stack())
			err = fault.New(fault.Internal, "internal error: %v", p).Or("this is a defect: please report it with the lines above")
		}
	}()
	return do(env)
}

// An answer is standard output. It tells a reader that has read enough from a disk that is full.
type answer struct {
	w    io.Writer
	gone atomic.Bool // the reader
}

// Answer returns standard output for those who write to it beside the presenter, as
// scripts do: Run, given the same one, ends quietly when its reader has read enough.
func Answer(w io.Writer) io.Writer { return asAnswer(w) }

func asAnswer(w io.Writer) *answer {
	if a, ok := w.(*answer); ok {
		return a
	}
	return &answer{w: w}
}

func (a *answer) Write(p []byte) (int, error) {
	n, err := a.w.Write(p)
	switch {
	case err == nil:
		return n, nil
	case brokenPipe(err):
		a.gone.Store(true)
		return n, err
	}
	return n, fault.New(fault.Unavailable, "the answer cannot be written").Because(err)
}

func brokenPipe(err error) bool {
	const windowsBrokenPipe, windowsNoData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) ||
		runtime.GOOS == "windows" && (errors.Is(err, windowsBrokenPipe) || errors.Is(err, windowsNoData))
}

// A Form is how an answer is written.
type Form uint8

// The forms.
const (
	Text Form = iota
	JSON
	Lines
	Piped // text for a person, JSON for a program, whatever the answer is drawn as
)

func form(asJSON, asLines bool) Form {
	switch {
	case asJSON:
		return JSON
	case asLines:
		return Lines
	}
	return Text
}

// settle chooses the form of an answer where the command line left it open.
func settle(v any, f Form, env Env) (Form, error) {
	r, ok := v.(op.Drawn)
	drawing := ok && r.Drawing()
	t, ok := v.(op.Texted)
	switch {
	case drawing && f == JSON:
		return f, fault.New(fault.Usage, "a drawing has no JSON").Or("omit --json, or the flag that draws")
	case f != Piped:
		return f, nil
	case drawing || env.Terminal || ok && t.IsText():
		return Text, nil
	}
	return JSON, nil
}

// run runs an operation and writes its answer.
func run(ctx context.Context, o op.Op, in any, f Form, env Env) error {
	bar := newBar(env)
	defer bar.close()
	out := op.Out{
		Progress:  bar.show,
		Note:      bar.say,
		Document:  f == JSON,
		Data:      f == JSON || f == Lines,
		TextAlone: f == Text,
		Command:   func(fix fault.Fix) string { return op.CommandLine(env.ops, fix) },
		Emit: func(v any) error {
			bar.end(false)
			return write(v, f, env, false)
		},
	}
	res, err := o.Run(ctx, in, out)
	bar.close()
	if err != nil || res == nil {
		return err
	}
	if f, err = settle(res, f, env); err != nil {
		return err
	}
	// A text and a document have a part for the gaps of an answer; where the form has no place for them, the person is told.
	if r, ok := res.(op.Noted); ok && f != JSON {
		for _, note := range r.Untold(f == Lines) {
			fmt.Fprintf(env.Stderr, "assay: %s\n", text.Log(note))
		}
	}
	if err := write(res, f, env, true); err != nil {
		return err
	}
	// A report is written whether it says yes or no; the status tells which.
	if r, ok := res.(op.Judged); ok {
		if err := r.Verdict(); err != nil {
			return verdict{err}
		}
	}
	return nil
}

// A verdict is of an answer that is whole, though an interrupt may have ended the wait for another one.
type verdict struct{ error }

func (v verdict) Unwrap() error { return v.error }

// write writes a result in a form: the whole answer, or a piece of it.
func write(v any, f Form, env Env, whole bool) error {
	if r, ok := v.(op.Lines); ok && f == Lines {
		return r.WriteLines(env.Stdout)
	}
	var b bytes.Buffer
	if r, ok := v.(op.Result); ok && f == Text {
		// What a script returns, and names for other programs, are data.
		if d, ok := r.(op.Exact); ok && d.Verbatim(env.Terminal) {
			return r.WriteText(env.Stdout, env.Colour)
		}
		if env.Show != nil {
			return env.Show(Look{env.Colour, whole && !env.Unpaged}, func(w io.Writer) error { return r.WriteText(w, env.Colour) })
		}
		if err := r.WriteText(&b, env.Colour); err != nil {
			return err
		}
		said := text.Visible(b.String())
		if env.Colour {
			said = text.VisiblePainted(b.String())
		}
		return fault.Only(io.WriteString(env.Stdout, said))
	}
	return codec.WriteJSON(env.Stdout, v)
}

// Write writes the answer of a command that no operation describes.
func Write(r op.Result, asJSON bool, env Env) error { return write(r, form(asJSON, false), env, true) }
