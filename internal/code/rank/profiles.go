//go:build !slim

package rank

import "embed"

//go:embed profiles
var files embed.FS
