package catalog

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/text"
)

// mostWord bounds a word, in bytes: what follows is left out.
const mostWord = 64

type class uint8

const (
	other class = iota
	small
	capital
	digit
	wide // a byte of a character that is not ASCII
)

var classes = func() (t [256]class) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z':
			t[c] = small
		case c >= 'A' && c <= 'Z':
			t[c] = capital
		case c >= '0' && c <= '9':
			t[c] = digit
		case c >= utf8.RuneSelf:
			t[c] = wide
		}
	}
	return t
}()

// wordStarts are what words begin with: of a first byte, in lower case, the second bytes
// that may follow it, of which the lower five bits are told.
type wordStarts [256]uint32

// add adds the words of a stem, which begins as they do, but for a y that became an i.
func (t *wordStarts) add(stem string) {
	switch {
	case len(stem) == 1:
		t[stem[0]] = ^uint32(0)
	case stem[1] == 'i':
		t[stem[0]] |= 1 << ('y' & 31)
		fallthrough
	default:
		t[stem[0]] |= 1 << (stem[1] & 31)
	}
}

// eachWord calls yield with the words of s that begin as is told, and maybe with
// others, in lower case, and returns how many words there are in all: runs of letters
// and digits, cut where a capital follows a small letter. Words of one byte are left
// out. The memory of a word is used again for the next.
func eachWord(s string, begin *wordStarts, yield func(word []byte)) (n int) {
	var buf [mostWord + utf8.UTFMax]byte
	for i := 0; i < len(s); {
		end := wordEnd(s, i)
		if end == i {
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
			continue
		}
		if end-i > 1 {
			n++
			if c := lower(s[i]); begin[c]>>(s[i+1]&31)&1 != 0 || classes[c] == wide || classes[s[i+1]] == wide {
				yield(appendLower(buf[:0], s[i:end]))
			}
		}
		i = end
	}
	return n
}

// wordEnd returns where the word that begins at i ends: at i, if none does.
func wordEnd(s string, i int) int {
	before := other
	for i < len(s) {
		k := classes[s[i]]
		switch {
		case k == small, k == digit: // mostly
		case k == other, k == capital && before == small:
			return i
		case k == wide:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
				return i
			}
			i += size - 1
		}
		before = k
		i++
	}
	return i
}

func lower(c byte) byte {
	if classes[c] == capital {
		return c + 'a' - 'A'
	}
	return c
}

// appendLower appends a word in lower case to b, up to mostWord bytes.
func appendLower(b []byte, word string) []byte {
	for i := 0; i < len(word) && len(b) < mostWord; {
		if c := word[i]; c < utf8.RuneSelf {
			b = append(b, lower(c))
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(word[i:])
		b = utf8.AppendRune(b, unicode.ToLower(r))
		i += size
	}
	return b
}

// anyStart lets all words pass.
var anyStart = func() (t wordStarts) {
	for c := range t {
		t[c] = ^uint32(0)
	}
	return t
}()

// terms returns the words of a question that say what it is about, each once; of a
// question of nothing but little words, all of them.
func terms(query string) []string {
	if len(query) > mostQuery {
		query = query[:mostQuery]
	}
	var said, all []string
	seen := map[string]bool{}
	eachWord(strings.ToValidUTF8(query, " "), &anyStart, func(w []byte) {
		word := string(w)
		if seen[word] {
			return
		}
		seen[word] = true
		all = append(all, word)
		if !text.Stop(word) || carries(word) {
			said = append(said, word)
		}
	})
	if len(said) == 0 {
		return all
	}
	return said
}

const mostQuery = 4000 // bytes

// carries reports whether a word says nothing in a question about code but
// something in one about an API.
func carries(word string) bool {
	switch word {
	case "call", "class", "code", "file", "files", "find", "function", "functions", "method", "methods":
		return true
	}
	return false
}
