package scan

import (
	"bytes"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/text"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// A Source is a text in tokens, and what was found in it so far.
type Source struct {
	*Grammar
	*tables
	Src      []byte
	Toks     []Token
	Comments []corpus.Span
	Out      corpus.Facts
	around   []body // the declarations around, the innermost last; see Enclose
	room     *[]Token
}

var pool = sync.Pool{New: func() any { return new([]Token) }}

// Read cuts src into tokens, lets read look at them and returns what it left in
// Out, in order. The tokens are gone afterwards.
func (g *Grammar) Read(src []byte, read func(*Source)) corpus.Facts {
	s := g.Tokens(src)
	defer s.Release()
	read(s)
	Settle(&s.Out)
	return s.Out
}

// Tokens cuts src into tokens, which stay until they are released.
func (g *Grammar) Tokens(src []byte) *Source {
	room := pool.Get().(*[]Token)
	s := g.source(src, *room)
	s.room = room
	return s
}

// Release gives the memory of the tokens back to other texts.
func (s *Source) Release() {
	*s.room = s.Toks[:0]
	pool.Put(s.room)
	s.Toks = nil
}

func (g *Grammar) source(src []byte, toks []Token) *Source {
	s := &Source{Grammar: g, tables: g.made(), Src: src}
	s.Toks, s.Comments = g.lex(src, toks)
	return s
}

// In range, all of these answer for any i: before the first token and after the
// last one stands nothing.

// Kind returns the kind of token i; Punct where there is none.
func (s *Source) Kind(i int) Kind {
	if i < 0 || i >= len(s.Toks) {
		return Punct
	}
	return s.Toks[i].Kind
}

// Key returns the keyword that token i is, or 0.
func (s *Source) Key(i int) Key {
	if i < 0 || i >= len(s.Toks) {
		return 0
	}
	return s.Toks[i].Key
}

// Bytes returns the text of token i.
func (s *Source) Bytes(i int) []byte {
	if i < 0 || i >= len(s.Toks) {
		return nil
	}
	return s.Src[s.Toks[i].At:s.Toks[i].End]
}

// Str returns the text of token i as a new string.
func (s *Source) Str(i int) string { return string(s.Bytes(i)) }

// Is reports whether token i reads so.
func (s *Source) Is(i int, text string) bool { return string(s.Bytes(i)) == text }

// Line reports whether token i begins a line. The end of the text does.
func (s *Source) Line(i int) bool { return i >= len(s.Toks) || i >= 0 && s.Toks[i].Line }

// Pair returns the partner of bracket i, see Token; len(Toks) where i is none.
func (s *Source) Pair(i int) int {
	if i < 0 || i >= len(s.Toks) {
		return len(s.Toks)
	}
	return int(s.Toks[i].Pair)
}

// Past returns the token after i, or after the bracket or block that i opens.
func (s *Source) Past(i int) int {
	if i >= 0 && i < len(s.Toks) && int(s.Toks[i].Pair) > i {
		return min(int(s.Toks[i].Pair)+1, len(s.Toks))
	}
	return i + 1
}

// At returns where token i begins; the text's length where there is none.
func (s *Source) At(i int) int {
	if i >= len(s.Toks) || i < 0 {
		return len(s.Src)
	}
	return int(s.Toks[i].At)
}

// End returns where token i ends.
func (s *Source) End(i int) int {
	if i >= len(s.Toks) || i < 0 {
		return len(s.Src)
	}
	return int(s.Toks[i].End)
}

// Adjacent reports whether nothing stands between tokens i and i+1.
func (s *Source) Adjacent(i int) bool { return i+1 < len(s.Toks) && s.End(i) == s.At(i+1) }

// Column returns the indentation of the line of token i, tabs counted to the next
// multiple of eight.
func (s *Source) Column(i int) int {
	at := s.At(i)
	start := bytes.LastIndexByte(s.Src[:at], '\n') + 1
	n := 0
	for _, c := range s.Src[start:at] {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		case '\f':
			n = 0
		default:
			return n
		}
	}
	return n
}

// Quote returns the text from token i up to, without, token j, with every run of
// space and every comment made one space; at most 400 bytes of it.
func (s *Source) Quote(i, j int) string {
	var b strings.Builder
	end := -1
	for k := max(i, 0); k < min(j, len(s.Toks)); k++ {
		if end >= 0 && s.At(k) > end {
			b.WriteByte(' ')
		}
		b.Write(s.Bytes(k))
		end = s.End(k)
		if b.Len() > 400 {
			return text.Short(b.String(), 400)
		}
	}
	return b.String()
}

