package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"github.com/assay-dev/assay/internal/memory/vault"
)

// A compared is two notes that a question compared.
type compared struct {
	ask    string
	signs  []float64
	right  bool // the later one is in the place of the older
	weight float64
}

// gather compares what the questions of a set of pairs lead to. Each kind of pair counts as much
// as any other: of what was found by chance there is a hundred times more.
func gather(ctx context.Context, mirrors string, halves ...string) (out []compared, err error) {
	for _, half := range halves {
		c, err := own()
		if err != nil {
			return nil, err
		}
		var pairs, related []succession
		if filepath.Ext(half) != "" { // kept elsewhere
			pairs, err = pairsOf(ctx, half, mirrors, &c)
		} else if pairs, err = successions("pairs."+half+".txt", &c); err == nil {
			related, err = successions("related."+half+".txt", &c)
		}
		if err != nil {
			return nil, err
		}
		got, err := compare(ctx, c, pairs, related)
		if err != nil {
			return nil, err
		}
		out = append(out, got...)
	}
	kinds := map[float64]float64{}
	for _, x := range out {
		kinds[x.weight]++
	}
	for i := range out {
		w := 100 / kinds[out[i].weight]
		if out[i].right {
			w *= 2 // who is not told that a note is over acts on it
		}
		out[i].weight = w
	}
	return out, nil
}

const (
	itself  = 1 + iota
	another // of two things
	beside  // another note than the one that is in its place
	answer  // what answers a question and holds
	chance
)

func compare(ctx context.Context, c corpus, pairs, related []succession) (out []compared, err error) {
	m, remove, err := openTemporary(ctx, c)
	if err != nil {
		return nil, err
	}
	defer remove()
	said := map[[2]string]bool{}
	for _, p := range pairs {
		said[[2]string{p.old, p.later}] = true
	}
	for _, p := range slices.Concat(pairs, related) {
		got, err := m.Compared(ctx, vault.Query{Text: p.ask, Max: depth})
		if err != nil {
			return nil, err
		}
		for _, g := range got {
			x := compared{ask: p.ask, signs: g.Signs, weight: chance}
			switch here := g.Old == p.old && g.Later == p.later; {
			case here && said[[2]string{p.old, p.later}]:
				x.right, x.weight = true, itself
			case here:
				x.weight = another
			case said[[2]string{g.Old, g.Later}]:
				continue // of another question: nobody asked
			case g.Old == p.old:
				x.weight = beside
			case g.Old == p.later:
				x.weight = answer // another one in its place would be told instead of it
			}
			out = append(out, x)
		}
	}
	for _, q := range c.questions {
		got, err := m.Compared(ctx, vault.Query{Text: q.Ask})
		if err != nil {
			return nil, err
		}
		for _, g := range got {
			if slices.Contains(q.In, g.Old) {
				out = append(out, compared{ask: q.Ask, signs: g.Signs, weight: answer})
			}
		}
	}
	return out, nil
}

// fit prints the constants by which a note is taken to be in the place of another: a logistic
// regression whose weights are not negative, and how many of the pairs of the half that it was
// not fitted to they tell. The halves are dev and test, or these and a file of more pairs.
func fit(ctx context.Context, w io.Writer, more, mirrors string) error {
	sets := [2][]string{{"dev"}, {"test"}}
	if more != "" {
		sets = [2][]string{{"dev", "test"}, {more}}
	}
	var halves [2][]compared
	for i := range sets {
		x, err := gather(ctx, mirrors, sets[i]...)
		if err != nil {
			return err
		}
		halves[i] = x
	}
	both, err := gather(ctx, mirrors, slices.Concat(sets[0], sets[1])...)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name     string
		of, with []compared
	}{{"fitted to the first, told of the second", halves[0], halves[1]}, {"fitted to the second, told of the first", halves[1], halves[0]}, {"fitted to both, told of both", both, both}} {
		weights := regress(f.of)
		right, told, wrong, others := 0, 0, 0, 0
		for _, x := range f.with {
			says := weigh(weights, x.signs) > 0
			switch {
			case x.right:
				right++
				if says {
					told++
				}
			default:
				others++
				if says {
					wrong++
				}
			}
		}
		fmt.Fprintf(w, "# %s: %d of %d pairs that were compared; %d of %d others\n", f.name, told, right, wrong, others)
		if f.name == "fitted to both, told of both" {
			for i, name := range vault.Signs {
				fmt.Fprintf(w, "constant  %-5.3g in its place: %s\n", weights[i], name)
			}
			fmt.Fprintf(w, "constant  %-5.3g in its place\n", -weights[len(vault.Signs)])
		}
	}
	return nil
}

func weigh(w, x []float64) float64 {
	s := w[len(x)]
	for i, v := range x {
		s += w[i] * v
	}
	return s
}

// regress finds the weights of signs, and last the constant, by descent along the gradient,
// with a little pull to nothing; a weight that would be negative is nothing.
func regress(of []compared) []float64 {
	n := len(vault.Signs)
	w := make([]float64, n+1)
	speed := make([]float64, n+1)
	const pull, steps = .05, 6000
	for range steps {
		g := make([]float64, n+1)
		for _, x := range of {
			p := 1 / (1 + math.Exp(-weigh(w, x.signs)))
			d := p
			if x.right {
				d--
			}
			d *= x.weight
			for i, v := range x.signs {
				g[i] += d * v
			}
			g[n] += d
		}
		for i := range w {
			if i < n {
				g[i] += pull * w[i]
			}
			speed[i] += g[i] * g[i]
			if w[i] -= .5 * g[i] / (math.Sqrt(speed[i]) + 1e-9); i < n {
				w[i] = max(0, w[i])
			}
		}
	}
	return w
}
