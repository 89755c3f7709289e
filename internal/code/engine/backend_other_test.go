//go:build !team

package engine_test

import (
	"testing"

	"github.com/assay-dev/assay/internal/code/index"
)

func database(*testing.T) (string, func() (index.Backend, error)) { return "", nil }
