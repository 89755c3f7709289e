// Package cli presents operations as commands.
//
// Answers go to standard output and nothing else does. Everything for the
// person, errors included, goes to standard error, and an error ends with the
// command that puts it right, where there is one.
package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/assay-dev/assay/internal/fault"
	"github.com/assay-dev/assay/internal/op"
)

// Env is what a command line runs in.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Terminal       bool // standard output is one
	ErrTerminal    bool // standard error is one
	Colour         bool // standard output takes colours
	Version        string
	Commands       []Command // those without an operation
}

// A Command is one that no operation describes. It reads its own arguments.
type Command struct {
	Name, Brief string
	Run         func(ctx context.Context, args []string, env Env) error
}

// Run runs a command line and returns its exit status.
func Run(ctx context.Context, ops []op.Op, args []string, env Env) int {
	root := tree(ops, env)
	root.SetArgs(args)
	_, err := root.ExecuteContextC(ctx)
	return finish(ctx, ops, err, env)
}

// finish tells an error and returns the exit status.
func finish(ctx context.Context, ops []op.Op, err error, env Env) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, syscall.EPIPE) || errors.Is(err, fs.ErrClosed) && env.Stdout != nil && errors.Is(err, os.ErrClosed):
		return 0 // whoever read the answer has enough of it
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		fmt.Fprintln(env.Stderr, "assay: interrupted; what was done is kept")
		return int(fault.Interrupted)
	}
	fmt.Fprintf(env.Stderr, "assay: %s\n", plain(err.Error()))
	if fix := fault.FixOf(err); fix != nil {
		if line, ok := commandLine(ops, *fix); ok {
			fmt.Fprintf(env.Stderr, "fix: %s\n", line)
		}
	}
	if hint := fault.HintOf(err); hint != "" {
		fmt.Fprintf(env.Stderr, "hint: %s\n", plain(hint))
	}
	return int(fault.KindOf(err))
}

// plain keeps a message from steering the terminal: it may quote a file's name.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return '\uFFFD'
		}
		return r
	}, s)
}

// tree builds the commands.
func tree(ops []op.Op, env Env) *cobra.Command {
	root := &cobra.Command{
		Use:               "assay",
		SilenceErrors:     true,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		Args:              cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return overview(env.Stdout, ops, env)
			}
			return unknownCommand(ops, env, args[0])
		},
	}
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.SetIn(env.Stdin)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpFunc(func(*cobra.Command, []string) {
		_ = overview(env.Stdout, ops, env)
	})
	root.SetFlagErrorFunc(flagError)
	root.Flags().BoolP("help", "h", false, "help")
	root.Flags().Bool("version", false, "version")
	for _, o := range ops {
		root.AddCommand(command(ops, o, env))
	}
	for _, c := range env.Commands {
		root.AddCommand(&cobra.Command{Use: c.Name, Short: c.Brief, DisableFlagParsing: true,
			RunE: func(cc *cobra.Command, args []string) error { return c.Run(cc.Context(), args, env) }})
	}
	root.AddCommand(&cobra.Command{Use: "version", Short: "Print the version", Args: none, RunE: func(*cobra.Command, []string) error {
		_, err := fmt.Fprintf(env.Stdout, "assay %s\n", env.Version)
		return err
	}})
	root.SetHelpCommand(&cobra.Command{Use: "help", Hidden: true, Run: func(_ *cobra.Command, args []string) {
		if c, _, err := root.Find(args); err == nil && c != root && c.HasParent() {
			_ = c.Help()
			return
		}
		_ = overview(env.Stdout, ops, env)
	}})
	return root
}

func none(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fault.New(fault.Usage, "%s takes no arguments", c.Name())
	}
	return nil
}

