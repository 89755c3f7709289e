package syntax

import (
	goscanner "go/scanner"
	"go/token"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A TextKind says in which part of a text something stands.
type TextKind string

// The kinds of text.
const (
	InCode    TextKind = "code"
	InString  TextKind = "string"
	InComment TextKind = "comment"
	InText    TextKind = "text" // of a template, of configuration, or of a language whose strings and comments are not read
	InProse   TextKind = "prose"
)

// TextKinds returns which kind of text each of some offsets is in; they are in order.
func TextKinds(name, language string, text []byte, offsets []int) []TextKind {
	out := make([]TextKind, len(offsets))
	var spans []corpus.Span
	var strs []bool
	switch {
	case !Source(language) || len(text) > maxText:
	case language == "go":
		spans, strs = goTokens(text)
	default:
		s := tokens(name, language, text)
		for i := 0; s != nil && i < len(s.Toks); i++ {
			spans = append(spans, corpus.Span{Start: s.At(i), End: s.End(i)})
			strs = append(strs, s.Kind(i) == scan.Text)
		}
	}
	k := 0
	for i, at := range offsets {
		for k < len(spans) && spans[k].End <= at {
			k++
		}
		switch {
		case Prose(language) && language != "html": // most HTML is templates
			out[i] = InProse
		case spans == nil:
			out[i] = InText
		case k == len(spans) || at < spans[k].Start:
			out[i] = InComment
		case strs[k]:
			out[i] = InString
		default:
			out[i] = InCode
		}
	}
	return out
}

// goTokens returns where the tokens of a Go text are, and which of them are strings.
func goTokens(text []byte) (spans []corpus.Span, strs []bool) {
	var s goscanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(text)), text, nil, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return spans, strs
		}
		at := fset.Position(pos).Offset
		spans = append(spans, corpus.Span{Start: at, End: at + max(len(lit), 1)})
		strs = append(strs, tok == token.STRING || tok == token.CHAR)
	}
}
