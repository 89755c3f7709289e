//go:build slim

package stdlib

var apart []byte
