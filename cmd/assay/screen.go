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

// screen is how texts are shown on a terminal. Places in them are relative to the working
// folder or to the project.
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

// pager returns the command that shows long texts, as a shell reads it: what the user's
// environment says, and less without a word. No project can name one.
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

// page shows a text by a pager and reports whether one was there. How its reader leaves it
// is the reader's affair.
func page(command, text string) bool {
	cmd := exec.Command("sh", "-c", command)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), os.Stdout, os.Stderr
	if _, set := os.LookupEnv("LESS"); !set {
		// As git does: end where it fits, colours as they are, and leave the screen as it was.
		cmd.Env = append(os.Environ(), "LESS=FRX")
	}
	if err := cmd.Start(); err != nil {
		return false
	}
	const notFound = 127
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode() != notFound
}
