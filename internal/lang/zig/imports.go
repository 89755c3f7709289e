package zig

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// imported returns the token after @import(…) and the members of that, at token
// value, where that is all of a statement; -1 where it is not.
func (r *reader) imported(value int) int {
	if key := r.Key(value); key != scan.KAtImport && key != scan.KAtCImport || !r.opens(value+1, '(') {
		return -1
	}
	k := r.Past(value + 1)
	for n := 0; r.sign(k, '.') && r.named(k+1) && n < maxChain; n++ {
		k += 2
	}
	if r.sign(k, ';') || k >= len(r.Toks) {
		return k
	}
	return -1
}

// imports reads @import("…") or @cInclude("…") at token i.
func (r *reader) imports(i int) {
	text := i + 2
	if !r.opens(i+1, '(') || r.Kind(text) != scan.Text || text >= len(r.Toks) || r.End(text)-r.At(text) < 3 || r.Src[r.At(text)] != '"' {
		return
	}
	m := corpus.Import{Path: strings.Trim(r.Str(text), `"`), At: r.At(text) + 1}
	if m.Path == "" {
		return
	}
	if r.depth > 0 {
		m.Kind |= corpus.Conditional
	}
	switch {
	case r.Key(i) == scan.KAtCInclude:
		m.Kind |= corpus.System
		if i < r.included {
			m.Alias = r.includer
		}
	case i == r.value && r.constant < 0: // usingnamespace
		m.Kind |= corpus.Reexport
		m.Names = []corpus.Name{{Name: "*"}}
	default:
		r.alias(&m, i)
	}
	if strings.HasSuffix(m.Path, ".zig") || strings.HasSuffix(m.Path, ".zon") {
		m.Kind |= corpus.Relative
	}
	r.Out.Imports = append(r.Out.Imports, m)
}

// alias says what is taken of the import at token i, and by what name it is known.
func (r *reader) alias(m *corpus.Import, i int) {
	first := r.Past(i+1) + 1
	taken := r.sign(first-1, '.') && r.named(first)
	if taken {
		m.Names = []corpus.Name{{Name: r.Str(first)}}
	}
	end := -1
	if i == r.value {
		end = r.imported(i)
	}
	if end < 0 {
		return
	}
	if _, exported, _ := r.start(r.constant - 1); exported {
		m.Kind |= corpus.Reexport
	}
	switch name := r.Str(r.constant); {
	case !taken:
		m.Alias = name
	case first+1 < end: // a member of what is taken
		chain, _ := r.chain(first, 0)
		r.bind(r.constant, "", chain, 0)
	case name != m.Names[0].Name:
		m.Names[0].Alias = name
	}
}
