// Package syntax turns source text into declarations.
//
// Whatever the input, the declarations are in order of their starts, their spans
// nest and never cross and lie in the text, and the text at NameAt is the name.
// It takes time linear in the text, and nesting is bounded.
//
// Go is parsed by go/parser. The other languages are read by patterns over a copy
// of the text in which comments and strings are blanked: what a line declares is
// told by its first words, where the declaration ends by brackets, by indentation
// or by a closing word.
package syntax

import (
	"cmp"
	"slices"

	"github.com/assay-dev/assay/internal/corpus"
)

const (
	maxText  = 4 << 20 // bytes; longer texts are data
	maxDepth = 64      // of nesting
)

// Declarations returns what text declares, as its language has it; nil where the
// language is not known.
func Declarations(language string, text []byte) []corpus.Decl {
	if len(text) > maxText {
		return nil
	}
	var found []corpus.Decl
	switch g, ok := grammars[language]; {
	case language == "go":
		found = golang(text)
	case language == "markdown", language == "rst", language == "asciidoc":
		found = headings(language, text)
	case ok:
		found = g.read(text)
	}
	return nest(found, text)
}

// nest puts declarations in order, drops those that lie, makes crossing spans
// nest by cutting the inner one short, and gives each its scope.
func nest(found []corpus.Decl, text []byte) []corpus.Decl {
	out := found[:0]
	for _, d := range found {
		if d.Span.Start < 0 || d.Span.End > len(text) || d.NameAt < d.Span.Start || d.Name == "" ||
			d.NameAt+len(d.Name) > d.Span.End || string(text[d.NameAt:d.NameAt+len(d.Name)]) != d.Name {
			continue
		}
		d.Body = min(max(d.Body, d.NameAt+len(d.Name)), d.Span.End)
		out = append(out, d)
	}
	slices.SortStableFunc(out, func(a, b corpus.Decl) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(b.Span.End, a.Span.End))
	})
	var open []int
	kept := out[:0]
	for _, d := range out {
		for len(open) > 0 && kept[open[len(open)-1]].Span.End <= d.Span.Start {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			around := &kept[open[len(open)-1]]
			if d.Span.End > around.Span.End {
				if d.NameAt+len(d.Name) > around.Span.End {
					continue
				}
				d.Span.End = around.Span.End
				d.Body = min(d.Body, d.Span.End)
			}
			if d.Scope == "" {
				d.Scope = around.Qualified()
			}
		}
		if len(open) == maxDepth {
			continue
		}
		kept = append(kept, d)
		open = append(open, len(kept)-1)
	}
	return kept
}
