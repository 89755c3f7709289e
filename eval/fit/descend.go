package main

import "math"

// softness is the difference of evidence that is taken for a clear one: the order of two
// files nearer than that may be otherwise in the next project.
const softness = .3

// descend returns weights of a column by which questions are answered well, near those that
// it starts from: it goes down the gradient of a loss of pairs of files, one that answers and
// one that does not, each by what NDCG would gain of their exchange (LambdaRank), with a
// penalty on how far each weight moves evidence. No weight falls below 0.
func descend(all []trial, from []float64, free []int, penalty float64) []float64 {
	const rounds, rate, slow, slower = 150, .02, .9, .99
	n := len(from)
	w, unit := append([]float64(nil), from...), make([]float64, n)
	for _, k := range free {
		unit[k] = softness / max(deviation(all, k), 1e-6)
	}
	parts := portions(all)
	mean, square := make([]float64, n), make([]float64, n)
	var s slopes
	for round := range rounds {
		grad := make([]float64, n)
		for i := range all {
			s.add(&all[i], w, parts[i], grad)
		}
		left := 1 - float64(round)/rounds
		for _, k := range free {
			g := grad[k]*unit[k] + 2*penalty*(w[k]-from[k])/unit[k]
			mean[k] = slow*mean[k] + (1-slow)*g
			square[k] = slower*square[k] + (1-slower)*g*g
			step := mean[k] / (1 - math.Pow(slow, float64(round+1))) / (math.Sqrt(square[k]/(1-math.Pow(slower, float64(round+1)))) + 1e-6)
			w[k] = max(0, w[k]-rate*left*step*unit[k])
		}
	}
	return w
}

// portions is how much each question counts: a set by its share, a project as any other of
// the set, a question as any other of the project.
func portions(all []trial) []float64 {
	count := map[string]map[string]float64{}
	total := 0.0
	for i := range all {
		t := &all[i]
		if count[t.set] == nil {
			count[t.set] = map[string]float64{}
			total += shares[t.set]
		}
		count[t.set][t.project]++
	}
	parts := make([]float64, len(all))
	for i := range all {
		t := &all[i]
		parts[i] = shares[t.set] / max(total, 1e-9) / float64(len(count[t.set])) / count[t.set][t.project]
	}
	return parts
}

// slopes is room for the gradient of a question.
type slopes struct {
	best  []int     // of each file, its best row
	worth []float64 // of that
	place []int
	slope []float64
}

// add adds a question's part of the gradient.
func (s *slopes) add(t *trial, w []float64, part float64, grad []float64) {
	files := len(t.right)
	if part == 0 || files == 0 {
		return
	}
	s.best, s.worth = t.worth(w, s.best[:0], s.worth[:0])
	s.place, s.slope = s.place[:0], s.slope[:0]
	for d, x := range s.worth {
		before := 0
		for e, y := range s.worth {
			if y > x || y == x && e < d {
				before++
			}
		}
		s.place, s.slope = append(s.place, before), append(s.slope, 0)
	}
	gain := func(place int) float64 { return 1 / math.Log2(float64(place+2)) }
	for d := range files {
		for e := range files {
			if !t.right[d] || t.right[e] {
				continue
			}
			gained := math.Abs(gain(s.place[d])-gain(s.place[e])) / t.ideal
			x := part * gained / softness / (1 + math.Exp((s.worth[d]-s.worth[e])/softness))
			s.slope[d] -= x
			s.slope[e] += x
		}
	}
	for d, x := range s.slope {
		if x == 0 {
			continue
		}
		for k, v := range t.rows[s.best[d]] {
			grad[k] += x * v
		}
	}
}

// worth appends the best row of each file, and its evidence.
func (t *trial) worth(w []float64, best []int, worth []float64) ([]int, []float64) {
	for range t.right {
		best, worth = append(best, 0), append(worth, math.Inf(-1))
	}
	for i, row := range t.rows {
		sum := 0.0
		for k, x := range row {
			sum += x * w[k]
		}
		if d := t.file[i]; sum > worth[d] {
			best[d], worth[d] = i, sum
		}
	}
	return best, worth
}

// rescaled multiplies weights so that the files that answer have as much evidence as before:
// its size says nothing of the order, but what is not fitted counts beside it.
func rescaled(all []trial, was, is []float64, free []int) []float64 {
	sum := func(w []float64) (total float64) {
		var best []int
		var worth []float64
		for i := range all {
			best, worth = all[i].worth(w, best[:0], worth[:0])
			for d, right := range all[i].right {
				if right {
					total += worth[d]
				}
			}
		}
		return total
	}
	by := sum(was) / max(sum(is), 1e-9)
	for _, k := range free {
		is[k] *= by
	}
	return is
}
