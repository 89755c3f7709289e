package vault

import (
	_ "embed"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// Tokens returns how many tokens a text has at most: never fewer than the encoding
// cl100k_base counts, and about a fifth more in English prose, up to twice as many
// in other languages. It cuts the text into the pieces that the encoding is
// applied to, and knows the words that are one token.
func Tokens(s string) (n int) {
	for at := 0; at < len(s); {
		end, cost := piece(s, at)
		n += cost
		at = end
	}
	return n
}

// piece returns where the piece that begins at i ends, and what it costs at most.
// The pieces are those of the encoding's pattern:
//
//	'(?i:s|t|re|ve|m|ll|d) | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n]* | \s*[\r\n]+ | \s+(?!\S) | \s+
func piece(s string, i int) (end, cost int) {
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == '\'' {
		if n := contraction(s[i+1:]); n > 0 {
			return i + 1 + n, n
		}
	}
	switch {
	case unicode.IsLetter(r):
		end = letters(s, i)
		return end, word("", s[i:end])
	case unicode.IsNumber(r):
		return numbers(s, i)
	case r != '\r' && r != '\n':
		if next, _ := utf8.DecodeRuneInString(s[i+size:]); unicode.IsLetter(next) {
			end = letters(s, i+size)
			return end, word(s[i:i+size], s[i+size:end])
		}
	}
	if r != ' ' && !unicode.IsSpace(r) {
		return symbols(s, i)
	}
	if r == ' ' {
		next, _ := utf8.DecodeRuneInString(s[i+1:])
		if i+1 < len(s) && !unicode.IsSpace(next) && !unicode.IsNumber(next) {
			end, cost = symbols(s, i+1)
			if next <= ' ' || next >= 0x7f {
				cost++ // the blank joins only what can be printed and is ASCII
			} else if strings.HasPrefix(s[i+1:end], strings.Repeat(s[i+1:i+2], 4)) {
				cost++ // the blank joins the first of several, and the others may pair otherwise
			}
			return end, cost
		}
	}
	return spaces(s, i)
}

func contraction(s string) int {
	for _, c := range [...]string{"s", "t", "re", "ve", "m", "ll", "d"} {
		if len(s) >= len(c) && strings.EqualFold(s[:len(c)], c) {
			return len(c)
		}
	}
	return 0
}

func letters(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) || r == utf8.RuneError && n == 1 {
			break
		}
		i += n
	}
	return i
}

func numbers(s string, i int) (end, cost int) {
	for k := 0; k < 3 && i < len(s); k++ {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsNumber(r) {
			break
		}
		if n > 1 {
			cost += n
		}
		i += n
	}
	return i, max(cost, 1)
}

// symbols is what is neither letter, number nor space, with the line ends after
// it.
func symbols(s string, i int) (end, cost int) {
	var last rune
	same := 0
	flush := func() {
		if last > ' ' && last < 0x7f {
			cost += (same + 1) / 2
			return
		}
		cost += same * max(utf8.RuneLen(last), 0)
	}
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) || unicode.IsLetter(r) || unicode.IsNumber(r) {
			break
		}
		if r == utf8.RuneError && n == 1 {
			r = utf8.RuneError // three bytes once it is made valid
		}
		if r == last {
			same++
		} else {
			flush()
			last, same = r, 1
		}
		i += n
	}
	flush()
	breaks := 0
	for i < len(s) && (s[i] == '\n' || s[i] == '\r') {
		i++
		breaks++
	}
	if breaks > 0 {
		cost += 1 + breaks/4
	}
	return i, cost
}

