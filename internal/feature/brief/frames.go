package brief

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/core/engine"
	"github.com/assay-dev/assay/internal/core/facts"
	"github.com/assay-dev/assay/internal/core/paste"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// meant notes in which files, lines and declarations the places of the task are now.
func (s *session) meant(meant []engine.Meant, at func(path string) *file) {
	found := map[paste.Place]bool{}
	for _, m := range meant {
		f := at(m.File)
		if f == nil {
			continue
		}
		t := s.present(f, m.Place)
		if found[m.Place] = true; !slices.Contains(f.where, t) {
			f.where = append(f.where, t)
		}
	}
	for _, p := range s.plan.Places { // the file is gone: what is called so may be elsewhere
		if p.Sort != paste.Traced || found[p] || p.Name == "" || len(p.Name) < 3 {
			continue
		}
		refs := slices.DeleteFunc(s.p.Lookup(p.Name), func(r facts.Ref) bool {
			return !sameLanguage(p.Path, s.p.Docs[r.Doc].Path)
		})
		if len(refs) != 1 {
			continue
		}
		if f := at(s.p.Docs[refs[0].Doc].Path); f != nil {
			found[p] = true
			f.where = append(f.where, target{p, refs[0].Decl, s.line(f, s.p.Decl(refs[0]).NameAt), "moved"})
		}
	}
	s.trails(found)
}

func sameLanguage(a, b string) bool { return syntax.Language(a, nil) == syntax.Language(b, nil) }

// present finds where a place of a file is now: at the line that the trace quotes, in the
// declaration that it names, or where it was.
func (s *session) present(f *file, p paste.Place) target {
	t := target{Place: p, decl: -1, line: p.Line, how: "line"}
	if p.Line == 0 && p.Name == "" {
		t.how = "file"
		return t
	}
	decls := s.p.File(f.doc).Decls
	in := func(line int) int32 {
		at, ok := s.offset(f, line)
		if !ok {
			return -1
		}
		k := s.innermost(f.doc, at)
		if k >= 0 && s.line(f, decls[k].NameAt) > line { // in its comment nothing runs
			return decls[k].Parent
		}
		return k
	}
	around := in(p.Line)
	var named []int32
	for i := range decls {
		if p.Name != "" && decls[i].Name == p.Name {
			named = append(named, int32(i))
		}
	}
	if line := s.quoted(f, p, named); line > 0 {
		t.line, t.decl = line, in(line)
		if line != p.Line {
			t.how = "quoted line"
		}
		return t
	}
	for k := around; k >= 0; k = decls[k].Parent {
		if slices.Contains(named, k) { // it is where it was
			t.decl = around
			return t
		}
	}
	if len(named) > 0 {
		near := slices.MinFunc(named, func(a, b int32) int {
			return cmp.Compare(distance(s.line(f, decls[a].NameAt), p.Line), distance(s.line(f, decls[b].NameAt), p.Line))
		})
		t.decl, t.line, t.how = near, s.line(f, decls[near].NameAt), "declaration"
		return t
	}
	t.decl = around
	return t
}

func distance(a, b int) int { return max(a-b, b-a) }

// quoted returns the line that a trace quotes, in one of the declarations that it names
// where there are any: the one nearest to where it was; 0 where there is none.
func (s *session) quoted(f *file, p paste.Place, named []int32) (best int) {
	quote := strings.Join(strings.Fields(p.Quote), " ")
	if len(quote) < shortestQuote || !s.load(f) {
		return 0
	}
	decls := s.p.File(f.doc).Decls
	for n := range f.starts {
		line := f.lineText(n + 1)
		if strings.Join(strings.Fields(line), " ") != quote {
			continue
		}
		inside := len(named) == 0 || slices.ContainsFunc(named, func(i int32) bool {
			return decls[i].Span.Start <= f.starts[n] && f.starts[n] < decls[i].Span.End
		})
		if inside && (best == 0 || distance(n+1, p.Line) < distance(best, p.Line)) {
			best = n + 1
		}
	}
	return best
}

// mostRedacted is how large a file is of which lines are shown, in bytes, where secrets are
// taken out of them.
const mostRedacted = 4 << 20

// shortestQuote is the length of a line that says where it is.
const shortestQuote = 4

// trails lists the frames of the trace with what became of them.
func (s *session) trails(found map[paste.Place]bool) {
	for _, p := range s.plan.Places {
		if p.Sort != paste.Traced || len(s.out.Frames) == mostFrames {
			continue
		}
		fr := Frame{Was: was(p), How: "outside"}
		for _, f := range s.files {
			for _, t := range f.where {
				if t.Place == p && found[p] {
					fr.File, fr.Line, fr.How = f.path, t.line, t.how
					if t.decl >= 0 {
						fr.Name = s.p.File(f.doc).Decls[t.decl].Qualified()
					}
					if s.load(f) {
						fr.Text = strings.TrimSpace(f.lineText(t.line))
					}
				}
			}
		}
		s.out.Frames = append(s.out.Frames, fr)
	}
}

const mostFrames = 40

// was is a place as the task has it.
func was(p paste.Place) string {
	out := p.Path
	if p.Line > 0 {
		out += ":" + itoa(p.Line)
	}
	if p.Name != "" {
		out += " " + p.Name
	}
	return out
}
