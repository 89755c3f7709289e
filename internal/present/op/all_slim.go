//go:build slim

package op

import "github.com/assay-dev/assay/internal/script"

// Features are what the operations ask.
type Features struct {
	Module    *script.Feature
	AllowExec bool // the code of a model may be run
}

// All returns every operation of a build that has scripts, checks and modules only.
func All(f Features) []Op { return finished(runtime(f.Module, f.AllowExec)) }
