package code

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
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/excerpt"
	"github.com/assay-dev/assay/internal/code/rank"
)

// How the budget of a text is spent; measured with the development tasks of docs/figures.md, "Text of hits".
const (
	maxDeepFiles = 10 // files of which declarations are shown; of the others a line
	maxWholeUnit = 70 // lines of a declaration that is shown with the hit in it
	unitShare    = 4  // no declaration takes more than this part of the budget
	lineShare    = 20 // the part of the budget that is kept for hits of one line
	hitWeight    = 3  // a declaration that a hit is in counts so many times
	nameWeight   = 2  // a term in the name of a declaration counts so many times more
	usualLines   = 40 // the length at which a declaration is neither short nor long
	maxBeside    = 25 // lines of what belongs to a hit and is shown with it
	mostBeside   = 3  // of such declarations for one that is shown
	// minBesideName is the length of a name that means a declaration: shorter ones are anything's.
	minBesideName = 3
)

// A passage is what the text of an answer shows of one file: some of its lines, in order.
type passage struct {
	hit  *SearchHit // the first in the file
	file *excerpt.File
	kept []corpus.Range // none: the hit is one line
}

// A unit is a part of a file that may be shown: a declaration, or the lines of a hit that is in none.
type unit struct {
	in    *passage
	of    int // the declaration, or -1
	whole corpus.Range
	isHit bool
	value float64
	kept  []corpus.Range
}

// A reader opens the files of hits, each once, and says what their lines tell of a query.
type reader struct {
	v       *engine.View
	server  bool
	weights map[string]float64  // of the query's terms
	terms   map[string][]string // those that each word of the files has
	files   map[string]*excerpt.File
}

func newReader(v *engine.View, plan rank.Plan, stats rank.Stats, server bool) *reader {
	r := &reader{v: v, server: server, weights: map[string]float64{}, terms: map[string][]string{}, files: map[string]*excerpt.File{}}
	for i, t := range plan.Terms {
		n := 0
		if i < len(stats.DF) {
			n = stats.DF[i]
		}
		r.weights[t.Text] = max(r.weights[t.Text], float64(t.Weight)*math.Log1p(float64(stats.Chunks)/float64(n+1)))
	}
	return r
}

