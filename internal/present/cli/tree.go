package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/present/op"
)

// A program is the operations as a tree of commands.
type program struct {
	ops  []op.Op
	env  Env
	lost error // what cobra's help functions, which return nothing, ran into
	// fill gives an operation's command its flags. Only the one that is run needs them,
	// and those of all take longer to make than many an answer.
	fill map[*cobra.Command]func()
}

// prepare gives the command that is meant its flags: all of them, where a shell asks how a command line may go on.
func (p *program) prepare(root *cobra.Command, args []string) {
	if len(args) > 0 && strings.HasPrefix(args[0], "__") {
		for _, fill := range p.fill {
			fill()
		}
		return
	}
	if c, _, err := root.Find(args); err == nil && p.fill[c] != nil {
		p.fill[c]()
	}
}

// meant returns the first word of a command line if commands begin with it: the others
// need not be built. It is "" where any may be asked for, as by help, which tells of all.
func (p *program) meant(args []string) string {
	if len(args) == 0 {
		return ""
	}
	word := args[0]
	if slices.ContainsFunc(p.ops, func(o op.Op) bool { return begins(o, word) }) {
		return word
	}
	if slices.ContainsFunc(p.env.Commands, func(c Command) bool { return c.Name == word }) {
		return word
	}
	if word == "version" {
		return word
	}
	return ""
}

// begins reports whether a word is the first of an operation's name, or of an alias.
func begins(o op.Op, word string) bool {
	is := func(name string) bool {
		first, _, _ := strings.Cut(name, " ")
		return first == word
	}
	return is(o.Name) || slices.ContainsFunc(o.Aliases, is)
}

// tree builds the commands: all of them, or those that begin with a word.
func (p *program) tree(only string) *cobra.Command {
	p.fill = map[*cobra.Command]func(){}
	root := &cobra.Command{Use: "assay", SilenceErrors: true, SilenceUsage: true, DisableAutoGenTag: true, Args: cobra.ArbitraryArgs}
	root.SetOut(p.env.Stdout)
	root.SetErr(p.env.Stderr)
	root.SetIn(p.env.Stdin)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if words := c.Flags().Args(); !c.HasParent() && len(words) > 0 { // the word before the flag is wrong first
			return p.unknown(words[0])
		}
		return flagError(c, err)
	})
	root.Flags().BoolP("help", "h", false, "help")
	version := root.Flags().BoolP("version", "V", false, "version")
	root.RunE = func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) > 0:
			return p.unknown(args[0])
		case *version:
			return p.version()
		}
		return overview(p.env.Stdout, p.ops, p.env)
	}
	root.SetHelpFunc(func(_ *cobra.Command, args []string) {
		for _, a := range args {
			if !strings.HasPrefix(a, "-") {
				p.lost = p.unknown(a)
				return
			}
		}
		p.lost = overview(p.env.Stdout, p.ops, p.env)
	})
	for _, o := range p.ops {
		if only != "" && !begins(o, only) {
			continue
		}
		words := strings.Fields(o.Name)
		last := len(words) - 1
		p.group(root, words[:last]).AddCommand(p.command(o, words[last]))
	}
	for _, c := range p.env.Commands {
		if only == "" || c.Name == only {
			root.AddCommand(p.extra(c))
		}
	}
	var asJSON *bool
	versions := p.plain("version", "Print the version", versionHelp, func(args []string) error {
		switch {
		case len(args) > 0:
			return fault.New(fault.Usage, "version takes no arguments")
		case *asJSON:
			return fault.Only(fmt.Fprintf(p.env.Stdout, "{\"version\":%q}\n", p.env.Version))
		}
		return p.version()
	})
	asJSON = versions.Flags().Bool("json", false, "print one JSON document")
	root.AddCommand(versions)
	p.addCompletion(root)
	help := p.plain("help", "Explain a command", "", func(args []string) error {
		c, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 && c.HasSubCommands() {
			return p.unknown(strings.Join(args, " "))
		}
		c.HelpFunc()(c, nil)
		return p.lost
	})
	help.Hidden = true
	help.SetHelpFunc(func(*cobra.Command, []string) { p.lost = overview(p.env.Stdout, p.ops, p.env) })
	root.SetHelpCommand(help)
	return root
}

// command presents one operation.
func (p *program) command(o op.Op, word string) *cobra.Command {
	var aliases []string // the last words: those before are of the group
	for _, a := range o.Aliases {
		aliases = append(aliases, a[strings.LastIndexByte(a, ' ')+1:])
	}
	c := &cobra.Command{Use: word, Aliases: aliases, Short: o.Brief, Hidden: o.Hidden, Args: cobra.ArbitraryArgs}
	var in *input
	var err error
	var asJSON, asLines, asTable bool
	var look looking
	p.fill[c] = func() {
		if in, err = newInput(o); err == nil {
			in.register(c)
			in.complete(c, p.env)
		}
		look.register(c)
		c.Flags().BoolVar(&asJSON, "json", false, "print the answer as one JSON document")
		if o.Records {
			c.Flags().BoolVar(&asLines, "jsonl", false, "print one JSON record a line")
		}
		if o.Tabular {
			c.Flags().BoolVar(&asTable, "table", false, "print an aligned table")
		}
	}
	c.SetHelpFunc(func(*cobra.Command, []string) { p.lost = help(p.env.Stdout, o, p.below(o.Name), p.env) })
	c.RunE = func(c *cobra.Command, words []string) error {
		switch {
		case p.env.Broken != nil && !o.Always:
			return p.env.Broken
		case err != nil:
			return err
		case asJSON && asLines:
			return fault.New(fault.Usage, "%s: --json and --jsonl exclude each other", o.Name).Or("give one of them")
		case asJSON && asTable:
			return fault.New(fault.Usage, "%s: --json and --table exclude each other", o.Name).Or("give one of them")
		}
		var wrong error
		if p.env, wrong = look.env(p.env); wrong != nil {
			return wrong
		}
		if !o.Always { // the others show it with all else
			p.warn()
		}
		if err := in.fill(words, p.env.Stdin); err != nil {
			return err
		}
		as := form(asJSON, asLines)
		if o.Piped && as == Text && !asTable {
			as = Piped
		}
		return run(c.Context(), o, in.value(), as, p.env)
	}
	return c
}

