//go:build !slim

package lazy

import (
	"regexp/syntax"
	"strings"
	"sync/atomic"
)

// A pattern of many words, without regard to case, costs a step for each state and byte of a
// text, though most texts have none of the words. Needs are what a text has at least one of
// where a pattern matches it: to look for them takes one pass.
type needs struct {
	pairs [1 << pairBits / 64]uint64 // of the first two bytes
	words map[uint16][]string        // by these; in small letters
	ones  [4]uint64                  // single bytes
	any   bool                       // nothing is needed, or nothing that would tell texts apart
}

// A hint is what a pattern needs, once it has been used often.
type hint struct {
	uses atomic.Uint32
	need atomic.Pointer[needs]
}

const (
	pairBits = 12
	often    = 64  // uses of a pattern before its needs are found: to parse it costs as much as a few
	mostNeed = 256 // words
)

// may reports whether the pattern may match a text: whether it has what every match has.
func (p *Pattern) may(s string) bool {
	if n := p.hint.need.Load(); n != nil {
		return n.in(s)
	}
	if p.hint.uses.Add(1) == often {
		n := &needs{any: true}
		if prefix, _ := p.Get().LiteralPrefix(); prefix == "" { // else package regexp looks for that first
			n = needsOf(p.expr)
		}
		p.hint.need.Store(n)
	}
	return true
}

// needsOf returns the needs of an expression.
func needsOf(expr string) *needs {
	n := &needs{any: true}
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return n
	}
	list := need(re.Simplify())
	if len(list) == 0 || len(list) > mostNeed {
		return n
	}
	n.words = map[uint16][]string{}
	for _, w := range list {
		if len(w) == 1 {
			if c := w[0]; c >= 'a' && c <= 'z' || c == ' ' {
				return n // any text has it
			}
			n.ones[w[0]>>6] |= 1 << (w[0] & 63)
			continue
		}
		key := uint16(w[0])<<8 | uint16(w[1])
		h := pairOf(w[0], w[1])
		n.pairs[h>>6] |= 1 << (h & 63)
		n.words[key] = append(n.words[key], w)
	}
	n.any = false
	return n
}

func pairOf(a, b byte) uint { return (uint(a)<<5 ^ uint(b)) & (1<<pairBits - 1) }

// need returns words of small letters of which whatever an expression matches has one, without
// regard to case; none where it may match without any.
func need(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return literal(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return need(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return need(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if got := need(sub); tells(got) > tells(best) {
				best = got
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			got := need(sub)
			if len(got) == 0 || len(all)+len(got) > mostNeed {
				return nil
			}
			all = append(all, got...)
		}
		return all
	}
	return nil
}

// literal returns the longest piece of a literal that is ASCII.
func literal(runes []rune) []string {
	best, at := "", 0
	for i := 0; i <= len(runes); i++ {
		if i < len(runes) && runes[i] < 0x80 {
			continue
		}
		if i-at > len(best) {
			best = strings.ToLower(string(runes[at:i]))
		}
		at = i + 1
	}
	if best == "" {
		return nil
	}
	return []string{best}
}

// tells says how well words tell texts apart: by the shortest, then by how few they are.
func tells(words []string) int {
	if len(words) == 0 {
		return 0
	}
	least := len(words[0])
	for _, w := range words {
		least = min(least, len(w))
	}
	return 1 + min(least, 8)*mostNeed - len(words)
}

// in reports whether a text has one of the needs, or may have by a letter that is another
// without regard to case: the long s and the sign of Kelvin.
func (n *needs) in(s string) bool {
	if n.any {
		return true
	}
	for i := 0; i < len(s); i++ {
		c := small(s[i])
		if n.ones[c>>6]>>(c&63)&1 != 0 || c == 0xC5 || c == 0xE2 {
			return true
		}
		if i+1 == len(s) {
			return false
		}
		next := small(s[i+1])
		if h := pairOf(c, next); n.pairs[h>>6]>>(h&63)&1 == 0 {
			continue
		}
		for _, w := range n.words[uint16(c)<<8|uint16(next)] {
			if begins(s[i:], w) {
				return true
			}
		}
	}
	return false
}

func small(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// begins reports whether a text begins with a word of small letters.
func begins(s, w string) bool {
	if len(s) < len(w) {
		return false
	}
	for i := 2; i < len(w); i++ { // the first two are known
		if small(s[i]) != w[i] {
			return false
		}
	}
	return true
}
