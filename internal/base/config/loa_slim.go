//go:build slim

package config

// loadLoa reads nothing: what the framework sets are thresholds of search and audit, which this build does not have.
func loadLoa(string) Loa { return Loa{} }
