package rank

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// Guess takes in what the caller's guesses say of the candidates: guessed is parallel to them,
// with the terms of g in place of the query's. Each guess is weighed by itself, by how far it is
// believed; together they add to a candidate no more than the profile lets them.
func (r *Ranking) Guess(g *Guesses, guessed []corpus.Candidate) {
	r.unguessed = r.Best()
	w := newWeighing(g, guessed, r.s.results)
	r.guesses = w.values()
	for round := 1.0; round < Code().Constant("guess: rounds"); round++ {
		r.rescore()
		w.believe(r.s.results)
		r.guesses = w.values()
	}
	r.rescore()
}

func (r *Ranking) rescore() {
	for i := range r.cands {
		r.s.set(i, r.values(i))
	}
}

// A weighing is how the guesses of one query are weighed.
type weighing struct {
	g     *Guesses
	share []float64 // by candidate, of the most that the query's own evidence comes to
	has   [][]held  // by candidate
	trust []float64 // by guess, from 0 to 1
}

// A held is a guess that a candidate has, and how strongly.
type held struct {
	guess    int
	strength float64
	plain    bool // in its text, or in the name of its file
}

func newWeighing(g *Guesses, guessed []corpus.Candidate, own []Result) *weighing {
	w := &weighing{g: g, share: make([]float64, len(own)), has: make([][]held, len(own)), trust: make([]float64, len(g.Words))}
	most := 1e-9
	for _, x := range own {
		most = max(most, x.Evidence)
	}
	for _, x := range own {
		w.share[x.At] = x.Evidence / most
	}
	profile := Code()
	var levels [len(guessLevels)]float64
	for l := range guessLevels {
		levels[l] = profile.Constant(guessLevels[l].constant)
	}
	agree := make([]float64, len(g.Words))
	for i := range guessed {
		c := &guessed[i]
		for k := range g.Words {
			x := &g.Words[k]
			h := held{guess: k, plain: (c.Terms|c.Stem)&x.Whole != 0 || has(c.Terms, x.Parts)}
			for l := range guessLevels {
				h.strength += levels[l] * guessLevels[l].strength(x, c)
			}
			if h.strength == 0 {
				continue
			}
			w.has[i] = append(w.has[i], h)
			if h.plain {
				agree[k] = max(agree[k], w.share[i])
			}
		}
	}
	for k := range g.Words {
		w.trust[k] = sigmoid(g.logit(k, agree[k]))
	}
	return w
}

// logit returns how likely a guess is one of what answers, before the candidates vote: by how near
// in meaning to the query it and all guesses together are, and by the best candidate that has it.
func (g *Guesses) logit(k int, agree float64) float64 {
	profile, x := Code(), &g.Words[k]
	l := profile.Constant("guess believed: agreement") * (agree - .5)
	if x.Parts != 0 {
		l += profile.Constant("guess believed: identifier")
	}
	if !g.Meant {
		return l + profile.Constant("guess believed: by words alone") - profile.Constant("guess doubted")
	}
	return l - profile.Constant("guess doubted") + profile.Constant("guess believed: all near the query")*g.Near + profile.Constant("guess believed: near the query")*x.Near
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// values returns what the guesses add to each candidate.
func (w *weighing) values() []float64 {
	profile := Code()
	most, half, alone := profile.Constant("guesses at most"), profile.Constant("guesses for half"), profile.Constant("guesses without the query")
	out := make([]float64, len(w.has))
	for i, list := range w.has {
		sum := 0.0
		for _, h := range list {
			sum += w.trust[h.guess] * h.strength
		}
		out[i] = most * sum / (sum + half) * (alone + (1-alone)*w.share[i])
	}
	return out
}

// believe trusts a guess more if candidates with much evidence have it more often than others.
func (w *weighing) believe(results []Result) {
	profile := Code()
	scale, vote := profile.Constant("guess votes: evidence"), profile.Constant("guess votes: weight")
	most := 0.0
	for _, x := range results {
		most = max(most, x.Evidence)
	}
	mass, count := make([]float64, len(w.trust)), make([]float64, len(w.trust))
	total := 0.0
	voters := bestOf(results, int(profile.Constant("guess votes: candidates")))
	for _, x := range voters {
		e := math.Exp((x.Evidence - most) / scale)
		total += e
		for _, h := range w.has[x.At] {
			mass[h.guess] += e
			count[h.guess]++
		}
	}
	const least = .02 // a guess that hardly any candidate has says little either way
	n := float64(max(1, len(voters)))
	for k, t := range w.trust {
		t = min(max(t, 1e-6), 1-1e-6)
		w.trust[k] = sigmoid(math.Log(t/(1-t)) + vote*math.Log((mass[k]/total+least)/(count[k]/n+least)))
	}
}

// bestOf returns the n results with the most evidence, in their order.
func bestOf(results []Result, n int) []Result {
	if len(results) <= n {
		return results
	}
	least := make([]float64, len(results))
	for i, x := range results {
		least[i] = x.Evidence
	}
	sorting.Stable(least, cmp.Compare[float64])
	return slices.DeleteFunc(slices.Clone(results), func(x Result) bool { return x.Evidence < least[len(least)-n] })
}

// Together adds, to candidates for which guesses are evidence of their own (ranked), the score of
// their files when the guesses are words of the query like all others (asked). A list of guesses that is
// mostly right is worth most so; one that is wrong is held by the first ranking, which counts for
// more. Both are best first, and so is the result.
func Together(ranked, asked []Ranked) []Ranked {
	share := Code().Constant("guess: asked with the query")
	all := 1 + share
	explained := len(asked) > 0 && asked[0].Breakdown != nil
	best := bestOfFiles(asked)
	own := bestOfFiles(ranked)
	out := make([]Ranked, 0, len(ranked)+len(asked))
	add := func(x Ranked, asked float64) {
		adds := asked * share / all
		x.Value += adds
		if explained {
			x.Breakdown = append(x.Breakdown, Signal{Name: "guesses among the words of the query", Value: asked, Adds: adds})
		}
		out = append(out, x)
	}
	for _, x := range ranked {
		// The further chunks of a file stay as far behind its best as they were.
		behind := 1.0
		if most := own[fileOf(x)]; most > 0 {
			behind = x.Value / most
		}
		add(x.scaled(1/all), best[fileOf(x)]*behind)
	}
	for _, x := range asked {
		if _, ok := own[fileOf(x)]; ok {
			continue
		}
		value := x.Value
		x.Value, x.Words, x.Terms, x.DocTerms, x.Breakdown = 0, 0, 0, 0, nil // of another plan
		add(x, value)
	}
	sorting.Stable(out, func(x, y Ranked) int {
		return cmp.Or(cmp.Compare(y.Value, x.Value), cmp.Compare(x.Segment, y.Segment), cmp.Compare(x.Chunk, y.Chunk))
	})
	return out
}

// A file is a document of the index.
type file struct{ segment, doc uint32 }

func fileOf(x Ranked) file { return file{x.Segment, x.Doc} }

func bestOfFiles(list []Ranked) map[file]float64 {
	best := map[file]float64{}
	for _, x := range list {
		best[fileOf(x)] = max(best[fileOf(x)], x.Value)
	}
	return best
}

// scaled is a candidate whose score, with its breakdown, is multiplied.
func (x Ranked) scaled(by float64) Ranked {
	x.Value *= by
	x.Breakdown = slices.Clone(x.Breakdown)
	for i := range x.Breakdown {
		x.Breakdown[i].Adds *= by
	}
	return x
}
