package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/assay-dev/assay/eval/keptaside"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A fitting is a profile while it is fitted.
type fitting struct {
	names   []string
	factors []bool
	tasks   []task
}

// A task is the candidates of one change.
type task struct {
	project string
	of      []labelled
	right   int
}

// depths are how many of the first candidates count: a brief of any budget is some of the
// first.
var depths = []int{1, 3, 10, 30, 100}

// fit fits the weights of a profile to pools: for the mean over projects of the share of
// what is right among the first so many. It changes one weight at a time, as long as the
// mean rises by more than noise would, from the weights of the profile; then it finds the
// midpoint and the steepness with which scores are chances. With only, the weights stay.
func fit(pools, profile string, only bool) error {
	open, ok := map[string]func() *rank.Profile{"files": rank.Files, "places": rank.Places, "tests": rank.Tests}[profile]
	if !ok {
		return fmt.Errorf("%q is not files, places or tests", profile)
	}
	f, err := os.Open(pools)
	if err != nil {
		return err
	}
	defer f.Close()
	var x fitting
	var all []labelled
	for dec := json.NewDecoder(f); ; {
		var p pooled
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if err := keptaside.Check(p.Project); err != nil {
			return err
		}
		t := task{project: p.Project, of: map[string][]labelled{"files": p.Files, "places": p.Places, "tests": p.Tests}[profile]}
		all = append(all, t.of...)
		for _, c := range t.of {
			if c.Right {
				t.right++
			}
		}
		if t.right > 0 {
			x.tasks = append(x.tasks, t)
		}
	}
	var w []float64
	for _, s := range open().Weights(0) {
		x.names, x.factors, w = append(x.names, s.Signal), append(x.factors, !s.Adds), append(w, s.Weight)
	}
	best := x.measure(w)
	fmt.Fprintf(os.Stderr, "%d tasks: %.4f as it is\n", len(x.tasks), best)
	const noise = 3e-4
	for improved := !only; improved; {
		improved = false
		for k := range w {
			for _, by := range []float64{0, .25, .5, .7, 1.4, 2, 4} {
				v := slices.Clone(w)
				if v[k] *= by; w[k] == 0 {
					v[k] = .05 * by
				}
				if x.factors[k] {
					v[k] = max(.02, min(1, v[k]))
				}
				if got := x.measure(v); got > best+noise {
					best, w, improved = got, v, true
				}
			}
		}
		fmt.Fprintf(os.Stderr, "%.4f\n", best)
	}
	mid, steep := x.calibrate(w, all)
	fmt.Printf("midpoint %.3g\nconstant %.3g steepness\n", mid, steep)
	for k, name := range x.names {
		fmt.Printf("%-8.3g %s\n", w[k], name)
	}
	return nil
}

// calibrate returns the midpoint and the steepness with which the chances of candidates are
// likeliest: a logistic regression on the logarithm of the evidence, by Newton's method.
func (x *fitting) calibrate(w []float64, all []labelled) (mid, steep float64) {
	a, b := -3.0, 1.0 // ln odds = a + b ln evidence
	for range 50 {
		var ga, gb, haa, hab, hbb float64
		for _, c := range all {
			e := math.Log(max(x.evidence(w, c.Values), 1e-6))
			p := 1 / (1 + math.Exp(-a-b*e))
			d, h := yes(c.Right)-p, p*(1-p)
			ga, gb = ga+d, gb+d*e
			haa, hab, hbb = haa+h, hab+h*e, hbb+h*e*e
		}
		det := haa*hbb - hab*hab
		if det == 0 {
			break
		}
		a, b = a+(hbb*ga-hab*gb)/det, b+(haa*gb-hab*ga)/det
	}
	return math.Exp(-a / b), b
}

func (x *fitting) evidence(w, values []float64) float64 {
	s := 0.0
	for k, v := range values {
		if !x.factors[k] {
			s += w[k] * v
		}
	}
	for k, v := range values {
		if x.factors[k] && v != 0 {
			s *= 1 - v*(1-w[k])
		}
	}
	return s
}

// measure is the mean over projects of the means over their tasks.
func (x *fitting) measure(w []float64) float64 {
	sum, n := map[string]float64{}, map[string]float64{}
	for i := range x.tasks {
		t := &x.tasks[i]
		all := make([]float64, len(t.of))
		for j := range t.of {
			all[j] = x.evidence(w, t.of[j].Values)
		}
		got := 0.0
		for j := range t.of {
			if !t.of[j].Right {
				continue
			}
			before := 0
			for k, s := range all {
				if s > all[j] || s == all[j] && k < j {
					before++
				}
			}
			for _, d := range depths {
				if before < d {
					got += 1 / float64(min(d, t.right))
				}
			}
		}
		sum[t.project] += min(1, got/float64(len(depths)))
		n[t.project]++
	}
	total := 0.0
	for p, s := range sum {
		total += s / n[p]
	}
	return total / float64(len(sum))
}
