//go:build slim

package render

import "github.com/assay-dev/assay/internal/base/text"

// isWide knows letters alone, because the table of all widths takes 15 kB.
func isWide(r rune) bool { return text.Pairs(r) }
