package regex

import (
	"bytes"
	"math"
	"strings"
)

// A needle is a text to look for. If folds is set, text is in lower case and its
// ASCII letters match in either.
type needle struct {
	text  string
	folds bool
	rare  int  // where in text the byte is that is least common in code
	lower byte // that byte
	upper byte // and in upper case
}

func newNeedle(text string, folds bool) needle {
	n := needle{text: text, folds: folds && strings.ToUpper(text) != text}
	for i := range len(text) {
		if rarity(text[i]) > rarity(text[n.rare]) {
			n.rare = i
		}
	}
	n.lower = text[n.rare]
	n.upper = n.lower
	if folds && 'a' <= n.lower && n.lower <= 'z' {
		n.upper -= 'a' - 'A'
	}
	return n
}

// rarity returns how uncommon b is in code: 0 for the most common byte.
func rarity(b byte) int {
	const common = " etnrioasl\tcdup\nfmg.,(_)hbxy\"wv=k0;:1-E2S>TARIC/N*OLDjq{}P<3F'zM4856U79B[]GV&\\#XH|WKQ!$`JY@+Z%?^~"
	if i := strings.IndexByte(common, b); i >= 0 {
		return i
	}
	return len(common)
}

// A hunt finds needles in one text, from front to back.
type hunt struct {
	needles []needle
	text    []byte
	at      []int // the next place of each needle, as far as known
	low, up []int // the next places of its rare byte, in lower and in upper case
}

const nowhere = math.MaxInt

func (h *hunt) reset(needles []needle, text []byte) {
	if len(h.at) != len(needles) {
		h.at, h.low, h.up = make([]int, len(needles)), make([]int, len(needles)), make([]int, len(needles))
	}
	h.needles, h.text = needles, text
	for i := range h.at {
		h.at[i], h.low[i], h.up[i] = -1, -1, -1
	}
}

// next returns the first place from pos on where a needle is, or -1. It leaves the
// first place of every needle in h.at.
func (h *hunt) next(pos int) int {
	first := nowhere
	for i := range h.needles {
		if h.at[i] < pos {
			h.at[i] = h.find(i, pos)
		}
		first = min(first, h.at[i])
	}
	if first == nowhere {
		return -1
	}
	return first
}

// find returns the first place from pos on where needle i is.
func (h *hunt) find(i, pos int) int {
	n := &h.needles[i]
	begin, tries := pos, 0
	for pos += n.rare; ; pos++ {
		if h.low[i] < pos {
			h.low[i] = indexByte(h.text, pos, n.lower)
		}
		if h.up[i] < pos {
			h.up[i] = nowhere
			if n.upper != n.lower {
				h.up[i] = indexByte(h.text, pos, n.upper)
			}
		}
		pos = min(h.low[i], h.up[i])
		at := pos - n.rare
		switch {
		case pos == nowhere || at+len(n.text) > len(h.text):
			return nowhere
		case n.folds && hasFolded(h.text[at:], n.text), !n.folds && string(h.text[at:at+len(n.text)]) == n.text:
			return at
		}
		// The byte is not rare here. Go's search does not depend on that.
		if tries++; !n.folds && tries > 16 && tries > (at-begin)/16 {
			if found := bytes.Index(h.text[at+1:], []byte(n.text)); found >= 0 {
				return at + 1 + found
			}
			return nowhere
		}
	}
}

func indexByte(text []byte, pos int, b byte) int {
	if pos < len(text) {
		if i := bytes.IndexByte(text[pos:], b); i >= 0 {
			return pos + i
		}
	}
	return nowhere
}

// hasFolded reports whether text begins with lower, which is in lower case.
func hasFolded(text []byte, lower string) bool {
	for i := range len(lower) {
		b := text[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != lower[i] {
			return false
		}
	}
	return true
}
