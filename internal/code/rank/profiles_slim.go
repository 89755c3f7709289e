//go:build slim

package rank

import "embed"

// The slim program ranks modules and nothing else.
//
//go:embed profiles/modules.txt
var files embed.FS
