package scan

import (
	"cmp"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// Bind records what is known of the type of the name at token i.
func (s *Source) Bind(i int, typ, value string, param int) {
	s.BindAs(s.Str(i), typ, value, s.At(i), param)
}

// BindAs is Bind for a name that is more, or less, than a token.
func (s *Source) BindAs(name, typ, value string, at, param int) {
	s.Out.Bindings = append(s.Out.Bindings, corpus.Binding{Name: name, Type: typ, Value: value, At: at, Param: int16(min(param, 1000))})
}

// Choices returns the tokens that name what bracket open lists with commas between: the members
// of an enumeration. Attributes before a name are passed over.
func (s *Source) Choices(open int) []int {
	var out []int
	for _, p := range s.Split(open, ",", false) {
		k := p[0]
		for k < p[1] && (s.Sign(k, '#') || s.Opens(k, '[') || s.Opens(k, '#')) {
			k = s.Past(k)
		}
		if k < p[1] && s.Name(k) {
			out = append(out, k)
		}
	}
	return out
}

// Declare begins a declaration that is named by token at and begins with token first
// and the comment above, as far as that is behind the offset floor.
func (s *Source) Declare(kind corpus.Kind, first, at, floor int) corpus.Decl {
	d := corpus.Decl{Kind: kind, Name: s.Str(at), NameAt: s.At(at)}
	start := s.At(first)
	if d.Doc = s.Doc(start); d.Doc.Len() > 0 {
		start = d.Doc.Start
	}
	d.Span.Start = max(start, floor)
	if d.Doc.Start < d.Span.Start {
		d.Doc = corpus.Span{}
	}
	return d
}

// Params returns the parameters in bracket i as they are written; see Split.
func (s *Source) Params(i int, angle bool) []string {
	return slice.Map(s.Split(i, ",", angle), func(p [2]int) string { return s.Quote(p[0], p[1]) })
}

// A body is where the inside of a declaration begins and where it ends.
type body struct{ at, end int }

// Enclose keeps a declaration in the one around it, and makes the comment above it
// part of it. Declarations must come in the order of their names.
func (s *Source) Enclose(d *corpus.Decl) {
	n := len(s.around)
	// What ends before the name is not around it, even where an attribute of this
	// declaration begins in it.
	free := 0
	for n > 0 && s.around[n-1].end <= d.NameAt {
		n--
		free = max(free, s.around[n].end)
	}
	d.Span.Start = max(d.Span.Start, free)
	in := body{end: len(s.Src)}
	if n > 0 {
		in = s.around[n-1]
	}
	d.Span.End = max(min(d.Span.End, in.end), d.NameAt+len(d.Name))
	d.Body = max(min(d.Body, d.Span.End), d.NameAt+len(d.Name))
	if doc := s.Doc(d.Span.Start); doc.End > 0 && doc.Start >= max(in.at, free) {
		if d.Doc.End == 0 {
			d.Doc = doc
		}
		d.Span.Start = doc.Start
	}
	s.around = append(s.around[:n], body{d.Body, d.Span.End})
}

// order sorts what is hardly ever out of order.
func order[T any](all []T, compare func(a, b T) int) {
	if !slices.IsSortedFunc(all, compare) {
		sorting.Stable(all, compare)
	}
}

// Sort puts facts in the order of the text, of declarations the one around first.
func Sort(f *corpus.Facts) {
	order(f.Imports, func(a, b corpus.Import) int { return a.At - b.At })
	order(f.Calls, func(a, b corpus.Call) int { return a.At - b.At })
	order(f.Bindings, func(a, b corpus.Binding) int { return a.At - b.At })
	order(f.Decls, func(a, b corpus.Decl) int { return cmp.Or(a.Span.Start-b.Span.Start, b.Span.End-a.Span.End) })
}

// Settle sorts facts, and makes declarations nest that cross because the text is
// broken.
func Settle(f *corpus.Facts) {
	Sort(f)
	if cut(f, true) {
		Sort(f)
		cut(f, false)
	}
}

// cut lets a declaration end with the one around it. One whose name is behind that
// one begins there, which may put it out of order: cut reports it, and does it where
// move says so.
func cut(f *corpus.Facts, move bool) (moved bool) {
	kept := 0
	var room [16]int
	around := room[:0] // ends
	for i := range f.Decls {
		d := &f.Decls[i]
		for len(around) > 0 && around[len(around)-1] <= d.Span.Start {
			around = around[:len(around)-1]
		}
		if n := len(around); n > 0 && d.Span.End > around[n-1] {
			if move && d.NameAt >= around[n-1] {
				d.Span.Start, d.Doc = d.NameAt, corpus.Span{}
				moved = true
			} else {
				d.Span.End = around[n-1]
				d.Body = min(d.Body, d.Span.End)
			}
		}
		if d.NameAt < d.Span.Start || d.NameAt+len(d.Name) > d.Span.End {
			f.Missed++
			continue
		}
		around = append(around, d.Span.End)
		if kept < i {
			f.Decls[kept] = *d
		}
		kept++
	}
	f.Decls = f.Decls[:kept]
	return moved
}

// AliasOf returns the alias of the first of the names that is name, or "".
func AliasOf(names []corpus.Name, name string) string {
	for _, n := range names {
		if n.Name == name {
			return n.Alias
		}
	}
	return ""
}
