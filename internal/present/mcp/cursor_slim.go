//go:build slim

package mcp

// isCursor is false, because a program without searches gives no cursors.
func isCursor(string) bool { return false }
