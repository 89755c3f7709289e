package main

import (
	"cmp"
	"context"
	_ "embed" // confighelp.txt
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/config"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/cli"
)

//go:embed confighelp.txt
var configHelp string

// config runs the command config.
func (s *surroundings) config(ctx context.Context, args []string, env cli.Env) error {
	if slices.ContainsFunc(args, func(a string) bool { return a == "-h" || a == "--help" }) {
		return fault.Only(io.WriteString(env.Stdout, configHelp))
	}
	verb := "show"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		verb, args = args[0], args[1:]
	}
	want := map[string]int{"get": 1, "set": 2, "unset": 1, "path": 0, "edit": 0}
	n, known := want[verb]
	switch {
	case verb == "show":
		return s.show(args, env)
	case !known:
		return fault.New(fault.Usage, "config: unknown command %q", verb).Or("use show, get, set, unset, path or edit")
	case len(args) != n:
		needs := [...]string{"no argument", "one argument: the setting", "two arguments: the setting and its value"}[n]
		return fault.New(fault.Usage, "config %s takes %s, not %d", verb, needs, len(args)).Or("assay config show lists the settings")
	case verb == "get":
		return s.get(args[0], env)
	}
	file := config.UserFile(os.LookupEnv, runtime.GOOS)
	if file == "" {
		return fault.New(fault.Unavailable, "the folder for settings is unknown").Or("set HOME")
	}
	switch verb {
	case "set":
		return config.Set(file, args[0], args[1], false)
	case "unset":
		return config.Set(file, args[0], "", true)
	case "edit":
		return edit(ctx, file, env)
	}
	return fault.Only(fmt.Fprintln(env.Stdout, file))
}

// configWords returns the completions after some arguments of config.
func (s *surroundings) configWords(args []string) (words []string) {
	switch {
	case len(args) == 0:
		return []string{"show", "get", "set", "unset", "path", "edit"}
	case len(args) == 1 && slices.Contains([]string{"get", "set", "unset"}, args[0]):
		for _, x := range s.cfg.Explain(s.defaults()).Settings {
			words = append(words, x.Key)
		}
	}
	return words
}

func (s *surroundings) show(args []string, env cli.Env) error {
	asJSON := false
	for _, a := range args {
		if a != "--json" {
			return fault.New(fault.Usage, "config: unknown argument %q", a).Or("assay config show [--json]")
		}
		asJSON = true
	}
	explained := s.cfg.Explain(s.defaults())
	if env.Broken != nil && len(explained.Problems) == 0 {
		return env.Broken // no settings could be read
	}
	return cli.Write(explained, asJSON, env)
}

func (s *surroundings) get(name string, env cli.Env) error {
	for _, x := range s.cfg.Explain(s.defaults()).Settings {
		if x.Key == name {
			return fault.Only(fmt.Fprintln(env.Stdout, x.Value))
		}
	}
	return fault.New(fault.NotFound, "unknown setting %q", name).Or("assay config show lists them")
}

// edit opens the user's file in an editor, like git does with messages, and then returns the first error in it.
func edit(ctx context.Context, file string, env cli.Env) error {
	editor := cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"))
	if editor == "" {
		return fault.New(fault.Unavailable, "no editor is configured").Or("set VISUAL or EDITOR, or open %s", file)
	}
	if err := config.Create(file); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", editor+` "$1"`, "sh", file)
	if runtime.GOOS == "windows" {
		words := strings.Fields(editor)
		cmd = exec.CommandContext(ctx, words[0], append(words[1:], file)...)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = env.Stdin, env.Stdout, env.Stderr
	if err := cmd.Run(); err != nil {
		return fault.New(fault.Unavailable, "the editor failed").Because(err)
	}
	return fault.Only(config.Load(config.Sources{User: file}))
}
