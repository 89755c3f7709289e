//go:build !slim

package lua

import "golang.org/x/net/html/charset"

// recoded returns text of a charset as UTF-8; false where it is that already, or cannot be read.
func recoded(b []byte, name string) (string, bool) {
	e, canonical := charset.Lookup(name)
	if e == nil || canonical == "utf-8" {
		return "", false
	}
	out, err := e.NewDecoder().Bytes(b)
	return string(out), err == nil
}
