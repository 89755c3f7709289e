package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/code/rank"
)

// An example is a question as the ranker sees it.
type example struct {
	project  string
	variant  rank.Variant
	rows     [][]float64
	groups   []rank.Groups
	relevant []bool
}

// read makes examples of questions: those that have an answer among their candidates,
// and others; and those that nothing answers.
func read(p *rank.Profile, qs []judged.Question, without []string) (all, foreign []example, err error) {
	for i := range qs {
		q := &qs[i]
		answered, wrong := false, false
		for _, c := range q.Candidates {
			answered, wrong = answered || c.Relevant, wrong || !c.Relevant
		}
		if !q.Foreign && (!answered || !wrong) || slices.Contains(without, q.Project) {
			continue
		}
		e := example{project: q.Project, variant: q.Variant()}
		weights := p.Weights(p.Column(e.variant))
		known := map[string]uint64{}
		for _, c := range q.Candidates {
			row, err := values(weights, c.Explain)
			if err != nil {
				return nil, nil, fmt.Errorf("%q: %w", q.Query, err)
			}
			var g rank.Groups
			for k := range g {
				name := fmt.Sprint(k, len(e.rows)) // its own
				if k < len(c.Groups) {
					name = c.Groups[k]
				}
				n, ok := known[name]
				if !ok {
					n = uint64(len(known))
					known[name] = n
				}
				g[k] = n
			}
			e.rows, e.groups, e.relevant = append(e.rows, row), append(e.groups, g), append(e.relevant, c.Relevant)
		}
		if q.Foreign {
			foreign = append(foreign, e)
		} else {
			all = append(all, e)
		}
	}
	return all, foreign, nil
}

// values returns the values of signals from a breakdown. What adds has its balance in
// it; damping is left to the ranker.
func values(weights []rank.Weight, breakdown []rank.Signal) ([]float64, error) {
	row := make([]float64, len(weights))
	for _, s := range breakdown {
		i := slices.IndexFunc(weights, func(w rank.Weight) bool { return w.Signal == s.Name })
		switch {
		case i < 0: // damping
		case weights[i].Weight == 0 && weights[i].Adds:
			return nil, fmt.Errorf("%q adds %v and has no weight: the profile is another", s.Name, s.Adds)
		case weights[i].Adds:
			row[i] = s.Adds / weights[i].Weight
		case weights[i].Weight < 1:
			row[i] = (1 - s.Value) / (1 - weights[i].Weight)
		}
	}
	return row, nil
}

// A figure is how well questions are ranked.
type figure struct{ ndcg, reciprocal float64 }

const cutoff = 10

// rank ranks an example with a profile. least is the evidence of the best right answer.
func (e *example) rank(p *rank.Profile) (f figure, right float64) {
	s := p.Scorer(e.variant, len(e.rows), false)
	for i, row := range e.rows {
		s.Add(row, e.groups[i])
	}
	total := 0
	for _, r := range e.relevant {
		if r {
			total++
		}
	}
	var gain, ideal float64
	found := false
	for i, r := range s.Rank(func(a, b int) int { return a - b }) {
		if i < min(total, cutoff) {
			ideal += 1 / math.Log2(float64(i+2))
		}
		if !e.relevant[r.At] {
			continue
		}
		if !found {
			found, right = true, r.Evidence
			if i < cutoff {
				f.reciprocal = 1 / float64(i+1)
			}
		}
		if i < cutoff {
			gain += 1 / math.Log2(float64(i+2))
		}
	}
	f.ndcg = gain / ideal
	return f, right
}

// mean returns the mean figure of examples, and above which evidence 95 of 100 of their
// right answers are.
func mean(p *rank.Profile, all []example) (f figure, midpoint float64) {
	var evidence []float64
	for i := range all {
		g, right := all[i].rank(p)
		f.ndcg += g.ndcg / float64(len(all))
		f.reciprocal += g.reciprocal / float64(len(all))
		evidence = append(evidence, right)
	}
	slices.Sort(evidence)
	return f, evidence[len(evidence)/20]
}

