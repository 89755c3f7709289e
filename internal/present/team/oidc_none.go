//go:build !team

package team

import (
	"context"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
)

// openBearer says that this build verifies no tokens of identity providers: most who use the
// program have none, and what verifies them is large.
func openBearer(context.Context, *OIDC, func() time.Time, func(string, ...any)) (bearer, error) {
	return nil, fault.New(fault.Unavailable, "this build verifies no tokens of an identity provider").
		Or("build it with: go build -tags team ./cmd/assay, or take oidc out of the file")
}