// group returns the command under which an operation with a name of several words has its place.
func (p *program) group(at *cobra.Command, words []string) *cobra.Command {
next:
	for i, w := range words {
		for _, c := range at.Commands() {
			if c.Name() == w {
				at = c
				continue next
			}
		}
		path := strings.Join(words[:i+1], " ")
		below := p.below(path)
		c := p.plain(w, path, groupHelp(path, below), func(args []string) error {
			if len(args) > 0 {
				return p.unknown(path + " " + args[0])
			}
			return fault.Only(io.WriteString(p.env.Stdout, groupHelp(path, below)))
		})
		at.AddCommand(c)
		at = c
	}
	return at
}

// below returns the operations whose names begin with the words of path.
func (p *program) below(path string) (ops []op.Op) {
	for _, o := range p.ops {
		if strings.HasPrefix(o.Name, path+" ") {
			ops = append(ops, o)
		}
	}
	return ops
}

// plain is a command without an operation.
func (p *program) plain(name, brief, help string, run func(args []string) error) *cobra.Command {
	c := &cobra.Command{Use: name, Short: brief, Args: cobra.ArbitraryArgs, RunE: func(_ *cobra.Command, args []string) error { return run(args) }}
	if help != "" {
		c.SetHelpFunc(func(*cobra.Command, []string) { _, p.lost = io.WriteString(p.env.Stdout, help) })
	}
	return c
}

// extra is a command that reads its own arguments.
func (p *program) extra(x Command) *cobra.Command {
	c := &cobra.Command{Use: x.Name, Short: x.Brief, DisableFlagParsing: true, RunE: func(c *cobra.Command, args []string) error {
		if p.env.Broken != nil && !x.Always {
			return p.env.Broken
		}
		if !x.Always { // those show it with all else
			p.warn()
		}
		return x.Run(c.Context(), args, p.env)
	}}
	c.SetHelpFunc(func(*cobra.Command, []string) { p.lost = x.Run(context.Background(), []string{"--help"}, p.env) })
	if x.Complete != nil {
		c.ValidArgsFunction = func(_ *cobra.Command, args []string, begun string) (offers []cobra.Completion, _ cobra.ShellCompDirective) {
			for _, word := range x.Complete(args) {
				if strings.HasPrefix(word, begun) {
					offers = append(offers, word)
				}
			}
			return offers, cobra.ShellCompDirectiveNoFileComp
		}
	}
	return c
}

// warn tells in a line what of the project's settings does not count.
func (p *program) warn() {
	if p.env.Ignored != "" {
		fmt.Fprintf(p.env.Stderr, "assay: %s\n", text.Log(p.env.Ignored))
	}
}

func (p *program) version() error {
	return fault.Only(fmt.Fprintf(p.env.Stdout, "assay %s\n", p.env.Version))
}

// unknown is the error about a command that is not there.
func (p *program) unknown(name string) error {
	names := append([]string{"version", "help"}, completions...)
	for _, o := range p.ops {
		names = append(names, append([]string{o.Name}, o.Aliases...)...)
	}
	for _, c := range p.env.Commands {
		names = append(names, c.Name)
	}
	err := fault.New(fault.Usage, "no command %q", name)
	if near := text.Nearest(name, names); near != "" {
		return err.Or("did you mean assay %s? To search for the word: assay search %s", near, text.ShellWord(name))
	}
	return err.Or("assay help lists the commands. To search for the word: assay search %s", text.ShellWord(name))
}

// flagError makes pflag's message one that says what to do.
func flagError(c *cobra.Command, err error) error {
	msg := err.Error()
	command := strings.TrimPrefix(c.CommandPath(), "assay ")
	hint := fmt.Sprintf("assay %s --help lists the flags; a query that starts with a dash goes after --", command)
	if !c.HasParent() {
		command, hint = "assay", "assay help lists the commands; a flag goes after one of them"
		msg, _ = strings.CutPrefix(msg, "assay: ")
	}
	if name, ok := strings.CutPrefix(msg, "unknown flag: --"); ok {
		name, _, _ = strings.Cut(name, "=")
		if near := text.Nearest(name, flagNames(c)); near != "" {
			hint = "did you mean --" + near + "?"
		}
	}
	if !c.HasParent() {
		return fault.New(fault.Usage, "%s", msg).Or("%s", hint)
	}
	return fault.New(fault.Usage, "%s: %s", command, msg).Or("%s", hint)
}
