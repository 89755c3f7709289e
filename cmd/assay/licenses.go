//go:build !slim

package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/assay-dev/assay"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/cli"
)

const licensesHelp = "Print the licence, the third-party notices and their licence texts\n\nUsage:\n  assay licenses\n"

// licenses prints the texts that must be distributed with the program.
func licenses(_ context.Context, args []string, env cli.Env) error {
	switch {
	case slices.ContainsFunc(args, func(a string) bool { return a == "-h" || a == "--help" }):
		return fault.Only(fmt.Fprint(env.Stdout, licensesHelp))
	case len(args) > 0:
		return fault.New(fault.Usage, "licenses takes no arguments")
	}
	texts, err := assay.Texts()
	if err != nil {
		return fmt.Errorf("unpack the licence texts: %w", err)
	}
	return fault.Only(fmt.Fprintf(env.Stdout, "%s\n%s\n== Licence texts ==\n\n%s", assay.Notice, assay.Licence, texts))
}
