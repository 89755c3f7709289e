//go:build slim

package op

import "github.com/assay-dev/assay/internal/feature/module"

func authoring(*module.Feature) []Op { return nil }
