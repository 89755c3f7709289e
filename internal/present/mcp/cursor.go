//go:build !slim

package mcp

import "github.com/assay-dev/assay/internal/code/workspace"

// isCursor reports whether an argument has the form of a page's cursor, which is no secret.
func isCursor(s string) bool { return workspace.IsCursor(s) }
