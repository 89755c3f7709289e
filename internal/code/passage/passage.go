// Package passage chooses the lines to show of the files that hold the hits of a query: declarations
// whole and numbered, of long ones the relevant statements, within a budget.
package passage

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/excerpt"
	"github.com/assay-dev/assay/internal/code/rank"
)

// How the budget of a text is spent; measured with the development tasks of docs/figures.md, "Text of hits".
const (
	maxDeepFiles = 10 // files of which declarations are shown; of the others a line
	maxWholeUnit = 70 // lines of a declaration that is shown with the hit in it
	firstShare   = 2  // the best declaration takes no more than this part of the budget
	unitShare    = 4  // and no other one more than this
	lineShare    = 20 // the part of the budget that is kept for hits of one line
	nameShare    = 20 // the part of the budget that is kept for the names of functions that are not shown
	gapNames     = 80 // bytes of them for lines that are left out
	wholeFiles   = 2  // files of which all functions are named, since the one to change is most likely there
	hitWeight    = 3  // a declaration that a hit is in counts so many times, unless guesses found it
	nameWeight   = 2  // a term in the name of a declaration counts so many times more
	usualLines   = 40 // the length at which a declaration is neither short nor long
	maxBeside    = 25 // lines of what belongs to a hit and is shown with it
	mostBeside   = 3  // of such declarations for one that is shown
	testWeight   = .5 // a test beside the code counts so much less, because it repeats the words of the code
	// minBesideName is the length of a name that means a declaration: shorter ones are anything's.
	minBesideName = 3
	gapHead       = 40 // bytes of a line about lines left out, without names: of the longest range, and "more"
)

// A Passage is what the text of an answer shows of one file: some of its lines, in order.
type Passage struct {
	Hit  int   // the first in the file
	Lead *Unit // that tells most of those whose lines are kept
	File *excerpt.File
	Kept []corpus.Range // none: the hit is one line
	// Names are the functions in lines that are left out.
	Names map[corpus.Range]string
}

// Within returns the lines from the first that is kept or has names to the last.
func (p *Passage) Within() corpus.Range {
	r := corpus.Range{First: p.Kept[0].First, Last: p.Kept[len(p.Kept)-1].Last}
	for gap := range p.Names {
		r.First, r.Last = min(r.First, gap.First), max(r.Last, gap.Last)
	}
	return r
}

// nameGaps names the functions that begin in the lines left out of a file, those first that tell most, within so
// many bytes, and returns how many are left. us are the units of the file, whole: also those before and after the
// lines that are kept.
func (p *Passage) nameGaps(us []*Unit, whole bool, left int) int {
	r := p.Within()
	if whole {
		r = corpus.Range{First: 1, Last: p.File.Count()}
	}
	p.Names = map[corpus.Range]string{}
	for _, gap := range excerpt.Gaps(r, p.Kept) {
		if left <= gapHead {
			break
		}
		if names := p.namesIn(gap, us, min(left-gapHead, gapNames)); names != "" {
			p.Names[gap] = names
			left -= len(names) + gapHead
		}
	}
	return left
}

// namesIn returns the names of functions that begin in some lines, and how many more there are.
func (p *Passage) namesIn(r corpus.Range, us []*Unit, budget int) string {
	var names []string
	more := 0
	for _, u := range us {
		if u.Decl < 0 || u.Whole.First < r.First || u.Whole.First > r.Last || len(u.Kept) > 0 {
			continue
		}
		d := &p.File.Decls[u.Decl]
		if !excerpt.IsCallable(d.Kind) {
			continue
		}
		name := text.Line(d.Name)
		if budget -= len(name) + len(", "); budget < 0 {
			more++
			continue
		}
		names = append(names, name)
	}
	if more > 0 && len(names) > 0 {
		names = append(names, text.Counted("%d more", more))
	}
	return strings.Join(names, ", ")
}

// A Unit is a part of a file that may be shown: a declaration, or the lines of a hit that is in none.
type Unit struct {
	In    *Passage
	Decl  int // the declaration, or -1
	Whole corpus.Range
	Value float64
	Kept  []corpus.Range

	isHit bool
}

// A Reader opens the files of hits, each once, and says what their lines tell of a query.
type Reader struct {
	v       *engine.View
	server  bool
	weights map[string]float64  // of the query's terms, and of those that its caller guesses
	terms   map[string][]string // those that each word of the files has
	files   map[string]*excerpt.File
	tests   float64 // the weight of a test beside the code; 0: none is shown
	hits    float64 // the weight of a declaration that a hit is in
}

// NewReader returns a reader for a query. A server's reader shows no secrets.
func NewReader(v *engine.View, plan rank.Plan, stats rank.Stats, server bool) *Reader {
	r := &Reader{v: v, server: server, weights: map[string]float64{}, terms: map[string][]string{}, files: map[string]*excerpt.File{}}
	r.tests, r.hits = testWeight, hitWeight
	if plan.Wants&corpus.Test != 0 {
		r.tests = 1
	}
	r.weighTerms(plan.Terms, stats.DF, stats.Chunks)
	if plan.Guesses != nil {
		r.hits = 1 // a hit is found by the guesses, which the declaration is weighed by already
		if df, chunks, err := v.Snap.DF(plan.Guesses.Terms); err == nil {
			r.weighTerms(plan.Guesses.Terms, df, chunks)
		}
	}
	return r
}

