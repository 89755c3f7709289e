package syntax

import (
	goscanner "go/scanner"
	"go/token"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A Mark is a piece of source text that is shown apart from the rest.
type Mark struct {
	At, End int
	Kind    MarkKind
}

// A MarkKind is why.
type MarkKind uint8

// The kinds of mark.
const (
	Comment MarkKind = iota
	Literal          // a string, or a piece of one; a number
	Keyword
)

// Marks returns the comments, literals and keywords of a text, or of a piece of one, in
// order; none where its language has no scanner. A piece that begins within a comment or a
// string is read as if it did not.
func Marks(name, language string, text []byte) (out []Mark) {
	if len(text) > maxText {
		return nil
	}
	if language == "go" {
		return goMarks(text)
	}
	cut := roomOf(name, language).tokens
	if cut == nil {
		return nil
	}
	s := cut(text)
	for _, c := range s.Comments {
		out = append(out, Mark{c.Start, c.End, Comment})
	}
	for _, t := range s.Toks {
		switch {
		case t.Kind == scan.Text, t.Kind == scan.Number:
			out = append(out, Mark{int(t.At), int(t.End), Literal})
		case t.Key != 0 && !s.Soft(t.Key):
			out = append(out, Mark{int(t.At), int(t.End), Keyword})
		}
	}
	sorting.Stable(out, func(a, b Mark) int { return a.At - b.At })
	return out
}

func goMarks(text []byte) (out []Mark) {
	var s goscanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(text))
	s.Init(file, text, nil, goscanner.ScanComments)
	for {
		pos, t, lit := s.Scan()
		at := file.Offset(pos)
		switch {
		case t == token.EOF:
			return out
		case t == token.COMMENT:
			out = append(out, Mark{at, min(len(text), at+len(lit)), Comment})
		case t == token.STRING, t == token.CHAR, t == token.INT, t == token.FLOAT, t == token.IMAG:
			out = append(out, Mark{at, min(len(text), at+len(lit)), Literal})
		case t.IsKeyword():
			out = append(out, Mark{at, min(len(text), at+len(lit)), Keyword})
		}
	}
}
