package config

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A Setting is one key as assay config show presents it: without secrets.
type Setting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"` // a string or a number
	Origin string `json:"origin"`
	Means  string `json:"means,omitempty"` // what it sets, and the values that it takes
}

// Settings are all of them.
type Settings struct {
	Settings []Setting `json:"settings"`
	Problems []string  `json:"problems,omitempty"` // with the files and the environment, and what to do
}

// A Problem is something in the files or the environment that does not count.
type Problem struct {
	Says string // beginning with FILE:LINE, where it is in a file
	Fix  string
}

// Problems returns what does not count: of the user's own first, which stops other
// commands, then of the project's file, then of a framework's files.
func (c *Config) Problems() []Problem {
	var out []Problem
	for _, err := range c.wrong {
		out = append(out, Problem{err.Error(), fault.HintOf(err)})
	}
	for _, err := range c.ignored {
		out = append(out, Problem{"ignored: " + err.Error(), fault.HintOf(err)})
	}
	for _, p := range c.Loa.problems {
		out = append(out, Problem{p, "correct the line; until then it counts as not there"})
	}
	return out
}

// Ignored says in one line what of the project's file does not count; "" where all
// does. It is what a command tells that goes on without it.
func (c *Config) Ignored() string {
	if len(c.ignored) == 0 {
		return ""
	}
	says := "ignored: " + c.ignored[0].Error()
	if n := len(c.ignored) - 1; n > 0 {
		says += fmt.Sprintf(" (and %d more: assay config show lists them)", n)
	} else if hint := fault.HintOf(c.ignored[0]); hint != "" {
		says += "; " + hint
	}
	return strings.Join(strings.Fields(says), " ")
}

// Explain returns every setting in force and where it came from. Defaults are what
// those come to that nothing sets, by key: whoever uses a setting knows its default.
func (c *Config) Explain(defaults map[string]any) Settings {
	var s Settings
	for _, k := range keys() {
		value := k.get(c)
		if d, ok := defaults[k.name]; ok && (value == "" || value == 0 || value == 0.0) {
			value = d
		}
		s.Settings = append(s.Settings, Setting{k.name, value, c.origins[k.name], k.means})
	}
	s.Settings = append(s.Settings, c.Loa.settings...)
	for _, p := range c.Problems() {
		s.Problems = append(s.Problems, strings.TrimSuffix(p.Says+"; "+p.Fix, "; "))
	}
	return s
}

// WriteText writes a setting a line. It has no colours.
func (s Settings) WriteText(w io.Writer, _ bool) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, x := range s.Settings {
		value := fmt.Sprint(x.Value)
		if value == "" || value == "0" {
			value = "-"
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\n", x.Key, value, x.Origin)
	}
	for _, p := range s.Problems {
		fmt.Fprintf(tw, "# %s\n", p)
	}
	return tw.Flush()
}
