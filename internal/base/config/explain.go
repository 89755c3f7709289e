package config

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/slice"
)

// A Setting is one key as assay config show presents it: without secrets.
type Setting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"` // a string or a number
	Origin string `json:"origin"`
	Means  string `json:"means,omitempty"` // its meaning and its allowed values
}

// Settings lists all settings, and the problems of their sources.
type Settings struct {
	Settings []Setting `json:"settings"`
	Problems []string  `json:"problems,omitempty"` // errors in the files and the environment, each with its remedy
}

// A Problem is an error in the files or the environment.
type Problem struct {
	Says string // the message; begins with FILE:LINE if it is in a file
	Fix  string
}

// Problems returns the errors in the user's own sources, which make other commands fail, then those in the project's file,
// then those in the files of a framework.
func (c *Config) Problems() []Problem {
	out := slice.Map(c.wrong, func(err error) Problem { return Problem{err.Error(), fault.HintOf(err)} })
	for _, err := range c.ignored {
		out = append(out, Problem{"ignored: " + err.Error(), fault.HintOf(err)})
	}
	for _, p := range c.Loa.problems {
		out = append(out, Problem{p, "correct the line; until then it is ignored"})
	}
	return out
}

// Ignored returns one line about the ignored keys of the project's file, or "" if there are none. Commands print it and go
// on.
func (c *Config) Ignored() string {
	if len(c.ignored) == 0 {
		return ""
	}
	line := "ignored: " + c.ignored[0].Error()
	if n := len(c.ignored) - 1; n > 0 {
		line += fmt.Sprintf(" (and %d more: assay config show lists them)", n)
	} else if hint := fault.HintOf(c.ignored[0]); hint != "" {
		line += "; " + hint
	}
	return strings.Join(strings.Fields(line), " ")
}

// Explain returns every setting in force and its origin. defaults has the values of settings that are not set, by key,
// because only the users of a setting know its default.
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

// WriteText writes one line for each setting, without colours.
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
