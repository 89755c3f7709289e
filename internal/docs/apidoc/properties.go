package apidoc

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/set"
)

var (
	publicWord = lazy.Regexp(`\bpublic\b`)
	hiddenWord = lazy.Regexp(`\b(?:private|protected|internal)\b`)
)

// properties adds the properties and fields of C# that a type offers and a comment describes. The facts of a file have them as
// what a name is bound to: a property without code of its own calls nothing, and is no function.
func (r *reader) properties() {
	have := set.By(r.facts.Decls, func(d *corpus.Decl) int { return d.NameAt })
	for i := range r.facts.Bindings {
		b := &r.facts.Bindings[i]
		if b.In < 0 || b.Param != 0 || strings.ContainsAny(b.Name, "()[]#.") || b.Name == "" {
			continue
		}
		of := &r.facts.Decls[b.In]
		at := lineStart(r.text, b.At)
		// The binding of one is at its type where the property has code.
		if !slices.Contains([]corpus.Kind{corpus.Class, corpus.Struct, corpus.Interface}, of.Kind) || !strings.HasPrefix(r.text[b.At:], b.Name) || have[b.At] {
			continue
		}
		head := r.text[at:b.At]
		if offered := of.Kind == corpus.Interface && !hiddenWord.MatchString(head); !offered && !publicWord.MatchString(head) {
			continue
		}
		end := len(r.text)
		if n := strings.IndexByte(r.text[b.At:], '\n'); n >= 0 {
			end = b.At + n
		}
		d := corpus.Decl{Name: b.Name, Kind: corpus.Method, Scope: of.Qualified(), Parent: b.In, NameAt: b.At, Exported: true, Body: end, Span: corpus.Span{Start: at, End: end}}
		for d.Span.Start > 0 { // above its attributes
			from := lineStart(r.text, d.Span.Start-1)
			if line := strings.TrimSpace(r.text[from:d.Span.Start]); !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") {
				break
			}
			d.Span.Start = from
		}
		if strings.TrimSpace(r.above(&d)) != "" {
			r.facts.Decls = append(r.facts.Decls, d)
		}
	}
}
