package code

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

const (
	bold, red, green, yellow, blue, cyan, faint = "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[34m", "\x1b[36m", "\x1b[2m"
)

// A coat is a piece of a text and its colour.
type coat struct {
	at, end int
	code    string
}

// tabs is how many columns a tab of source code takes where it is painted.
const tabs = 4

// lines are those of a hit's text, the first of them line number first, as they are shown:
// code in its colours, or with what a pattern matched in bold red.
func (h *SearchHit) lines(first int, colour bool) []string {
	quote := strings.TrimRight(h.text(), "\n")
	if h.found != nil {
		quote = strings.TrimSuffix(h.text(), "\n")
	}
	var coats []coat
	if colour {
		coats = h.coats(quote)
	}
	var out []string
	at := 0
	for line := range strings.SplitSeq(quote, "\n") {
		shown := text.Unmarked(line, first+len(out))
		begin := at + len(line) - len(shown)
		switch {
		case colour:
			for len(coats) > 0 && coats[0].end <= begin {
				coats = coats[1:]
			}
			out = append(out, painted(shown, begin, coats))
		default:
			out = append(out, text.Line(shown))
		}
		at += len(line) + 1
	}
	return out
}

func (h *SearchHit) coats(quote string) (out []coat) {
	if h.found != nil {
		for _, m := range h.found {
			out = append(out, coat{m.Start, m.End, bold + red})
		}
		return out
	}
	colours := map[syntax.MarkKind]string{syntax.Comment: faint, syntax.Literal: yellow, syntax.Keyword: blue}
	for _, m := range syntax.Marks(h.Path, h.Language, []byte(quote)) {
		out = append(out, coat{m.At, m.End, colours[m.Kind]})
	}
	return out
}

// painted is a line, which begins at an offset, in the colours of the coats that reach into
// it, with its tabs as spaces.
func painted(line string, begin int, coats []coat) string {
	var b strings.Builder
	column, at := 0, 0
	write := func(end int, code string) {
		if end <= at {
			return
		}
		var piece strings.Builder
		for _, r := range text.Line(line[at:end]) {
			n := 1
			if r == '\t' {
				n = tabs - column%tabs
				piece.WriteString(strings.Repeat(" ", n))
			} else {
				piece.WriteRune(r)
			}
			column += n
		}
		b.WriteString(text.Painted(code != "", code, piece.String()))
		at = end
	}
	for _, c := range coats {
		from, to := max(c.at-begin, at), min(c.end-begin, len(line))
		if from >= len(line) {
			break
		}
		write(from, "")
		write(to, c.code)
	}
	write(len(line), "")
	return b.String()
}

// within are spans as offsets of a piece of the text that they are in, those outside cut off.
func within(spans []corpus.Span, piece corpus.Span) []corpus.Span {
	out := []corpus.Span{}
	for _, s := range spans {
		s.Start, s.End = max(s.Start, piece.Start)-piece.Start, min(s.End, piece.End)-piece.Start
		if s.Start < s.End {
			out = append(out, s)
		}
	}
	return out
}
