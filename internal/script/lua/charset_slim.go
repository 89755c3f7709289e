//go:build slim

package lua

import (
	"strings"
	"unicode/utf16"
)

// c1 are the characters from 80 to 9F, which browsers read so in Latin-1 too (encoding.spec.whatwg.org, windows-1252).
const c1 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

// recoded returns text of a charset as UTF-8; false where it is that already, or cannot be read. The tables of all charsets are a
// megabyte: this build has the ones that interfaces still answer with.
func recoded(b []byte, name string) (string, bool) {
	switch strings.ToLower(name) {
	case "iso-8859-1", "latin1", "us-ascii", "windows-1252":
		high := []rune(c1)
		out := make([]rune, len(b))
		for i, c := range b {
			if out[i] = rune(c); 0x80 <= c && c < 0xa0 {
				out[i] = high[c-0x80]
			}
		}
		return string(out), true
	case "utf-16", "utf-16le", "utf-16be":
		lo, hi := 0, 1
		if strings.HasSuffix(strings.ToLower(name), "be") || len(b) > 1 && b[0] == 0xfe && b[1] == 0xff {
			lo, hi = 1, 0
		}
		units := make([]uint16, len(b)/2)
		for i := range units {
			units[i] = uint16(b[2*i+lo]) | uint16(b[2*i+hi])<<8
		}
		return strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff"), true
	}
	return "", false
}
