package config

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// A Setting is one key as assay config show presents it: without secrets.
type Setting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"` // a string or a number
	Origin string `json:"origin"`
}

// Settings are all of them.
type Settings struct {
	Settings []Setting `json:"settings"`
	Problems []string  `json:"problems,omitempty"` // with files of a framework, which are read where they can be
}

// Explain returns every setting in force and where it came from.
func (c *Config) Explain() Settings {
	var s Settings
	for _, k := range keys() {
		s.Settings = append(s.Settings, Setting{k.name, k.get(c), c.origins[k.name]})
	}
	s.Settings = append(s.Settings, c.Loa.settings...)
	s.Problems = c.Loa.problems
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
