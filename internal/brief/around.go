package brief

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

const (
	mostCalled    = 10  // declarations whose callers are looked for
	mostCallers   = 6   // of one of them
	mostCallFiles = 60  // files that call something of that name; of more it is said that they were not looked at
	mostCallsRead = 200 // files that call something of any of the names
	mostTests     = 60
	mostTestLines = 3 // tests of one file that are named
	mostWordTests = 8 // tests that only share words with the task
	mostPages     = 2
	fewFiles      = 3000
)

// An item is something that a brief may show outside of its first part.
type item struct {
	section int
	line    Line
	need    float64 // how likely one has to know it
	of      []rank.Signal
	cost    int
}

// around finds what likely declarations hang together with and what would break.
func (s *session) around() {
	tests := s.newTests()
	s.tested = tests
	asked, left, skipped := 0, mostCallsRead, []string{}
	for _, x := range s.likely {
		if asked == mostCalled || x.score < s.faint() {
			break
		}
		if s.test(x.ref.Doc) || x.whole || !facts.Function(s.p.Docs[x.ref.Doc].Language, x.decl) {
			continue
		}
		asked++
		n, err := s.v.Snap.CountKeyed(facts.Key(facts.Called, x.decl.Name))
		if err != nil || n > min(mostCallFiles, left) {
			skipped = append(skipped, s.full(x.ref))
			continue
		}
		left -= n
		s.callers(x, tests)
		if asked == 1 {
			s.siblings(x)
		}
	}
	for _, name := range skipped[:min(len(skipped), 2)] {
		s.gap("what calls "+name+" was not looked at: many files call something of that name", "callers", fault.Arg{Name: "function", Value: name})
	}
	s.implementers()
	s.tests(tests)
	s.importers()
	s.documents()
}

// faint is the score below which the surroundings of a declaration are not asked for.
func (s *session) faint() float64 { return s.likely[0].score / mostCalled }

func (s *session) test(doc int) bool { return s.p.Docs[doc].Flags&corpus.Test != 0 }

// full names a declaration as commands take it.
func (s *session) full(r facts.Ref) string {
	return s.p.Docs[r.Doc].Path + ":" + s.p.Decl(r).Qualified()
}

// other returns a file that need not be a likely one.
func (s *session) other(doc int) *file {
	if s.read == nil {
		s.read = make(map[int]*file, len(s.files))
		for _, f := range s.files {
			s.read[f.doc] = f
		}
	}
	f := s.read[doc]
	if f == nil {
		f = &file{doc: doc, path: s.p.Docs[doc].Path}
		s.read[doc] = f
	}
	return f
}

// callers adds what calls a declaration.
func (s *session) callers(x *place, tests *tested) {
	edges := s.p.CallersByName([]facts.Ref{x.ref}, func(int) bool { return true })
	worth := rank.Places().Constant("worth of a caller")
	seen := map[facts.Ref]bool{}
	n := 0
	for _, e := range edges {
		if e.Sure < facts.Likely || seen[e.From] || e.From == x.ref {
			continue
		}
		seen[e.From] = true
		if s.p.InTest(e.From) {
			tests.calls(e.From, x.score)
			continue
		}
		if n++; n > mostCallers {
			continue
		}
		f := s.other(e.From.Doc)
		line := s.line(f, e.At)
		name := "top level"
		if d := s.p.Decl(e.From); d != nil {
			name = d.Qualified()
		}
		s.add(item{section: hangs, need: worth * x.score / math.Sqrt(float64(n)), line: Line{File: f.path, Line: line, Quote: short(f.lineText(line)),
			Why: name + " calls " + x.decl.Qualified()}})
	}
	if n > mostCallers {
		more := text.Counted("%d more function{ calls|s call} ", n-mostCallers) + x.decl.Qualified()
		s.gap(more, "callers", fault.Arg{Name: "function", Value: s.full(x.ref)})
	}
}

