//go:build slim

package op

import "github.com/assay-dev/assay/internal/script"

func authoring(*script.Feature) []Op { return nil }
