package catalog

import (
	"cmp"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/rank"
)

// Beside returns the answer to a question with what the caller's guesses find too: guessed is their
// answer, asked for as a question of their own, and limit how many modules are wanted; 0: all.
func (a *ModulesAnswer) Beside(guessed *ModulesAnswer, limit int) *ModulesAnswer {
	profile, variant := rank.Modules(), rank.Variant{Kind: rank.Question}
	best, at := 0.0, map[string]int{}
	out := *a
	out.Entries = nil
	for i, e := range a.Entries {
		at[e.Name] = i
		best = max(best, profile.Evidence(variant, e.Score))
		out.Entries = append(out.Entries, e)
	}
	b := rank.NewBeside(profile, 0, false, best)
	for _, g := range guessed.Entries {
		i, ok := at[g.Name]
		if !ok {
			i = len(out.Entries)
			out.Entries = append(out.Entries, g)
			out.Entries[i].Score, out.Entries[i].Explain = 0, nil
		}
		e := &out.Entries[i]
		own, evidence := profile.Evidence(variant, e.Score), profile.Evidence(variant, g.Score)
		adds := b.Adds(own, evidence)
		e.Score, e.Explain = profile.Score(variant, own+adds), b.Explain(e.Explain, evidence, adds)
	}
	sorting.Stable(out.Entries, func(x, y Entry) int { return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Name, y.Name)) })
	if limit > 0 {
		out.Entries = out.Entries[:min(limit, len(out.Entries))]
	}
	out.Unsure = len(out.Entries) > 0 && out.Entries[0].Score < rank.Sure
	return &out
}
