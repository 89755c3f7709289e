//go:build slim

package lua

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// encodingOf returns how a charset is read that is not UTF-8, or nil. The tables of all of
// them are a megabyte: this build has the ones that interfaces still answer with.
func encodingOf(name string) encoding.Encoding {
	switch strings.ToLower(name) {
	case "iso-8859-1", "latin1", "us-ascii", "windows-1252":
		return charmap.Windows1252
	case "utf-16", "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	return nil
}
