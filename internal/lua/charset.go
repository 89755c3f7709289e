//go:build !slim

package lua

import (
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// encodingOf returns how a charset is read that is not UTF-8, or nil.
func encodingOf(name string) encoding.Encoding {
	e, canonical := charset.Lookup(name)
	if canonical == "utf-8" {
		return nil
	}
	return e
}