// flagError makes pflag's message one that says what to do.
func flagError(c *cobra.Command, err error) error {
	if fault.KindOf(err) != fault.Internal {
		return err
	}
	msg := err.Error()
	hint := fmt.Sprintf("assay %s --help lists the flags; a query that starts with a dash goes after --", c.Name())
	if name, ok := strings.CutPrefix(msg, "unknown flag: --"); ok {
		if near := nearest(name, flagNames(c)); near != "" {
			hint = "did you mean --" + near + "?"
		}
	}
	return fault.New(fault.Usage, "%s: %s", c.Name(), msg).Or("%s", hint)
}

func unknownCommand(ops []op.Op, env Env, name string) error {
	var names []string
	for _, o := range ops {
		names = append(names, append([]string{o.Name}, o.Aliases...)...)
	}
	for _, c := range env.Commands {
		names = append(names, c.Name)
	}
	err := fault.New(fault.Usage, "no command %q", name)
	if near := nearest(name, names); near != "" {
		return err.Or("did you mean assay %s? To search for the word: assay search %s", near, quote(name))
	}
	return err.Or("assay help lists the commands. To search for the word: assay search %s", quote(name))
}

// command presents one operation.
func command(ops []op.Op, o op.Op, env Env) *cobra.Command {
	c := &cobra.Command{Use: o.Name, Aliases: o.Aliases, Short: o.Brief, Hidden: o.Hidden, Args: cobra.ArbitraryArgs}
	in, err := newInput(o)
	if err == nil {
		err = in.register(c)
	}
	var asJSON, asLines bool
	c.Flags().BoolVar(&asJSON, "json", false, "print the answer as one JSON document")
	c.Flags().BoolVar(&asLines, "jsonl", false, "print one JSON record a line")
	c.SetHelpFunc(func(*cobra.Command, []string) { help(env.Stdout, o) })
	c.RunE = func(c *cobra.Command, args []string) error {
		if err != nil {
			return err
		}
		if asJSON && asLines {
			return fault.New(fault.Usage, "--json and --jsonl exclude each other")
		}
		if err := in.positional(args); err != nil {
			return err
		}
		if err := in.check(c); err != nil {
			return err
		}
		return run(c.Context(), o, in.value(), form(asJSON, asLines), env)
	}
	return c
}

// A Form is how an answer is written.
type Form uint8

// The forms.
const (
	Text Form = iota
	JSON
	Lines
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

// run runs an operation and writes its answer.
func run(ctx context.Context, o op.Op, in any, f Form, env Env) error {
	bar := newBar(env)
	defer bar.clear()
	out := op.Out{
		Progress: bar.show,
		Note: func(format string, args ...any) {
			bar.clear()
			fmt.Fprintf(env.Stderr, "assay: %s\n", plain(fmt.Sprintf(format, args...)))
		},
		Emit: func(v any) error {
			bar.clear()
			return write(v, f, env)
		},
	}
	res, err := o.Run(ctx, in, out)
	bar.clear()
	if err != nil || res == nil {
		return err
	}
	// What an answer lacks is part of a text and of a document; where the form has
	// no place for it, the person is told.
	if r, ok := res.(interface{ Untold(lines bool) []string }); ok && f != JSON {
		for _, note := range r.Untold(f == Lines) {
			fmt.Fprintf(env.Stderr, "assay: %s\n", plain(note))
		}
	}
	return write(res, f, env)
}

// write writes a result in a form.
func write(v any, f Form, env Env) error {
	switch r := v.(type) {
	case op.Lines:
		if f == Lines {
			return r.WriteLines(env.Stdout)
		}
	default:
		if f == Lines {
			f = JSON // one record is a line of its own
		}
	}
	if r, ok := v.(op.Result); ok && f == Text {
		return r.WriteText(env.Stdout, env.Colour)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := env.Stdout.Write(b.Bytes())
	return err
}

// Fail tells an error that came before any command and returns the exit status.
func Fail(ctx context.Context, err error, env Env) int { return finish(ctx, nil, err, env) }

// Write writes the answer of a command that no operation describes.
func Write(r op.Result, asJSON bool, env Env) error { return write(r, form(asJSON, false), env) }
