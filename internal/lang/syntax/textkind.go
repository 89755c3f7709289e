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

// A Text is a file whose tokens are read once for several questions.
type Text struct {
	language string
	text     []byte
	tokens   *scan.Source // nil where no lexer knows the language
}

// Read reads the tokens of a text, which stay until they are released.
func Read(name, language string, text []byte) *Text {
	t := &Text{language: language, text: text}
	if cut := roomOf(name, language).tokens; cut != nil && len(text) <= maxText && Source(language) {
		t.tokens = cut(text)
	}
	return t
}

// Release gives the memory of the tokens back to other texts.
func (t *Text) Release() {
	if t.tokens != nil {
		t.tokens.Release()
	}
}

// Uses returns the names that are wanted, in order, those of declarations among them.
func (t *Text) Uses(wanted func(name []byte) bool) []Use {
	switch {
	case len(t.text) > maxText:
		return nil
	case t.language == "go":
		return goUses(t.text, wanted)
	case t.tokens != nil:
		return wordsOf(t.tokens, t.language, wanted)
	}
	code := t.text
	if g, ok := grammars()[t.language]; ok {
		code = g.mask(code)
	}
	return plainWords(code, wanted)
}

// Kinds returns which kind of text each of some offsets is in; they are in order.
func (t *Text) Kinds(offsets []int) []TextKind {
	out := make([]TextKind, len(offsets))
	var spans []corpus.Span
	var strs []bool
	switch s := t.tokens; {
	case s != nil:
		spans, strs = make([]corpus.Span, len(s.Toks)), make([]bool, len(s.Toks))
		for i := range s.Toks {
			spans[i] = corpus.Span{Start: s.At(i), End: s.End(i)}
			strs[i] = s.Kind(i) == scan.Text
		}
	case t.language == "go" && len(t.text) <= maxText:
		spans, strs = goTokens(t.text)
	}
	k := 0
	for i, at := range offsets {
		for k < len(spans) && spans[k].End <= at {
			k++
		}
		switch {
		case Prose(t.language) && t.language != "html": // most HTML is templates
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
