package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/assay-dev/assay/internal/code/rank"
)

// An exported question is what a learner other than this program reads: the files that a
// question's candidates are of, as the profile of today measures their best chunks.
type exported struct {
	Project string         `json:"project"`
	Set     string         `json:"set"`
	Part    int            `json:"part"`   // 0 to 4: held out in turn; 5: the test projects
	Column  int            `json:"column"` // of the profile
	Ideal   float64        `json:"ideal"`  // DCG among the first ten, at best
	Share   float64        `json:"share"`  // how much the question counts in a fit
	Files   []exportedFile `json:"files"`
}

type exportedFile struct {
	Right  bool      `json:"right"`
	Worth  float64   `json:"worth"`  // by the weights of today
	Second float64   `json:"second"` // of its second chunk, 0 where there is none
	Chunks int       `json:"chunks"` // how many are candidates
	Values []float64 `json:"values"` // the signals of its best chunk, each times the factors that apply
}

// export writes the questions of all pools, a JSON object a line, after one that names the
// signals.
func (o options) export(p *rank.Profile, mode rank.Mode, to string) (err error) {
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	w := bufio.NewWriter(f)
	byColumn, err := readPools(o.pools, p, mode)
	if err != nil {
		return err
	}
	if err := write(w, p, byColumn); err != nil {
		return err
	}
	return w.Flush()
}

func write(w io.Writer, p *rank.Profile, byColumn map[int][]trial) error {
	out := json.NewEncoder(w)
	if err := out.Encode(map[string][]string{"signals": p.Signals()}); err != nil {
		return fmt.Errorf("write signals: %w", err)
	}
	asked := askedOf(byColumn)
	for _, c := range slices.Sorted(maps.Keys(byColumn)) {
		all := slices.DeleteFunc(slices.Clone(byColumn[c]), func(t trial) bool { return t.set == foreign })
		weights := make([]float64, 0, len(p.Weights(c)))
		for _, x := range p.Weights(c) {
			weights = append(weights, x.Weight)
		}
		share := portions(all)
		for i := range all {
			e := all[i].exported(weights)
			e.Part, e.Column, e.Share = fold(e.Project, asked), c, share[i]
			if err := out.Encode(e); err != nil {
				return fmt.Errorf("write a question of %s: %w", e.Project, err)
			}
		}
	}
	return nil
}

// askedOf returns the projects that the questions of the benchmark are of.
func askedOf(byColumn map[int][]trial) map[string]bool {
	asked := map[string]bool{}
	for _, all := range byColumn {
		for _, t := range all {
			asked[t.project] = asked[t.project] || t.set == "questions"
		}
	}
	return asked
}

func (t *trial) exported(w []float64) exported {
	best, worth := t.worth(w, nil, nil)
	e := exported{Project: t.project, Set: t.set, Ideal: t.ideal, Files: make([]exportedFile, len(t.right))}
	for d, right := range t.right {
		e.Files[d] = exportedFile{Right: right, Worth: worth[d], Values: t.rows[best[d]]}
	}
	for i, row := range t.rows {
		f := &e.Files[t.file[i]]
		f.Chunks++
		sum := 0.0
		for k, x := range row {
			sum += x * w[k]
		}
		if i != best[t.file[i]] {
			f.Second = max(f.Second, sum)
		}
	}
	return e
}
