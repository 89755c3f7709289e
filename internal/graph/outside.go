package graph

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// callersOutside answers what calls a function that the project does not declare: of a
// library or of the language; not found where no call names it either.
func (s *session) callersOutside(in CallsInput, out *Callers) (found bool, err error) {
	// A file that is not read yet may declare it.
	if !s.v.Extent().Complete || s.draws(in.Picture) {
		return false, nil
	}
	edges, tally := s.p.Outside(in.Function)
	edges = slices.DeleteFunc(edges, func(e facts.Edge) bool { return !s.passes(e.From) })
	if len(edges) == 0 {
		return false, nil
	}
	out.Definitions = []Definition{}
	out.Summary = summary(tally)
	if out.Summary.NotCovered, err = s.notCovered(s.filtered(), everything, syntax.Everything); err != nil {
		return true, err
	}
	kept := sure(edges, degree(in.Least))
	if len(kept) == 0 {
		s.note("no call is %s or surer; these are of the same name, and what they call is not known", degree(in.Least))
		kept = edges
	}
	hops := slice.Map(kept, func(e facts.Edge) hop { return hop{e, 1} })
	s.note("the project does not declare it: these are the calls that name it; " +
		"a call through an alias of its import or through a value is not among them")
	out.Callers, out.Page, _, err = s.show(hops, in, func(h hop) Call { return Call{Function: s.name(h.From), calleeAt: -1} })
	return true, err
}

// callersOfField answers which code calls a member of an interface, or a function that a field holds; not found if no field has
// the name.
func (s *session) callersOfField(in CallsInput, out *Callers) (found bool, err error) {
	fields := s.p.Fields(in.Function)
	if len(fields) == 0 || s.draws(in.Picture) {
		return false, nil
	}
	out.Definitions = s.declaredAt(fields)
	uses, tally := s.p.Uses(fields, s.going)
	out.Summary = summary(tally)
	if out.Summary.NotCovered, err = s.notCovered(s.filtered(), everything, syntax.Everything); err != nil {
		return true, err
	}
	var hops []hop
	known := 0
	var shown []spot
	others := map[spot]string{}
	for _, u := range uses {
		if u.Called && u.Sure >= degree(in.Least) {
			known++
		}
		switch {
		case !s.passes(u.From) || u.Sure < degree(in.Least):
		case u.Called:
			hops = append(hops, hop{facts.Edge{From: u.From, To: u.To.Ref, At: u.At, Sure: u.Sure, How: u.How}, 1})
			shown = append(shown, spot{u.From.Doc, u.At})
		default:
			others[spot{u.From.Doc, u.At}] = string(u.Kind)
		}
	}
	s.note("it is a field, %s in %s", s.placeName(fields[0]), s.p.Docs[fields[0].Doc].Path)
	var left int
	out.Callers, out.Page, left, err = s.show(hops, in, func(h hop) Call { return Call{Function: s.name(h.From), calleeAt: -1} })
	if err == nil && s.offset == 0 {
		out.Mentions, err = s.mentionsOf(fields, shown, others, left)
	}
	if len(hops) == 0 && !s.passed(known, "call", "calls") {
		s.noneOf(&out.Mentions, "no call of it is known")
	}
	return true, err
}

// outside returns the names that some declarations call and that lead nowhere in
// the project.
func (s *session) outside(of []facts.Ref, hops []hop) []string {
	const most = 50
	led := set.By(hops, func(h *hop) [2]int { return [2]int{h.From.Doc, h.At} })
	var out []string
	for _, r := range of {
		edges, _ := s.p.Callees(r)
		for _, e := range edges {
			led[[2]int{e.From.Doc, e.At}] = true
		}
		f := s.p.File(r.Doc)
		for i := range f.Calls {
			c := &f.Calls[i]
			if !s.in(f, c.In, r.Decl) || led[[2]int{r.Doc, c.At}] {
				continue
			}
			name := c.Callee
			of := strings.ReplaceAll(c.Receiver, "[=", "[")
			switch {
			case name == corpus.Unnamed && of[0] == '@':
				continue // an element of a list that is written right there
			case name == corpus.Unnamed:
				name = of
			case of != "" && of[0] != '?' && of[0] != '@':
				name = of + "." + name
			}
			out = append(out, name)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), most)]
}

// in reports whether a declaration is another or lies in it.
func (s *session) in(f *facts.File, d, around int32) bool {
	for d > around {
		d = f.Decls[d].Parent
	}
	return d == around
}
