package main

import (
	"bytes"
	"context"
	"io"
	"strings"

	"github.com/assay-dev/assay/eval/timed"
)

// assay runs the binary in dir, not watched.
func (b *bench) assay(ctx context.Context, dir string, out io.Writer, args ...string) (timed.Usage, error) {
	return timed.Program{Dir: dir, Out: out}.Run(ctx, b.o.assay, args...)
}

// version returns what the binary says of itself.
func (b *bench) version() string {
	var out bytes.Buffer
	if _, err := b.assay(context.Background(), b.work, &out, "version"); err != nil {
		return "unknown version"
	}
	return strings.TrimSpace(out.String())
}

// at returns the arguments that name a tree and its index.
func at(tree, index string) []string {
	return []string{"--root", tree, "--index-dir", index}
}
