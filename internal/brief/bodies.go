package brief

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/passage"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

const (
	// besideShare is the part of a budget that callers, tests, pages and notes take at most; bodies take the rest.
	besideShare = 8
	// maxLines is how many likely files are named with a line each beside those of which bodies are shown.
	maxLines = 12
	// maxBodyHits is how many hits bodies are chosen from.
	maxBodyHits = 30
)

// bodyHits returns the hits that bodies are chosen from: the places of a trace or a diff, then the hits in the
// project's own source. Tests and pages are named elsewhere in the brief.
func (s *session) bodyHits() (out []engine.Hit) {
	for _, f := range s.files {
		for _, t := range f.where {
			if t.line > 0 {
				h := engine.Hit{}
				h.Doc.Path, h.Doc.Language = f.path, s.p.Docs[f.doc].Language
				h.Lines = corpus.Range{First: t.line, Last: t.line}
				out = append(out, h)
			}
		}
	}
	for i := range s.hits {
		doc, ok := s.doc(s.hits[i].Doc.Path)
		if !ok || len(out) >= maxBodyHits || s.hits[i].InTest {
			continue
		}
		if language := s.p.Docs[doc].Language; syntax.Source(language) && !s.test(doc) && !s.prose(doc) {
			out = append(out, s.hits[i])
		}
	}
	return out
}

// chooseBodies chooses the declarations to read within so many bytes.
func (s *session) chooseBodies(budget int) {
	s.passages = nil
	if s.p == nil || budget <= 0 {
		return
	}
	r := passage.NewReader(s.v, s.plan, s.stats, s.f.trees.Config().Server)
	r.LeaveOutTests()
	files, units := r.Units(s.bodyHits())
	r.Choose(files, units, budget, func(p *passage.Passage) int { return len(s.heading(p)) })
	files = slices.DeleteFunc(files, func(p *passage.Passage) bool { return p.File == nil || len(p.Kept) == 0 })
	s.passages = s.inFlow(files)
	s.out.focus = r.Focus
	for _, p := range s.passages {
		f := s.byPath[p.File.Path]
		out := File{File: f.path, Score: rank.Round(f.score), Why: s.why(f), Declarations: []Declaration{}, passage: p}
		budget -= len(s.heading(p)) + p.File.Cost(p.Within(), p.Kept)
		for i := range p.File.Decls {
			if d, ok := declaration(r, p, i); ok {
				if x := s.placeOf(f, d.Line); x != nil {
					d.Score, d.Why = rank.Round(x.score), x.why
				}
				out.Declarations = append(out.Declarations, d)
			}
		}
		s.out.Where = append(s.out.Where, out)
		if s.explain {
			size := len(s.heading(p)) + p.File.Cost(p.Within(), p.Kept)
			s.out.Explain = append(s.out.Explain, Reason{f.path, out.Score, text.Tokens(size), out.Score, f.of})
		}
	}
	s.nameFiles(budget)
}

// nameFiles adds, of likely files that no body is shown of, the likeliest declaration as a line each
// within so many bytes.
func (s *session) nameFiles(budget int) {
	named := set.By(s.out.Where, func(w *File) string { return w.File })
	bodies := len(s.out.Where)
	for _, x := range s.likely {
		f := x.file
		if named[f.path] || s.prose(f.doc) || s.test(f.doc) {
			continue
		}
		d := Declaration{Name: x.decl.Qualified(), Kind: x.decl.Kind.String(), Line: s.line(f, x.decl.NameAt),
			Last: s.line(f, max(x.decl.Span.End-1, 0)), Score: rank.Round(x.score), Why: x.why, Signature: s.head(x)}
		line := File{File: f.path, Score: rank.Round(f.score), Why: s.why(f), Declarations: []Declaration{d}}
		if budget -= len(line.line()); budget < 0 || len(s.out.Where)-bodies == maxLines {
			return
		}
		named[f.path] = true
		s.out.Where = append(s.out.Where, line)
	}
}

// placeOf returns the likely declaration whose name is in a line of a file, or nil.
func (s *session) placeOf(f *file, line int) *place {
	for _, x := range s.likely {
		if x.file == f && s.line(f, x.decl.NameAt) == line {
			return x
		}
	}
	return nil
}

func (s *session) heading(p *passage.Passage) string {
	return "\n" + text.Line(p.File.Path) + " (" + s.why(s.byPath[p.File.Path]) + ")\n"
}

// declaration returns a declaration of which lines are shown, with those that tell most of the task.
func declaration(r *passage.Reader, p *passage.Passage, i int) (Declaration, bool) {
	d := &p.File.Decls[i]
	whole := p.File.Lines(d.Span)
	if d.Kind == corpus.Section || d.Kind == corpus.NoKind || p.File.IsLocal(d) {
		return Declaration{}, false
	}
	named := p.File.LineAt(d.NameAt)
	if !slices.ContainsFunc(p.Kept, func(r corpus.Range) bool { return r.First <= named && named <= r.Last }) {
		return Declaration{}, false
	}
	out := Declaration{Name: d.Qualified(), Kind: d.Kind.String(), Line: named, Last: whole.Last}
	out.Signature = short(p.File.Shown(named, r.Focus))
	best := 0.0
	for _, kept := range p.Kept {
		var body strings.Builder
		tells, first := 1.0, max(kept.First, named+1)
		for n := first; n <= min(kept.Last, whole.Last); n++ {
			body.WriteString(p.File.Shown(n, r.Focus) + "\n")
			tells += r.Weigh(p.File.Line(n))
		}
		if body.Len() > 0 && tells > best {
			best, out.BodyLine, out.Body = tells, first, strings.TrimRight(body.String(), "\n")
		}
	}
	return out, true
}

// inFlow returns files so that a caller comes before its callee, and else in their order.
func (s *session) inFlow(files []*passage.Passage) (out []*passage.Passage) {
	left := slices.Clone(files)
	for len(left) > 0 {
		next := 0
		for i := range left {
			called := false
			for j := range left {
				called = called || i != j && s.callsShown(left[j], left[i])
			}
			if !called {
				next = i
				break
			}
		}
		out = append(out, left[next])
		left = slices.Delete(left, next, next+1)
	}
	return out
}

// callsShown reports whether lines that are shown of a file call a function that is shown of another, by its name.
func (s *session) callsShown(from, to *passage.Passage) bool {
	f := s.byPath[from.File.Path]
	shown := func(p *passage.Passage, line int) bool {
		return slices.ContainsFunc(p.Kept, func(r corpus.Range) bool { return r.First <= line && line <= r.Last })
	}
	names := map[string]bool{}
	for i := range to.File.Decls {
		d := &to.File.Decls[i]
		if len(d.Name) >= longName && shown(to, to.File.LineAt(d.NameAt)) {
			names[d.Name] = true
		}
	}
	calls := s.p.File(f.doc).Calls
	return slices.ContainsFunc(calls, func(c corpus.Call) bool { return names[c.Callee] && shown(from, from.File.LineAt(c.At)) })
}
