// Package opencode holds the plugin for OpenCode, for setup to write: the file that a person
// copies from this folder is the one that the program contains.
package opencode

import _ "embed"

// Plugin is the text of assay-memory.js.
//
//go:embed assay-memory.js
var Plugin string