func (r *Reader) weighTerms(terms []corpus.Term, df []int, chunks int) {
	for i, t := range terms {
		n := 0
		if i < len(df) {
			n = df[i]
		}
		r.weights[t.Text] = max(r.weights[t.Text], float64(t.Weight)*math.Log1p(float64(chunks)/float64(n+1)))
	}
}

// eachTerm calls f with the terms of the query that a text has.
func (r *Reader) eachTerm(line []byte, f func(term string, word []byte)) {
	text.Words(line, func(w []byte) {
		terms, known := r.terms[string(w)]
		if !known {
			for _, t := range text.Code().Terms(nil, w) {
				if r.weights[t] > 0 {
					terms = append(terms, t)
				}
			}
			r.terms[string(w)] = terms
		}
		for _, t := range terms {
			f(t, w)
		}
	})
}

// Weigh returns how much a line tells: its terms, each once.
func (r *Reader) Weigh(line []byte) (sum float64) {
	var seen []string
	r.eachTerm(line, func(t string, _ []byte) {
		if !slices.Contains(seen, t) {
			seen = append(seen, t)
			sum += r.weights[t]
		}
	})
	return sum
}

// Focus returns where in a line the word is that tells most.
func (r *Reader) Focus(line []byte) (at int) {
	best := 0.0
	r.eachTerm(line, func(t string, word []byte) {
		if r.weights[t] > best {
			best, at = r.weights[t], max(0, bytes.Index(line, word))
		}
	})
	return at
}

// open returns the file of a hit; nil where it cannot be read.
func (r *Reader) open(h *engine.Hit) *excerpt.File {
	f, ok := r.files[h.Doc.Path]
	if ok {
		return f
	}
	if src, found := r.v.Text(h.Doc.Path); found {
		f = excerpt.New(h.Doc.Path, src, r.v.Declared(h, src))
		if r.server {
			if clean, n := redact.Files.Text(src); n > 0 && bytes.Count(clean, []byte("\n")) == bytes.Count(src, []byte("\n")) {
				f = excerpt.Read(h.Doc.Path, h.Doc.Language, clean)
			}
		}
	}
	r.files[h.Doc.Path] = f
	return f
}

// LeaveOutTests makes r show no tests that stand beside the code.
func (r *Reader) LeaveOutTests() { r.tests = 0 }

// Units returns the files of hits, best first, and the parts of the first of them that may be shown.
func (r *Reader) Units(found []engine.Hit) (files []*Passage, out []*Unit) {
	of := map[*excerpt.File][]*Unit{}
	for i := range found {
		f := r.open(&found[i])
		if f == nil || f.Count() == 0 {
			files = append(files, &Passage{Hit: i})
			continue
		}
		at := slices.IndexFunc(files, func(p *Passage) bool { return p.File == f })
		if at < 0 {
			at = len(files)
			files = append(files, &Passage{Hit: i, File: f})
			if at < maxDeepFiles {
				of[f] = r.declared(files[at])
			}
		}
		if at < maxDeepFiles {
			of[f] = r.markHit(of[f], files[at], found[i].Lines)
		}
	}
	for at, p := range files {
		for _, u := range of[p.File] {
			// The first files are more often right. Their order says less than the words of what they declare.
			u.Value /= math.Sqrt(float64(at + 1))
			if u.Value > 0 || u.isHit {
				out = append(out, u)
			}
		}
	}
	return files, dropRepeating(out)
}

// markHit marks the units that a hit is in; lines that are in none become one.
func (r *Reader) markHit(us []*Unit, in *Passage, lines corpus.Range) []*Unit {
	f := in.File
	found := corpus.Range{First: min(lines.First, f.Count()), Last: min(lines.Last, f.Count())}
	for found.First < found.Last && len(bytes.TrimSpace(f.Line(found.First))) == 0 {
		found.First++
	}
	inside := false
	for _, u := range us {
		if u.Whole.First <= found.Last && found.First <= u.Whole.Last {
			if !u.isHit {
				u.isHit, u.Value = true, u.Value*r.hits
			}
			inside = true
		}
	}
	if inside {
		return us
	}
	u := &Unit{In: in, Decl: -1, Whole: found, isHit: true}
	r.value(u)
	u.Value *= r.hits
	return append(us, u)
}

// declared returns the declarations of a file as units. Of a type it is what comes before its methods,
// which are units of their own.
func (r *Reader) declared(in *Passage) (out []*Unit) {
	f := in.File
	for i := range f.Decls {
		d := &f.Decls[i]
		if d.Kind == corpus.Section || f.IsLocal(d) {
			continue
		}
		weight := 1.0
		if corpus.InTest(f.Decls, int32(i)) {
			weight = r.tests
		}
		if weight == 0 {
			continue
		}
		u := &Unit{In: in, Decl: i, Whole: f.Lines(d.Span)}
		if !excerpt.IsCallable(d.Kind) {
			u.Whole.Last = r.beforeMethods(f, i, min(u.Whole.Last, u.Whole.First+maxWholeUnit))
		}
		r.value(u)
		u.Value *= weight
		out = append(out, u)
	}
	return out
}

