package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/code/rank"
)

// The midpoint is between what answers and what does not, and where both overlap on the
// side of what is asked more often.
func TestCalibrated(t *testing.T) {
	of := func(own, foreign []float64) (all []asked) {
		for _, e := range own {
			all = append(all, asked{evidence: e})
		}
		for _, e := range foreign {
			all = append(all, asked{evidence: e, foreign: true})
		}
		return all
	}
	for _, c := range []struct {
		own, foreign []float64
		answered     float64
		want         float64
	}{
		{[]float64{3, 4, 5}, []float64{0, 1}, .5, 2},
		{[]float64{1, 3, 4, 5}, []float64{0, 2, 2}, .5, 2.5},
		{[]float64{1, 3, 4, 5}, []float64{0, 2, 2}, .9, .5},
		{[]float64{1, 1}, nil, .5, .5},
	} {
		if got := calibrated(of(c.own, c.foreign), c.answered); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v against %v at %v: %v, want %v", c.own, c.foreign, c.answered, got, c.want)
		}
	}
	if a := abstains(of([]float64{1, 3}, []float64{1, 2, 0}), 2); a != (abstention{.5, 2. / 3}) {
		t.Errorf("%+v", a)
	}
}

// A midpoint that is better where it was not calibrated is written, of its variant alone.
func TestFitMidpoint(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.txt")
	if err := os.WriteFile(path, []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	ask := func(i int, foreign bool, best float64) {
		q := judged.Question{Project: fmt.Sprint("p", i%4), Query: fmt.Sprint(i), Kind: rank.Question, Foreign: foreign}
		for n, e := range []float64{best, best / 4} {
			q.Candidates = append(q.Candidates, judged.Candidate{Relevant: !foreign && n == 0, Explain: []rank.Signal{{Name: "noise", Value: e, Adds: e}}})
		}
		if err := judged.Write(&in, &q); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		ask(i, false, 8+float64(i%5))
		ask(i, true, 2+float64(i%5)/2)
	}
	var out bytes.Buffer
	o := options{profiles: dir, penalty: .01, write: true, answered: .5}
	if err := o.run([]string{"p"}, &in, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(profile, "midpoint  1  2", "midpoint  6  2", 1); string(got) != want {
		t.Errorf("%s\n%s", got, out.String())
	}
	for _, want := range []string{"midpoint 1.000: a right answer at 1.000 of 20 questions, nothing at 0.000 of 20 that nothing answers\n", "calibrated, held out: 1.000 and 1.000; on all of them 6\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