// implementers adds what implements or extends the likeliest types.
func (s *session) implementers() {
	worth := rank.Places().Constant("worth of an implementer")
	asked := 0
	for _, x := range s.likely[:min(len(s.likely), mostCalled)] {
		ref := x.ref
		d := x.decl
		if d.Traits&corpus.Abstract != 0 && d.Parent >= 0 {
			ref.Decl = d.Parent
			d = s.p.Decl(ref)
		}
		switch d.Kind {
		case corpus.Interface, corpus.Trait, corpus.Class:
		default:
			continue
		}
		if x.score < s.faint() || asked == 2 {
			break
		}
		asked++
		if len(s.p.Docs) > fewFiles {
			s.gap("what implements or extends "+d.Qualified()+" was not looked for", "implementers", fault.Arg{Name: "type", Value: s.full(ref)})
			continue
		}
		for k, r := range s.p.Below(ref) {
			if k == mostCallers {
				s.gap(fmt.Sprintf("more types implement or extend %s", d.Qualified()), "implementers", fault.Arg{Name: "type", Value: s.full(ref)})
				break
			}
			f, of := s.other(r.Type.Doc), s.p.Decl(r.Type)
			line := s.line(f, of.NameAt)
			s.add(item{section: hangs, need: worth * x.score / math.Sqrt(float64(k+1)), line: Line{File: f.path, Line: line, Quote: short(f.lineText(line)),
				Why: of.Qualified() + " " + r.How + " " + d.Qualified()}})
		}
	}
}

// tested collects what is known of tests.
type tested struct {
	value map[int]*[rank.NumTests]float64 // by document
	by    map[int][]facts.Ref             // the tests in it that call likely declarations
	why   map[int]string
}

func (t *tested) at(doc int) *[rank.NumTests]float64 {
	if t.value[doc] == nil {
		t.value[doc] = new([rank.NumTests]float64)
	}
	return t.value[doc]
}

func (t *tested) calls(from facts.Ref, score float64) {
	v := t.at(from.Doc)
	v[rank.TestsCalls] = max(v[rank.TestsCalls], score)
	if from.Decl >= 0 && !slices.Contains(t.by[from.Doc], from) {
		t.by[from.Doc] = append(t.by[from.Doc], from)
	}
}

// newTests measures the tests that were hit, and those that are named after likely files.
func (s *session) newTests() *tested {
	t := &tested{map[int]*[rank.NumTests]float64{}, map[int][]facts.Ref{}, map[int]string{}}
	n := 0
	stems := map[string][]*file{}
	for _, f := range s.files {
		if !s.test(f.doc) {
			if len(stems) < mostFiles/2 {
				stems[facts.TestStem(f.path)] = append(stems[facts.TestStem(f.path)], f)
			}
			continue
		}
		v := t.at(f.doc)
		if len(f.hits) > 0 {
			v[rank.TestsHit] = odds(f.hits[0].Score)
			v[rank.TestsFirst] = 1 / float64(n+1)
			n++
		}
		for _, at := range f.where {
			v[rank.TestsTraced] = max(v[rank.TestsTraced], 1/float64(at.Deep+1))
		}
	}
	likely := docsOf(s.files[:min(len(s.files), mostCalled)])
	for i := range s.p.Docs {
		d := &s.p.Docs[i]
		if d.Flags&corpus.Test == 0 || !syntax.Source(d.Language) {
			continue
		}
		for _, f := range stems[facts.TestStem(d.Path)] {
			v := t.at(i)
			if near := rank.Reach().Nearness(path.Dir(f.path), path.Dir(d.Path)) * f.score; near > v[rank.TestsNamed] {
				v[rank.TestsNamed], t.why[i] = near, "named after "+f.path
			}
		}
		if len(s.p.Docs) > fewFiles && t.value[i] == nil {
			continue
		}
		h := s.p.Head(i)
		for k := range h.Imports {
			if !s.p.MayImport(i, &h.Imports[k], likely) {
				continue
			}
			to := s.p.Import(i, &h.Imports[k]).Docs
			for _, doc := range to {
				for _, f := range s.files[:min(len(s.files), mostCalled)] {
					if f.doc == doc {
						v := t.at(i)
						v[rank.TestsImports] = max(v[rank.TestsImports], f.score/float64(len(to)))
					}
				}
			}
		}
	}
	return t
}

