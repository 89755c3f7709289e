// Package chunk cuts documents into chunks along their syntax.
//
// Whatever the input, the spans of a document's chunks are in order, do not
// overlap, quote the document exactly and together cover it, but for stretches
// of white space.
package chunk

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"sort"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// Size is the length, in bytes, that chunks are packed to.
const Size = 1500

// Where a document may be cut, best first: before a declaration of nesting depth
// 0, 1, 2 or more, after a blank line, before any line.
const (
	atDecl  = 0 // plus the depth
	depths  = 3
	atBlank = depths
	atLine  = depths + 1
)

// Split cuts doc, which declares decls (in order of their starts, nesting), into
// chunks of about size bytes: declarations are kept whole and packed together
// while they fit, and cut inside, at the best places, when they do not. A line
// longer than size becomes a chunk of its own: cutting inside it would split the
// very words that a query looks for.
func Split(doc corpus.Document, decls []corpus.Decl, size int) []corpus.Chunk {
	if doc.Language == "go" {
		// What an interface asks for is part of it: nobody looks for it by itself.
		decls = slices.DeleteFunc(slices.Clone(decls), func(d corpus.Decl) bool {
			return d.Kind == corpus.Method && d.Traits&corpus.Abstract != 0
		})
	}
	s := splitter{text: doc.Text, size: size}
	s.mark(decls)
	if doc.Flags&corpus.Test == 0 {
		s.findTests(decls)
	}
	from := 0
	for _, test := range s.tests {
		s.splitPart(from, test[0])
		s.splitPart(test[0], test[1])
		from = test[1]
	}
	s.splitPart(from, len(s.starts)-1)
	return s.describe(decls)
}

// findTests notes the lines of tests that stand beside the code, because a piece is all test or none of it.
func (s *splitter) findTests(decls []corpus.Decl) {
	end := 0
	for _, d := range decls {
		if d.Span.Start < end || !d.IsTest() {
			continue
		}
		end = d.Span.End
		first, last := s.lineOf(d.Span.Start), s.lineOf(end-1)+1
		if n := len(s.tests); n > 0 && first <= s.tests[n-1][1] {
			s.tests[n-1][1] = last
			continue
		}
		s.tests = append(s.tests, [2]int{first, last})
	}
}

func (s *splitter) splitPart(lo, hi int) {
	if lo < hi {
		s.split(lo, hi, atDecl)
	}
}

// A splitter works on lines: line i is text[starts[i]:starts[i+1]].
type splitter struct {
	text   []byte
	size   int
	starts []int
	level  []uint8 // what a cut before line i is worth
	cuts   [][2]int
	tests  [][2]int // lines of tests beside the code
}

func (s *splitter) mark(decls []corpus.Decl) {
	s.starts = append(s.starts, 0)
	for at := 0; at < len(s.text); {
		n := bytes.IndexByte(s.text[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		if at < len(s.text) {
			s.starts = append(s.starts, at)
		}
	}
	lines := len(s.starts)
	s.starts = append(s.starts, len(s.text))
	s.level = make([]uint8, lines+1)
	blank := false
	for i := range lines {
		s.level[i] = atLine
		if blank {
			s.level[i] = atBlank
		}
		blank = len(bytes.TrimSpace(s.text[s.starts[i]:s.starts[i+1]])) == 0
	}
	var open []int // the ends of the declarations around
	for _, d := range decls {
		for len(open) > 0 && open[len(open)-1] <= d.Span.Start {
			open = open[:len(open)-1]
		}
		line := s.lineOf(d.Span.Start)
		// Inside a line there is no cut: what stands before would lose its end.
		if len(bytes.TrimSpace(s.text[s.starts[line]:d.Span.Start])) == 0 {
			s.level[line] = min(s.level[line], uint8(min(len(open), depths-1)))
		}
		open = append(open, d.Span.End)
	}
}

func (s *splitter) lineOf(at int) int {
	return sort.SearchInts(s.starts, at+1) - 1
}

// split cuts lines [lo, hi) where the level of a cut allows it, packs the pieces
// and goes one level down for those that are too long.
func (s *splitter) split(lo, hi int, level uint8) {
	if hi-lo == 1 {
		s.cut(lo, hi)
		return
	}
	from := lo
	for at := lo; at < hi; {
		next := at + 1
		for next < hi && s.level[next] > level {
			next++
		}
		switch {
		case s.starts[next]-s.starts[from] <= s.size:
		case s.starts[next]-s.starts[at] > s.size:
			s.cut(from, at)
			s.split(at, next, level+1)
			from = next
		default:
			s.cut(from, at)
			from = at
		}
		at = next
	}
	s.cut(from, hi)
}

// cut makes a chunk of lines: of none, or of blank ones, there will be none.
func (s *splitter) cut(lo, hi int) { s.cuts = append(s.cuts, [2]int{lo, hi}) }

// describe makes the cuts into chunks: without the blank lines around them, with
// what is declared inside and around.
func (s *splitter) describe(decls []corpus.Decl) []corpus.Chunk {
	out := make([]corpus.Chunk, 0, len(s.cuts))
	byName := slices.Clone(decls)
	sorting.Stable(byName, func(a, b corpus.Decl) int { return a.NameAt - b.NameAt })
	named, begun := 0, 0
	var open []corpus.Decl
	for _, cut := range s.cuts {
		lo, hi := cut[0], cut[1]
		for lo < hi && s.blank(lo) {
			lo++
		}
		for hi > lo && s.blank(hi-1) {
			hi--
		}
		if lo == hi {
			continue
		}
		c := corpus.Chunk{
			Span:  corpus.Span{Start: s.starts[lo], End: s.starts[hi]},
			Lines: corpus.Range{First: lo + 1, Last: hi},
		}
		for ; begun < len(decls) && decls[begun].Span.Start < c.Start; begun++ {
			open = append(open, decls[begun])
		}
		open = slices.DeleteFunc(open, func(d corpus.Decl) bool { return d.Span.End <= c.Start })
		if len(open) > 0 {
			c.Scope = open[len(open)-1].Qualified()
		}
		c.InTest = slices.ContainsFunc(s.tests, func(t [2]int) bool { return t[0] <= lo && lo < t[1] })
		for ; named < len(byName) && byName[named].NameAt < c.End; named++ {
			c.Symbols = append(c.Symbols, corpus.Symbol{Kind: byName[named].Kind, Name: byName[named].Name})
		}
		sum := sha256.Sum256(s.text[c.Start:c.End])
		c.Hash = corpus.Hash(sum[:16])
		out = append(out, c)
	}
	return out
}

func (s *splitter) blank(line int) bool {
	return len(bytes.TrimSpace(s.text[s.starts[line]:s.starts[line+1]])) == 0
}
