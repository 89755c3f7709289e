package graph

import (
	"cmp"
	"context"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// An Affected is a file that a change may reach.
type Affected struct {
	File      string   `json:"file"`
	Via       string   `json:"via"`   // call, use, import, or several: "call, import"
	Depth     int      `json:"depth"` // the shortest way there
	Functions []string `json:"functions"`
	Test      bool     `json:"is_test"`
}

// An Impact is the files that a change may reach, nearest first.
type Impact struct {
	Target      string       `json:"target"`
	Definitions []Definition `json:"definitions,omitempty"` // of a symbol
	Impact      []Affected   `json:"impact"`
	Tests       int          `json:"tests"`                   // of those files, however many are shown
	Uses        []Reference  `json:"uses,omitempty"`          // of the symbol itself
	MoreUses    int          `json:"uses_left_out,omitempty"` // that were over the budget
	Mentions
	Summary Summary `json:"summary"`
	Page    *Page   `json:"pagination,omitempty"`
	known

	drawing
}

func impactFilter(in *ImpactInput) *Filter { return &in.Filter }

// Impact says what a change of a file or of a symbol may reach: along calls and uses,
// and for a file along imports too.
func (f *Feature) Impact(ctx context.Context, in ImpactInput) (*Impact, error) {
	in, r, err := resume("impact", in, impactFilter)
	if err != nil {
		return nil, err
	}
	out := &Impact{Target: in.Target, Impact: []Affected{}}
	depth := toTheEnd
	if in.Depth > 0 {
		depth = min(in.Depth, toTheEnd)
	}
	file := in.Target
	if strings.ContainsRune(file, ':') {
		file = placeFile(file) // else it is path/to/file:Name
	}
	err = f.ask(ctx, r, in.Filter, file, &out.known, &out.Summary.NotCovered, func(s *session) error {
		if err := in.Build.set(s); err != nil {
			return err
		}
		docs, of, fields, err := s.changed(in.Target)
		if err != nil {
			return err
		}
		s.constrained(of)
		step := &stepping{session: s, fields: fields, types: true}
		hops, tally := s.follow(of, depth, degree(in.Least), step.next, func(e facts.Edge) facts.Ref { return e.From })
		s.others(hops)
		imports, arrows := s.reached(docs, depth)
		if s.draws(in.Picture) {
			out.drawing = s.drawImpact(hops, arrows, in.Picture)
			return nil
		}
		all := s.affected(docs, hops, imports)
		out.Summary = summary(tally)
		if out.Summary.NotCovered, err = s.notCovered(s.filtered(), everything, syntax.Everything); err != nil {
			return err
		}
		for _, a := range all {
			if a.Test {
				out.Tests++
			}
		}
		from, to, p, err := paged(s, len(all), in, impactFilter)
		if err != nil {
			return err
		}
		out.Impact = append(out.Impact, all[from:to]...)
		out.Page = p
		known := len(imports)
		for _, h := range hops {
			if !slices.Contains(docs, h.From.Doc) {
				known++
			}
		}
		if len(docs) == 0 && s.offset == 0 {
			if err := s.usesOfTarget(in, hops, out); err != nil {
				return err
			}
			defer s.remarkOnMentions(&out.Mentions)
		}
		if len(all) == 0 && !s.passed(known, "call, use or import", "calls, uses and imports") {
			const none = "nothing is known to depend on it; looked at %s and uses of the names it declares, " +
				"%d of them unresolved, and at the imports of %s%s"
			s.noneOf(&out.Mentions, none,
				count(tally.Total, "call"), tally.Unresolved, count(len(s.filtered()), "source file"), s.text(pattern(s.spoken(docs, of, in.Target))))
		}
		return nil
	})
	return out, err
}

// usesOfTarget adds the uses of a symbol and the other lines with its name to an answer.
func (s *session) usesOfTarget(in ImpactInput, hops []hop, out *Impact) error {
	of, err := s.targets(in.Target)
	if err != nil {
		return err
	}
	out.Definitions = s.declaredAt(of)
	uses, _ := s.p.Uses(of, s.going)
	uses = slices.DeleteFunc(uses, func(u facts.Use) bool {
		return u.Sure < degree(in.Least) || !s.passes(u.From)
	})
	seen := set.Of(spotsOf(uses))
	for _, h := range hops {
		at := spot{h.From.Doc, h.At}
		i := slices.IndexFunc(of, func(t facts.Place) bool { return t.Decl >= 0 && t.Ref == h.To })
		if h.depth > 1 || i < 0 || seen[at] {
			continue
		}
		if seen[at] = true; s.passes(h.From) {
			uses = append(uses, facts.Use{From: h.From, To: of[i], At: h.At, Kind: facts.UseCall, Sure: h.Sure, How: h.How})
		}
	}
	sorting.Stable(uses, func(a, b facts.Use) int { return cmp.Or(a.From.Doc-b.From.Doc, a.At-b.At) })
	s.testsLast(uses)
	all := s.references(of, uses)
	to, left := s.setLines(0, usualLimit, len(all), in.Tokens, siteIn(all))
	out.Uses, out.MoreUses = all[:to], len(all)-to
	if out.MoreUses > 0 {
		s.note("%s more: refs lists all", count(out.MoreUses, "use"))
	}
	out.Mentions, err = s.mentionsOf(of, spotsOf(uses), nil, left)
	out.Complete = out.Complete && out.LeftOut == 0 && out.MoreUses == 0
	return err
}

// changed returns the files, the declarations and the fields that a target is.
func (s *session) changed(target string) (docs []int, of []facts.Ref, fields []facts.Place, err error) {
	if placeFile(target) != "" {
		places, err := s.targets(target)
		for _, t := range places {
			if t.Decl >= 0 {
				of = append(of, t.Ref)
			} else {
				fields = append(fields, t)
			}
		}
		return nil, s.members(s.constructed(of)), fields, err
	}
	if s.within == "" {
		if of = s.constructed(s.meant(target)); len(of) > 0 {
			return nil, s.members(of), nil, nil
		}
		if docs = s.modules(target); len(docs) == 0 {
			if fields = s.p.Fields(target); len(fields) > 0 {
				return nil, nil, fields, nil
			}
			if s.names(target) {
				return nil, nil, nil, s.nowhere(target)
			}
			return nil, nil, nil, s.unknown("declaration", target)
		}
	} else if docs = s.modules(target); len(docs) == 0 {
		return nil, nil, nil, s.nowhere(target)
	}
	for _, d := range docs {
		for i := range s.p.File(d).Decls {
			of = append(of, facts.Ref{Doc: d, Decl: int32(i)})
		}
	}
	return docs, of, nil, nil
}

// constructed returns declarations with types in place of their constructors: who names the
// type means all of it.
func (s *session) constructed(of []facts.Ref) (out []facts.Ref) {
	for _, r := range of {
		d := s.p.Decl(r)
		if in := (facts.Ref{Doc: r.Doc, Decl: d.Parent}); d.Parent >= 0 && d.Name == s.p.Decl(in).Name {
			switch s.p.Decl(in).Kind {
			case corpus.Class, corpus.Struct, corpus.Enum, corpus.Type:
				r = in
			}
		}
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// A stepping goes from declarations to what depends on them.
type stepping struct {
	*session
	fields []facts.Place // that are asked about too
	types  bool          // what uses a type is looked for at the first step
	read   int           // files, for what uses constants, types and fields
	later  bool          // it is not the first step
}

// next returns what calls some declarations or hands them on, and what uses the constants and variables
// among them: at the first step also what uses the fields and, where that is asked for, the types.
func (s *stepping) next(of []facts.Ref) (edges []facts.Edge, tally facts.Tally) {
	if len(of) > 0 {
		edges, tally = s.callers(of)
	}
	at := s.fields
	var below []facts.Relation
	for _, r := range of {
		d := s.p.Decl(r)
		switch d.Kind {
		case corpus.Function, corpus.Method, corpus.TestCase, corpus.Macro, corpus.Module, corpus.Section:
			continue
		case corpus.Constant, corpus.Variable:
		default:
			if !s.types {
				continue
			}
			below = append(below, s.p.Below(r)...)
		}
		at = append(at, facts.Place{Ref: r, Name: d.Name, At: d.NameAt})
	}
	later := s.later
	s.fields, s.types, s.later = nil, false, true
	if n := len(at); n > mostPassed {
		s.note("uses of %d of %d constants, types and fields were looked for: ask about one for its own", mostPassed, n)
		at = at[:mostPassed]
	}
	if len(at) == 0 || later && s.read > mostScanned {
		return edges, tally
	}
	place := func(e *facts.Edge) facts.Edge { return facts.Edge{From: facts.Ref{Doc: e.From.Doc}, At: e.At} }
	calls := set.By(edges, place)
	more, t, read := s.p.Users(at, s.going)
	if s.read += read; s.read > mostScanned && s.read-read <= mostScanned {
		s.note("uses of constants, types and fields were searched for in %s; further away only calls were followed", count(s.read, "file"))
	}
	for _, e := range more {
		if !calls[place(&e)] {
			edges = append(edges, e)
		}
	}
	// A type named as a base may be read as its constructor, which is handed on to nobody.
	known := set.By(edges, func(e *facts.Edge) facts.Ref { return e.From })
	for _, b := range below {
		if !known[b.Type] {
			known[b.Type] = true
			edges = append(edges, facts.Edge{From: b.Type, To: b.Of, At: s.p.Decl(b.Type).NameAt, Sure: b.Sure, How: facts.Used})
		}
	}
	tally.Add(t)
	return edges, tally
}

// names reports whether a target that is not there was meant as a file: it ends as
// one here does.
func (s *session) names(target string) bool {
	ext := path.Ext(target)
	return ext != "" && slices.ContainsFunc(s.p.Docs, func(d facts.Doc) bool { return path.Ext(d.Path) == ext })
}

// members returns declarations with, of types, what is declared of them: a change of
// a type is one of its methods.
func (s *session) members(of []facts.Ref) []facts.Ref {
	out := slices.Clone(of)
	for _, r := range of {
		d, doc := s.p.Decl(r), &s.p.Docs[r.Doc]
		switch d.Kind {
		case corpus.Function, corpus.Method, corpus.TestCase, corpus.Macro:
			continue
		}
		scope := d.Qualified()
		for i := range s.p.Docs {
			// Go declares methods anywhere in the package.
			if i != r.Doc && (doc.Language != "go" || s.p.Docs[i].Language != "go" || path.Dir(s.p.Docs[i].Path) != path.Dir(doc.Path)) {
				continue
			}
			f := s.p.File(i)
			for k := range f.Decls {
				if m := &f.Decls[k]; m.Scope == scope || strings.HasPrefix(m.Scope, scope+".") {
					out = append(out, facts.Ref{Doc: i, Decl: int32(k)})
				}
			}
		}
	}
	return out
}

// reached returns the files that import some files, directly or not, and how far
// away they are, with each import on a shortest way.
func (s *session) reached(docs []int, depth int) (out map[int]int, arrows [][2]int) {
	out = map[int]int{}
	if len(docs) == 0 {
		return out, nil
	}
	back := map[int][]int{}
	for d := range s.p.Docs {
		h := s.p.Head(d)
		for k := range h.Imports {
			for _, t := range s.leads(d, &h.Imports[k]).Docs {
				back[t] = append(back[t], d)
			}
		}
	}
	at := docs
	seen := set.Of(docs)
	for n := 1; n <= depth && len(at) > 0; n++ {
		var next []int
		for _, t := range at {
			for _, d := range back[t] {
				if !seen[d] {
					seen[d] = true
					out[d] = n
					next = append(next, d)
				}
				if out[d] == n {
					arrows = append(arrows, [2]int{d, t})
				}
			}
		}
		at = next
	}
	return out, arrows
}

// drawImpact draws which files reach the changed ones, and through which.
func (s *session) drawImpact(hops []hop, imports [][2]int, as Picture) drawing {
	for _, h := range hops {
		imports = append(imports, [2]int{h.From.Doc, h.To.Doc})
	}
	var arrows [][2]string
	for _, a := range imports {
		if a[0] != a[1] && s.filter.doc(&s.p.Docs[a[0]]) {
			arrows = append(arrows, [2]string{s.p.Docs[a[0]].Path, s.p.Docs[a[1]].Path})
		}
	}
	return newDrawing(arrows, as)
}

// way is what leads to what a hop comes from.
func way(h hop) string {
	if h.How == facts.Used {
		return "use"
	}
	return "call"
}

// affected joins what calls and imports reach into files, nearest first.
func (s *session) affected(docs []int, hops []hop, imports map[int]int) []Affected {
	found := map[int]*Affected{}
	at := func(d, depth int, via string) *Affected {
		a := found[d]
		if a == nil {
			a = &Affected{File: s.p.Docs[d].Path, Depth: depth, Functions: []string{}, Test: test(&s.p.Docs[d])}
			found[d] = a
		}
		if a.Depth = min(a.Depth, depth); !strings.Contains(a.Via, via) {
			a.Via = strings.TrimPrefix(a.Via+", "+via, ", ")
		}
		return a
	}
	for _, h := range hops {
		a := at(h.From.Doc, h.depth, way(h))
		if name := s.name(h.From); !slices.Contains(a.Functions, name) {
			a.Functions = append(a.Functions, name)
		}
	}
	for d, depth := range imports {
		at(d, depth, "import")
	}
	var out []Affected
	for d, a := range found {
		// A changed file is not one that the change reaches.
		if !slices.Contains(docs, d) && s.filter.doc(&s.p.Docs[d]) {
			out = append(out, *a)
		}
	}
	sorting.Stable(out, func(a, b Affected) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), strings.Compare(a.File, b.File))
	})
	return out
}

