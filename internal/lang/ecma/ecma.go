// Package ecma reads JavaScript and TypeScript, with and without JSX: what a text
// declares, imports, calls and binds.
//
// Whatever the text, reading it takes time linear in it and ends; declarations lie
// in the text and nest, and the text at NameAt is the name.
package ecma

import (
	"cmp"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// ReadJS reads JavaScript in which JSX may occur.
func ReadJS(src []byte) corpus.Facts { return read(script, src, false) }

// ReadTS reads TypeScript without JSX: <T>x is a cast.
func ReadTS(src []byte) corpus.Facts { return read(typed, src, true) }

// ReadTSX reads TypeScript with JSX.
func ReadTSX(src []byte) corpus.Facts { return read(typedX, src, true) }

func read(g *scan.Grammar, src []byte, ts bool) corpus.Facts {
	return g.Read(src, func(s *scan.Source) {
		r := &reader{Source: s, ts: ts, jsx: g != typed, spare: len(s.Toks)}
		// What source usually holds: growing costs more than a little too much.
		n := len(s.Toks)
		s.Out.Decls = make([]corpus.Decl, 0, n/100)
		s.Out.Calls = make([]corpus.Call, 0, n/20)
		s.Out.Bindings = make([]corpus.Binding, 0, n/30)
		r.block(0, n, false)
		r.late()
		r.offer()
		order(s.Out.Decls)
	})
}

// maxDepth bounds the recursion: what is nested deeper is not read.
const maxDepth = 200

// A reader goes once over the tokens of a text.
type reader struct {
	*scan.Source
	ts, jsx bool

	depth   int
	spare   int  // see sure
	inside  int  // how many functions are around
	space   int  // how many namespaces are around
	branch  int  // how many branches and blocks are around
	ambient bool // in declare …: nothing has a body, everything is offered
	named   bool // the innermost function is a declaration
	public  bool // the object literal that is read is offered
	top     []int32
	offered []string // names that are exported by themselves: export {a as b}
}

// enter counts a level of nesting, and reports whether it may be read.
func (r *reader) enter() bool {
	if r.depth >= maxDepth {
		r.Out.Missed++
		return false
	}
	r.depth++
	return true
}

func (r *reader) leave() { r.depth-- }

// is reports whether token i is the one-byte sign c.
func (r *reader) is(i int, c byte) bool {
	if i < 0 || i >= len(r.Toks) {
		return false
	}
	t := &r.Toks[i]
	return t.End-t.At == 1 && r.Src[t.At] == c && t.Kind != scan.Text
}

// two reports whether token i is the two-byte sign ab.
func (r *reader) two(i int, a, b byte) bool {
	if i < 0 || i >= len(r.Toks) {
		return false
	}
	t := &r.Toks[i]
	return t.End-t.At == 2 && r.Src[t.At] == a && r.Src[t.At+1] == b && t.Kind == scan.Punct
}

// key returns the number of the keyword at token i, 0 where it is none.
func (r *reader) key(i int) scan.Key {
	if i < 0 || i >= len(r.Toks) || r.Toks[i].Kind != scan.Word {
		return 0
	}
	return r.Toks[i].Key
}

func (r *reader) word(i int) bool { return i >= 0 && i < len(r.Toks) && r.Toks[i].Kind == scan.Word }
func (r *reader) text(i int) bool { return i >= 0 && i < len(r.Toks) && r.Toks[i].Kind == scan.Text }

// close returns the end of what bracket i holds, at most end.
func (r *reader) close(i, end int) int { return max(min(r.Pair(i), end), i+1) }

// past returns the token after bracket i, at most end.
func (r *reader) past(i, end int) int { return min(r.Past(i), end) }

// literal returns what is between the quotes of token i, and where it begins; ""
// where it is no simple string.
func (r *reader) literal(i int) (string, int) {
	if !r.text(i) {
		return "", 0
	}
	b := r.Bytes(i)
	if len(b) < 3 || b[0] != b[len(b)-1] || b[0] != '"' && b[0] != '\'' && b[0] != '`' {
		return "", 0
	}
	return string(b[1 : len(b)-1]), r.At(i) + 1
}

// late adds the imports that stand in types: import("x").T. Types are skipped as a
// whole, and what is skipped may hold them anywhere.
func (r *reader) late() {
	known := map[int]bool{}
	for i := range r.Toks {
		if r.Toks[i].Key != scan.KImport || !r.word(i) || !r.is(i+1, '(') || r.is(i-1, '.') {
			continue
		}
		if len(known) == 0 {
			for _, m := range r.Out.Imports {
				known[m.At] = true
			}
			known[-1] = true
		}
		if path, at := r.literal(i + 2); path != "" && !known[at] {
			r.Out.Imports = append(r.Out.Imports, corpus.Import{Path: path, At: at, Kind: corpus.TypeOnly | corpus.Dynamic})
		}
	}
	slices.SortStableFunc(r.Out.Imports, func(a, b corpus.Import) int { return cmp.Compare(a.At, b.At) })
}

// order puts declarations in order: what a decorator holds is read before what it
// decorates is known. In a broken text some may cross; they are made to nest.
func order(decls []corpus.Decl) {
	before := func(a, b corpus.Decl) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(b.Span.End, a.Span.End))
	}
	if !slices.IsSortedFunc(decls, before) {
		slices.SortStableFunc(decls, before)
	}
	if cut(decls) {
		slices.SortStableFunc(decls, before)
		cut(decls)
	}
}

// cut makes crossing spans nest, and reports whether it moved the start of one.
func cut(decls []corpus.Decl) bool {
	moved := false
	var open []int
	for i := range decls {
		d := &decls[i]
		for len(open) > 0 && decls[open[len(open)-1]].Span.End <= d.Span.Start {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			switch end := decls[open[len(open)-1]].Span.End; {
			case d.Span.End <= end:
			case d.NameAt >= end:
				d.Span.Start, d.Doc = d.NameAt, corpus.Span{}
				moved = true
			default:
				d.Span.End = max(end, d.NameAt+len(d.Name))
				d.Body = min(d.Body, d.Span.End)
			}
		}
		open = append(open, i)
	}
	return moved
}

// offer marks what the text exports apart from its declaration.
func (r *reader) offer() {
	if len(r.offered) == 0 {
		return
	}
	names := make(map[string]bool, len(r.offered))
	for _, n := range r.offered {
		names[n] = true
	}
	for _, i := range r.top {
		if names[r.Out.Decls[i].Name] {
			r.Out.Decls[i].Exported = true
		}
	}
}
