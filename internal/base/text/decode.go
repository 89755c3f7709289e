package text

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// The encodings of texts other than UTF-8.
const (
	UTF16LE = "utf-16le"
	UTF16BE = "utf-16be"
)

// decodeHead is how many bytes of a file decide whether it is UTF-16.
const decodeHead = 1 << 10

// Decode returns the content of a file as UTF-8, and the file's encoding if it is another one: UTF-16, recognized by its byte
// order mark, which is removed, or by a zero beside nearly every character. Any other content is returned unchanged, with "".
// A text of n bytes has at most 3n/2+3 bytes in UTF-8; half a surrogate pair, and an odd byte at the end, become U+FFFD. All
// lines and spans refer to the decoded text, so that no other code may decode files.
func Decode(raw []byte) (text []byte, encoding string) {
	encoding = encodingOf(raw[:min(len(raw), decodeHead)])
	if encoding == "" {
		return raw, ""
	}
	high := 0
	if encoding == UTF16LE {
		high = 1
	}
	unit := func(i int) rune { return rune(raw[i+high])<<8 | rune(raw[i+1-high]) }
	start := 0
	if unit(0) == mark {
		start = 2
	}
	end := start + (len(raw)-start)&^1
	runes := func(yield func(rune)) {
		for i := start; i < end; i += 2 {
			r := unit(i)
			if utf16.IsSurrogate(r) {
				low := rune(utf8.RuneError)
				if i+2 < end {
					low = unit(i + 2)
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					i += 2
				}
			}
			yield(r)
		}
		if end < len(raw) {
			yield(utf8.RuneError)
		}
	}
	// Counted first: a text may be large, and growing would hold it twice.
	size := 0
	runes(func(r rune) { size += utf8.RuneLen(r) })
	text = make([]byte, 0, size)
	runes(func(r rune) { text = utf8.AppendRune(text, r) })
	return text, encoding
}

const mark = 0xfeff // of the order of bytes

// encodingOf returns the kind of UTF-16 that a file begins with, or "".
func encodingOf(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")) && utf16Share(head[2:], 1) >= 0:
		return UTF16LE
	case bytes.HasPrefix(head, []byte("\xfe\xff")) && utf16Share(head[2:], 0) >= 0:
		return UTF16BE
	case len(head) < leastUnmarked || bytes.IndexByte(head, 0) < 0:
		return ""
	// Numbers of two bytes look alike, but seldom are most of them letters of ASCII.
	case utf16Share(head, 1) >= mostASCII:
		return UTF16LE
	case utf16Share(head, 0) >= mostASCII:
		return UTF16BE
	}
	return ""
}

const (
	leastUnmarked = 16  // bytes
	mostASCII     = .75 // of the characters
)

// utf16Share returns the share of ASCII among the characters of head as UTF-16 with the high byte of each at that place, or -1
// if it is not plausible text: it has zeros, control characters or more than a few halves of surrogate pairs.
func utf16Share(head []byte, high int) float64 {
	ascii, halves, n := 0, 0, len(head)/2
	for i := 0; i < n; i++ {
		unit := func(i int) rune { return rune(head[2*i+high])<<8 | rune(head[2*i+1-high]) }
		switch r := unit(i); {
		case r < ' ' && (r < '\b' || r > '\r') && r != 0x1b, r == 0x7f, r >= 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
			return -1
		case r < utf8.RuneSelf:
			ascii++
		case utf16.IsSurrogate(r):
			if i+1 < n && utf16.DecodeRune(r, unit(i+1)) != utf8.RuneError {
				i++
			} else if i+1 < n { // the last one may go on behind the head
				halves++
			}
		}
	}
	if halves > 1+n/50 {
		return -1
	}
	return float64(ascii) / float64(max(n, 1))
}
