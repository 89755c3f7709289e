package rank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// covered returns what some choices cover of what is needed.
func covered(needs []Need, choices []Choice, shown []int) (sum float64) {
	open := make([]float64, len(needs))
	for i := range open {
		open[i] = 1
	}
	for _, at := range shown {
		for _, c := range choices[at].Covers {
			open[c.Need] *= 1 - c.Share
		}
	}
	for i, n := range needs {
		sum += float64(n) * (1 - open[i])
	}
	return sum
}

// slowly does what Select does, measuring every choice again in each round.
func slowly(needs []Need, choices []Choice, budget int) (shown []int) {
	for {
		best, most := -1, 0.0
		for i, c := range choices {
			if slices.Contains(shown, i) || c.Cost > budget || c.After >= 0 && !slices.Contains(shown, c.After) {
				continue
			}
			if g := (covered(needs, choices, append(slices.Clone(shown), i)) - covered(needs, choices, shown)) / float64(c.Cost); g > most+1e-12 {
				best, most = i, g
			}
		}
		if best < 0 {
			return shown
		}
		shown = append(shown, best)
		budget -= choices[best].Cost
	}
}

// What is picked fits, has what it needs before it, and is worth what a choice by
// measuring everything in each round is; its gains add up to what it covers.
func TestSelect(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		needs := make([]Need, 6)
		for i := range needs {
			needs[i] = Need(r.Float64())
		}
		choices := make([]Choice, 14)
		for i := range choices {
			c := Choice{Cost: 1 + r.IntN(12), After: -1}
			if i > 0 && r.IntN(3) == 0 {
				c.After = r.IntN(i)
			}
			for _, need := range r.Perm(len(needs))[:1+r.IntN(3)] {
				c.Covers = append(c.Covers, Cover{need, .1 + .8*r.Float64()})
			}
			choices[i] = c
		}
		budget := 5 + r.IntN(60)
		spent, gains := 0, 0.0
		var shown []int
		for _, p := range Select(needs, choices, budget) {
			if c := choices[p.At]; c.After >= 0 && !slices.Contains(shown, c.After) {
				t.Fatalf("%d is shown without %d before it", p.At, c.After)
			}
			if slices.Contains(shown, p.At) {
				t.Fatalf("%d is shown twice", p.At)
			}
			shown = append(shown, p.At)
			spent += choices[p.At].Cost
			gains += p.Gain
		}
		if spent > budget {
			t.Fatalf("%d of %d tokens are spent", spent, budget)
		}
		got := covered(needs, choices, shown)
		if want := covered(needs, choices, slowly(needs, choices, budget)); math.Abs(got-want) > 1e-9 {
			t.Fatalf("picked %v, which cover %.4f; measured in each round they cover %.4f", shown, got, want)
		}
	}
}

// Two that tell the same are not both shown while there is something else to tell.
func TestSelectDiverse(t *testing.T) {
	needs := []Need{1, .3}
	choices := []Choice{{10, -1, []Cover{{0, .9}}}, {10, -1, []Cover{{0, .9}}}, {10, -1, []Cover{{1, .9}}}}
	picks := Select(needs, choices, 20)
	if len(picks) != 2 || picks[0].At != 0 || picks[1].At != 2 {
		t.Errorf("Select = %v, want the first and the third", picks)
	}
}

// What adds nothing is not shown, unless something that comes after it does.
func TestSelectNothing(t *testing.T) {
	choices := []Choice{{1, -1, nil}, {1, -1, nil}, {1, 1, []Cover{{0, .5}}}, {1, -1, []Cover{{0, 0}}}}
	if got := fmt.Sprint(Select([]Need{1}, choices, 9)); got != "[{1 0} {2 0.5}]" {
		t.Errorf("Select = %s, want the second and the third alone", got)
	}
}