// fitted returns the weights of a column that suit examples, all of that column: of all
// signals, or of those that only names, beside which the others keep their size.
func fitted(p *rank.Profile, column int, all []example, penalty float64, only []string) map[string]float64 {
	weights := p.Weights(column)
	logs := make([]float64, len(weights)) // of the factors
	const rounds, rate = 300, .5
	scale := 0.0 // how far evidence differs: what a unit of the logistic is
	for i := range all {
		scale += spread(&all[i], weights) / float64(len(all))
	}
	scale = max(scale, 1e-9)
	for range rounds {
		grad := make([]float64, len(weights))
		for i := range all {
			all[i].gradient(weights, logs, scale, grad, 1/float64(len(all)))
		}
		for k := range logs {
			if only != nil && !slices.Contains(only, weights[k].Signal) {
				continue
			}
			logs[k] -= rate * (grad[k] + 2*penalty*logs[k])
		}
	}
	// The size of the evidence says nothing of the order, but the midpoint is made for it.
	before, after := 0.0, 0.0
	for i := range all {
		for n, row := range all[i].rows {
			if all[i].relevant[n] {
				before += evidence(row, weights, nil)
				after += evidence(row, weights, logs)
			}
		}
	}
	if only != nil {
		before, after = 1, 1
	}
	out := map[string]float64{}
	for k, w := range weights {
		if w.Adds && w.Weight > 0 {
			out[w.Signal] = w.Weight * math.Exp(logs[k]) * before / max(after, 1e-9)
		}
	}
	return out
}

// evidence is what a row comes to, without damping; nil logs: as the profile is.
func evidence(row []float64, weights []rank.Weight, logs []float64) float64 {
	sum, factor := 0.0, 1.0
	for k, w := range weights {
		switch {
		case !w.Adds:
			factor *= 1 - row[k]*(1-w.Weight)
		case logs == nil:
			sum += row[k] * w.Weight
		default:
			sum += row[k] * w.Weight * math.Exp(logs[k])
		}
	}
	return sum * factor
}

// spread is the standard deviation of the evidence of an example's candidates.
func spread(e *example, weights []rank.Weight) float64 {
	var sum, square float64
	n := float64(len(e.rows))
	for _, row := range e.rows {
		x := evidence(row, weights, nil)
		sum, square = sum+x/n, square+x*x/n
	}
	return math.Sqrt(max(0, square-sum*sum))
}

// gradient adds an example's part of the gradient of the loss.
func (e *example) gradient(weights []rank.Weight, logs []float64, scale float64, grad []float64, part float64) {
	totals := make([]float64, len(e.rows))
	pairs := 0.0
	for i, row := range e.rows {
		totals[i] = evidence(row, weights, logs)
		if e.relevant[i] {
			pairs++
		}
	}
	pairs *= float64(len(e.rows)) - pairs
	slope := make([]float64, len(e.rows)) // of the loss by the evidence of each candidate
	for i := range e.rows {
		for j := range e.rows {
			if e.relevant[i] && !e.relevant[j] {
				d := -part / pairs / scale / (1 + math.Exp((totals[i]-totals[j])/scale))
				slope[i] += d
				slope[j] -= d
			}
		}
	}
	for i, row := range e.rows {
		factor := 1.0
		for k, w := range weights {
			if !w.Adds {
				factor *= 1 - row[k]*(1-w.Weight)
			}
		}
		for k, w := range weights {
			if w.Adds {
				grad[k] += slope[i] * factor * row[k] * w.Weight * math.Exp(logs[k])
			}
		}
	}
}

// rewritten returns the text of a profile with other weights in a column. All else,
// comments too, stays as it is.
func rewritten(text string, column, columns int, weights map[string]float64) (string, error) {
	left := maps.Clone(weights)
	lines := strings.Split(text, "\n")
	for n, line := range lines {
		body, _, _ := strings.Cut(line, "#")
		f := strings.Fields(body)
		count := 0
		for count+1 < len(f) {
			if _, err := strconv.ParseFloat(f[count+1], 64); err != nil {
				break
			}
			count++
		}
		if len(f) == 0 || f[0] == "constant" || f[0] == "midpoint" || count == 0 {
			continue
		}
		name := strings.Join(f[count+1:], " ")
		w, ok := left[name]
		if !ok {
			continue
		}
		delete(left, name)
		numbers := f[1 : count+1]
		if count == 1 {
			numbers = slices.Repeat(numbers, columns)
		}
		numbers[column] = strconv.FormatFloat(w, 'g', 3, 64)
		lines[n] = fmt.Sprintf("%-8s", f[0])
		for _, x := range numbers {
			lines[n] += fmt.Sprintf("%*s", max(len(x)+1, 7), x)
		}
		lines[n] += "  " + name
	}
	if len(left) > 0 {
		return "", fmt.Errorf("the profile has no signal %v", slices.Sorted(maps.Keys(left)))
	}
	return strings.Join(lines, "\n"), nil
}