// spaces is white space up to the last line end in it; without one, all of it but
// the last character, which belongs to what follows.
func spaces(s string, i int) (end, cost int) {
	from, lastBreak, size := i, 0, 0
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsSpace(r) {
			break
		}
		i, size = i+n, n
		if r == '\n' || r == '\r' {
			lastBreak = i
		}
	}
	switch {
	case lastBreak > 0:
		i = lastBreak
	case i < len(s) && i-size > from:
		i -= size
	}
	kinds, run := 0, 0
	for at := from; at < i; at++ {
		// Several blanks, tabs or line ends are one token; of what else is white space, none.
		if at > from && s[at] == s[at-1] && strings.IndexByte(" \t\r\n", s[at]) >= 0 {
			run++
			if run%8 == 0 {
				kinds++
			}
			continue
		}
		run = 0
		kinds++
	}
	return i, kinds
}

// known is cl100k.txt.
var known = lazy.Deflated(knownPack)

//go:embed cl100k.pack
var knownPack string

// table is what is known of the encoding: words of small letters that are one
// token after a blank, and letters beyond ASCII that are one by themselves.
var table = sync.OnceValue(func() (t struct {
	words string // sorted, each between line ends
	runes string // sorted
}) {
	words, runes, _ := strings.Cut(known(), "\n\n")
	t.words, t.runes = "\n"+words+"\n", strings.TrimSpace(runes)
	return t
})

func oneToken(word string) bool {
	w := table().words
	lo, hi := 0, len(w)-1 // both at a line end
	for lo < hi {
		mid := lo + (hi-lo)/2
		mid = max(strings.LastIndexByte(w[:mid+1], '\n'), lo)
		next := mid + 1 + strings.IndexByte(w[mid+1:], '\n')
		switch c := strings.Compare(w[mid+1:next], word); {
		case c == 0:
			return true
		case c < 0:
			lo = next
		default:
			hi = mid
		}
	}
	return false
}

func oneRune(r rune) bool {
	s := table().runes
	i := sort.Search(len(s), func(i int) bool {
		for i > 0 && !utf8.RuneStart(s[i]) {
			i--
		}
		have, _ := utf8.DecodeRuneInString(s[i:])
		return have >= r
	})
	return strings.HasPrefix(s[i:], string(r))
}

// word is the most that letters cost after what stands before them, if it is part
// of their piece.
func word(before, w string) int {
	cost := 0
	switch before {
	case " ":
	case "":
		cost = 1 // as most words, it may be a token only after a blank
	default:
		cost = len(before) + 1
	}
	for w != "" {
		part := w[:subword(w)]
		w = w[len(part):]
		cost += wordPart(part)
		if w != "" {
			cost++
		}
	}
	return cost
}

// subword returns the length of the first part of w: letters of ASCII up to where
// small ones are followed by a capital, or of others.
func subword(w string) int {
	ascii := w[0] < utf8.RuneSelf
	for i := 1; i < len(w); i++ {
		if (w[i] < utf8.RuneSelf) != ascii || ascii && w[i] <= 'Z' && w[i-1] >= 'a' {
			return i
		}
	}
	return len(w)
}

func wordPart(w string) int {
	if w[0] >= utf8.RuneSelf {
		cost := 1
		for _, r := range w {
			if oneRune(r) {
				cost++
			} else {
				cost += utf8.RuneLen(r)
			}
		}
		return cost
	}
	capital := 0
	if w[0] <= 'Z' {
		capital = 1
	}
	small := strings.ToLower(w[:1]) + w[1:]
	if oneToken(small) {
		return 1 + capital
	}
	if len(w) == 1 {
		return 1
	}
	most := lettersCost(small)
	for n := len(w) - 1; n >= 4; n-- {
		if oneToken(small[:n]) {
			most = min(most, 1+capital+lettersCost(small[n:]))
			break
		}
	}
	return most
}

// lettersCost is what letters cost that are in no table: nearly all pairs of letters
// are tokens, so of three letters no two are alone, but for these.
func lettersCost(w string) int {
	const rare = "jkqvwxzJKQVWXZ"
	alone := 0
	for i := 1; i < len(w); i++ {
		if strings.IndexByte(rare, w[i]) >= 0 && strings.IndexByte(rare, w[i-1]) >= 0 {
			alone++
		}
	}
	return (2*len(w)+alone+2)/3 + 1
}
