package cli_test

import (
	"context"
	"io"
	"strings"
	"testing"

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