// beforeMethods returns the last line before the first function in a declaration, or last.
func (r *Reader) beforeMethods(f *excerpt.File, of, last int) int {
	d := &f.Decls[of]
	for j := of + 1; j < len(f.Decls) && f.Decls[j].Span.Start < d.Span.End; j++ {
		if c := &f.Decls[j]; excerpt.IsCallable(c.Kind) {
			return max(f.Lines(d.Span).First, min(last, f.Lines(c.Span).First-1))
		}
	}
	return last
}

// value sets how much a unit tells: its terms by their weights, the more the more often it has them
// for its length.
func (r *Reader) value(u *Unit) {
	f, times := u.In.File, map[string]float64{}
	for n := u.Whole.First; n <= u.Whole.Last; n++ {
		r.eachTerm(f.Line(n), func(t string, _ []byte) { times[t]++ })
	}
	if u.Decl >= 0 {
		r.eachTerm([]byte(f.Decls[u.Decl].Name), func(t string, _ []byte) { times[t] += nameWeight })
	}
	length := float64(u.Whole.Last-u.Whole.First+1) / usualLines
	for _, t := range slices.Sorted(maps.Keys(times)) {
		u.Value += r.weights[t] * 2 * times[t] / (2*times[t] + 1 + length)
	}
}

// dropRepeating drops declarations without a body, such as those of a header, where what they declare
// is among the units with one.
func dropRepeating(us []*Unit) []*Unit {
	defined := map[string]bool{}
	for _, u := range us {
		if u.Decl >= 0 && !u.In.File.IsBodiless(&u.In.File.Decls[u.Decl]) {
			defined[u.In.File.Decls[u.Decl].Name] = true
		}
	}
	return slices.DeleteFunc(us, func(u *Unit) bool {
		return u.Decl >= 0 && u.In.File.IsBodiless(&u.In.File.Decls[u.Decl]) && defined[u.In.File.Decls[u.Decl].Name]
	})
}

// Choose sets which lines of files are shown within so many bytes: of the units, the best first. heading
// returns the bytes of the line above those of a file.
func (r *Reader) Choose(files []*Passage, us []*Unit, budget int, heading func(*Passage) int) {
	most, left := budget/firstShare, budget-budget/lineShare-budget/nameShare
	us = slices.Clone(us)
	sorting.Stable(us, func(a, b *Unit) int {
		switch {
		case a.Value > b.Value:
			return -1
		case a.Value < b.Value:
			return 1
		}
		return 0
	})
	for _, u := range us {
		left = r.show(u, min(most, left), left, heading)
		most = budget / unitShare
	}
	for _, u := range us {
		if len(u.Kept) > 0 && left > most/2 {
			left = r.showBeside(u, left, heading)
		}
	}
	for _, u := range us { // a declaration was cut for room that others did not take
		left = r.show(u, left, left, heading)
	}
	of := map[*Passage][]*Unit{}
	for _, u := range us {
		of[u.In] = append(of[u.In], u)
	}
	shown := 0
	left += budget / nameShare
	for _, p := range files {
		if p.File == nil || len(p.Kept) == 0 {
			continue
		}
		p.Kept = p.File.CloseGaps(p.Kept)
		left = p.nameGaps(of[p], shown < wholeFiles, left)
		shown++
	}
}

// show adds what is relevant in a unit to the lines of its file, if that fits, and returns what is left.
func (r *Reader) show(u *Unit, most, left int, heading func(*Passage) int) int {
	p := u.In
	kept := excerpt.Without(p.File.Relevant(u.Whole, u.Decl, most, r.Weigh), p.Kept)
	cost := p.File.Cost(u.Whole, kept)
	if len(p.Kept) == 0 {
		p.Lead = u
		cost += heading(p)
	}
	if len(kept) == 0 || cost > left {
		return left
	}
	u.Kept = kept
	p.Kept = excerpt.Join(append(p.Kept, kept...), 0)
	return left - cost
}

// showBeside adds what belongs to a unit: the short declarations of its file that its lines name.
func (r *Reader) showBeside(u *Unit, left int, heading func(*Passage) int) int {
	f, shown := u.In.File, 0
	for i := range f.Decls {
		d := &f.Decls[i]
		w := f.Lines(d.Span)
		long := w.Last-w.First >= maxBeside
		if shown == mostBeside || long || len(d.Name) < minBesideName {
			continue
		}
		if f.IsLocal(d) || !f.Mentions(u.Kept, d.Name) {
			continue
		}
		before := left
		if left = r.show(&Unit{In: u.In, Decl: i, Whole: w}, left, left, heading); left < before {
			shown++
		}
	}
	return left
}
