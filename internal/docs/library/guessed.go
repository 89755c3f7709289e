package library

import (
	"cmp"
	"strings"

	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
)

// beside orders what a question found by what the caller's guesses find too. They are asked for as a
// question of their own, so that a wrong guess takes nothing from the words of the question.
func (s *search) beside(found []ranked, words string) ([]ranked, error) {
	if strings.TrimSpace(words) == "" || len(s.q.words) == 0 {
		return found, nil
	}
	g := *s
	g.q = readQuestion(words)
	by, err := g.run()
	if err != nil || len(by) == 0 {
		return found, err
	}
	guessed := make(map[int]*ranked, len(by))
	for i := range by {
		guessed[by[i].at] = &by[i]
	}
	best := 0.0
	for i := range found {
		best = max(best, evidenceOf(found[i].s.Score))
	}
	near, meant := s.compared(words)
	b := rank.NewBeside(rank.Docs(), near, meant, best)
	for i := range found {
		r := &found[i]
		if other := guessed[r.at]; other != nil {
			r.add(b, evidenceOf(r.s.Score), other.s.Score, s.explain)
			delete(guessed, r.at)
		}
	}
	for i := range by {
		r := &by[i]
		if guessed[r.at] == nil {
			continue
		}
		score := r.s.Score
		r.s.Score, r.s.Breakdown = 0, nil
		r.add(b, 0, score, s.explain)
		found = append(found, *r)
	}
	sorting.Stable(found, func(x, y ranked) int {
		return cmp.Or(cmp.Compare(y.s.Score, x.s.Score), cmp.Compare(x.s.Path, y.s.Path), cmp.Compare(x.s.Line, y.s.Line))
	})
	return found, nil
}

// add adds what the guesses' score of a snippet is worth to the question's own evidence for it.
func (c *ranked) add(b rank.Beside, own, guessed float64, explain bool) {
	adds := b.Adds(own, evidenceOf(guessed))
	if explain {
		c.s.Breakdown = b.Explain(c.s.Breakdown, guessed, adds)
	}
	c.s.Score = rank.Docs().Score(rank.Variant{Kind: rank.Question}, own+adds)
}

// evidenceOf returns the evidence that a score stands for.
func evidenceOf(score float64) float64 {
	return rank.Docs().Evidence(rank.Variant{Kind: rank.Question}, score)
}

// compared returns the cosine of the guesses with the question, if that has a vector.
func (s *search) compared(words string) (near float64, meant bool) {
	if len(s.asked) == 0 {
		return 0, false
	}
	m, err := newMeaning()
	if err != nil {
		return 0, false
	}
	asked := slice.Map(s.asked, func(x int8) byte { return byte(x) })
	return index.Alike(asked, m.embed([]byte(words))), true
}
