package main

import (
	"maps"
	"slices"
)

// depth is how many hits are asked for; a question not answered among them has
// rank 0.
const depth = 10

// answers reports whether a hit has a line of the target.
func (h hit) answers(t target) bool {
	return h.Path == t.Path && (h.Start == 0 || h.Start <= t.End && max(h.Start, h.End) >= t.Start)
}

// rank returns the place of the first hit that answers, 1 for the first hit, or 0.
func rank(hits []hit, targets []target) int {
	for i, h := range hits[:min(len(hits), depth)] {
		if slices.ContainsFunc(targets, h.answers) {
			return i + 1
		}
	}
	return 0
}

// A figure is what a mode comes to over questions: the shares of 0 to 1 that are
// answered among the first 1, 5 and 10 hits, and the mean of 1/rank, where a
// question without answer counts 0.
type figure struct {
	At1, At5, At10, MRR float64
	N                   int
}

func figures(ranks []int) figure {
	f := figure{N: len(ranks)}
	if f.N == 0 {
		return f
	}
	part := 1 / float64(f.N)
	for _, r := range ranks {
		if r == 0 {
			continue
		}
		if r <= 1 {
			f.At1 += part
		}
		if r <= 5 {
			f.At5 += part
		}
		if r <= 10 {
			f.At10 += part
		}
		f.MRR += part / float64(r)
	}
	return f
}

func (f figure) minus(g figure) figure {
	return figure{f.At1 - g.At1, f.At5 - g.At5, f.At10 - g.At10, f.MRR - g.MRR, f.N}
}

// A row is one question with its rank in each of the modes.
type row struct {
	item
	Rank map[string]int
}

// ranksIn returns the ranks that a mode gives.
func ranksIn(rows []row, mode string) []int {
	var out []int
	for _, r := range rows {
		out = append(out, r.Rank[mode])
	}
	return out
}

func kinds(rows []row) []string {
	set := map[string]bool{}
	for _, r := range rows {
		set[r.Kind] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// compare counts the questions that one mode ranks better than the other, and
// worse. Not to answer is worse than any rank.
func compare(rows []row, mode, other string) (better, worse int) {
	for _, r := range rows {
		switch a, b := place(r.Rank[mode]), place(r.Rank[other]); {
		case a < b:
			better++
		case a > b:
			worse++
		}
	}
	return better, worse
}

// place makes a rank comparable: that of no answer comes last.
func place(rank int) int {
	if rank == 0 {
		return depth + 1
	}
	return rank
}

// quantile returns the value below which the part p, of 0 to 1, of the sorted xs
// lies, and 0 for none.
func quantile(xs []float64, p float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	xs = slices.Sorted(slices.Values(xs))
	return xs[min(len(xs)-1, int(p*float64(len(xs))))]
}
