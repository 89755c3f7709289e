//go:build !linux

package file

// Elsewhere the name of a temporary file does not say whose it is: its age alone tells.
const self = 0

func processSpace() string { return "" }

func gone(int) bool { return false }
