package graph

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A ChangedFile is a file that a change touches.
type ChangedFile struct {
	File    string          `json:"file"`
	Was     string          `json:"was,omitempty"`
	Symbols []ChangedSymbol `json:"symbols"`
}

// A Remaining is a use of what a change deletes or renames: it is broken, unless the
// name means something else there.
type Remaining struct {
	Symbol     string `json:"symbol"`
	To         string `json:"to,omitempty"` // its new name
	File       string `json:"file"`
	Line       int    `json:"line"`
	Function   string `json:"function"`
	Confidence string `json:"confidence"`

	at   int
	in   facts.Ref // what it is in
	sure facts.Sure
}

// A Reached is a file that a change reaches, and how.
type Reached struct {
	File      string   `json:"file"`
	Via       []string `json:"via"` // call, use, callee, implements, import, imported, name, history, words
	Depth     int      `json:"depth,omitempty"`
	Functions []string `json:"functions"`
	Score     float64  `json:"score"` // orders tests and others alike
	// Explain is what the score is made of, where that was asked for.
	Explain []rank.Signal `json:"explain,omitempty"`

	values [rank.NumReach]float64
}

// A MentionedIn is a place in a document that speaks of what a change touches.
type MentionedIn struct {
	File   string   `json:"file"`
	Line   int      `json:"line"`
	Names  []string `json:"names"`
	Status string   `json:"status"` // of the first of them: changed, deleted, renamed
}

// A Review is what a change reaches.
type Review struct {
	Base      string        `json:"base"`
	Head      string        `json:"head"`
	Remaining []Remaining   `json:"remaining_uses"`
	Files     []ChangedFile `json:"changed"`
	Tests     []Reached     `json:"tests"` // to run, likeliest first
	Reached   []Reached     `json:"reached"`
	Documents []MentionedIn `json:"documents"`
	Untested  []string      `json:"untested"` // changed functions that no test is known to reach
	Totals    struct {
		Remaining int `json:"remaining_uses"`
		ByName    int `json:"remaining_by_name,omitempty"` // of those, what is known by its name alone
		Files     int `json:"changed"`
		Tests     int `json:"tests"`
		Reached   int `json:"reached"`
		Documents int `json:"documents"`
	} `json:"totals"`
	Summary Summary `json:"summary"`
	known

	format  string
	failOn  []string
	picture *render.Graph
}

// Affects answers impact: for a file or a symbol, or with --diff for a change.
func (f *Feature) Affects(ctx context.Context, in ImpactInput) (StructureAnswer, error) {
	switch {
	case in.Diff:
		return f.Review(ctx, in)
	case in.Staged, in.Patch != "", in.Format != "", len(in.FailOn) > 0, in.Explain:
		return nil, fault.New(fault.Usage, "--staged, --patch, --format, --fail-on and --explain need --diff").Or("for example: assay impact --diff --staged")
	case in.Target == "" && in.Cursor == "":
		return nil, fault.New(fault.Usage, "impact needs a file or a symbol, or --diff").Or("for example: assay impact internal/http/retry.go, or assay impact --diff main")
	}
	return f.Impact(ctx, in)
}

// defaultReach is how many calls are followed from a change where no depth is given:
// further away, nearly everything is reached.
const defaultReach = 3

// Review says what a change reaches: the remaining uses of what it deletes or renames,
// the tests to run, the files that call, implement or import what it changes, and the
// documents that mention it.
func (f *Feature) Review(ctx context.Context, in ImpactInput) (*Review, error) {
	if err := in.wrong(); err != nil {
		return nil, err
	}
	out := &Review{Remaining: []Remaining{}, Files: []ChangedFile{}, Tests: []Reached{}, Reached: []Reached{}, Documents: []MentionedIn{}, Untested: []string{},
		format: in.Format, failOn: in.FailOn}
	err := f.ask(ctx, resumed{op: "impact"}, in.Filter, "", &out.known, &out.Summary.NotCovered, func(s *session) error {
		if err := in.Build.set(s); err != nil {
			return err
		}
		c, err := s.compare(ctx, in)
		if err != nil {
			return err
		}
		out.Base, out.Head = c.from, c.to
		r := s.review(ctx, c, in, out)
		if out.Summary.NotCovered, err = s.notCovered(s.filtered(), everything, syntax.Everything); err != nil {
			return err
		}
		r.fill(out, in.Limit, in.Explain)
		if s.draws(in.Picture) {
			out.picture = r.picture(out)
		}
		if len(c.edits) == 0 {
			s.note("%s", git.DescribeEmpty(s.e.Root(), c.from, c.to))
		}
		return nil
	})
	return out, err
}

