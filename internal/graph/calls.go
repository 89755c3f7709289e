package graph

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Definition is a place where what was asked about is declared.
type Definition struct {
	Name string `json:"name"` // qualified
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text,omitempty"`

	at int
}

// A Call is a place where a function is called. Function is the caller, or among
// callees the one that is called, whose place then is CalleeFile and CalleeLine.
type Call struct {
	File       string `json:"file"`
	Function   string `json:"function"`
	Line       int    `json:"line"`
	Confidence string `json:"confidence"`
	CalleeFile string `json:"callee_file,omitempty"`
	CalleeLine int    `json:"callee_line,omitempty"`
	Other      string `json:"via,omitempty"` // the other end, where it is not what was asked about
	Depth      int    `json:"depth,omitempty"`
	Kind       string `json:"kind,omitempty"` // "passes": the function stands as a value there, and is not called
	Text       string `json:"text,omitempty"`

	at, calleeAt int
}

// Callers is the calls of a function, those that are the same number of calls away in order of files, tests last. Mentions are
// the other lines that have its name.
type Callers struct {
	Function string `json:"function"`
	Callers  []Call `json:"callers"`
	Mentions
	answer
}

// Callees is what a function calls.
type Callees struct {
	Function string   `json:"function"`
	Callees  []Call   `json:"callees"`
	Outside  []string `json:"outside,omitempty"` // what it calls that is not in the project, or not known to be
	answer
}

// An answer is what answers about calls have in common.
type answer struct {
	Definitions []Definition `json:"definitions"`
	Summary     Summary      `json:"summary"`
	Page        *Page        `json:"pagination,omitempty"`
	known

	drawing
}

func callsFilter(in *CallsInput) *Filter { return &in.Filter }

const (
	toTheEnd = 100
	mostHops = 20000 // calls that are followed; more nobody reads
)

// A hop is a call so many calls away from what was asked about.
type hop struct {
	facts.Edge
	depth int
}

func degree(name string) facts.Sure {
	switch name {
	case "exact":
		return facts.Exact
	case "name-only":
		return facts.NameOnly
	}
	return facts.Likely
}

// follow goes from declarations along calls. next returns the calls of some
// declarations and those at their other ends; what is less sure than least is
// omitted, unless there is nothing else at the first step.
func (s *session) follow(of []facts.Ref, depth int, least facts.Sure, next func([]facts.Ref) ([]facts.Edge, facts.Tally), end func(facts.Edge) facts.Ref) ([]hop, facts.Tally) {
	var hops []hop
	var tally facts.Tally
	seen := set.Of(of)
	for d := 1; d <= depth && (d == 1 || len(of) > 0); d++ { // what is asked about may be a field, which is no declaration
		if s.ctx.Err() != nil {
			break
		}
		edges, t := next(of)
		if d == 1 {
			tally = t
		}
		kept := sure(edges, least)
		if d == 1 && len(kept) == 0 && len(edges) > 0 {
			s.note("no call is %s or surer; these are of the same name, and what they call is not known", least)
			kept, least = edges, facts.NameOnly
		}
		of = nil
		for _, e := range kept {
			if len(hops) == mostHops {
				s.note("more than %d calls: the rest is omitted", mostHops)
				return hops, tally
			}
			hops = append(hops, hop{e, d})
			if r := end(e); r.Decl >= 0 && !seen[r] {
				seen[r] = true
				of = append(of, r)
			}
		}
	}
	return hops, tally
}

// sure returns the edges that are sure enough.
func sure(edges []facts.Edge, least facts.Sure) (out []facts.Edge) {
	for _, e := range edges {
		if e.Sure >= least {
			out = append(out, e)
		}
	}
	return out
}

// once keeps of several meanings of one call the surest; to says what makes two
// of them one.
func once(hops []hop, to func(facts.Ref) string) []hop {
	type key struct {
		doc, at, depth int
		to             string
	}
	at := map[key]int{}
	out := hops[:0]
	for _, h := range hops {
		k := key{h.From.Doc, h.At, h.depth, to(h.To)}
		if i, ok := at[k]; ok {
			if h.Sure > out[i].Sure {
				out[i] = h
			}
			continue
		}
		at[k] = len(out)
		out = append(out, h)
	}
	return out
}

