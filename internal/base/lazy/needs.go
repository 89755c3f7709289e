//go:build !slim

package lazy

import (
	"regexp/syntax"
	"strings"
	"sync/atomic"
)

// Needs are words of which a text must have at least one if a pattern matches it. They are searched first, in one pass,
// because a case-insensitive pattern of many words takes a step for each state and byte, and most texts have none of the
// words.
type needs struct {
	pairs [1 << pairBits / 64]uint64 // of the first two bytes
	words map[uint16][]wanted        // by these, those of a single byte by it
	ones  [4]uint64                  // single bytes
	any   bool                       // nothing is needed, or nothing that would tell texts apart
	// A list of whole texts is looked up, together with the beginnings of other texts.
	texts  map[string]answer
	begins []string
}

// A wanted word is one of the needs, in small letters.
type wanted struct {
	text        string
	first, last bool // a word begins with it, and ends
	sure        bool // where it is, the pattern matches
}

// A hint has the needs of a pattern, computed once the pattern is used often.
type hint struct {
	uses atomic.Uint32
	need atomic.Pointer[needs]
}

const (
	pairBits = 12
	often    = 64  // uses of a pattern before its needs are found: to parse it costs as much as a few
	mostNeed = 256 // words
)

// may reports whether the pattern may match a text: whether the text has a word that every match needs.
func (p *Pattern) may(s string) bool { return p.look(s) != no }

// look says whether the pattern matches a text, as far as that is known without package regexp.
func (p *Pattern) look(s string) answer {
	if n := p.hint.need.Load(); n != nil {
		return n.look(s)
	}
	if p.hint.uses.Add(1) == often {
		n := &needs{any: true}
		if prefix, _ := p.Get().LiteralPrefix(); prefix == "" { // else package regexp looks for that first
			n = needsOf(p.expr)
		}
		p.hint.need.Store(n)
	}
	return maybe
}

// needsOf returns the needs of an expression.
func needsOf(expr string) *needs {
	n := &needs{any: true}
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return n
	}
	re = re.Simplify()
	if texts, begins, ok := entire(re); ok {
		n.texts, n.begins, n.any = texts, begins, false
		return n
	}
	branches := []*syntax.Regexp{re}
	if re.Op == syntax.OpAlternate {
		branches = re.Sub
	}
	var list []wanted
	for _, b := range branches {
		got := words(b)
		if got == nil {
			for _, w := range need(b) {
				got = append(got, wanted{text: w})
			}
		}
		if list = append(list, got...); len(got) == 0 || len(list) > mostHeads {
			return n
		}
	}
	n.words = map[uint16][]wanted{}
	for _, w := range list {
		if len(w.text) == 1 {
			c := w.text[0]
			if (c >= 'a' && c <= 'z' || c == ' ') && !w.last {
				return n // any text has it
			}
			n.ones[c>>6] |= 1 << (c & 63)
			n.words[uint16(c)] = append(n.words[uint16(c)], w)
			continue
		}
		key := uint16(w.text[0])<<8 | uint16(w.text[1])
		h := pairOf(w.text[0], w.text[1])
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

// look says whether a text has one of the needs, or may have by a letter that is another
// without regard to case.
func (n *needs) look(s string) answer {
	switch {
	case n.any:
		return maybe
	case n.texts != nil:
		return n.whole(s)
	}
	out := no
	for i := 0; i < len(s); i++ {
		c := small(s[i])
		if c >= 0xC5 && folds(s[i:]) {
			out = maybe
		}
		if n.ones[c>>6]>>(c&63)&1 != 0 {
			if out = max(out, n.at(s, i, uint16(c))); out == yes {
				return yes
			}
		}
		if i+1 == len(s) {
			break
		}
		next := small(s[i+1])
		if h := pairOf(c, next); n.pairs[h>>6]>>(h&63)&1 == 0 {
			continue
		}
		if out = max(out, n.at(s, i, uint16(c)<<8|uint16(next))); out == yes {
			return yes
		}
	}
	return out
}

// at says whether a text has one of the words of a key at a place.
func (n *needs) at(s string, i int, key uint16) answer {
	out := no
	for k := range n.words[key] {
		w := &n.words[key][k]
		end := i + len(w.text)
		if !begins(s[i:], w.text) {
			continue
		}
		startsInside := w.first && i > 0 && wordByte(s[i-1])
		endsInside := w.last && end < len(s) && wordByte(s[end])
		if startsInside || endsInside {
			continue
		}
		if w.sure {
			return yes
		}
		out = maybe
	}
	return out
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
