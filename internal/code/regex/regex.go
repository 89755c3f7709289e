// Package regex finds the lines of a text that match a pattern, as ripgrep would,
// and says beforehand what a text must contain to match at all.
//
// Patterns are RE2: nothing backtracks, and the next match is found in time linear
// in the text. Lines, case and whole words mean what they mean to ripgrep: ^ and $
// are the ends of a line, and unless Multiline is set nothing that a pattern
// matches crosses one, not \s and not [^x]. A line ends at \n; a \r before it
// belongs to the line. The classes \w, \d, \s and the assertion \b are ASCII, as
// RE2 has them; Word and case folding know Unicode. A byte that is not UTF-8 counts
// as the character U+FFFD.
//
// Whatever the pattern and the text, Each finds what package regexp finds in the
// text line by line, but for some matches of nothing, and a text in which Each
// finds anything satisfies Query.
package regex

import (
	"bytes"
	"sync"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// Options say how a pattern is meant.
type Options struct {
	IgnoreCase bool // letters match in either case
	SmartCase  bool // IgnoreCase, unless the pattern has an upper-case letter
	Fixed      bool // the pattern is plain text
	Word       bool // a match has no word character directly before or after it
	Multiline  bool // a match may span lines
}

// A Match is one place where a pattern matches.
type Match struct {
	corpus.Span
	Line     int         // the line Start is on, from 1
	LineSpan corpus.Span // every line the match touches, without the last newline
}

// A Pattern is a compiled pattern. Any number of goroutines may use one.
type Pattern struct {
	multi bool // a match may contain a newline
	word  bool
	lits  literals
	query Query

	alpha    *alphabet
	forward  *program
	backward *program
	limit    int       // of what an automaton remembers
	pool     sync.Pool // of *machine
}

// maxMemory bounds what each automaton of a machine remembers, in words of 4 bytes.
const maxMemory = 1 << 20

// Compile reads a pattern. Its errors are of kind fault.Usage.
func Compile(pattern string, opt Options) (*Pattern, error) {
	re, multi, err := parse(pattern, opt)
	if err != nil {
		return nil, err
	}
	p := &Pattern{multi: multi, word: opt.Word, lits: findLiterals(re), query: queryOf(re), limit: maxMemory}
	var before, after = noLook, noLook
	if opt.Word {
		before, after = wordBegins, wordEnds
	}
	var sets setTable
	if p.forward, err = newProgram(re, before, after, &sets); err == nil {
		p.backward, err = newProgram(reverse(re), after, before, &sets)
	}
	if err != nil {
		return nil, syntaxFault(pattern, err)
	}
	p.forward.scan()
	p.alpha = newAlphabet(&sets, p.forward.looks)
	return p, nil
}

// Query returns what a text must contain for the pattern to match in it.
func (p *Pattern) Query() Query { return p.query }

// Match reports whether Each would find anything in text.
func (p *Pattern) Match(text []byte) bool {
	found := false
	p.Each(text, func(Match) bool { found = true; return false })
	return found
}

// Each calls yield with the matches in text, in order, until yield returns false.
// They do not overlap. A match of nothing counts only on a line that no other
// match touches, and there once; the end of a text that ends in a newline is not
// a line.
func (p *Pattern) Each(text []byte, yield func(Match) bool) {
	m := p.machine(text)
	defer m.release()
	var (
		lines   = lineCursor{text: text, line: 1, end: -1}
		waiting Match // a match of nothing: a better one may follow on its line
		touched = -1  // the end of the last line that a match touched
		last    = -1  // the end of the last match
		closed  = len(text) == 0 || text[len(text)-1] == '\n'
	)
	for pos := 0; pos <= len(text); {
		s, ok := m.next(pos)
		if !ok {
			break
		}
		pos = s.End
		empty := s.Len() == 0
		if empty {
			_, n := utf8.DecodeRune(text[pos:])
			pos += max(n, 1)
			if s.End == last || s.End <= touched || s.End == len(text) && closed {
				continue
			}
		}
		last = s.End
		mt := lines.locate(s)
		if p.lits.hollow {
			pos = mt.LineSpan.End + 1
		}
		if waiting.Line > 0 && waiting.Line < mt.Line {
			if !yield(waiting) {
				return
			}
			waiting.Line = 0
		}
		if empty {
			if waiting.Line == 0 {
				waiting = mt
			}
			continue
		}
		waiting.Line = 0
		touched = mt.LineSpan.End
		if !yield(mt) {
			return
		}
	}
	if waiting.Line > 0 {
		yield(waiting)
	}
}

// A lineCursor numbers the lines of a text from front to back.
type lineCursor struct {
	text       []byte
	start, end int // the current line, without its newline; end -1 before the first
	line       int
}

// locate places s, which does not begin before the current line.
func (c *lineCursor) locate(s corpus.Span) Match {
	if s.Start > c.end {
		from := max(c.end, 0)
		gap := c.text[from:s.Start]
		c.line += bytes.Count(gap, []byte{'\n'})
		if i := bytes.LastIndexByte(gap, '\n'); i >= 0 {
			c.start = from + i + 1
		}
		c.end = lineEnd(c.text, s.Start)
	}
	m := Match{Span: s, Line: c.line, LineSpan: corpus.Span{Start: c.start, End: c.end}}
	if s.End > c.end+1 {
		m.LineSpan.End = lineEnd(c.text, s.End-1)
	}
	return m
}

// lineEnd returns the place of the first newline at or after pos, or of the end.
func lineEnd(text []byte, pos int) int {
	if i := bytes.IndexByte(text[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(text)
}