func (in *ImpactInput) wrong() error {
	switch {
	case in.Mermaid || in.Dot:
		return fault.New(fault.Usage, "a change is drawn only as a picture").Or("--svg, or ask for a file or a symbol: assay impact FILE --mermaid")
	case in.SVG && in.Format != "":
		return fault.New(fault.Usage, "--svg and --format exclude each other").Or("omit one of them")
	case in.Cursor != "":
		return fault.New(fault.Usage, "the answer about a change has no pages").Or("--limit 0 shows all of it")
	case in.Patch != "" && (in.Staged || in.Target != ""):
		return fault.New(fault.Usage, "a patch is not compared with anything else").Or("omit --staged and the base")
	}
	for _, what := range in.FailOn {
		if !slices.Contains(verdicts, what) {
			return fault.New(fault.Usage, "--fail-on: %q is not one of %s", what, strings.Join(verdicts, ", ")).Or("repeat the flag for more than one")
		}
	}
	return nil
}

// verdicts are what --fail-on may name.
var verdicts = []string{"remaining", "untested", "documents"}

// reviewed is a review while it is made.
type reviewed struct {
	s       *session
	by      *rank.Profile
	c       *comparison
	all     []ChangedSymbol
	touched map[int]bool // documents
	reached map[int]*Reached
	arrows  [][2]int // of calls, between documents
}

func (s *session) review(ctx context.Context, c *comparison, in ImpactInput, out *Review) *reviewed {
	r := &reviewed{s: s, by: rank.Reach(), c: c, touched: map[int]bool{}, reached: map[int]*Reached{}}
	tops := []int{}
	byFile := map[string][]ChangedSymbol{}
	for _, e := range c.edits {
		list, top := declarationsChanged(e)
		r.all = append(r.all, list...)
		if d, ok := s.doc(e.path); ok {
			if r.touched[d] = true; top || len(list) > 0 {
				tops = append(tops, d)
			}
		}
	}
	r.all = relocated(r.all)
	for _, x := range r.all {
		byFile[x.file] = append(byFile[x.file], x)
	}
	for _, e := range c.edits {
		list := byFile[e.path]
		if list == nil {
			list = []ChangedSymbol{}
		}
		out.Files = append(out.Files, ChangedFile{e.path, e.was, list})
	}
	of := r.refs()
	depth := defaultReach
	if in.Depth > 0 {
		depth = min(in.Depth, toTheEnd)
	}
	hops, tally := s.follow(of, depth, degree(in.Least), (&stepping{session: s, fields: r.fields()}).next, func(e facts.Edge) facts.Ref { return e.From })
	s.others(hops)
	out.Summary = summary(tally)
	out.Remaining = r.remaining()
	r.calls(append(slices.Clip(hops), r.leftover(out.Remaining, hops, depth, degree(in.Least))...))
	r.called(of, degree(in.Least))
	r.types(of)
	imports, _ := s.reached(tops, 1)
	for _, h := range hops {
		if h.From.Doc != h.To.Doc {
			r.arrows = append(r.arrows, [2]int{h.From.Doc, h.To.Doc})
		}
	}
	for d := range imports {
		r.add(d, "import", 1, rank.ReachImports, 1)
	}
	r.imported(tops)
	r.named()
	out.Untested = r.untested(of, hops)
	out.Documents = r.documents()
	r.history(ctx)
	r.similar(ctx)
	r.folders()
	return r
}

