package brief

import (
	"math"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/rank"
)

const (
	mostUp       = 5  // calls between an entry point and what is likely
	mostUpFiles  = 25 // files that call something of a name on the way, in all
	mostSiblings = 3
)

// entry adds the calls that lead from an entry point, which nothing calls, to the likeliest
// function.
func (s *session) entry(x *place) {
	at, way := x.ref, []facts.Ref{x.ref}
	var first facts.Edge
	left := mostUpFiles
	for range mostUp {
		d := s.p.Decl(at)
		if d == nil {
			break
		}
		n, err := s.v.Snap.CountKeyed(facts.Key(facts.Called, d.Name))
		if left -= n; err != nil || left < 0 {
			return // the way is not known
		}
		edges := s.p.CallersByName([]facts.Ref{at}, func(doc int) bool { return !s.test(doc) })
		edges = slices.DeleteFunc(edges, func(e facts.Edge) bool {
			return e.Sure < facts.Likely || slices.Contains(way, e.From)
		})
		if len(edges) == 0 {
			break
		}
		best := slices.MaxFunc(edges, func(a, b facts.Edge) int { return int(a.Sure) - int(b.Sure) })
		first, at = best, best.From
		way = append(way, at)
	}
	if len(way) < 3 { // the callers say it
		return
	}
	names := make([]string, len(way))
	for i, r := range way {
		name := "top level"
		if d := s.p.Decl(r); d != nil {
			name = d.Qualified()
		}
		names[len(way)-1-i] = name
	}
	f := s.other(at.Doc)
	line := s.line(f, first.At)
	s.add(item{section: hangs, need: rank.Places().Constant("worth of an entry") * x.score,
		line: Line{File: f.path, Line: line, Quote: short(f.lineText(line)), Why: strings.Join(names, " > ")}})
}

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
