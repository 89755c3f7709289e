package cli_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/cli"
	"github.com/assay-dev/assay/internal/present/op"
)

// A hostile is an answer that quotes what would steer its reader.
type hostile struct {
	Text string `json:"text"`
}

func (hostile) WriteText(w io.Writer, colour bool) error {
	word := "if"
	if colour {
		word = "\x1b[1mif\x1b[0m"
	}
	_, err := io.WriteString(w, word+" \u202ex\x1b[2J\u200b\n")
	return err
}

// A noted is an answer with something to say that its form has no place for.
type noted struct{ hostile }

func (noted) Untold(bool) []string         { return []string{command} }
func (noted) WriteLines(w io.Writer) error { _, err := io.WriteString(w, "{}\n"); return err }

const command = "a\n::error title=x::y.md\r\n  ##vso[task.prependpath]/x and ##[add-mask]a"

// What a runner of workflows reads on standard error as a command is none of ours: it trims a line, and
// looks for some of its commands anywhere in it.
func TestNoCommands(t *testing.T) {
	runs := map[string]func(context.Context, op.Out) (op.Result, error){
		"note":  func(_ context.Context, out op.Out) (op.Result, error) { out.Note("%s", command); return hostile{}, nil },
		"told":  func(context.Context, op.Out) (op.Result, error) { return noted{}, nil },
		"error": func(context.Context, op.Out) (op.Result, error) { return nil, fault.New(fault.Usage, "%s", command) },
		"hint": func(context.Context, op.Out) (op.Result, error) {
			return nil, fault.New(fault.Usage, "no").Or("%s", command)
		},
		"panic": func(context.Context, op.Out) (op.Result, error) { panic(command) },
	}
	for what, run := range runs {
		got := start(context.Background(), fakes(run), cli.Env{Ignored: command}, "echo", "word", "--jsonl")
		if !strings.Contains(got.stderr, "title=x") || strings.Count(got.stderr, "task.prependpath") < 2 {
			t.Errorf("%s: standard error does not say it: %q", what, got.stderr)
		}
		for line := range strings.Lines(got.stderr) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##vso[") || strings.Contains(line, "##[") {
				t.Errorf("%s: a line is a command: %q", what, line)
			}
		}
	}
}

// What an answer quotes does not steer who reads it, whatever its feature does; colours
// of ours stay on a terminal.
func TestTextIsVisible(t *testing.T) {
	ops := fakes(func(context.Context, op.Out) (op.Result, error) { return hostile{"\u202e"}, nil })
	for colour, want := range map[bool]string{false: "if <U+202E>x<U+001B>[2J<U+200B>\n", true: "\x1b[1mif\x1b[0m <U+202E>x<U+001B>[2J<U+200B>\n"} {
		got := start(context.Background(), ops, cli.Env{Colour: colour, Terminal: colour}, "echo", "word")
		if got.status != 0 || got.stdout != want {
			t.Errorf("colour %v: %+v, want %q", colour, got, want)
		}
	}
	if got := start(context.Background(), ops, cli.Env{}, "echo", "word", "--json"); !strings.Contains(got.stdout, "\u202e") {
		t.Errorf("JSON is data, and says %q", got.stdout)
	}
}
