package regex

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// A side is what an assertion sees of the character next to it.
type side uint8

const (
	other side = iota
	word
	wide // a word character to Word, but not to \b
	newline
	edge // no character: the text ends here
	sides
)

// holding returns the assertions that hold between two characters.
func holding(left, right side) syntax.EmptyOp {
	op := syntax.EmptyNoWordBoundary
	if (left == word) != (right == word) {
		op = syntax.EmptyWordBoundary
	}
	if left == edge {
		op |= syntax.EmptyBeginText
	}
	if left == edge || left == newline {
		op |= syntax.EmptyBeginLine
	}
	if right == edge {
		op |= syntax.EmptyEndText
	}
	if right == edge || right == newline {
		op |= syntax.EmptyEndLine
	}
	if left != word && left != wide {
		op |= wordBegins
	}
	if right != word && right != wide {
		op |= wordEnds
	}
	return op
}

// An alphabet sorts characters into the classes between which a pattern does not
// distinguish. Those of ASCII have the lowest numbers.
type alphabet struct {
	ascii  [utf8.RuneSelf]uint8
	starts []rune // where the runs of one class begin, from 0
	class  []int32
	end    int32 // the class of what lies around the text
	rep    []rune
	side   []side
	sets   [][]rune
}

const wordLooks = syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary | wordBegins | wordEnds

func newAlphabet(table *setTable, looks syntax.EmptyOp) *alphabet {
	a := &alphabet{sets: table.sets}
	split := slices.Clone(table.sets)
	if looks&^wordLooks != 0 {
		split = append(split, []rune{'\n', '\n'})
	}
	if looks&wordLooks != 0 {
		split = append(split, []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'})
	}
	if looks&(wordBegins|wordEnds) != 0 {
		var all []rune
		for _, t := range wideWords() {
			all = append(all, rangesOf(t)...)
		}
		split = append(split, all)
	}
	a.starts = []rune{0, utf8.RuneSelf}
	for _, set := range split {
		for i := 0; i < len(set); i += 2 {
			a.starts = append(a.starts, set[i], set[i+1]+1)
		}
	}
	slices.Sort(a.starts)
	a.starts = slices.Compact(a.starts)
	if n := len(a.starts); a.starts[n-1] > unicode.MaxRune {
		a.starts = a.starts[:n-1]
	}
	a.class = make([]int32, len(a.starts))
	// What a set removes from a class becomes a class of its own.
	classes := int32(1)
	for _, set := range split {
		moved := map[int32]int32{}
		for i := 0; i < len(set); i += 2 {
			at, _ := slices.BinarySearch(a.starts, set[i])
			for ; at < len(a.starts) && a.starts[at] <= set[i+1]; at++ {
				to, ok := moved[a.class[at]]
				if !ok {
					to = classes
					moved[a.class[at]] = to
					classes++
				}
				a.class[at] = to
			}
		}
	}
	a.number(looks)
	return a
}

// number renames the classes in the order of their first characters.
func (a *alphabet) number(looks syntax.EmptyOp) {
	named := map[int32]int32{}
	for i, old := range a.class {
		c, ok := named[old]
		if !ok {
			c = int32(len(a.rep))
			named[old] = c
			a.rep = append(a.rep, a.starts[i])
			a.side = append(a.side, sideOf(a.starts[i], looks))
		}
		a.class[i] = c
	}
	a.end = int32(len(a.rep))
	a.rep = append(a.rep, -1)
	a.side = append(a.side, edge)
	for b := range a.ascii {
		a.ascii[b] = uint8(a.search(rune(b)))
	}
}

// sideOf returns what the assertions of looks can see of r.
func sideOf(r rune, looks syntax.EmptyOp) side {
	switch {
	case r == '\n' && looks&^wordLooks != 0:
		return newline
	case looks&wordLooks == 0:
		return other
	case r < utf8.RuneSelf && isWord(r):
		return word
	case looks&(wordBegins|wordEnds) != 0 && isWord(r):
		return wide
	}
	return other
}

func (a *alphabet) of(r rune) int32 {
	if r < utf8.RuneSelf {
		return int32(a.ascii[r])
	}
	return a.search(r)
}

func (a *alphabet) search(r rune) int32 {
	lo, hi := 0, len(a.starts)
	for lo+1 < hi {
		if m := int(uint(lo+hi) / 2); a.starts[m] <= r {
			lo = m
		} else {
			hi = m
		}
	}
	return a.class[lo]
}

// in reports whether the characters of class c belong to a set.
func (a *alphabet) in(set, c int32) bool {
	return c != a.end && (set == anySet || hasRune(a.sets[set], a.rep[c]))
}

// isWord reports whether r is a word character as Unicode has it (UTS #18, annex C),
// which is what ripgrep's --word-regexp asks.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.In(r, wideWords()...)
}

func wideWords() []*unicode.RangeTable {
	return []*unicode.RangeTable{
		unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control,
	}
}

// rangesOf returns the ranges of a table, with the gaps of its strides.
func rangesOf(t *unicode.RangeTable) []rune {
	var out []rune
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			out = append(out, lo, hi)
			return
		}
		for r := lo; r <= hi; r += stride {
			out = append(out, r, r)
		}
	}
	for _, r := range t.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range t.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return out
}
