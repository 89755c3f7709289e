//go:build !slim

package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/present/cli"
	show "github.com/assay-dev/assay/internal/present/terminal"
)

// screen returns the function that shows texts on a terminal. Paths in them are relative to the working folder or the
// project.
func screen(dir string, project func(path string) (string, error)) func(cli.Look, func(io.Writer) error) error {
	t := sync.OnceValue(func() *show.Terminal {
		kind := os.Getenv("TERM")
		able := kind != "dumb" && kind != ""
		t := &show.Terminal{Out: os.Stdout, Links: able && kind != "linux", Roots: sync.OnceValue(func() []string {
			roots := []string{dir}
			if root, err := project(""); err == nil {
				roots = append(roots, root)
			}
			return roots
		})}
		if command := pager(os.LookupEnv); able && command != "" {
			t.Page = func(text string) bool { return page(command, text) }
		}
		return t
	})
	return func(how cli.Look, write func(io.Writer) error) error { return t().Show(how, write) }
}

// pager returns the shell command that shows long texts: the one in the user's environment, or less. A project's settings
// must not name it, because it is executed.
func pager(env func(string) (string, bool)) string {
	command := "less"
	for _, name := range []string{"PAGER", "ASSAY_PAGER"} {
		if v, ok := env(name); ok {
			command = strings.TrimSpace(v)
		}
	}
	if command == "cat" {
		return ""
	}
	return command
}

// page shows a text in a pager and reports whether the pager exists. It ignores other exit statuses, because a user may quit
// a pager in any way.
func page(command, text string) bool {
	cmd := exec.Command("sh", "-c", command)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), os.Stdout, os.Stderr
	if _, set := os.LookupEnv("LESS"); !set {
		// As git does: exit if the text fits, keep colours, and do not clear the screen.
		cmd.Env = append(os.Environ(), "LESS=FRX")
	}
	if err := cmd.Start(); err != nil {
		return false
	}
	const notFound = 127
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode() != notFound
}
