//go:build !slim

package lua

import "golang.org/x/net/publicsuffix"

// suffixes tell which domains no cookie may be for, because anybody can have a name in them.
var suffixes = publicsuffix.List
