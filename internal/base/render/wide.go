//go:build !slim

package render

import "golang.org/x/text/width"

func isWide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}
