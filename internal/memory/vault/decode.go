package vault

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// decodeBytes returns a text that is not UTF-8 as UTF-8. It is read as Windows-1252 if none of its characters is one
// of UTF-8 beyond ASCII; else some bytes of it are damaged, and each becomes U+FFFD.
func decodeBytes(raw []byte) []byte {
	isWide := func(r rune) bool { return r >= utf8.RuneSelf && r != utf8.RuneError }
	out, err := charmap.Windows1252.NewDecoder().Bytes(raw)
	if err != nil || bytes.ContainsFunc(raw, isWide) || bytes.ContainsAny(out, "\uFFFD\x00") {
		return bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	return out
}

// otherForm returns the note of the vault whose path is the same in Unicode's other normal form: a Mac writes "é" as
// two characters where others write one. "" where there is none.
func otherForm(vault, rel string, now time.Time) string {
	if !strings.ContainsFunc(rel, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return ""
	}
	l, err := list(vault, now)
	if err != nil {
		return "" // the caller says that the note is not there
	}
	for _, e := range l.entries {
		if e.path != rel && norm.NFC.String(e.path) == norm.NFC.String(rel) {
			return e.path
		}
	}
	return ""
}
