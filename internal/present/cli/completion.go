//go:build !slim

package cli

import (
	_ "embed" // completionhelp.txt
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/op"
)

// completions are the commands for a shell on which somebody types.
var completions = []string{"completion"}

//go:embed completionhelp.txt
var completionHelp string

const shells = "bash zsh fish powershell man"

// addCompletion adds the command that prints scripts for shells.
func (p *program) addCompletion(root *cobra.Command) {
	c := p.plain("completion", "Print a completion script, or the manual page", completionHelp, func(args []string) error { return p.completion(root, args) })
	c.ValidArgs = strings.Fields(shells)
	root.AddCommand(c)
}

func (p *program) completion(root *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fault.New(fault.Usage, "completion: give one shell").Or("one of %s", strings.ReplaceAll(shells, " ", ", "))
	}
	switch args[0] {
	case "bash":
		return root.GenBashCompletionV2(p.env.Stdout, true)
	case "zsh":
		return root.GenZshCompletion(p.env.Stdout)
	case "fish":
		return root.GenFishCompletion(p.env.Stdout, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(p.env.Stdout)
	case "man":
		return p.man(p.env.Stdout)
	}
	return fault.New(fault.Usage, "completion: no script for %q", args[0]).Or("one of %s", strings.ReplaceAll(shells, " ", ", "))
}

// looksLast moves flags about how an answer looks from before an operation to its flags.
func looksLast(ops []op.Op, args []string) ([]string, error) {
	n := 0
	for n < len(args) && (args[n] == "--no-pager" || args[n] == "--color" || strings.HasPrefix(args[n], "--color=")) {
		if n++; args[n-1] == "--color" && n < len(args) {
			if n++; !slices.Contains(colours, args[n-1]) {
				return nil, unknownColour(args[n-1])
			}
		}
	}
	looks, rest := args[:n], args[n:]
	if len(rest) == 0 || !slices.ContainsFunc(ops, func(o op.Op) bool { return begins(o, rest[0]) }) {
		return rest, nil // other commands have no colours and no pager
	}
	at := len(rest)
	if end := slices.Index(rest, "--"); end >= 0 {
		at = end
	}
	return slices.Concat(rest[:at], looks, rest[at:]), nil
}