// eachTerm calls f with the terms of the query that a text has.
func (r *reader) eachTerm(line []byte, f func(term string, word []byte)) {
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

// weigh returns how much a line tells: its terms, each once.
func (r *reader) weigh(line []byte) (sum float64) {
	var seen []string
	r.eachTerm(line, func(t string, _ []byte) {
		if !slices.Contains(seen, t) {
			seen = append(seen, t)
			sum += r.weights[t]
		}
	})
	return sum
}

// focus returns where in a line the word is that tells most.
func (r *reader) focus(line []byte) (at int) {
	best := 0.0
	r.eachTerm(line, func(t string, word []byte) {
		if r.weights[t] > best {
			best, at = r.weights[t], max(0, bytes.Index(line, word))
		}
	})
	return at
}

// open returns the file of a hit; nil where it cannot be read.
func (r *reader) open(h *engine.Hit) *excerpt.File {
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

// units returns the files of hits, best first, and the parts of the first of them that may be shown.
func (r *reader) units(found []engine.Hit, hits []SearchHit) (files []*passage, out []*unit) {
	of := map[*excerpt.File][]*unit{}
	for i := range found {
		f := r.open(&found[i])
		if f == nil || f.Count() == 0 {
			files = append(files, &passage{hit: &hits[i]})
			continue
		}
		at := slices.IndexFunc(files, func(p *passage) bool { return p.file == f })
		if at < 0 {
			at = len(files)
			files = append(files, &passage{hit: &hits[i], file: f})
			if at < maxDeepFiles {
				of[f] = r.declared(files[at])
			}
		}
		if at < maxDeepFiles {
			of[f] = r.markHit(of[f], files[at], &hits[i])
		}
	}
	for at, p := range files {
		for _, u := range of[p.file] {
			// The first files are more often right. Their order says less than the words of what they declare.
			u.value /= math.Sqrt(float64(at + 1))
			if u.value > 0 || u.isHit {
				out = append(out, u)
			}
		}
	}
	return files, dropRepeating(out)
}

// markHit marks the units that a hit is in; lines that are in none become one.
func (r *reader) markHit(us []*unit, in *passage, h *SearchHit) []*unit {
	f := in.file
	found := corpus.Range{First: min(h.Span.LineStart, f.Count()), Last: min(h.Span.LineEnd, f.Count())}
	for found.First < found.Last && len(bytes.TrimSpace(f.Line(found.First))) == 0 {
		found.First++
	}
	inside := false
	for _, u := range us {
		if u.whole.First <= found.Last && found.First <= u.whole.Last {
			if !u.isHit {
				u.isHit, u.value = true, u.value*hitWeight
			}
			inside = true
		}
	}
	if inside {
		return us
	}
	u := &unit{in: in, of: -1, whole: found, isHit: true}
	r.value(u)
	u.value *= hitWeight
	return append(us, u)
}

// declared returns the declarations of a file as units. Of a type it is what comes before its methods,
// which are units of their own.
func (r *reader) declared(in *passage) (out []*unit) {
	f := in.file
	for i := range f.Decls {
		d := &f.Decls[i]
		if d.Kind == corpus.Section || f.IsLocal(d) {
			continue
		}
		u := &unit{in: in, of: i, whole: f.Lines(d.Span)}
		if !excerpt.IsCallable(d.Kind) {
			u.whole.Last = r.beforeMethods(f, i, min(u.whole.Last, u.whole.First+maxWholeUnit))
		}
		r.value(u)
		out = append(out, u)
	}
	return out
}

// beforeMethods returns the last line before the first function in a declaration, or last.
func (r *reader) beforeMethods(f *excerpt.File, of, last int) int {
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
func (r *reader) value(u *unit) {
	f, times := u.in.file, map[string]float64{}
	for n := u.whole.First; n <= u.whole.Last; n++ {
		r.eachTerm(f.Line(n), func(t string, _ []byte) { times[t]++ })
	}
	if u.of >= 0 {
		r.eachTerm([]byte(f.Decls[u.of].Name), func(t string, _ []byte) { times[t] += nameWeight })
	}
	length := float64(u.whole.Last-u.whole.First+1) / usualLines
	for _, t := range slices.Sorted(maps.Keys(times)) {
		u.value += r.weights[t] * 2 * times[t] / (2*times[t] + 1 + length)
	}
}

// dropRepeating drops declarations without a body, such as those of a header, where what they declare
// is among the units with one.
func dropRepeating(us []*unit) []*unit {
	defined := map[string]bool{}
	for _, u := range us {
		if u.of >= 0 && !u.in.file.IsBodiless(&u.in.file.Decls[u.of]) {
			defined[u.in.file.Decls[u.of].Name] = true
		}
	}
	return slices.DeleteFunc(us, func(u *unit) bool {
		return u.of >= 0 && u.in.file.IsBodiless(&u.in.file.Decls[u.of]) && defined[u.in.file.Decls[u.of].Name]
	})
}

// choose sets which lines of files are shown within so many bytes: of the units, the best first.
func (r *reader) choose(files []*passage, us []*unit, budget int) {
	most, left := budget/unitShare, budget-budget/lineShare
	us = slices.Clone(us)
	sorting.Stable(us, func(a, b *unit) int {
		switch {
		case a.value > b.value:
			return -1
		case a.value < b.value:
			return 1
		}
		return 0
	})
	for _, u := range us {
		left = r.show(u, min(most, left), left)
	}
	for _, u := range us {
		if len(u.kept) > 0 && left > most/2 {
			left = r.showBeside(u, left)
		}
	}
	for _, p := range files {
		if p.file != nil {
			p.kept = p.file.CloseGaps(p.kept)
		}
	}
}

// show adds what is relevant in a unit to the lines of its file, if that fits, and returns what is left.
func (r *reader) show(u *unit, most, left int) int {
	p := u.in
	kept := excerpt.Without(p.file.Relevant(u.whole, u.of, most, r.weigh), p.kept)
	cost := p.file.Cost(u.whole, kept)
	if len(p.kept) == 0 {
		cost += len(p.hit.heading(false)) + 2
	}
	if len(kept) == 0 || cost > left {
		return left
	}
	u.kept = kept
	p.kept = append(p.kept, kept...)
	return left - cost
}

// showBeside adds what belongs to a unit: the short declarations of its file that its lines name.
func (r *reader) showBeside(u *unit, left int) int {
	f, shown := u.in.file, 0
	for i := range f.Decls {
		d := &f.Decls[i]
		w := f.Lines(d.Span)
		long := w.Last-w.First >= maxBeside
		if shown == mostBeside || long || len(d.Name) < minBesideName {
			continue
		}
		if f.IsLocal(d) || !f.Mentions(u.kept, d.Name) {
			continue
		}
		before := left
		if left = r.show(&unit{in: u.in, of: i, whole: w}, left, left); left < before {
			shown++
		}
	}
	return left
}

// fitLines drops the hits of one line that do not fit into what is left of the budget, and says how many.
func fitLines(files []*passage, budget int) (kept []*passage, cut int) {
	for _, p := range files {
		if p.file != nil && len(p.kept) > 0 {
			budget -= len(p.hit.heading(false)) + 2 + p.file.Cost(p.within(), p.kept)
		}
	}
	for _, p := range files {
		if len(p.kept) == 0 {
			if budget -= len(p.hit.heading(false)) + 1; budget < 0 && len(kept) > 0 {
				cut++
				continue
			}
		}
		kept = append(kept, p)
	}
	return kept, cut
}

// within returns the lines from the first that is kept to the last.
func (p *passage) within() corpus.Range {
	return corpus.Range{First: p.kept[0].First, Last: p.kept[len(p.kept)-1].Last}
}

// writePassages writes the files of which lines are shown, and then the hits of one line each.
func (a *SearchAnswer) writePassages(b *bytes.Buffer, colour bool) {
	for _, p := range a.passages {
		if len(p.kept) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.hit.heading(colour) + "\n")
		p.file.Write(b, p.within(), p.kept, a.focus)
	}
	first := true
	for _, p := range a.passages {
		if len(p.kept) > 0 {
			continue
		}
		if first && b.Len() > 0 {
			b.WriteByte('\n')
		}
		first = false
		b.WriteString(p.hit.heading(colour) + "\n")
	}
}

// A HitText is some lines of the file of a hit, byte for byte but for what is withheld.
type HitText struct {
	LineStart int    `json:"line_start"`
	LineEnd   int    `json:"line_end"`
	Text      string `json:"text"`
}

// texts returns the lines of a passage as data.
func (p *passage) texts(focus func([]byte) int) (out []HitText) {
	for _, r := range p.kept {
		var b strings.Builder
		for n := r.First; n <= r.Last; n++ {
			b.WriteString(p.file.Shown(n, focus) + "\n")
		}
		out = append(out, HitText{r.First, r.Last, b.String()})
	}
	return out
}

// showPassages chooses the text of an answer whose hits are found.
func (f *Feature) showPassages(v *engine.View, r *request, a *SearchAnswer, plan rank.Plan, stats rank.Stats, found []engine.Hit) {
	read := newReader(v, plan, stats, f.around.Server)
	files, units := read.units(found, a.Hits)
	budget := text.Bytes(r.budget)
	read.choose(files, units, budget)
	a.passages, a.Cut = fitLines(files, budget)
	a.focus = read.focus
}

// readsText reports whether an answer is text that a program reads: then a hit is what one would open
// its file for. Who says how a hit is to be shown is shown that.
func (f *Feature) readsText(p work.Report, r *request) bool {
	in := &r.in
	read := f.cfg.Piped || f.around.Server
	if !read || p.Data || r.budget == 0 {
		return false
	}
	if r.mode == "regex" || len(r.parts) > 0 {
		return false
	}
	return !in.Files && !in.FullSection && !in.Explain && max(in.Context, in.Before, in.After) == 0
}