// add notes a way in which the change reaches a file, by a signal of profile reach and how
// strong it is.
func (r *reviewed) add(doc int, via string, depth, signal int, value float64) *Reached {
	a := r.reached[doc]
	if a == nil {
		a = &Reached{File: r.s.p.Docs[doc].Path, Functions: []string{}, Via: []string{}}
		r.reached[doc] = a
	}
	if !slices.Contains(a.Via, via) {
		a.Via = append(a.Via, via)
		a.values[signal] = value
	}
	if depth > 0 && (a.Depth == 0 || depth < a.Depth) {
		a.Depth = depth
	}
	return a
}

// refs returns the declarations of the tree that the change touches.
func (r *reviewed) refs() (out []facts.Ref) {
	for _, x := range r.all {
		d, ok := r.s.doc(x.file)
		if !ok || x.Status == deleted || x.Status == renamed {
			continue
		}
		f := r.s.p.File(d)
		for i := range f.Decls {
			if decl := &f.Decls[i]; decl.Qualified() == x.Name && decl.Kind.String() == x.Kind {
				out = append(out, facts.Ref{Doc: d, Decl: int32(i)})
			}
		}
	}
	return out
}

// fields returns the fields that the change touches: what declares one was not there before.
func (r *reviewed) fields() (out []facts.Place) {
	for _, x := range r.all {
		d, ok := r.s.doc(x.file)
		if !ok || x.Status != changed {
			continue
		}
		text, _ := r.s.v.Text(x.file)
		for _, t := range r.s.p.FieldsIn(d) {
			if span := x.now.decl.Span; t.At < span.Start || t.At >= span.End || span.End > len(text) {
				continue
			}
			line, _, _ := bytes.Cut(text[1+bytes.LastIndexByte(text[:t.At], '\n'):], []byte{'\n'})
			if words := strings.Join(strings.Fields(string(line)), " "); within(x.now.words, words) && !within(x.old.words, words) {
				out = append(out, t.Place)
			}
		}
	}
	return out
}

// within reports whether a text has some words, of which the first and the last are whole.
func within(text, words string) bool { return strings.Contains(" "+text+" ", " "+words+" ") }

// calls notes the files of calls and uses: the nearer and the more, the likelier.
func (r *reviewed) calls(hops []hop) {
	times := map[int]float64{}
	for _, h := range hops {
		sure := float64(1)
		if h.Sure < facts.Exact {
			sure = r.by.Constant("call that is likely")
		}
		times[h.From.Doc] += sure / float64(h.depth*h.depth)
		a := r.add(h.From.Doc, way(h), h.depth, rank.ReachCalls, 0)
		if name := r.s.name(h.From); !slices.Contains(a.Functions, name) {
			a.Functions = append(a.Functions, name)
		}
	}
	for doc, n := range times {
		r.reached[doc].values[rank.ReachCalls] = n / (n + 1)
	}
}

// called notes the files of what the changed functions call.
func (r *reviewed) called(of []facts.Ref, least facts.Sure) {
	edges, _ := r.s.calls(r.s.inside(of))
	for _, e := range sure(edges, least) {
		if !r.touched[e.To.Doc] {
			r.add(e.To.Doc, "callee", 1, rank.ReachCalled, 1)
		}
	}
}

// types notes what implements or extends the types that changed.
func (r *reviewed) types(of []facts.Ref) {
	for _, ref := range of {
		d := r.s.p.Decl(ref)
		var below []facts.Relation
		switch d.Kind {
		case corpus.Interface, corpus.Class, corpus.Struct, corpus.Trait:
		default:
			if d.Traits&corpus.Abstract == 0 || d.Parent < 0 {
				continue
			}
			ref.Decl = d.Parent // what an interface asks for is the interface's
			if r.s.p.Docs[ref.Doc].Language == "go" {
				below = r.s.p.Nearly(ref, d.Name)
			}
		}
		for _, b := range append(below, r.s.p.Below(ref)...) {
			a := r.add(b.Type.Doc, "implements", 1, rank.ReachTypes, 1)
			if name := r.s.name(b.Type); !slices.Contains(a.Functions, name) {
				a.Functions = append(a.Functions, name)
			}
		}
	}
}

