package rank

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-dev/assay/bm25"

	"github.com/assay-dev/assay/internal/base/sorting"
)

// A Signal is one piece of evidence and what it added to a score.
type Signal struct {
	Name  string  `json:"signal"`
	Value float64 `json:"value"` // how strong the evidence is; of what multiplies, the factor
	Adds  float64 `json:"adds"`
}

// Explanation returns a score breakdown as people read it: a line for each signal.
func Explanation(breakdown []Signal) string {
	var b strings.Builder
	for _, s := range breakdown {
		fmt.Fprintf(&b, "    %+.3f  %s (%.3f)\n", s.Adds, s.Name, s.Value)
	}
	return b.String()
}

// Sure is the score from which the best hit is taken to answer: the score midpoint, which
// eval/fit calibrates by questions that nothing answers. Below it an answer says so.
const Sure = .5

// Round returns a score as answers show it.
func Round(score float64) float64 { return math.Round(score*1e4) / 1e4 }

// A Scorer ranks the candidates of one query by a profile. It is for one goroutine.
type Scorer struct {
	p       *Profile
	weights []float64 // of the variant, balanced
	plain   []float64 // of the variant
	words   float64   // the balance
	meaning float64
	variant Variant
	explain bool
	results []Result
}

// A Result is a ranked candidate.
type Result struct {
	At        int      // which candidate: the number of its Add, from 0
	Evidence  float64  // what its signals come to
	Value     float64  // comparable across queries: 0..1 with .5 at the score midpoint of the profile, or as it scales
	Breakdown []Signal // of Evidence, where it is to be explained
	groups    Groups
}

// Groups are what a candidate is damped with: of those that share a group, the best
// keeps its evidence. The first is for the first line of damping in the profile.
type Groups [maxGroups]uint64

// Scorer returns a scorer of n candidates.
func (p *Profile) Scorer(v Variant, n int, explain bool) *Scorer {
	c := p.Column(v)
	return &Scorer{p: p, weights: p.weights[c], plain: p.weights[c], words: 1, meaning: 1, variant: v, explain: explain, results: make([]Result, 0, n)}
}

// Balance sets how much the words and the meaning count of the candidates that are
// added from here on.
func (s *Scorer) Balance(words, meaning float64) {
	if s.words == words && s.meaning == meaning {
		return
	}
	s.words, s.meaning = words, meaning
	s.weights = slices.Clone(s.plain)
	for i, sig := range s.p.signals {
		switch sig.role {
		case lexical:
			s.weights[i] *= words
		case semantic:
			s.weights[i] *= meaning
		}
	}
}

// Add scores a candidate by the values of its signals, in the order of the profile. A
// factor applies as far as its value says: 1 is in full, 0 not at all.
func (s *Scorer) Add(values []float64, groups Groups) {
	s.results = append(s.results, Result{At: len(s.results), groups: groups})
	s.set(len(s.results)-1, values)
}

// set scores the candidate of an earlier Add by other values.
func (s *Scorer) set(at int, values []float64) {
	r := &s.results[at]
	if r.Breakdown = nil; s.explain {
		r.Evidence = s.weigh(values, &r.Breakdown)
		return
	}
	r.Evidence = s.weigh(values, nil)
}

// Evidence returns what the signals of a candidate come to, for who looks at very many and
// adds few.
func (s *Scorer) Evidence(values []float64) float64 { return s.weigh(values, nil) }

// Explain returns the breakdown of that evidence.
func (s *Scorer) Explain(values []float64) (breakdown []Signal) {
	s.weigh(values, &breakdown)
	return breakdown
}

