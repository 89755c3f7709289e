package cli

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/assay-dev/assay/internal/fault"
	"github.com/assay-dev/assay/internal/op"
)

// overview writes one screen about the program.
func overview(w io.Writer, ops []op.Op, env Env) error {
	var b strings.Builder
	b.WriteString("assay finds what a coding agent needs to know, in the tree it stands in.\n\nUsage:\n  assay COMMAND [FLAGS] [ARGUMENTS]\n\nCommands:\n")
	for _, o := range ops {
		if !o.Hidden {
			fmt.Fprintf(&b, "  %-12s %s\n", o.Name, o.Brief)
		}
	}
	for _, c := range env.Commands {
		fmt.Fprintf(&b, "  %-12s %s\n", c.Name, c.Brief)
	}
	b.WriteString("  version      Print the version\n  completion   Print a completion script for bash, zsh, fish or powershell\n")
	b.WriteString("\nassay COMMAND --help explains a command. For example:\n")
	if len(ops) > 0 {
		fmt.Fprintf(&b, "  $ %s\n", ops[0].Example)
	}
	b.WriteString("\n" + statuses)
	_, err := io.WriteString(w, b.String())
	return err
}

const statuses = `Exit status:
  0 done, 1 a negative verdict, 2 wrong usage, 3 no such thing, 4 stale,
  5 unavailable, 70 a defect, 130 interrupted
`

// help writes one screen about an operation.
func help(w io.Writer, o op.Op) {
	args, err := op.Args(o.In)
	if err != nil {
		fmt.Fprintln(w, err)
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n  assay %s [flags]", o.Brief, o.Name)
	for _, a := range args {
		switch {
		case a.Place > 0 && a.Required:
			fmt.Fprintf(&b, " %s", strings.ToUpper(a.Name))
		case a.Place > 0:
			fmt.Fprintf(&b, " [%s]", strings.ToUpper(a.Name))
		case a.Rest:
			fmt.Fprintf(&b, " [%s]...", strings.ToUpper(strings.TrimSuffix(a.Name, "s")))
		}
	}
	b.WriteString("\n\n")
	for _, a := range args {
		if a.Place > 0 {
			fmt.Fprintf(&b, "  %-22s %s\n", strings.ToUpper(a.Name), a.Help)
		}
	}
	b.WriteString("\nFlags:\n")
	for _, a := range args {
		if len(a.Flags) > 0 {
			fmt.Fprintf(&b, "  %-22s %s\n", flagHelp(a), a.Help)
		}
	}
	fmt.Fprintf(&b, "  %-22s %s\n", "--json", "print the answer as one JSON document")
	fmt.Fprintf(&b, "  %-22s %s\n", "--jsonl", "print one JSON record a line")
	fmt.Fprintf(&b, "  %-22s %s\n", "-h, --help", "print this")
	if o.Example != "" {
		fmt.Fprintf(&b, "\nExample:\n  $ %s\n", o.Example)
	}
	b.WriteString("\n" + statuses)
	_, _ = io.WriteString(w, b.String())
}

func flagHelp(a op.Arg) string {
	s := "--" + a.Flags[0]
	if len(a.Short) > 0 {
		s = "-" + a.Short[0] + ", " + s
	}
	t := (&flagValue{a, reflect.New(a.Type).Elem()}).Type()
	if t != "" {
		s += " " + t
	}
	return s
}

// commandLine writes a fix as a command, if there is an operation of that name
// and its arguments can be given.
func commandLine(ops []op.Op, fix fault.Fix) (string, bool) {
	for _, o := range ops {
		if o.Name != fix.Op {
			continue
		}
		args, err := op.Args(o.In)
		if err != nil {
			return "", false
		}
		flags, words := "", ""
		for _, given := range fix.Args {
			ok := false
			for _, a := range args {
				if a.Name == given.Name {
					ok = true
					f, w := argument(a, given.Value)
					flags, words = flags+f, words+w
				}
			}
			if !ok {
				return "", false
			}
		}
		if strings.HasPrefix(words, " -") {
			words = " --" + words
		}
		return "assay " + o.Name + flags + words, true
	}
	return "", false
}

// argument writes one argument as a flag or as a word.
func argument(a op.Arg, v any) (flag, word string) {
	list, ok := v.([]string)
	if !ok {
		list = []string{fmt.Sprint(v)}
	}
	for _, s := range list {
		switch {
		case a.Place > 0 || a.Rest:
			word += " " + quote(s)
		case v == true:
			flag += " --" + a.Flags[0]
		default:
			flag += " --" + a.Flags[0] + " " + quote(s)
		}
	}
	return flag, word
}

// quote makes s one word of a shell.
func quote(s string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !safe(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
