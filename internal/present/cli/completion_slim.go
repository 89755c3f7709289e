//go:build slim

package cli

import (
	"github.com/spf13/cobra"

	"github.com/assay-dev/assay/internal/present/op"
)

// completions are the commands for a shell on which somebody types: a program for containers has none.
var completions []string

func (p *program) addCompletion(*cobra.Command) {}

func looksLast(_ []op.Op, args []string) ([]string, error) { return args, nil }