// weigh sums up the evidence, and appends what it is made of where that is asked for.
func (s *Scorer) weigh(values []float64, breakdown *[]Signal) float64 {
	sum, most, which := 0.0, 0.0, -1 // of those that exclude each other, which adds most
	for i := range s.p.signals {
		v := values[i]
		if v == 0 {
			continue
		}
		w := s.weights[i]
		adds, shown := v*w, v
		switch s.p.signals[i].role {
		case either:
			if adds > most {
				most, which = adds, i
			}
			continue
		case factor:
			shown = w
			if v != 1 {
				shown = 1 - v*(1-w)
			}
			adds = (sum + most) * (shown - 1)
			sum, most = sum*shown, most*shown
		default:
			sum += adds
		}
		if breakdown != nil && adds != 0 {
			*breakdown = append(*breakdown, Signal{s.p.signals[i].name, shown, adds})
		}
	}
	if breakdown != nil && which >= 0 {
		*breakdown = slices.Insert(*breakdown, 0, Signal{s.p.signals[which].name, values[which], values[which] * s.weights[which]})
	}
	return sum + most
}

// Rank returns the candidates that were added, best first. tie orders two of equal
// evidence, by what does not depend on the history of an index: path and span.
func (s *Scorer) Rank(tie func(a, b int) int) []Result {
	s.sort(tie)
	if len(s.p.damping) > 0 {
		s.damp()
		s.sort(tie)
	}
	for i := range s.results {
		r := &s.results[i]
		r.Value = s.p.Score(s.variant, r.Evidence)
	}
	return s.results
}

// sort puts the results in order. It moves their places rather than results, which are large;
// a place has bm25's type, so that both sorts are one copy in the program.
func (s *Scorer) sort(tie func(a, b int) int) {
	places := make([]bm25.Hit, len(s.results))
	for i := range s.results {
		places[i] = bm25.Hit{Doc: i, Score: s.results[i].Evidence}
	}
	sorting.Stable(places, func(a, b bm25.Hit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return tie(s.results[a.Doc].At, s.results[b.Doc].At)
	})
	sorted := make([]Result, len(places))
	for i, p := range places {
		sorted[i] = s.results[p.Doc]
	}
	s.results = sorted
}

// Times multiplies evidence that was ranked, for a reason that only shows among candidates
// that are, and says so in the breakdown where there is one.
func Times(evidence, by float64, why string, breakdown []Signal) (float64, []Signal) {
	if breakdown != nil {
		breakdown = append(breakdown, Signal{why, by, evidence * (by - 1)})
	}
	return evidence * by, breakdown
}

// Score returns the score of so much evidence: 0..1, and .5 at the score midpoint; or, in
// a profile with scales, the evidence times its scale.
func (p *Profile) Score(v Variant, evidence float64) float64 {
	evidence = max(0, evidence)
	c := p.Column(v)
	if p.scales != nil {
		return evidence * p.scales[c]
	}
	return evidence / (evidence + p.midpoints[c])
}

// Evidence returns the evidence of a score, the inverse of Score: of 1, a great deal.
func (p *Profile) Evidence(v Variant, score float64) float64 {
	score = min(score, 1-1e-3)
	c := p.Column(v)
	if p.scales != nil {
		return score / p.scales[c]
	}
	return score * p.midpoints[c] / (1 - score)
}

// Raise says in a breakdown why a hit has the score of a better one: the evidence that it lacks is added.
func Raise(breakdown, better []Signal, why string) []Signal {
	lacks := 0.
	for _, s := range better {
		lacks += s.Adds
	}
	for _, s := range breakdown {
		lacks -= s.Adds
	}
	return append(slices.Clip(breakdown), Signal{why, 1, lacks})
}

// damp holds back the further candidates of a group, in order.
func (s *Scorer) damp() {
	type member struct {
		of    int
		group uint64
	}
	seen := make(map[member]float64, len(s.p.damping)*len(s.results))
	for i := range s.results {
		r := &s.results[i]
		for d, by := range s.p.damping {
			m := member{d, r.groups[d]}
			f, again := seen[m]
			if !again {
				f = 1
			}
			if f != 1 && s.explain {
				r.Breakdown = append(r.Breakdown, Signal{by.name, f, r.Evidence * (f - 1)})
			}
			r.Evidence *= f
			if !again || !by.flat {
				f *= s.weights[len(s.p.signals)+d]
			}
			seen[m] = f
		}
	}
}
