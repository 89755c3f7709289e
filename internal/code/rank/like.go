package rank

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
)

// A Sample is the terms of a text and how often each occurs, to look for texts
// like it.
type Sample struct {
	Terms []corpus.Term // weighted by occurrence
}

// Take takes a sample of a text.
func Take(quote []byte) Sample {
	n := map[string]int{}
	text.Words(quote, func(w []byte) {
		for _, t := range text.Code().Terms(nil, w) {
			if len(t) > 1 && !text.Stop(t) {
				n[t]++
			}
		}
	})
	var s Sample
	for _, t := range slices.Sorted(maps.Keys(n)) {
		s.Terms = append(s.Terms, corpus.Term{Text: t, Weight: float32(1 + math.Log(float64(n[t])))})
	}
	return s
}

// Plan returns the query that finds texts like the sample: its terms with
// the highest IDF.
func (s Sample) Plan(st Stats, quote string) Plan {
	type scored struct {
		corpus.Term
		tell float64
	}
	var all []scored
	for i, t := range s.Terms {
		if st.DF[i] > 0 {
			all = append(all, scored{t, float64(t.Weight) * bm25.IDF(max(st.Chunks, st.DF[i]), st.DF[i])})
		}
	}
	sorting.Stable(all, func(a, b scored) int { return cmp.Compare(b.tell, a.tell) })
	p := Plan{Query: quote, Kind: Question, Wants: ^corpus.Flags(0)}
	for _, t := range all[:min(len(all), corpus.MaxTerms)] {
		p.full |= 1 << len(p.Terms)
		p.Terms = append(p.Terms, t.Term)
	}
	return p
}
