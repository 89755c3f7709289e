package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/present/op"
)

// structural turns a command line without a command into one with it, where it asks for structure: nothing at all in a pipe,
// --imports M and its kind, a folder, a glob. Other command lines stay as they are.
func (p *program) structural(root *cobra.Command, args []string) ([]string, error) {
	i := slices.IndexFunc(p.ops, func(o op.Op) bool { return o.Name == "inventory" })
	if i < 0 {
		return args, nil
	}
	if len(args) == 0 {
		if p.env.Terminal || p.env.Broken != nil {
			return args, nil //nolint:nilerr // with broken settings there is still the help
		}
		return []string{"inventory"}, nil
	}
	if flags, rest := scriptFlags(args); len(flags) > 0 && len(rest) > 0 && runsScripts(rest[0]) {
		args, err := p.structural(root, rest)
		if err != nil {
			return nil, err
		}
		return slices.Insert(args, 1, flags...), nil
	}
	if strings.HasPrefix(args[0], "__") || isCommand(root, args) {
		return args, nil
	}
	if strings.HasPrefix(args[0], "-") {
		return p.question(args, p.ops[i])
	}
	word := args[0]
	st, err := os.Stat(word)
	switch {
	case err == nil && st.IsDir(), err != nil && strings.ContainsAny(word, "*?[{"):
		return p.question(args, p.ops[i])
	case filepath.Ext(word) == ".lua": // also one that is not there, for run to say so
		// What follows is the script's own, flags among it.
		return append([]string{"run", word, "--"}, args[1:]...), nil
	case slices.Contains(scripts, filepath.Ext(word)):
		return append([]string{"run"}, args...), nil
	case err == nil:
		return nil, fault.New(fault.Usage, "unsupported file extension: %s", word).
			Or("assay runs .lua, .yaml and .yml; to ask about the file: assay functions %s", text.ShellWord(word))
	}
	return args, nil
}

// scripts are the endings of files that are run by their names.
var scripts = []string{".lua", ".yaml", ".yml"}

// The flags of a script that may stand before it.
var (
	scriptSwitches = []string{"--verbose", "-v", "--trace", "--dry-run"}
	scriptValues   = []string{"--memory", "--record", "--replay"}
)

// runsScripts reports whether a word is a script or a command that runs one.
func runsScripts(word string) bool {
	return word == "exec" || word == "run" || slices.Contains(scripts, filepath.Ext(word))
}

// scriptFlags splits a command line after the flags of scripts that it begins with: before
// a script they are about it, after it arguments that the script reads.
func scriptFlags(args []string) (flags, rest []string) {
	n := 0
	for n < len(args) {
		switch flag, _, has := strings.Cut(args[n], "="); {
		case slices.Contains(scriptSwitches, flag), slices.Contains(scriptValues, flag) && has:
			n++
			continue
		case slices.Contains(scriptValues, flag) && n+1 < len(args):
			n += 2
			continue
		}
		break
	}
	return args[:n], args[n:]
}

// question finds the flag that names what is asked, and puts the command in its place.
func (p *program) question(args []string, inventory op.Op) ([]string, error) {
	name, value := "", ""
	var rest []string
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			rest = append(rest, args[i:]...)
			break
		}
		flag, given, has := strings.Cut(args[i], "=")
		asked, ok := strings.CutPrefix(flag, "--")
		if !ok || !slices.Contains([]string{"imports", "importers", "functions", "callers", "callees", "impact", "def", "implementers", "hierarchy", "dead"}, asked) {
			rest = append(rest, args[i])
			continue
		}
		if name != "" {
			return nil, fault.New(fault.Usage, "--%s and --%s exclude each other", name, asked).Or("ask one after the other")
		}
		name, value = asked, given
		if has || asked == "functions" {
			continue // whose pattern, if there is one, is the word that follows
		}
		if i++; i == len(args) || strings.HasPrefix(args[i], "-") {
			return nil, fault.New(fault.Usage, "--%s needs a name", name).Or("for example: assay %s NAME", name)
		}
		value = args[i]
	}
	if name == "" {
		if !p.asks(args[0], inventory) {
			return args, nil
		}
		name = "inventory"
	}
	line := []string{name}
	if value != "" {
		// Before a --, whose words would come first.
		line = append(line, value)
	}
	forms := []string{"--json", "--table", "--mermaid", "--dot", "--svg"}
	chosen := slices.ContainsFunc(rest, func(word string) bool { return slices.Contains(forms, word) })
	if !chosen && !p.env.Terminal {
		line = append(line, "--json") // because programs that ask by flags read it
	}
	return append(line, rest...), nil
}

// asks reports whether a command line that begins with a word is an inventory's.
func (p *program) asks(first string, inventory op.Op) bool {
	if !strings.HasPrefix(first, "-") {
		return true
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(first, "--"), "=")
	if name == "json" || name == "table" {
		return true
	}
	args, err := op.Args(inventory.In)
	return err == nil && slices.ContainsFunc(args, func(a op.Arg) bool { return slices.Contains(a.Flags, name) })
}

func isCommand(root *cobra.Command, args []string) bool {
	c, _, err := root.Find(args)
	return err == nil && c != root
}
