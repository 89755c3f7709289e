package graph

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A PathInput asks how one function reaches another.
type PathInput struct {
	From  string `json:"from" arg:"1" help:"Name, Scope.Name or path/to/file:Name"`
	To    string `json:"to" arg:"2" help:"the function to reach: Name, Scope.Name or path/to/file:Name"`
	Least string `json:"min_confidence,omitempty" flag:"min-confidence" enum:"exact|likely|name-only" default:"likely" help:"how sure a call must be: exact, likely (default) or name-only"`
	Picture
	Build
	Filter
}

func pathFilter(in *PathInput) *Filter { return &in.Filter }

// A Path is calls of which each is in the function that the one before calls. It is as
// sure as the least sure of them.
type Path struct {
	Calls      []Call `json:"calls"`
	Confidence string `json:"confidence"`
}

// Paths is the shortest ways from one function to another, the surest first.
type Paths struct {
	From  string  `json:"from"`
	To    string  `json:"to"`
	Paths []Path  `json:"paths"`
	Page  *Page   `json:"pagination,omitempty"`
	Sum   Summary `json:"summary"`
	known

	drawing
}

// mostPaths bounds the ways of one length that are written out.
const mostPaths = 1000

// Path finds the shortest ways from one function to another along calls.
func (f *Feature) Path(ctx context.Context, in PathInput) (*Paths, error) {
	in, r, err := resume("path", in, pathFilter)
	if err != nil {
		return nil, err
	}
	out := &Paths{From: in.From, To: in.To, Paths: []Path{}}
	err = f.ask(ctx, r, in.Filter, "", &out.known, &out.Sum.NotCovered, func(s *session) error {
		if err := in.Build.set(s); err != nil {
			return err
		}
		from, err := s.declarations(in.From)
		if err != nil {
			return err
		}
		to, err := s.declarations(in.To)
		if err != nil {
			return err
		}
		ways, followed, tally := s.ways(s.inside(from), s.inside(to), degree(in.Least))
		out.Sum = summary(tally)
		if out.Sum.NotCovered, err = s.notCovered(s.filtered(), everything, syntax.Everything); err != nil {
			return err
		}
		if s.draws(in.Picture) {
			var hops []hop
			for _, way := range ways {
				for i, e := range way {
					hops = append(hops, hop{e, i + 1})
				}
			}
			out.drawing = s.drawCalls(hops, in.Picture)
			return nil
		}
		begin, end, p, err := paged(s, len(ways), in, pathFilter)
		if err != nil {
			return err
		}
		out.Page = p
		for _, way := range ways[begin:end] {
			out.Paths = append(out.Paths, s.way(way))
		}
		if len(ways) == 0 {
			s.none("no calls that are known lead there; followed %s from %s, in which %s of %d could not be resolved%s",
				count(followed, "function"), in.From, count(tally.Unresolved-tally.External, "call"), tally.Total,
				work.FromContext(ctx).Try(". The other way round: ", "path", fault.Arg{Name: "from", Value: in.To}, fault.Arg{Name: "to", Value: in.From}))
		}
		return nil
	})
	return out, err
}

// ways returns the shortest ways from some functions to others, and how many functions
// were looked into for them.
func (s *session) ways(from, to []facts.Ref, least facts.Sure) (out [][]facts.Edge, followed int, sum facts.Tally) {
	into := map[facts.Ref][]facts.Edge{} // the calls on shortest ways to a function
	depth := map[facts.Ref]int{}
	for _, r := range from {
		depth[r] = 0
	}
	ends := func(r facts.Ref) bool { return slices.Contains(to, r) }
	for level, d := from, 1; len(level) > 0 && d <= toTheEnd; d++ {
		var next []facts.Ref
		arrived := false
		for _, r := range level {
			if s.ctx.Err() != nil || followed >= mostHops {
				return nil, followed, sum
			}
			followed++
			edges, t := s.calls([]facts.Ref{r})
			sum.Total, sum.Resolved, sum.Ambiguous = sum.Total+t.Total, sum.Resolved+t.Resolved, sum.Ambiguous+t.Ambiguous
			sum.Unresolved, sum.External = sum.Unresolved+t.Unresolved, sum.External+t.External
			for _, e := range sure(edges, least) {
				was, seen := depth[e.To]
				if seen && (was != d || slices.ContainsFunc(into[e.To], func(o facts.Edge) bool { return o.From == e.From })) || !s.passes(e.To) {
					continue
				}
				into[e.To] = append(into[e.To], e)
				if !seen {
					depth[e.To] = d
					next = append(next, e.To)
					arrived = arrived || ends(e.To)
				}
			}
		}
		if arrived {
			break
		}
		level = next
	}
	var back func(at facts.Ref, rest []facts.Edge)
	back = func(at facts.Ref, rest []facts.Edge) {
		if depth[at] == 0 {
			out = append(out, slices.Clone(rest))
			return
		}
		for _, e := range into[at] {
			if len(out) < mostPaths {
				back(e.From, append([]facts.Edge{e}, rest...))
			}
		}
	}
	for _, r := range to {
		if depth[r] > 0 {
			back(r, nil)
		}
	}
	sorting.Stable(out, func(a, b []facts.Edge) int { return int(weakest(b)) - int(weakest(a)) })
	return out, followed, sum
}

func weakest(way []facts.Edge) facts.Sure {
	least := facts.Exact
	for _, e := range way {
		least = min(least, e.Sure)
	}
	return least
}

func (s *session) way(edges []facts.Edge) Path {
	p := Path{Confidence: weakest(edges).String()}
	for _, e := range edges {
		p.Calls = append(p.Calls, Call{File: s.p.Docs[e.From.Doc].Path, Function: s.name(e.From), Confidence: e.Sure.String(), CalleeFile: s.p.Docs[e.To.Doc].Path,
			Other: s.name(e.To), at: e.At, calleeAt: s.p.Decl(e.To).NameAt})
	}
	lines(s, p.Calls, func(c *Call) (string, int, *int) { return c.File, c.at, &c.Line })
	lines(s, p.Calls, func(c *Call) (string, int, *int) { return c.CalleeFile, c.calleeAt, &c.CalleeLine })
	return p
}

// WriteText writes each way as its calls.
func (a *Paths) WriteText(w io.Writer, _ bool) error {
	if a.Drawing() {
		return a.draw(w)
	}
	var t table
	for i, p := range a.Paths {
		t.row("CALL", "CALLER", "CALLS", "DECLARED", "CONFIDENCE")
		for _, c := range p.Calls {
			t.row(fmt.Sprintf("%s:%d", c.File, c.Line), c.Function, c.Other, fmt.Sprintf("%s:%d", c.CalleeFile, c.CalleeLine), c.Confidence)
		}
		if t.flush(); i < len(a.Paths)-1 {
			t.line("")
		}
	}
	total := len(a.Paths)
	if a.Page != nil {
		total = a.Page.Total
	}
	a.sums(&t, "%s; looked at %s: %d resolved, %d ambiguous, %d unresolved (%d external)", count(total, "shortest path"), count(a.Sum.Total, "call"), a.Sum.Resolved,
		a.Sum.Ambiguous, a.Sum.Unresolved, a.Sum.External)
	t.notes(a.Sum.NotCovered, a.Notes, a.Page, len(a.Paths))
	return t.write(w)
}
