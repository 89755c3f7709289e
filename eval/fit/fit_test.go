package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/code/rank"
)

const profile = `# A comment.
profile  p
variants  any  symbol
midpoint  1  2

# Another.
lexical   1    noise
lexical   0.5  0.25  truth
factor    0.5  old
damping   0.5  page
constant  2    truth or noise
`

// questions are of four projects; those that answer have the truth, or what is called
// so.
func questions(t *testing.T, truth, noise string) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	for i := range 24 {
		q := judged.Question{Project: fmt.Sprint("p", i%4), Query: fmt.Sprint(i), Kind: rank.Question}
		for n := range 6 {
			right := n == i%6
			strong := 0.
			if right {
				strong = .6
			}
			chance := float64((i*7+n*5)%6) / 5
			var why []rank.Signal
			add := func(name string, value, weight float64) {
				if value != 0 {
					why = append(why, rank.Signal{Name: name, Value: value, Adds: value * weight})
				}
			}
			values := map[string]float64{truth: strong, noise: chance}
			add("noise", values["noise"], 1)
			add("truth", values["truth"], .5)
			q.Candidates = append(q.Candidates, judged.Candidate{Groups: []string{fmt.Sprint(n)}, Relevant: right, Explain: why})
		}
		if err := judged.Write(&b, &q); err != nil {
			t.Fatal(err)
		}
	}
	return &b
}

func TestFit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.txt")
	write := func() {
		if err := os.WriteFile(path, []byte(profile), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	content := func() string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	o := options{profiles: dir, penalty: .01, write: true}
	write()
	var out bytes.Buffer
	if err := o.run([]string{"p"}, questions(t, "truth", "noise"), &out); err != nil {
		t.Fatal(err)
	}
	p, err := rank.ParseProfile(content())
	if err != nil {
		t.Fatal(err)
	}
	w, symbol := p.Weights(0), p.Weights(1)
	if !(w[1].Weight > 1.2*w[0].Weight) || symbol[0].Weight != 1 || symbol[1].Weight != .25 || w[2].Weight != .5 {
		t.Errorf("fitted to the truth: %+v, %+v\n%s", w, symbol, out.String())
	}
	for _, want := range []string{"# A comment.", "# Another.", "constant  2    truth or noise", "midpoint  1  2"} {
		if !strings.Contains(content(), want+"\n") {
			t.Errorf("%q is gone:\n%s", want, content())
		}
	}
	if !strings.Contains(out.String(), "24 questions, 24 of them with a right candidate and a wrong one\n") || !strings.Contains(out.String(), "better in 4 projects, worse in 0\n") {
		t.Errorf("%s", out.String())
	}

	// What is as good as it can be stays as it is.
	write()
	if err := o.run([]string{"p"}, questions(t, "noise", "none"), &out); err == nil || !strings.Contains(err.Error(), "nothing is written") || content() != profile {
		t.Errorf("%v\n%s", err, content())
	}
	o.without = "p0,p1,p2"
	if err := o.run([]string{"p"}, questions(t, "truth", "noise"), &out); err == nil || content() != profile {
		t.Errorf("one project is fitted on nothing: %v", err)
	}
	if err := o.run([]string{"none"}, &out, &out); err == nil {
		t.Error("a profile that is not there")
	}
}

// A breakdown gives the values back, whatever the balance and the factors were.
func TestValues(t *testing.T) {
	p, err := rank.ParseProfile(profile)
	if err != nil {
		t.Fatal(err)
	}
	s := p.Scorer(rank.Variant{Kind: rank.Question}, 1, true)
	s.Add([]float64{2, 3, .5}, rank.Groups{1})
	s.Add([]float64{1, 3, 0}, rank.Groups{1})
	for i, r := range s.Rank(func(a, b int) int { return a - b }) {
		row, err := values(p.Weights(0), r.Breakdown)
		if want := fmt.Sprint([][]float64{{2, 3, .5}, {1, 3, 0}}[r.At]); err != nil || fmt.Sprint(row) != want {
			t.Errorf("candidate %d is %v, want %s: %v", i, row, want, err)
		}
	}
	zero := []rank.Weight{{Signal: "a", Adds: true}}
	if _, err := values(zero, []rank.Signal{{Name: "a", Value: 1, Adds: 1}}); err == nil {
		t.Error("a breakdown of another profile is taken")
	}
}

func TestRewritten(t *testing.T) {
	if _, err := rewritten(profile, 0, 2, map[string]float64{"nothing": 1}); err == nil {
		t.Error("a signal that is not there")
	}
	got, err := rewritten(profile, 1, 2, map[string]float64{"noise": 3})
	if want := strings.Replace(profile, "lexical   1    noise", "lexical       1      3  noise", 1); err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}
