// Package text turns text into terms: the words of prose and the identifiers of
// code, whole and split, folded and stemmed the same way for documents and for
// questions.
//
// For any input, Words yields pieces of it in order and Terms is a pure function of one piece, so that an index may cache the
// terms of a piece.
package text

import (
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// maxWord is the longest word that is worth a term, in bytes. Longer runs are
// encoded data: cutting them would fill the index with noise.
const maxWord = 64

const (
	other = iota
	lower
	upper
	digit
	under
	wide   // the first byte of a multi-byte character
	joined // combining characters
)

// class sorts bytes for the tokeniser.
var class = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] = lower
	}
	for c := 'A'; c <= 'Z'; c++ {
		t[c] = upper
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = digit
	}
	t['_'] = under
	for c := 0x80; c < 0x100; c++ {
		t[c] = wide
	}
	return t
}()

// Words calls yield with each word of b: a maximal run of letters, digits, marks
// and underscores that has a letter or a digit in it. Han, Hiragana and Katakana
// runs are cut into overlapping pairs of characters, since they have no spaces.
func Words(b []byte, yield func(word []byte)) {
	for i := 0; i < len(b); {
		k := class[b[i]]
		if k == other {
			i++
			continue
		}
		start, useful := i, false
		for i < len(b) {
			k = class[b[i]]
			if k == wide {
				r, n := utf8.DecodeRune(b[i:])
				if !joins(r) || pairs(r) {
					break
				}
				i += n
				if unicode.IsMark(r) && !useful {
					start = i // it combines with the character before, which was not part of a word
					continue
				}
				useful = true
				continue
			}
			if k == other {
				break
			}
			useful = useful || k != under
			i++
		}
		if useful && i-start <= maxWord {
			yield(b[start:i])
		}
		if i < len(b) && class[b[i]] == wide {
			i = wideRun(b, i, yield)
		}
	}
}

// EachWord is Words for a string, without a copy of it: yield writes to no word.
func EachWord(s string, yield func(word []byte)) {
	Words(unsafe.Slice(unsafe.StringData(s), len(s)), yield)
}

// wideRun consumes the characters at i that do not join words: a run of ideographs
// as pairs, or one character of anything else.
func wideRun(b []byte, i int, yield func([]byte)) int {
	r, n := utf8.DecodeRune(b[i:])
	if !pairs(r) {
		return i + n // it joins nothing, or it would have been part of the word before
	}
	prev, alone := i, true
	i += n
	for i < len(b) {
		r, n = utf8.DecodeRune(b[i:])
		if !pairs(r) {
			break
		}
		yield(b[prev : i+n])
		alone = false
		prev = i
		i += n
	}
	if alone {
		yield(b[prev:i])
	}
	return i
}

// joins reports whether r is part of words.
func joins(r rune) bool {
	if unicode.Is(unicode.Variation_Selector, r) {
		return false // emoji carry them
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// Pairs reports whether words of the script of r are cut into pairs of characters.
func Pairs(r rune) bool { return pairs(r) }

// pairs reports whether r is of a script that is cut into pairs. The marks of
// length and voice belong to several scripts but are in kana only.
func pairs(r rune) bool {
	switch r {
	case 'ー', 'ｰ', 'ﾞ', 'ﾟ', 0x3099, 0x309a:
		return true
	}
	return r >= 0x3005 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// Dense returns how many characters of a text are of a script in which a word of two
// characters is a long one: Han, Kana and Hangul.
func Dense(s string) (n int) {
	for _, r := range s {
		if pairs(r) || r >= 0x1100 && unicode.Is(unicode.Hangul, r) {
			n++
		}
	}
	return n
}

// Identifier reports whether s is a name as most programming languages have them: ASCII
// letters, digits and underscores, and no digit first.
func Identifier(s string) bool {
	for i := range len(s) {
		if k := class[s[i]]; k != lower && k != upper && k != under && (k != digit || i == 0) {
			return false
		}
	}
	return s != ""
}
