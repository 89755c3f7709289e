package regex

import (
	"bytes"
	"unicode/utf8"
)

// A Gram is three consecutive folded bytes of a text: six bits each, the first
// byte highest.
type Gram uint32

// Trigrams is the number of different trigrams.
const Trigrams = 1 << 18

// folds has the class of each byte, 0 to 63: letters lose their case; digits and the
// punctuation that shapes code keep a class each; all else shares what is left.
// The letters are 0 to 25, the digits 26 to 35, blanks 36, line ends 37, and
// control characters share 61 with the rarest signs. Bytes from 0x80 share 16
// classes with punctuation: a text of one kind seldom has much of the other.
var folds = [256]byte{
	61, 61, 61, 61, 61, 61, 61, 61, 61, 36, 37, 61, 61, 37, 61, 61, // \t \n \r
	61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61,
	36, 58, 46, 60, 61, 58, 57, 47, 40, 41, 55, 56, 42, 54, 39, 53, // space !"#$%&'()*+,-./
	26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 44, 43, 51, 45, 52, 58, // 0-9 :;<=>?
	60, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, // @ A-O
	15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 49, 59, 50, 55, 38, // P-Z [\]^_
	47, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, // ` a-o
	15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 48, 57, 62, 56, 61, // p-z {|}~
	63, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 48,
	63, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 48,
	63, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 48,
	63, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 48,
	63, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 48,
	63, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 48,
	63, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 48,
	63, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 48,
}

// The two characters beyond ASCII whose case folds into it.
const (
	longS  = 'ſ'      // folds to s
	kelvin = '\u212a' // folds to k
)

// A Set is a set of trigrams. The zero Set is empty. It is large: reuse it.
type Set struct {
	bits [Trigrams / 64]uint64
	list []Gram
}

func (s *Set) Has(g Gram) bool { return s.bits[g/64%(Trigrams/64)]&(1<<(g%64)) != 0 }

// Trigrams returns the trigrams of s in the order they were first seen. The slice is
// good until s changes.
func (s *Set) Trigrams() []Gram { return s.list }

// Reset empties s, in time that grows with what it holds.
func (s *Set) Reset() {
	for _, g := range s.list {
		s.bits[g/64] = 0
	}
	s.list = s.list[:0]
}

func hasWideFolds(text []byte) bool {
	return bytes.Contains(text, []byte("ſ")) || bytes.Contains(text, []byte("\u212a"))
}

// GramSet adds the trigrams of text to seen. It is the one definition of the trigrams
// of a text: the characters that fold into ASCII count as the letters they fold
// to, so the trigrams of a pattern that ignores case need no alternatives.
func GramSet(text []byte, seen *Set) {
	if hasWideFolds(text) {
		text = bytes.ReplaceAll(text, []byte("ſ"), []byte("s"))
		text = bytes.ReplaceAll(text, []byte("\u212a"), []byte("k"))
	}
	if len(text) < 3 {
		return
	}
	list := seen.list
	g := uint32(folds[text[0]])<<6 | uint32(folds[text[1]])
	for _, b := range text[2:] {
		g = (g<<6 | uint32(folds[b])) % Trigrams
		if w, bit := &seen.bits[g/64], uint64(1)<<(g%64); *w&bit == 0 {
			*w |= bit
			list = append(list, Gram(g))
		}
	}
	seen.list = list
}

// foldRune appends the folded bytes of r as GramSet sees them.
func foldRune(b []byte, r rune) []byte {
	switch r {
	case longS:
		r = 's'
	case kelvin:
		r = 'k'
	}
	n := len(b)
	b = utf8.AppendRune(b, r)
	for i := n; i < len(b); i++ {
		b[i] = folds[b[i]]
	}
	return b
}
