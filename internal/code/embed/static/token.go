package static

import (
	"unicode"
	"unicode/utf8"
)

// maxWord is how much of a word is looked at, in bytes.
const maxWord = 48

// Words calls yield with each word of a text in lower case: identifiers are cut
// where their spelling shows parts, numbers of up to four digits are words, and
// of scripts without spaces each pair of letters is one. The word is only good
// during the call; false ends it.
func Words(text []byte, yield func(word []byte) bool) {
	var room [maxWord + utf8.UTFMax]byte
	pieces(text, func(run []byte) bool { return parts(run, room[:0], yield) }, yield)
}

// pieces calls run with each run of ASCII letters of a text that belongs to no other
// letters, and word with every other word; false ends it.
func pieces(text []byte, run, word func([]byte) bool) {
	var room [maxWord + utf8.UTFMax]byte
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			end := i + 1
			for end < len(text) && letter(text[end]) {
				end++
			}
			if end < len(text) && text[end] >= utf8.RuneSelf {
				if n := foreign(text[i:], room[:0], word); n <= 0 {
					return
				} else if n > 0 {
					i += n
					continue
				}
			}
			if !run(text[i:end]) {
				return
			}
			i = end
		case c >= '0' && c <= '9':
			end := i + 1
			for end < len(text) && text[end] >= '0' && text[end] <= '9' {
				end++
			}
			if end-i <= 4 && !word(text[i:end]) {
				return
			}
			i = end
		case c >= utf8.RuneSelf:
			n := foreign(text[i:], room[:0], word)
			if n <= 0 {
				return
			}
			i += n
		default:
			i++
		}
	}
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func upper(c byte) bool  { return c >= 'A' && c <= 'Z' }

// parts cuts ASCII letters where a capital begins a part: "HTTPServer" is "http"
// and "server".
func parts(s, room []byte, yield func([]byte) bool) bool {
	for from := 0; from < len(s); {
		end := from + 1
		if upper(s[from]) && end < len(s) && upper(s[end]) {
			for end < len(s) && upper(s[end]) {
				end++
			}
			if end < len(s) {
				end-- // the last capital begins the next part
			}
		} else {
			for end < len(s) && !upper(s[end]) {
				end++
			}
		}
		word := room[:0]
		for _, c := range s[from:min(end, from+maxWord)] {
			word = append(word, c|0x20)
		}
		if !yield(word) {
			return false
		}
		from = end
	}
	return true
}

// foreign reads a word with letters beyond ASCII, or passes over one sign, and
// returns how much it read; 0 where yield wants no more.
func foreign(s, room []byte, yield func([]byte) bool) int {
	word := room[:0]
	i := 0
	var last [utf8.UTFMax]byte
	before := 0
	for i < len(s) {
		r, n := utf8.DecodeRune(s[i:])
		if r == utf8.RuneError && n <= 1 || !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		if unspaced(r) {
			if len(word) > 0 {
				break
			}
			var pair [2 * utf8.UTFMax]byte
			k := copy(pair[:], last[:before])
			k += utf8.EncodeRune(pair[k:], r)
			if !yield(pair[:k]) {
				return 0
			}
			before = utf8.EncodeRune(last[:], r)
		} else {
			if before > 0 {
				break
			}
			if len(word) < maxWord {
				word = utf8.AppendRune(word, unicode.ToLower(r))
			}
		}
		i += n
	}
	if len(word) > 0 && !yield(word) {
		return 0
	}
	if i == 0 {
		_, n := utf8.DecodeRune(s)
		return n
	}
	return i
}

// unspaced reports whether a letter is of a script that writes no spaces.
func unspaced(r rune) bool {
	return r >= 0x2e80 && (r <= 0x9fff || r >= 0xac00 && r <= 0xd7af || r >= 0xf900 && r <= 0xfaff || r >= 0x20000) || r >= 0x0e00 && r <= 0x0eff
}
