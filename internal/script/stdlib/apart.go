//go:build !slim

package stdlib

import _ "embed"

// apart is the modules that the program for containers leaves out, packed as the others are.
//
//go:embed apart.pack
var apart []byte
