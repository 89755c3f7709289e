package charset

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// maxGuess is how many bytes of a text are looked at to guess its encoding.
const maxGuess = 64 << 10

// counts are numbers of bytes above ASCII in a text.
type counts struct {
	high, runs        int     // bytes, and runs of them
	binary            int     // control characters that no text has
	letters           int     // 0xC0 and above: letters in most encodings of one byte
	lower1251         int     // 0xE0 and above: small letters of windows-1251
	lowerKOI8         int     // 0xC0 to 0xDF: small letters of KOI8-R
	undefined         int     // bytes that are nothing in windows-1252
	perRun, inLetters float64 // bytes in a run, the part that is letters
}

func count(raw []byte) (c counts) {
	before := false
	for _, b := range raw {
		isHigh := b >= 0x80
		if isHigh && !before {
			c.runs++
		}
		before = isHigh
		switch {
		case b < 0x20 && strings.IndexByte("\n\r\t\f\x1b", b) < 0:
			c.binary++
		case b >= 0xE0:
			c.lower1251++
		case b >= 0xC0:
			c.lowerKOI8++
		case strings.IndexByte("\x81\x8D\x8F\x90\x9D", b) >= 0:
			c.undefined++
		}
		if isHigh {
			c.high++
		}
	}
	c.letters = c.lower1251 + c.lowerKOI8
	c.perRun, c.inLetters = float64(c.high)/float64(max(c.runs, 1)), float64(c.letters)/float64(max(c.high, 1))
	return c
}

// guess returns the encoding that a text without a declaration is most likely in, nil where no rule fits. The text is not UTF-8.
func guess(raw []byte) (string, encoding.Encoding) {
	raw = raw[:min(len(raw), maxGuess)]
	c := count(raw)
	switch {
	case c.binary > 0 || c.high == 0:
		return "", nil
	case c.perRun >= 2.5 && c.inLetters > .93: // words of letters above ASCII alone
		if c.lowerKOI8 > c.lower1251 {
			return "koi8-r", charmap.KOI8R
		}
		return "windows-1251", charmap.Windows1251
	case isWritten(japanese.ShiftJIS, raw, isKana, .15):
		return "shift_jis", japanese.ShiftJIS
	case isWritten(japanese.EUCJP, raw, isKana, .15):
		return "euc-jp", japanese.EUCJP
	case c.perRun < 2 && c.undefined == 0: // single letters within words of ASCII
		return "windows-1252", charmap.Windows1252
	case isWritten(korean.EUCKR, raw, isHangul, .85) && share(raw, 0xB0, 0xC8) > .8:
		return "euc-kr", korean.EUCKR
	case isWritten(simplifiedchinese.GBK, raw, isHan, .6) && share(raw, 0xB0, 0xD7) > .6:
		return "gbk", simplifiedchinese.GBK
	case isWritten(traditionalchinese.Big5, raw, isHan, .6):
		return "big5", traditionalchinese.Big5
	}
	return "", nil
}

// isWritten reports whether nearly all of a text can be read in an encoding, and so much of its letters above ASCII is of a script.
func isWritten(of encoding.Encoding, raw []byte, inScript func(rune) bool, least float64) bool {
	said, bad := decodeWith(of, raw)
	if bad*200 > len(raw) {
		return false
	}
	all, in := 0, 0
	for len(said) > 0 {
		r, n := utf8.DecodeRune(said)
		said = said[n:]
		if r >= 0x80 && unicode.IsLetter(r) {
			all++
			if inScript(r) {
				in++
			}
		}
	}
	return all > 0 && float64(in) >= least*float64(all)
}

func isKana(r rune) bool   { return r >= 0x3041 && r <= 0x30FE }
func isHangul(r rune) bool { return r >= 0xAC00 && r <= 0xD7A3 }
func isHan(r rune) bool    { return r >= 0x4E00 && r <= 0x9FFF }

// share returns which part of the pairs of bytes above ASCII begins with one of a range.
func share(raw []byte, from, to byte) float64 {
	pairs, in := 0, 0
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] < 0x80 {
			continue
		}
		pairs++
		if raw[i] >= from && raw[i] <= to {
			in++
		}
		i++
	}
	return float64(in) / float64(max(pairs, 1))
}
