// Package assay holds the notices that the program must be distributed with.
package assay

import _ "embed"

// Licence is the licence of the program.
//
//go:embed LICENSE
var Licence string

// Notice names the work of others that the program contains.
//
//go:embed NOTICE
var Notice string
