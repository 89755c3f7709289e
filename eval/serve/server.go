package main

import (
	"context"
	"os/exec"

	"github.com/assay-dev/assay/eval/served"
)

func start(ctx context.Context, assay, db string) (*served.Server, error) {
	return served.Start(exec.CommandContext(ctx, assay, "serve", "--tools", "docs", "--transport", "http", "--port", "0", "--db", db), "http")
}
