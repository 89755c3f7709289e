package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// A score sums up how facts of one kind agree.
type score struct {
	both, truth, found int
	differ             []difference
}

// A difference is a fact that only one side has.
type difference struct {
	fact
	source  *source
	missing bool // the truth has it
	n       int
}

// add compares what was found in a source with what is true of it.
func (s *score) add(src *source, found, want []fact, multiset bool) {
	count := map[fact]int{}
	// Each side is counted where it is judged; as a set, at most once.
	sum := func(facts []fact, sign int) int {
		seen, n := map[fact]bool{}, 0
		for _, f := range facts {
			if !src.truth.judges(f.Line) || !multiset && seen[f] {
				continue
			}
			seen[f] = true
			count[f] += sign
			n++
		}
		return n
	}
	nFound, nWant := sum(found, -1), sum(want, 1)
	missing := 0
	var differ []difference
	for f, n := range count {
		if n > 0 {
			missing += n
		}
		if n != 0 {
			differ = append(differ, difference{f, src, n > 0, max(n, -n)})
		}
	}
	slices.SortFunc(differ, func(a, b difference) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name)) })
	s.differ = append(s.differ, differ...)
	s.both += nWant - missing
	s.truth += nWant
	s.found += nFound
}

// precision, recall and f1 are 1 where there is nothing to be wrong about.

func (s *score) precision() float64 { return ratio(s.both, s.found) }

func (s *score) recall() float64 { return ratio(s.both, s.truth) }

func (s *score) f1() float64 { return ratio(2*s.both, s.found+s.truth) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// show prints the first n differences: "-" is missing, "+" is not in the truth.
func (s *score) show(w io.Writer, kind string, n int) {
	if n == 0 || len(s.differ) == 0 {
		return
	}
	fmt.Fprintf(w, "%s: %d differences\n", kind, len(s.differ))
	for _, d := range s.differ[:min(n, len(s.differ))] {
		sign := "+"
		if d.missing {
			sign = "-"
		}
		times := ""
		if d.n > 1 {
			times = fmt.Sprintf(" ×%d", d.n)
		}
		fmt.Fprintf(w, "  %s %s:%d %q%s | %s\n", sign, d.source.truth.File, d.Line, d.Name, times, d.source.quote(d.Line))
	}
}
