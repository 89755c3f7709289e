// Package charset reads texts that are not written in UTF-8.
//
// Whatever the bytes are, the text is valid UTF-8 where an encoding is named; bytes that are UTF-8 stay as they are, since a page
// that was converted often keeps the declaration of before.
package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
)

// maxHead is how many bytes of a text may declare its encoding.
const maxHead = 2048

// declaration is how HTML, XML and the sources of Python, Emacs and Vim name their encoding.
var declaration = lazy.Regexp(`(?i)(?:<meta[^>]{0,200}charset\s*=\s*["']?|<\?xml[^>]{0,200}encoding\s*=\s*["']|coding[:=][ \t]*|:encoding:[ \t]*)([\w.:-]{2,40})`)

// A Reading says how a text was read.
type Reading struct {
	Encoding string // "" of UTF-8
	Guessed  bool   // nothing declares the encoding
	Unknown  bool   // no encoding is known in which the bytes are a text: they are as they were
}

// Decode returns a text as UTF-8. declared is the encoding that a server named, or "".
func Decode(raw []byte, declared string) ([]byte, Reading) {
	if said, encoding := text.Decode(raw); encoding != "" {
		return said, Reading{Encoding: encoding}
	}
	head := raw[:min(len(raw), maxHead)]
	if m := declaration.FindSubmatch(head); declared == "" && m != nil {
		declared = string(m[1])
	}
	name, of := named(declared)
	isEscaped := name == "iso-2022-jp" && bytes.Contains(raw, []byte("\x1b$")) // its bytes are all of ASCII
	if utf8.Valid(raw) && !isEscaped {
		return raw, Reading{}
	}
	if of != nil {
		if said, bad := decodeWith(of, raw); bad*50 <= len(raw) {
			return said, Reading{Encoding: name}
		}
	}
	if name, of = guess(raw); of != nil {
		said, _ := decodeWith(of, raw)
		return said, Reading{Encoding: name, Guessed: true}
	}
	return raw, Reading{Unknown: true}
}

// decodeWith returns a text and how many characters of it could not be read.
func decodeWith(of encoding.Encoding, raw []byte) (said []byte, bad int) {
	said, err := of.NewDecoder().Bytes(raw)
	if err != nil {
		return nil, len(raw)
	}
	return said, bytes.Count(said, []byte("\uFFFD"))
}

// named returns the encoding that a label means, nil for UTF-8 and for those that are not known.
func named(label string) (name string, of encoding.Encoding) {
	low := strings.ToLower(strings.NewReplacer("-", "", "_", "", ":", "", " ", "", ".", "").Replace(label))
	switch low {
	case "shiftjis", "sjis", "xsjis", "mskanji", "cp932", "windows31j", "ms932":
		return "shift_jis", japanese.ShiftJIS
	case "eucjp", "xeucjp", "ujis":
		return "euc-jp", japanese.EUCJP
	case "iso2022jp", "csiso2022jp":
		return "iso-2022-jp", japanese.ISO2022JP
	case "gbk", "gb2312", "xgbk", "cp936", "chinese", "euccn", "gb231280":
		return "gbk", simplifiedchinese.GBK
	case "gb18030":
		return "gb18030", simplifiedchinese.GB18030
	case "big5", "big5hkscs", "xxbig5", "cnbig5", "cp950":
		return "big5", traditionalchinese.Big5
	case "euckr", "cp949", "ksc56011987", "ksc5601", "windows949", "uhc":
		return "euc-kr", korean.EUCKR
	case "latin1", "iso88591", "l1", "usascii", "ascii", "cp1252", "windows1252":
		return "windows-1252", charmap.Windows1252 // as browsers read them
	case "koi8r", "koi8":
		return "koi8-r", charmap.KOI8R
	case "koi8u":
		return "koi8-u", charmap.KOI8U
	case "cp866", "ibm866", "866":
		return "ibm866", charmap.CodePage866
	case "macintosh", "macroman", "mac":
		return "macintosh", charmap.Macintosh
	}
	if number, ok := strings.CutPrefix(strings.Replace(low, "windows", "cp", 1), "cp125"); ok && len(number) == 1 {
		if of := windows[number]; of != nil {
			return "windows-125" + number, of
		}
	}
	if number, ok := strings.CutPrefix(strings.Replace(low, "latin", "iso8859", 1), "iso8859"); ok {
		if of := iso8859[number]; of != nil {
			return "iso-8859-" + number, of
		}
	}
	return "", nil
}

var (
	windows = map[string]encoding.Encoding{
		"0": charmap.Windows1250, "1": charmap.Windows1251, "3": charmap.Windows1253, "4": charmap.Windows1254, "5": charmap.Windows1255,
		"6": charmap.Windows1256, "7": charmap.Windows1257, "8": charmap.Windows1258,
	}
	iso8859 = map[string]encoding.Encoding{
		"2": charmap.ISO8859_2, "3": charmap.ISO8859_3, "4": charmap.ISO8859_4, "5": charmap.ISO8859_5, "6": charmap.ISO8859_6,
		"7": charmap.ISO8859_7, "8": charmap.ISO8859_8, "9": charmap.Windows1254, "10": charmap.ISO8859_10, "13": charmap.ISO8859_13,
		"14": charmap.ISO8859_14, "15": charmap.ISO8859_15, "16": charmap.ISO8859_16,
	}
)
