//go:build !slim

package lazy

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// Most large patterns are lists of words and phrases between word boundaries. If a word of the text is in the list, the
// pattern matches, and package regexp is not needed at all.

// An answer says whether a pattern matches.
type answer uint8

const (
	no answer = iota
	maybe
	yes
)

// A head is the beginning of a match, in small letters.
type head struct {
	text string
	open bool // something else follows
	fold bool // it matches without regard to case
}

// mostHeads bounds how many beginnings a pattern may have, and smallClass the letters of a class.
const (
	mostHeads  = 1024
	smallClass = 8
)

// expand returns the words that an expression matches; nil if they are too many.
func expand(re *syntax.Regexp) []head {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return []head{{fold: true}}
	case syntax.OpLiteral:
		return literally(re)
	case syntax.OpCharClass:
		return class(re.Rune)
	case syntax.OpCapture:
		return expand(re.Sub[0])
	case syntax.OpQuest:
		if got := expand(re.Sub[0]); got != nil {
			return append([]head{{fold: true}}, got...)
		}
		return nil
	case syntax.OpAlternate:
		var all []head
		for _, sub := range re.Sub {
			got := expand(sub)
			if all = append(all, got...); got == nil || len(all) > mostHeads {
				return nil
			}
		}
		return all
	case syntax.OpConcat:
		return sequence(re.Sub)
	}
	return []head{{open: true}}
}

// sequence expands expressions that follow each other.
func sequence(subs []*syntax.Regexp) []head {
	all := []head{{fold: true}}
	for _, sub := range subs {
		if !slices.ContainsFunc(all, func(h head) bool { return !h.open }) {
			break // the rest is unknown
		}
		next := expand(sub)
		var longer []head
		for _, h := range all {
			if h.open {
				longer = append(longer, h)
				continue
			}
			for _, n := range next {
				longer = append(longer, head{h.text + n.text, n.open, h.fold && n.fold})
			}
		}
		if all = longer; len(next) == 0 || len(all) > mostHeads {
			return nil
		}
	}
	return all
}

func literally(re *syntax.Regexp) []head {
	h := head{fold: true}
	var b strings.Builder
	for _, r := range re.Rune {
		if r >= 0x80 {
			h.open = true
			break
		}
		c := small(byte(r))
		b.WriteByte(c)
		if c >= 'a' && c <= 'z' && re.Flags&syntax.FoldCase == 0 {
			h.fold = false
		}
	}
	h.text = b.String()
	return []head{h}
}

// class returns the letters of a class, which has ranges of them.
func class(ranges []rune) []head {
	var out []head
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > smallClass || len(out) > 2*smallClass {
			return []head{{open: true}}
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			switch {
			case r == 'ſ' || r == '\u212A': // see needs.look
			case r >= 0x80:
				return []head{{open: true}}
			default:
				if h := (head{text: string(rune(small(byte(r))))}); !slices.Contains(out, h) {
					out = append(out, h)
				}
			}
		}
	}
	for i := range out { // of a letter the class has to have both forms
		c := rune(out[i].text[0])
		out[i].fold = c < 'a' || c > 'z' || within(ranges, c) && within(ranges, c-'a'+'A')
	}
	return out
}

func within(ranges []rune, r rune) bool {
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i] <= r && r <= ranges[i+1] {
			return true
		}
	}
	return false
}

// words returns the needs of a branch that is words between boundaries; nil where it is none.
func words(branch *syntax.Regexp) []wanted {
	if branch.Op != syntax.OpConcat || len(branch.Sub) < 2 || branch.Sub[0].Op != syntax.OpWordBoundary {
		return nil
	}
	subs := branch.Sub[1:]
	bounded := subs[len(subs)-1].Op == syntax.OpWordBoundary
	if bounded {
		subs = subs[:len(subs)-1]
	}
	var out []wanted
	for _, h := range sequence(subs) {
		if h.text == "" || !wordByte(h.text[0]) || len(h.text) < 2 && h.open {
			return nil
		}
		w := wanted{text: h.text, first: true}
		// After a character that is not part of a word, the boundary depends on the next one: only the pattern can decide.
		if last := h.text[len(h.text)-1]; !h.open && bounded && wordByte(last) {
			w.last, w.sure = true, h.fold
		} else {
			w.sure = !h.open && !bounded && h.fold
		}
		out = append(out, w)
	}
	return out
}

// entire returns the texts that a pattern matches if it is a list of whole texts, and whether it is one.
func entire(re *syntax.Regexp) (texts map[string]answer, begins []string, ok bool) {
	if re.Op != syntax.OpConcat || len(re.Sub) < 3 || re.Sub[0].Op != syntax.OpBeginText || re.Sub[len(re.Sub)-1].Op != syntax.OpEndText {
		return nil, nil, false
	}
	list := sequence(re.Sub[1 : len(re.Sub)-1])
	texts = map[string]answer{}
	for _, h := range list {
		switch {
		case h.open && h.text == "":
			return nil, nil, false
		case h.open:
			begins = append(begins, h.text)
		case h.fold:
			texts[h.text] = yes
		case texts[h.text] == no:
			texts[h.text] = maybe
		}
	}
	return texts, begins, list != nil
}

// whole answers for such a list.
func (n *needs) whole(s string) answer {
	var room [64]byte
	low := room[:0]
	for i := 0; i < len(s); i++ {
		if folds(s[i:]) {
			return maybe
		}
		low = append(low, small(s[i]))
	}
	if a := n.texts[string(low)]; a != no {
		return a
	}
	for _, b := range n.begins {
		if len(low) >= len(b) && string(low[:len(b)]) == b {
			return maybe
		}
	}
	return no
}

// folds reports whether a text begins with a letter that is another without regard to case: the long s and the sign of Kelvin.
func folds(s string) bool {
	return s[0] == 0xC5 && strings.HasPrefix(s, "ſ") || s[0] == 0xE2 && strings.HasPrefix(s, "\u212A")
}

func wordByte(c byte) bool {
	switch {
	case c == '_', c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		return true
	}
	return false
}
