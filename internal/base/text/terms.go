package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Terms appends to dst the terms of one word as Words yields it: first the word
// itself, folded, without underscores; then, if it is made of several parts
// (camelCase, snake_case, letters and digits), each part of two or more
// characters, stemmed. A word of one part is stemmed itself. The terms are fresh
// memory.
func Terms(dst [][]byte, word []byte) [][]byte {
	var cuts [maxWord + 2]uint8
	n := split(word, &cuts)
	whole := fold(word)
	if len(whole) == 0 {
		return dst
	}
	if n == 1 {
		return append(dst, Stem(whole))
	}
	dst = append(dst, whole)
	for i := range n {
		part := fold(bytes.TrimLeftFunc(word[cuts[2*i]:cuts[2*i+1]], unicode.IsMark))
		if len(part) < 2 {
			continue
		}
		if s := Stem(part); !bytes.Equal(s, whole) {
			dst = append(dst, s)
		}
	}
	return dst
}

// Exact returns the term of a declared name as it is spelt, which no word of a
// text has: the first 64 bytes of the name behind an equals sign.
func Exact(name string) string { return "=" + name[:min(len(name), maxWord)] }

// split writes the start and end of each part of word into cuts and returns how
// many there are. Words longer than maxWord have one part.
func split(word []byte, cuts *[maxWord + 2]uint8) int {
	if len(word) > maxWord {
		cuts[0], cuts[1] = 0, maxWord
		return 1
	}
	n, start := 0, -1
	end := func(i int) {
		if start >= 0 && 2*n+1 < len(cuts) {
			cuts[2*n], cuts[2*n+1] = uint8(start), uint8(i)
			n++
		}
		start = -1
	}
	for i, c := range word {
		k := class[c]
		if k == under {
			end(i)
			continue
		}
		if start >= 0 {
			p := class[word[i-1]]
			switch {
			case k == upper && p != upper,
				// HTTPServer: the last capital begins the next part.
				k == lower && p == upper && i-1 > start,
				k == digit && p != digit,
				k != digit && p == digit:
				at := i
				if k == lower && p == upper {
					at = i - 1
				}
				end(at)
				start = at
				continue
			}
			continue
		}
		start = i
	}
	end(len(word))
	if n == 0 {
		cuts[0], cuts[1] = 0, uint8(len(word))
		return 1
	}
	return n
}

// fold returns b in lower case without underscores, in fresh memory.
func fold(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i, c := range b {
		switch {
		case c >= utf8.RuneSelf:
			return append(out, bytes.ToLower(bytes.ReplaceAll(b[i:], []byte("_"), nil))...)
		case c >= 'A' && c <= 'Z':
			out = append(out, c+'a'-'A')
		case c != '_':
			out = append(out, c)
		}
	}
	return out
}
