package main

import (
	"slices"
)

// depth is how many hits are asked for.
const depth = 10

// A row is a question and what a mode found: the paths, best first, each once.
type row struct {
	question
	found []string
}

// rank returns the place of the first right path, from 1; 0: there is none.
func (r *row) rank() int {
	for i, p := range r.found[:min(len(r.found), depth)] {
		if slices.Contains(r.In, p) {
			return i + 1
		}
	}
	return 0
}

// all reports whether all right paths are among the first depth.
func (r *row) all() bool {
	for _, want := range r.In {
		if !slices.Contains(r.found[:min(len(r.found), depth)], want) {
			return false
		}
	}
	return true
}

// A figure is what a mode comes to over questions: the shares of 0 to 1 with any
// right path among the first 1, 5 and 10 and with all among the first 10, and the
// mean of 1/rank.
type figure struct {
	n                         int
	at1, at5, at10, all, rank float64
}

func figures(rows []row) (f figure) {
	for _, r := range rows {
		if len(r.In) == 0 {
			continue
		}
		f.n++
		k := r.rank()
		if k == 0 {
			continue
		}
		f.rank += 1 / float64(k)
		f.at10++
		if k <= 5 {
			f.at5++
		}
		if k == 1 {
			f.at1++
		}
		if r.all() {
			f.all++
		}
	}
	if f.n == 0 {
		return f
	}
	for _, x := range []*float64{&f.at1, &f.at5, &f.at10, &f.all, &f.rank} {
		*x /= float64(f.n)
	}
	return f
}

func kinds(qs []question) (out []string) {
	for _, q := range qs {
		if !slices.Contains(out, q.Kind) {
			out = append(out, q.Kind)
		}
	}
	return out
}
