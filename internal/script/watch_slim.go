//go:build slim

package script

import (
	"context"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/script/check"
	"github.com/assay-dev/assay/internal/script/lua"
)

func (*RunInput) track(*check.Runner, *lua.Options, ...string) {}

func watchChecks(context.Context, *Feature, RunInput, int64) (*RunResult, error) {
	return nil, fault.New(fault.Usage, "this build watches no files: it was made with -tags slim").Or("use the full build")
}
