package catalog

import (
	"strings"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/code/rank"
)

// params are BM25's.
func params() bm25.Params {
	p := rank.Modules()
	return bm25.Params{K1: p.Constant("k1"), B: p.Constant("b")}
}

// weights returns how often a word counts in each of the fields.
func weights() [numFields]float64 {
	p := rank.Modules()
	var w [numFields]float64
	for i, name := range [numFields]string{"name", "description", "keywords", "functions", "questions"} {
		w[i] = p.Constant(name)
	}
	return w
}

// A ranked is what an engine found, with its score.
type ranked struct {
	id     string
	score  float64
	reason []rank.Signal
}

// rank orders what an engine found of n documents for a question. tallies returns the
// document that answers for an ID, as far as the question is concerned.
func (q *question) rank(found []Result, n int, tallies func(id string) tally) []ranked {
	var ids []string
	seen := map[string]bool{}
	s := rank.Modules().Scorer(rank.Variant{Kind: rank.Question}, len(found), true)
	// No score is better than that of a document alone in having all terms, often.
	ideal := float64(len(q.terms)) * bm25.IDF(n, 1) * (params().K1 + 1)
	for _, r := range found {
		// A module and those that it shadows are one answer: the one that require loads.
		if seen[r.ID] {
			continue
		}
		seen[r.ID] = true
		ids = append(ids, r.ID)
		t := tallies(r.ID)
		var values [rank.NumModules]float64
		all := 0.0
		for i := range t.fields {
			values[i] = t.fields[i].Weight * float64(len(t.fields[i].Words))
			all += values[i]
		}
		if all == 0 {
			values[rank.ModulesShadowed], all = 1, 1
		}
		for i := range values {
			values[i] *= r.Score / ideal / all
		}
		s.Add(values[:], rank.Groups{})
	}
	var out []ranked
	for _, r := range s.Rank(func(a, b int) int { return strings.Compare(ids[a], ids[b]) }) {
		out = append(out, ranked{ids[r.At], rank.Round(r.Value), r.Breakdown})
	}
	return out
}
