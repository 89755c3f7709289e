package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-dev/assay/internal/base/fault"
)

const bold, red, green, plain = "\x1b[1m", "\x1b[1;31m", "\x1b[32m", "\x1b[0m"

// marked is what begins a line for the person, in its colour where standard error has any.
func (e Env) marked(code, s string) string {
	if !e.ErrColour {
		return s
	}
	return code + s + plain
}

// headed is help with its first line and its headings in bold where standard output has colours.
func (e Env) headed(help string) string {
	if !e.Colour {
		return help
	}
	var b strings.Builder
	first := true
	for line := range strings.Lines(help) {
		s := strings.TrimSuffix(line, "\n")
		if s != "" && s[0] != ' ' && (first || strings.HasSuffix(s, ":")) {
			line = bold + s + plain + line[len(s):]
		}
		first = false
		b.WriteString(line)
	}
	return b.String()
}

// A looking is the flags about how an answer looks, which every operation has.
type looking struct {
	colour  string
	unpaged bool
}

func (l *looking) register(c *cobra.Command) {
	c.Flags().StringVar(&l.colour, "color", "", "colours: auto, always or never")
	c.Flags().BoolVar(&l.unpaged, "no-pager", false, "do not show a long answer by a pager")
}

// env is the environment as the flags have it.
func (l *looking) env(e Env) (Env, error) {
	e.Unpaged = e.Unpaged || l.unpaged
	switch {
	case l.colour == "always":
		e.Colour, e.ErrColour = true, true
	case l.colour == "never":
		e.Colour, e.ErrColour = false, false
	case l.colour == "auto" && !e.Terminal:
		e.Colour = false
	case l.colour != "" && l.colour != "auto":
		return e, unknownColour(l.colour)
	}
	return e, nil
}

var colours = []string{"auto", "always", "never"}

func unknownColour(value string) error {
	return fault.New(fault.Usage, "--color: %q is not one of %s", value, strings.Join(colours, ", ")).Or("give one of them")
}