// asked returns the declarations that a question about calls is about.
func (s *session) asked(in CallsInput, a *answer) ([]facts.Ref, error) {
	if err := in.Build.set(s); err != nil {
		return nil, err
	}
	of, err := s.declarations(in.Function)
	if err != nil {
		return nil, err
	}
	if err := s.unread(of, "calls"); err != nil {
		return nil, err
	}
	s.define(a, of)
	s.constrained(of)
	return of, nil
}

func summary(t facts.Tally) Summary {
	return Summary{Total: t.Total, Resolved: t.Resolved, Ambiguous: t.Ambiguous, Unresolved: t.Unresolved, External: t.External}
}

func depthOf(in CallsInput) int {
	if in.Transitive {
		return toTheEnd
	}
	return min(max(in.Depth, 1), toTheEnd)
}

// trace follows calls from some declarations, each to what far says, and returns those
// that the filter passes, each once by its name and target, and how many it might have.
func (s *session) trace(in CallsInput, from []facts.Ref, next func([]facts.Ref) ([]facts.Edge, facts.Tally), far func(facts.Edge) facts.Ref,
	name func(facts.Ref) string, sum *Summary) (hops []hop, known int, tally facts.Tally, err error) {
	hops, tally = s.follow(from, depthOf(in), degree(in.Least), next, far)
	hops = once(hops, name)
	known = len(hops)
	hops = slices.DeleteFunc(hops, func(h hop) bool { return !s.passes(far(h.Edge)) })
	s.others(hops)
	*sum = summary(tally)
	sum.NotCovered, err = s.notCovered(s.filtered(), everything, syntax.Everything)
	return hops, known, tally, err
}

// Callers says what calls a function.
func (f *Feature) Callers(ctx context.Context, in CallsInput) (*Callers, error) {
	in, r, err := resume("callers", in, callsFilter)
	if err != nil {
		return nil, err
	}
	out := &Callers{Function: in.Function, Callers: []Call{}}
	err = f.ask(ctx, r, in.Filter, placeFile(in.Function), &out.known, &out.Summary.NotCovered, func(s *session) error {
		if s.within == "" && in.Build.set(s) == nil && len(s.meant(in.Function)) == 0 {
			for _, answer := range []func(CallsInput, *Callers) (bool, error){s.callersOfField, s.callersOutside} {
				if found, err := answer(in, out); found || err != nil {
					out.Complete = out.Complete && out.LeftOut == 0
					s.remarkOnMentions(&out.Mentions)
					return err
				}
			}
		}
		of, err := s.asked(in, &out.answer)
		if err != nil {
			return err
		}
		hops, known, tally, err := s.trace(in, of, s.callers, func(e facts.Edge) facts.Ref { return e.From }, func(facts.Ref) string { return "" }, &out.Summary)
		if err != nil {
			return err
		}
		if s.draws(in.Picture) {
			out.drawing = s.drawCalls(hops, in.Picture)
			return nil
		}
		sorting.Stable(hops, func(a, b hop) int {
			return cmp.Or(a.depth-b.depth, isLater(s.p.InTest(a.From), s.p.InTest(b.From)))
		})
		var left int
		out.Callers, out.Page, left, err = s.show(hops, in, func(h hop) Call {
			c := Call{Function: s.name(h.From), calleeAt: -1}
			if depthOf(in) > 1 || len(of) > 1 {
				c.Other = s.name(h.To)
				if len(of) > 1 && h.depth == 1 {
					c.Other = s.full(h.To)
				}
			}
			return c
		})
		if err != nil {
			return err
		}
		if out.Mentions, err = s.mentionsBeside(of, hops, left, s.going); err != nil {
			return err
		}
		out.Complete = out.Complete && out.LeftOut == 0
		defer s.remarkOnMentions(&out.Mentions)
		if len(hops) == 0 && !s.passed(known, "call", "calls") {
			s.noneOf(&out.Mentions, "no call of it is known; of %s of that name %d lead elsewhere, %d are ambiguous and %d are unresolved%s",
				count(tally.Total, "call"), tally.Resolved, tally.Ambiguous, tally.Unresolved, s.text(pattern(s.p.Decl(of[0]).Name)))
		}
		return nil
	})
	return out, err
}