// tests adds the tests that would break.
func (s *session) tests(t *tested) {
	docs := slices.Sorted(maps.Keys(t.value))
	sc := rank.Tests().Scorer(rank.Variant{}, len(docs), s.explain)
	for _, d := range docs {
		sc.Add(t.value[d][:], rank.Groups{})
	}
	worth := rank.Places().Constant("worth of a test")
	ranked := sc.Rank(func(a, b int) int { return a - b })
	least, byWords := 0.0, 0
	for _, r := range ranked[:min(len(ranked), mostTests)] {
		d := docs[r.At]
		f := s.other(d)
		chance := rank.Tests().Chance(r.Value)
		if least = max(least, chance*rank.Tests().Constant("least beside the best")); chance < least {
			break // a word in common is no reason to run it
		}
		l := Line{File: f.path, Score: chance}
		switch v := t.value[d]; {
		case len(t.by[d]) > 0:
			var names []string
			for _, ref := range t.by[d] {
				if len(names) < mostTestLines {
					names = append(names, itoa(s.line(f, s.p.Decl(ref).NameAt))+" "+s.p.Decl(ref).Name)
				}
			}
			l.Why = "test: " + strings.Join(names, ", ")
		case v[rank.TestsNamed]+v[rank.TestsImports]+v[rank.TestsTraced] > 0:
			l.Why = "test"
		default:
			if byWords++; byWords > mostWordTests {
				continue
			}
			l.Why = "test: words"
		}
		s.add(item{section: breaks, need: worth * chance, line: l, of: r.Breakdown})
	}
}

// importers adds the files that import the likeliest ones.
func (s *session) importers() {
	if len(s.p.Docs) > fewFiles {
		for _, f := range s.files[:min(len(s.files), 1)] {
			s.gap("what imports "+f.path+" was not looked for", "importers", fault.Arg{Name: "module", Value: f.path})
		}
		return
	}
	top := s.files[:min(len(s.files), 3)]
	docs := docsOf(top)
	worth := rank.Places().Constant("worth of an importer")
	var found []item
	for i := range s.p.Docs {
		if s.test(i) {
			continue
		}
		h := s.p.Head(i)
		for k := range h.Imports {
			if !s.p.MayImport(i, &h.Imports[k], docs) {
				continue
			}
			to := s.p.Import(i, &h.Imports[k]).Docs
			for _, f := range top {
				if f.doc != i && slices.Contains(to, f.doc) && len(to) == 1 && !slices.ContainsFunc(found, func(x item) bool { return x.line.File == s.p.Docs[i].Path }) {
					g := s.other(i)
					line := s.line(g, h.Imports[k].At)
					found = append(found, item{section: breaks, need: worth * f.score, line: Line{File: g.path, Line: line, Quote: short(g.lineText(line)), Why: "imports " + f.path}})
				}
			}
		}
	}
	for k := range found {
		found[k].need /= math.Sqrt(float64(len(found)))
		s.add(found[k])
	}
}

// docsOf returns the documents of files in ascending order.
func docsOf(files []*file) []int {
	out := slice.Map(files, func(f *file) int { return f.doc })
	slices.Sort(out)
	return out
}

// documents adds the pages that mention what the task is about.
func (s *session) documents() {
	worth, n := rank.Places().Constant("worth of a document"), 0
	for _, f := range s.files {
		d := &s.p.Docs[f.doc]
		if n == mostPages {
			break
		}
		if len(f.hits) == 0 || !syntax.Prose(d.Language) || !s.load(f) {
			continue
		}
		h := f.hits[0]
		if _, ok := s.e.Quote(h); !ok {
			continue
		}
		n++
		line, most := h.Lines.First, float64(-1)
		for n := h.Lines.First; n <= h.Lines.Last; n++ {
			if share := s.tell.Share(f.lineText(n)); share > most {
				line, most = n, share
			}
		}
		s.add(item{section: breaks, need: worth * h.Score, line: Line{File: f.path, Line: line, Quote: short(f.lineText(line)), Why: "mentions it"}})
	}
}

func (s *session) add(x item) {
	x.line.Score = cmp.Or(x.line.Score, x.need)
	x.line.Score = rank.Round(x.line.Score)
	s.items = append(s.items, x)
}

// gap notes what the brief does not know, and the operation that tells it; "": none does.
func (s *session) gap(what, op string, args ...fault.Arg) {
	s.gapped = append(s.gapped, Gap{what, work.FromContext(s.ctx).Command(fault.Fix{Op: op, Args: args})})
}

// byNeed orders items by what they are worth, then by their places.
func byNeed(a, b item) int {
	return cmp.Or(cmp.Compare(b.need, a.need), cmp.Compare(a.line.File, b.line.File), cmp.Compare(a.line.Line, b.line.Line))
}
