package main

import (
	"fmt"
	"io"
	"os"
)

// A command is what the first argument may be.
type command struct {
	name string
	run  func(args []string, w io.Writer) error
}

func commands() []command {
	return []command{
		{"edges", runEdges},
		{"refs", runRefs},
		{"read", runRead},
		{"golden", runGolden},
		{"changes", runChanges},
		{"names", runNames},
		{"grep", runGrep},
	}
}

func main() {
	if len(os.Args) > 1 {
		for _, c := range commands() {
			if c.name != os.Args[1] {
				continue
			}
			if err := c.run(os.Args[2:], os.Stdout); err != nil {
				fmt.Fprintf(os.Stderr, "structure %s: %v\n", c.name, err)
				os.Exit(1)
			}
			return
		}
	}
	fmt.Fprintln(os.Stderr, "usage: go run ./eval/structure COMMAND [flags], where COMMAND is one of:")
	for _, c := range commands() {
		fmt.Fprintf(os.Stderr, "  %s\n", c.name)
	}
	os.Exit(2)
}