// Callees says what a function calls.
func (f *Feature) Callees(ctx context.Context, in CallsInput) (*Callees, error) {
	in, r, err := resume("callees", in, callsFilter)
	if err != nil {
		return nil, err
	}
	out := &Callees{Function: in.Function, Callees: []Call{}}
	err = f.ask(ctx, r, in.Filter, placeFile(in.Function), &out.known, &out.Summary.NotCovered, func(s *session) error {
		of, err := s.asked(in, &out.answer)
		if err != nil {
			return err
		}
		start := s.inside(of)
		hops, known, tally, err := s.trace(in, start, s.calls, func(e facts.Edge) facts.Ref { return e.To }, s.full, &out.Summary)
		if err != nil {
			return err
		}
		if s.draws(in.Picture) {
			out.drawing = s.drawCalls(hops, in.Picture)
			return nil
		}
		out.Callees, out.Page, _, err = s.show(hops, in, func(h hop) Call {
			c := Call{Function: s.name(h.To), CalleeFile: s.p.Docs[h.To.Doc].Path}
			if d := s.p.Decl(h.To); d != nil {
				c.calleeAt = d.NameAt
			}
			if depthOf(in) > 1 || len(start) > 1 {
				c.Other = s.name(h.From)
			}
			return c
		})
		if err != nil {
			return err
		}
		out.Outside = s.outside(start, hops)
		if len(hops) == 0 && !s.passed(known, "call", "calls") {
			s.none("it has no known calls into the project: %s, %d of them of libraries or of the language, %d ambiguous",
				count(tally.Total, "call"), tally.External, tally.Ambiguous)
		}
		return nil
	})
	return out, err
}

// mostScanned bounds how many files are read, over all steps of a question, for functions that
// stand as values.
const mostScanned = 100

// mostPassed is how many functions at once are looked for as values: of more, the trigrams say
// little, and nearly every file would be read.
const mostPassed = 20

// callers returns what calls some declarations, and what hands them on as values: whoever has
// a function may call it.
func (s *session) callers(of []facts.Ref) ([]facts.Edge, facts.Tally) {
	edges, tally := s.p.Callers(of)
	if s.scanned > mostScanned || len(of) > mostPassed {
		if s.scanned <= mostScanned {
			s.scanned = mostScanned + 1
			s.note("functions used as values were searched for nearby; further away only calls were followed")
		}
		return edges, tally
	}
	more, read := s.p.Passes(of, s.going)
	for _, e := range more {
		if e.How != facts.Passed { // a call without brackets
			tally.Total++
			tally.Resolved++
		}
	}
	if s.scanned += read; s.scanned > mostScanned {
		s.note("functions used as values were searched for in %s; further away only calls were followed", count(s.scanned, "file"))
	}
	return append(edges, more...), tally
}

// going reports whether the question is still asked: what reads many files asks before each.
func (s *session) going(int) bool { return s.ctx.Err() == nil }

func (s *session) calls(of []facts.Ref) (edges []facts.Edge, tally facts.Tally) {
	for _, r := range of {
		e, t := s.p.Callees(r)
		edges = append(edges, e...)
		tally.Add(t)
	}
	return edges, tally
}

// inside returns declarations with, of classes, their methods: a class calls what
// they call.
func (s *session) inside(of []facts.Ref) []facts.Ref {
	var out []facts.Ref
	for _, r := range of {
		out = append(out, r)
		switch s.p.Decl(r).Kind {
		case corpus.Function, corpus.Method, corpus.TestCase, corpus.Macro:
			continue
		}
		f := s.p.File(r.Doc)
		for i := int(r.Decl) + 1; i < len(f.Decls) && f.Decls[i].Span.Start < f.Decls[r.Decl].Span.End; i++ {
			out = append(out, facts.Ref{Doc: r.Doc, Decl: int32(i)})
		}
	}
	return out
}

// mentionsBeside accounts for the lines that have the name of some declarations, and are not among the calls and uses that are
// shown.
func (s *session) mentionsBeside(of []facts.Ref, hops []hop, tokens int, look func(doc int) bool) (Mentions, error) {
	if s.offset > 0 {
		return Mentions{}, nil
	}
	shown := set.By(hops, func(h *hop) spot { return spot{h.From.Doc, h.At} })
	places := s.placesOf(of)
	others := map[spot]string{}
	uses, _ := s.p.Uses(places, look)
	for _, u := range uses {
		if at := (spot{u.From.Doc, u.At}); u.Sure > facts.NameOnly && s.passes(u.From) && !shown[at] {
			others[at] = string(u.Kind)
		}
	}
	return s.mentionsIn(places, slices.Collect(maps.Keys(shown)), others, tokens, look)
}

