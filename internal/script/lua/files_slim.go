//go:build slim

package lua

// ReadsPolicies reports whether this build reads policy files: to be asked for one is an error in this one.
const ReadsPolicies = false
