//go:build !team

package index

import "testing"

// others are the backends of builds with the tag team.
func others() map[string]func(testing.TB) backend { return nil }
