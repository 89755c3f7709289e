//go:build !team && !slim

package main

import (
	"context"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/index"
)

// openBackend opens the index that a database has. The client of a database is 3 MB of
// program that nobody needs who works alone.
func openBackend(_ context.Context, backend, _, _, _ string) (index.Backend, error) {
	return nil, fault.New(fault.Usage, "index.backend is %s, and this build of assay has no client for it", backend).
		Or("build one with go build -tags team ./cmd/assay, or: assay config unset index.backend")
}