// Split returns the ranges of tokens between the commas, or the given sign,
// directly inside bracket i; empty ones left out. With angle, <…> count as
// brackets.
func (s *Source) Split(i int, sign string, angle bool) [][2]int {
	var out [][2]int
	end := min(s.Pair(i), len(s.Toks))
	from, depth := i+1, 0
	for k := i + 1; k < end; k = s.Past(k) {
		if s.Toks[k].Kind != Punct {
			continue
		}
		switch b := s.Bytes(k); {
		case angle && len(b) == 1 && b[0] == '<':
			depth++
		case angle && len(b) == 1 && b[0] == '>' && depth > 0:
			depth--
		case depth == 0 && string(b) == sign:
			if k > from {
				out = append(out, [2]int{from, k})
			}
			from = k + 1
		}
	}
	if end > from {
		out = append(out, [2]int{from, end})
	}
	return out
}

// Angle returns the token after the <…> that begins at i, or i where it is none:
// where a bracket closes or a statement ends before it does.
func (s *Source) Angle(i int) int {
	return s.Angles(i, 400, func(k, depth int) bool {
		switch b := s.Bytes(k); string(b) {
		case ";", "&&", "||":
			return false
		case ">=":
			return depth > 1
		}
		return s.Toks[k].Kind != Close
	})
}

// Angles returns the token after the <…> that begins at i, or i where it is none: where
// it is longer than limit or holds refuses a token in it, which is so deep in <…>.
// Brackets with all that is in them are one token.
func (s *Source) Angles(i, limit int, holds func(k, depth int) bool) int {
	if !s.Sign(i, '<') {
		return i
	}
	depth := 0
	for k := i; k < min(len(s.Toks), i+limit); k = s.Past(k) {
		switch {
		case s.Sign(k, '<'):
			depth++
		case s.Sign(k, '>'):
			if depth--; depth == 0 {
				return k + 1
			}
		case !holds(k, depth):
			return i
		}
	}
	return i
}

// AngleBack returns the token that opens the <…> that ends at i, or i where it is
// none.
func (s *Source) AngleBack(i int) int {
	if !s.Is(i, ">") {
		return i
	}
	depth := 0
	for k := i; k > max(-1, i-200); k-- {
		switch b := s.Bytes(k); {
		case s.Toks[k].Kind == Close && s.Pair(k) >= 0:
			k = s.Pair(k)
		case s.Toks[k].Kind == Open, len(b) == 1 && b[0] == ';':
			return i
		case s.Toks[k].Kind != Punct:
		case len(b) == 1 && b[0] == '>':
			depth++
		case len(b) == 1 && b[0] == '<':
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return i
}

// Doc returns the comment that ends on the line above offset at, or on its own
// line before it: for a run of line comments, the whole run. An empty span where
// there is none.
func (s *Source) Doc(at int) corpus.Span {
	// Comments are in order: find the last one that ends by at.
	lo, hi := 0, len(s.Comments)
	for lo < hi {
		if m := (lo + hi) / 2; s.Comments[m].End <= at {
			lo = m + 1
		} else {
			hi = m
		}
	}
	doc := corpus.Span{Start: at, End: at}
	for k := lo - 1; k >= 0; k-- {
		c := s.Comments[k]
		gap := s.Src[c.End:doc.Start]
		if len(bytes.TrimSpace(gap)) > 0 || bytes.Count(gap, []byte("\n")) > 1 {
			break
		}
		// What stands behind code on its line is about that.
		start := c.Start
		for start > 0 && s.Src[start-1] <= ' ' && s.Src[start-1] != '\n' {
			start--
		}
		if start > 0 && s.Src[start-1] != '\n' {
			break
		}
		if doc.End == at {
			doc.End = c.End
		}
		doc.Start = c.Start
		if has(s.Src[c.Start:], "/*") {
			break
		}
	}
	if doc.End == at && doc.Start == at {
		return corpus.Span{}
	}
	return doc
}

// OuterDoc is Doc without comments that begin with //! or /*!, which document the file or the declaration around.
func (s *Source) OuterDoc(at int) corpus.Span {
	d := s.Doc(at)
	for d.Len() > 0 {
		b := s.Src[d.Start:d.End]
		if !has(b, "//!") && !has(b, "/*!") {
			return d
		}
		n := bytes.IndexByte(b, '\n')
		if n < 0 || b[1] == '*' {
			break
		}
		for n < len(b) && b[n] <= ' ' {
			n++
		}
		d.Start += n
	}
	return corpus.Span{}
}
