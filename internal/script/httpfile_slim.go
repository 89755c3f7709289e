//go:build slim

package script

const httpFile = ""