// WriteText writes the impact as a table.
func (a *Impact) WriteText(w io.Writer, _ bool) error {
	if a.asked {
		return a.draw(w)
	}
	var t table
	writeDefinitions(&t, a.Definitions)
	if len(a.Impact) > 0 {
		t.row("FILE", ">DEPTH", "VIA", "FUNCTIONS")
		for _, f := range a.Impact {
			const most = 5
			names := strings.Join(f.Functions[:min(len(f.Functions), most)], ", ")
			if n := len(f.Functions) - most; n > 0 {
				names += " and " + itoa(n) + " more"
			}
			t.row(f.File, f.Depth, f.Via, names)
		}
		t.flush()
	}
	if len(a.Uses) > 0 {
		t.line("USES:")
		writeReferences(&t, a.Definitions, a.Uses)
	}
	a.Mentions.write(&t)
	total := len(a.Impact)
	if a.Page != nil {
		total = a.Page.Total
	}
	a.sums(&t, "%s; direct calls and uses: %d resolved, %d ambiguous, %d unresolved",
		text.Counted("%d file{s} may be affected, %d of them {a test|tests}", total, a.Tests), a.Summary.Resolved, a.Summary.Ambiguous, a.Summary.Unresolved)
	t.notes(a.Summary.NotCovered, a.Notes, a.Page, len(a.Impact))
	return t.write(w)
}
