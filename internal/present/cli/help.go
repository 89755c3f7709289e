package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/present/op"
)

const statuses = `Exit status:
  0 done, 1 a negative verdict, 2 wrong usage, 3 not found, 4 stale,
  5 unavailable, 70 a defect, 130 interrupted
`

const versionHelp = "Print the version\n\nUsage:\n  assay version [--json]\n"

// groupHelp is one screen about the operations whose names begin with the same words.
func groupHelp(path string, ops []op.Op) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  assay %s COMMAND [FLAGS] [ARGUMENTS]\n\nCommands:\n", path)
	for _, o := range ops {
		if !o.Hidden {
			fmt.Fprintf(&b, "  %-20s %s\n", o.Name, o.Brief)
		}
	}
	fmt.Fprintf(&b, "\nassay %s COMMAND --help explains a command.\n\n%s", path, statuses)
	return b.String()
}

// help writes one screen about an operation, and names those below it.
func help(w io.Writer, o op.Op, below []op.Op, env Env) error {
	args, err := op.Args(o.In)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n  assay %s [flags]", o.Brief, o.Name)
	for _, a := range args {
		switch {
		case a.Place > 0 && a.Required:
			fmt.Fprintf(&b, " %s", shown(a))
		case a.Place > 0:
			fmt.Fprintf(&b, " [%s]", shown(a))
		case a.Rest:
			fmt.Fprintf(&b, " [%s]...", strings.TrimSuffix(shown(a), "S"))
		}
	}
	b.WriteString("\n\n")
	stdin := map[bool]string{true: "; - reads standard input"}
	line := func(name, text string) {
		gap := strings.Repeat(" ", max(25, len(name)+3))
		fmt.Fprintf(&b, "  %-22s %s\n", name, strings.TrimSpace(render.Wrap(gap+text, wide, gap)))
	}
	for _, a := range args {
		if a.Place > 0 {
			line(shown(a), a.Help+stdin[a.Stdin])
		}
	}
	b.WriteString("\nFlags:\n")
	for _, a := range args {
		if len(a.Flags) > 0 {
			line(flagHelp(a), a.Help+stdin[a.Stdin])
		}
	}
	switch {
	case o.Piped:
		line("--table", "print an aligned table (the default on a terminal)")
		line("--json", "print one JSON document (the default elsewhere)")
	case o.Tabular:
		line("--table", "print text to read (the default)")
		line("--json", "print one JSON document")
	default:
		line("--json", "print the answer as one JSON document")
	}
	if o.Records {
		line("--jsonl", "print one JSON record a line")
	}
	line("-h, --help", "print this")
	if len(below) > 0 {
		b.WriteString("\nCommands:\n")
		for _, x := range below {
			line(x.Name, x.Brief)
		}
	}
	fmt.Fprintf(&b, "\nExample:\n  $ %s\n\n%s", o.Example, statuses)
	_, err = io.WriteString(w, env.headed(b.String()))
	return err
}

func flagHelp(a op.Arg) string {
	s := "--" + a.Flags[0]
	if len(a.Short) > 0 {
		s = "-" + a.Short[0] + ", " + s
	}
	if v := valueName(a); v != "" {
		s += " " + v
	}
	return s
}
