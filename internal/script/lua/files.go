//go:build !slim

package lua

// ReadsPolicies reports whether this build reads policy files. It is a constant, so that the slim build links nothing of them.
const ReadsPolicies = true