// untested returns the changed functions that no test is known to reach.
func (r *reviewed) untested(of []facts.Ref, hops []hop) (out []string) {
	out = []string{}
	callers := map[facts.Ref][]facts.Ref{}
	for _, h := range hops {
		callers[h.To] = append(callers[h.To], h.From)
	}
	var reached func(ref facts.Ref, seen map[facts.Ref]bool) bool
	reached = func(ref facts.Ref, seen map[facts.Ref]bool) bool {
		if seen[ref] {
			return false
		}
		seen[ref] = true
		return test(&r.s.p.Docs[ref.Doc]) || slices.ContainsFunc(callers[ref], func(c facts.Ref) bool { return reached(c, seen) })
	}
	for _, ref := range of {
		d, doc := r.s.p.Decl(ref), &r.s.p.Docs[ref.Doc]
		if facts.Function(doc.Language, d) && !test(doc) && syntax.Covers(doc.Language) == syntax.Everything && !reached(ref, map[facts.Ref]bool{}) {
			out = append(out, r.s.full(ref))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// fill orders what was reached, and cuts the lists of an answer to a limit.
func (r *reviewed) fill(out *Review, limit int, explain bool) {
	for d := range r.touched { // a changed test is one to run
		delete(r.reached, d)
		if doc := &r.s.p.Docs[d]; test(doc) && syntax.Source(doc.Language) {
			r.add(d, "change", 0, rank.ReachChanged, 1)
		}
	}
	docs := docsOf(r.reached)
	scorer := r.by.Scorer(rank.Variant{}, len(docs), explain)
	for _, d := range docs {
		scorer.Add(r.reached[d].values[:], rank.Groups{})
	}
	least := r.by.Constant("least evidence")
	for _, x := range scorer.Rank(cmp.Compare[int]) {
		d := docs[x.At]
		a := r.reached[d]
		a.Score, a.Explain = math.Round(x.Value*1000)/1000, x.Breakdown
		switch {
		case !r.s.filter.doc(&r.s.p.Docs[d]) || a.Score < least:
		case test(&r.s.p.Docs[d]):
			out.Tests = append(out.Tests, *a)
		default:
			out.Reached = append(out.Reached, *a)
		}
	}
	// Files that are shown as equal are in the order of paths.
	order := func(a, b Reached) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.File, b.File))
	}
	sorting.Stable(out.Tests, order)
	sorting.Stable(out.Reached, order)
	t := &out.Totals
	for _, u := range out.Remaining {
		if u.sure == facts.NameOnly {
			t.ByName++
		}
	}
	t.Remaining, t.Files, t.Tests, t.Reached, t.Documents = len(out.Remaining), len(out.Files), len(out.Tests), len(out.Reached), len(out.Documents)
	if limit > 0 {
		out.Remaining, out.Files = out.Remaining[:min(limit, t.Remaining)], out.Files[:min(limit, t.Files)]
		listed := limit
		if limit == usualLimit { // further down few files change with it
			listed = int(r.by.Constant("files listed"))
		}
		out.Tests, out.Reached = out.Tests[:min(listed, t.Tests)], out.Reached[:min(listed, t.Reached)]
		out.Documents = out.Documents[:min(limit, t.Documents)]
	}
}

func docsOf(m map[int]*Reached) []int { return slices.Sorted(maps.Keys(m)) }

// Verdict is the error of a review that found what it was to fail on.
func (r *Review) Verdict() error {
	if err := r.known.Verdict(); err != nil {
		return err
	}
	found := map[string]int{"remaining": r.Totals.Remaining, "untested": len(r.Untested), "documents": r.Totals.Documents}
	said := map[string]string{"remaining": "remaining use", "untested": "untested function", "documents": "mention"}
	var why []string
	for _, what := range r.failOn {
		if n := found[what]; n > 0 {
			why = append(why, count(n, said[what]))
		}
	}
	if len(why) == 0 {
		return nil
	}
	return fault.New(fault.Negative, "the change leaves %s", strings.Join(why, ", ")).Or("the answer lists each")
}