// show makes a page of hops, with their lines, and returns how many tokens are left for other lines.
func (s *session) show(hops []hop, in CallsInput, entry func(hop) Call) ([]Call, *Page, int, error) {
	all := make([]Call, len(hops))
	for i, h := range hops {
		c := entry(h)
		if h.How == facts.Passed {
			c.Kind = h.How
		}
		c.File, c.Confidence, c.at = s.p.Docs[h.From.Doc].Path, h.Sure.String(), h.At
		if depthOf(in) > 1 {
			c.Depth = h.depth
		}
		all[i] = c
	}
	to, left := s.setLines(s.offset, s.limit, len(all), in.Tokens, func(i int) site {
		return site{all[i].File, all[i].at, &all[i].Line, nil, &all[i].Text}
	})
	from, to, p, err := pagedTo(s, len(all), to, in, callsFilter)
	if err != nil {
		return nil, nil, 0, err
	}
	out := append([]Call{}, all[from:to]...)
	called := make([]*Call, 0, len(out))
	for i := range out {
		if out[i].CalleeFile != "" {
			called = append(called, &out[i])
		}
	}
	lines(s, called, func(c **Call) (string, int, *int) { return (*c).CalleeFile, (*c).calleeAt, &(*c).CalleeLine })
	return out, p, left, nil
}

func (s *session) drawCalls(hops []hop, as Picture) drawing {
	arrows := slice.Map(hops, func(h hop) [2]string { return [2]string{s.full(h.From), s.full(h.To)} })
	return newDrawing(arrows, as)
}

// WriteText writes the callers as a table.
func (a *Callers) WriteText(w io.Writer, _ bool) error {
	if a.Drawing() {
		return a.draw(w)
	}
	var t table
	a.head(&t)
	code := codeLines{t: &t}
	for _, c := range a.Callers {
		c.Other = spokenOf(a.Definitions, c.Other)
		about := "in " + c.Function + ", " + c.Confidence
		if c.Kind != "" {
			about += ", " + c.Kind
		}
		if other := c.other(); other != "" {
			about += ", calls " + other
		}
		code.add(c.File, c.Line, c.Text, about)
	}
	if len(a.Callers) > 0 && a.Page == nil {
		t.note("%s", count(len(a.Callers), "call"))
	}
	a.Mentions.write(&t)
	a.foot(&t, "call", " that may mean it", len(a.Callers))
	return t.write(w)
}

// WriteText writes the callees as a table.
func (a *Callees) WriteText(w io.Writer, _ bool) error {
	if a.Drawing() {
		return a.draw(w)
	}
	var t table
	a.head(&t)
	if len(a.Callees) > 0 {
		t.row("CALL", "CALLEE", "DECLARED", "CONFIDENCE", "CALLER")
		for _, c := range a.Callees {
			t.row(c.File+":"+itoa(c.Line), c.Function, c.CalleeFile+":"+itoa(c.CalleeLine), c.Confidence, c.other())
		}
		t.flush()
	}
	if len(a.Outside) > 0 {
		t.line("outside: %s", strings.Join(a.Outside, ", "))
	}
	a.foot(&t, "call", "", len(a.Callees))
	return t.write(w)
}

func (c *Call) other() string {
	if c.Depth > 0 {
		return fmt.Sprintf("%s (%d)", c.Other, c.Depth)
	}
	return c.Other
}

func (a *answer) head(t *table) {
	writeDefinitions(t, a.Definitions)
}

func (a *answer) foot(t *table, of, which string, shown int) {
	a.sums(t, "looked at %s%s: %d resolved, %d ambiguous, %d unresolved (%d external)", count(a.Summary.Total, of), which, a.Summary.Resolved,
		a.Summary.Ambiguous, a.Summary.Unresolved, a.Summary.External)
	t.notes(a.Summary.NotCovered, a.Notes, a.Page, shown)
}
