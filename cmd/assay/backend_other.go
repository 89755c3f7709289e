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
	return nil, fault.New(fault.Usage, "index.backend is %s, but this build of assay does not support it", backend).
		Or("build assay with go build -tags team ./cmd/assay, or use a folder: assay config unset index.backend")
}
