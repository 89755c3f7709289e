package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-dev/assay/internal/code/rank"
)

// compare prints how a profile does beside the one of the same name in another folder, of
// before a fit or a signal, on all questions of the pools.
func (o options) compare(p *rank.Profile, mode rank.Mode, name string, w io.Writer) error {
	text, err := os.ReadFile(filepath.Join(o.against, name))
	if err != nil {
		return err
	}
	before, err := rank.ParseProfile(string(text))
	if err != nil {
		return err
	}
	var ndcg, hit [2]tally
	for i, p := range []*rank.Profile{before, p} {
		ndcg[i], hit[i] = tally{}, tally{}
		byColumn, err := readPools(o.pools, p, mode)
		if err != nil {
			return err
		}
		for _, c := range slices.Sorted(maps.Keys(byColumn)) {
			all := slices.DeleteFunc(byColumn[c], func(t trial) bool { return t.set == foreign })
			x := make([]float64, 0, len(p.Signals()))
			for _, weight := range weightsOf(p, c) {
				x = append(x, weight.Weight)
			}
			y, h := tallyOf(all, x)
			ndcg[i].merge(y)
			hit[i].merge(h)
		}
	}
	fmt.Fprintf(w, "%s, by the profile of %s and by this one: mean %.4f → %.4f\n", mode, o.against, ndcg[0].mean(), ndcg[1].mean())
	printTallies(w, ndcg[0], ndcg[1], hit[0], hit[1])
	return nil
}

// weightsOf returns the weights of a column in the order in which the signals are measured
// today. One that the profile lacks counts nothing: it is older.
func weightsOf(p *rank.Profile, column int) []rank.Weight {
	have := map[string]rank.Weight{}
	for _, w := range p.Weights(column) {
		have[w.Signal] = w
	}
	var all []rank.Weight
	for _, w := range rank.Code().Weights(0) {
		x, ok := have[w.Signal]
		if !ok {
			x = rank.Weight{Signal: w.Signal, Adds: true}
		}
		all = append(all, x)
	}
	return all
}
