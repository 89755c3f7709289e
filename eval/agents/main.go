package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// A command is one that the first argument names.
type command struct {
	name, use string
	run       func(ctx context.Context, args []string, w io.Writer) error
}

func commands() []command {
	return []command{
		{"trees", "get the trees", runTrees},
		{"look", "look into a tree, counted", runLook},
		{"relay", "pass MCP messages to assay serve, counted; run starts it", runRelay},
		{"run", "ask an agent all tasks", runAgents},
		{"score", "compare answers with the truth", runScore},
	}
}

// An exitStatus ends look with the status of the program that it ran.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

func main() {
	if len(os.Args) > 1 {
		for _, c := range commands() {
			if c.name == os.Args[1] {
				os.Exit(status(c.name, c.run(context.Background(), os.Args[2:], os.Stdout)))
			}
		}
	}
	fmt.Fprintln(os.Stderr, "usage: go run ./eval/agents COMMAND [flags], where COMMAND is one of:")
	for _, c := range commands() {
		fmt.Fprintf(os.Stderr, "  %-6s %s\n", c.name, c.use)
	}
	os.Exit(2)
}

// status prints an error, unless a program that look ran has printed its own, and returns the exit status.
func status(name string, err error) int {
	var code exitStatus
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, flag.ErrHelp):
		return 2
	}
	fmt.Fprintf(os.Stderr, "agents %s: %v\n", name, err)
	return 1
}
