package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/paste"
	"github.com/assay-dev/assay/internal/code/rank"
)

// Prints is the signal of a hit that comes first since its strings are what the query quotes.
const Prints = "prints this"

const (
	mostRead     = 4 << 20 // bytes of files
	mostPrinting = 48      // chunks that are read: those with the most words of the query
	mostPrinted  = 5       // hits that come first
)

// printed puts first what prints a line that the query has: who gives a program's message as
// a query wants the place that it is from. The words of a message are common ones, so that
// no ranking by words finds it, but their order is not.
func (v *View) printed(ctx context.Context, q Query, a *Answer, ranked []rank.Ranked) error {
	outputs := paste.Outputs(q.Query)
	if len(outputs) == 0 || len(a.Hits) == 0 || q.Mode == rank.Semantic {
		return nil
	}
	ranked = slices.Clone(ranked)
	sorting.Stable(ranked, func(x, y rank.Ranked) int { return cmp.Compare(q.Has(y.Terms), q.Has(x.Terms)) })
	ranked = ranked[:min(len(ranked), mostPrinting)]
	refs := slice.Map(ranked, func(x rank.Ranked) corpus.Ref { return x.Ref })
	found, err := v.Snap.Describe(refs)
	if err != nil {
		return err
	}
	type printing struct {
		at      int
		letters float64
	}
	var best []printing
	files, read := map[string][]byte{}, 0
	for i := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := &found[i]
		code, known := files[f.Doc.Path]
		if !known && read < mostRead {
			code, _, _ = readText(v.e.root, f.Doc.Path, discover.MaxFile) // a file that is gone prints nothing
			files[f.Doc.Path], read = code, read+len(code)
		}
		if f.End > len(code) || hashOf(code[f.Start:f.End]) != f.Hash {
			continue
		}
		p := printing{at: i}
		for k := range outputs {
			p.letters = max(p.letters, float64(outputs[k].Printed(code[f.Start:f.End])))
		}
		if f.Doc.Flags&(corpus.Test|corpus.Example|corpus.Prose|foreign)&^q.Wants != 0 {
			p.letters /= 2
		}
		if p.letters > 0 {
			best = append(best, p)
		}
	}
	sorting.Stable(best, func(x, y printing) int { return cmp.Compare(y.letters, x.letters) })
	hits := make([]Hit, 0, len(a.Hits))
	for _, p := range best[:min(len(best), mostPrinted)] {
		r := &ranked[p.at]
		h := Hit{Found: found[p.at], Score: max(r.Value, a.Hits[0].Score), Exact: true, Words: r.Words, Terms: r.Terms, Breakdown: r.Breakdown}
		if q.Explain && r.Value < a.Hits[0].Score {
			h.Breakdown = rank.Raise(r.Breakdown, a.Hits[0].Breakdown, Prints)
		}
		hits = append(hits, h)
	}
	a.first(hits, q.Most)
	return nil
}

// first puts hits before the others of an answer, which has so many at most.
func (a *Answer) first(hits []Hit, most int) {
	for n, k := len(hits), 0; k < len(a.Hits); k++ {
		if !slices.ContainsFunc(hits[:n], func(h Hit) bool { return h.ID == a.Hits[k].ID }) {
			hits = append(hits, a.Hits[k])
		}
	}
	a.Hits = hits[:min(len(hits), max(most, 1))]
}
