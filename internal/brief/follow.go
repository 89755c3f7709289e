package brief

import (
	"math"
	"slices"

	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/rank"
)

const mostSiblings = 3

// siblings adds code like that of a likely declaration: how such things are done here.
func (s *session) siblings(x *place) {
	line := s.line(x.file, x.decl.NameAt)
	ans, _, err := s.v.Similar(s.ctx, x.file.path, line, 4*mostSiblings, false)
	if err != nil {
		return // nothing is indexed there: it is told elsewhere that the tree is stale
	}
	worth, n := rank.Places().Constant("worth of a sibling"), 0
	seen := []facts.Ref{x.ref}
	for i := range ans.Hits {
		h := &ans.Hits[i]
		doc, ok := s.doc(h.Doc.Path)
		if !ok || s.test(doc) != s.test(x.ref.Doc) || n == mostSiblings {
			continue
		}
		ref, ok := s.alike(doc, h.Start, h.End, x)
		if !ok || slices.Contains(seen, ref) {
			continue
		}
		seen = append(seen, ref)
		n++
		d, f := s.p.Decl(ref), s.other(doc)
		at := s.line(f, d.NameAt)
		s.add(item{section: done, need: worth * h.Score * x.score / math.Sqrt(float64(n)), line: Line{File: f.path, Line: at, Last: s.line(f, max(d.Span.End-1, 0)),
			Quote: s.head(&place{file: f, ref: ref, decl: d}), Why: "like " + x.decl.Qualified()}})
	}
}

// alike returns the largest declaration of the kind of another that is in a piece of a file.
func (s *session) alike(doc, from, to int, x *place) (best facts.Ref, ok bool) {
	decls := s.p.File(doc).Decls
	size := 0
	for i := range decls {
		d := &decls[i]
		share := min(d.Span.End, to) - max(d.Span.Start, from)
		if d.Kind == x.decl.Kind && share > size && 2*share > d.Span.Len() {
			best, ok, size = facts.Ref{Doc: doc, Decl: int32(i)}, true, share
		}
	}
	return best, ok
}
