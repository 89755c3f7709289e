package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/code/rank"
)

// An asked is a question, and what decides whether it gets an answer: the evidence of the
// best right candidate, and of a question that nothing answers, of the best.
type asked struct {
	project  string
	evidence float64
	foreign  bool
}

// abstention says what a score midpoint does.
type abstention struct{ told, silent float64 }

// abstains returns which part of the questions that have an answer has a right one at the
// midpoint or above it, and which part of the foreign has nothing there.
func abstains(all []asked, midpoint float64) (a abstention) {
	own, foreign := 0.0, 0.0
	for _, q := range all {
		switch {
		case q.foreign:
			foreign++
			if q.evidence < midpoint {
				a.silent++
			}
		default:
			own++
			if q.evidence >= midpoint {
				a.told++
			}
		}
	}
	a.told /= max(own, 1)
	a.silent /= max(foreign, 1)
	return a
}

// worth is what a midpoint is chosen for: how often it is right where this part of the
// questions has an answer.
func (a abstention) worth(answered float64) float64 {
	return answered*a.told + (1-answered)*a.silent
}

// calibrated returns the midpoint of the greatest worth. It lies between two questions; of
// a run of midpoints that are worth the same, it is in the middle.
func calibrated(all []asked, answered float64) float64 {
	at := []float64{0}
	for _, q := range all {
		at = append(at, q.evidence)
	}
	slices.Sort(at)
	at = slices.Compact(at)
	best, from, to := -1.0, 0.0, 0.0
	for i := 1; i < len(at); i++ {
		// Whatever lies above at[i-1] and not above at[i] does the same.
		switch w := abstains(all, at[i]).worth(answered); {
		case w > best:
			best, from, to = w, at[i-1], at[i]
		case w == best && to == at[i-1]: // the run goes on
			to = at[i]
		}
	}
	return (from + to) / 2
}

// abstaining returns the questions of a column as a midpoint sees them.
func abstaining(p *rank.Profile, own, foreign []example) (all []asked) {
	for i := range own {
		_, right := own[i].rank(p)
		all = append(all, asked{own[i].project, right, false})
	}
	for i := range foreign {
		all = append(all, asked{foreign[i].project, foreign[i].best(p), true})
	}
	return all
}

// best is the evidence of the best candidate.
func (e *example) best(p *rank.Profile) float64 {
	s := p.Scorer(e.variant, len(e.rows), false)
	for i, row := range e.rows {
		s.Add(row, e.groups[i])
	}
	if ranked := s.Rank(cmp.Compare[int]); len(ranked) > 0 {
		return ranked[0].Evidence
	}
	return 0
}

// folds is into how many parts the projects are divided of which each is held out in turn.
const folds = 5

// foldOf returns into which part each question falls: all of a project into one, or where there are fewer projects than
// parts, in turn.
func foldOf(all []asked) []int {
	var projects []string
	for _, q := range all {
		if !slices.Contains(projects, q.project) {
			projects = append(projects, q.project)
		}
	}
	slices.Sort(projects)
	out := make([]int, len(all))
	for i, q := range all {
		if out[i] = i % folds; len(projects) >= folds {
			out[i] = slices.Index(projects, q.project) % folds
		}
	}
	return out
}

// calibrate prints what the midpoint of a column does, and what one does that is calibrated
// on four fifths of the questions for the fifth that is held out. It returns the midpoint
// calibrated on all, and whether those were better.
func calibrate(p *rank.Profile, own, foreign []example, answered float64, w io.Writer) (midpoint float64, better bool) {
	if len(own) < folds || len(foreign) < folds {
		return 0, false
	}
	all := abstaining(p, own, foreign)
	part := foldOf(all)
	now := 1/p.Score(own[0].variant, 1) - 1
	was := abstains(all, now)
	var is abstention
	of := [2]float64{1 / float64(len(own)), 1 / float64(len(foreign))}
	for fold := range folds {
		var held, rest []asked
		for i, q := range all {
			if part[i] == fold {
				held = append(held, q)
			} else {
				rest = append(rest, q)
			}
		}
		m := calibrated(rest, answered)
		for _, q := range held {
			switch {
			case q.foreign && q.evidence < m:
				is.silent += of[1]
			case !q.foreign && q.evidence >= m:
				is.told += of[0]
			}
		}
	}
	midpoint = calibrated(all, answered)
	fmt.Fprintf(w, "  midpoint %.3f: a right answer at %.3f of %d questions, nothing at %.3f of %d that nothing answers\n", now, was.told, len(own), was.silent, len(foreign))
	fmt.Fprintf(w, "  calibrated, held out: %.3f and %.3f; on all of them %.3g\n", is.told, is.silent, midpoint)
	return midpoint, is.worth(answered) > was.worth(answered)
}

// withMidpoint returns the text of a profile with another midpoint of a column.
func withMidpoint(text string, column, columns int, midpoint float64) (string, error) {
	lines := strings.Split(text, "\n")
	for n, line := range lines {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] != "midpoint" {
			continue
		}
		numbers := f[1:]
		if len(numbers) == 1 {
			numbers = slices.Repeat(numbers, columns)
		}
		numbers[column] = strconv.FormatFloat(midpoint, 'g', 2, 64)
		lines[n] = "midpoint  " + strings.Join(numbers, "  ")
		return strings.Join(lines, "\n"), nil
	}
	return "", fmt.Errorf("the profile has no midpoint")
}
