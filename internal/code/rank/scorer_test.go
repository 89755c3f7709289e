package rank

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"testing"
)

func byNumber(a, b int) int { return cmp.Compare(a, b) }

// score returns the evidence of candidates of their own groups, by number.
func score(s *Scorer, rows ...[]float64) []float64 {
	for i, row := range rows {
		s.Add(row, Groups{uint64(i), uint64(i)})
	}
	out := make([]float64, len(rows))
	for _, r := range s.Rank(byNumber) {
		out[r.At] = r.Evidence
	}
	return out
}

// What each role does to the evidence. The signals are words, meaning, place and old.
func TestRoles(t *testing.T) {
	p := parsed(t, small)
	for name, c := range map[string]struct {
		row  []float64
		want float64
	}{
		"nothing":                 {[]float64{0, 0, 0, 0}, 0},
		"words":                   {[]float64{3, 0, 0, 0}, 3},
		"meaning":                 {[]float64{0, 3, 0, 0}, 1.5},
		"context":                 {[]float64{0, 0, 3, 0}, 6},
		"a factor":                {[]float64{3, 0, 0, 1}, 1.5},
		"a factor in part":        {[]float64{4, 0, 0, .5}, 3},
		"all":                     {[]float64{1, 1, 1, 1}, 1.75},
		"evidence against":        {[]float64{-1, 0, 0, 0}, -1},
		"a factor of no evidence": {[]float64{0, 0, 0, 1}, 0},
	} {
		if got := score(p.Scorer(Variant{Kind: Phrase}, 1, false), c.row)[0]; got != c.want {
			t.Errorf("%s: evidence %v, want %v", name, got, c.want)
		}
	}
	for v, want := range map[Variant]float64{{Kind: Symbol}: 2, {Kind: Phrase, Meaning: true}: 3, {Kind: Symbol, Meaning: true}: 4} {
		if got := score(p.Scorer(v, 1, false), []float64{1, 0, 0, 0})[0]; got != want {
			t.Errorf("%v, %v: evidence %v, want %v", v.Kind, v.Meaning, got, want)
		}
	}
}

func TestBalance(t *testing.T) {
	p := parsed(t, small)
	s := p.Scorer(Variant{Kind: Phrase}, 4, false)
	row := []float64{1, 2, 1, 1}
	s.Add(row, Groups{1, 1}) // (1 + 1 + 2) / 2
	s.Balance(3, 1)
	s.Add(row, Groups{2, 2}) // (3 + 1 + 2) / 2
	s.Balance(3, 5)
	s.Add(row, Groups{3, 3}) // (3 + 5 + 2) / 2
	s.Balance(1, 1)
	s.Add(row, Groups{4, 4})
	got := map[int]float64{}
	for _, r := range s.Rank(byNumber) {
		got[r.At] = r.Evidence
	}
	if want := map[int]float64{0: 2, 1: 3, 2: 5, 3: 2}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("evidence %v, want %v", got, want)
	}
	if again := score(p.Scorer(Variant{Kind: Phrase}, 1, false), row)[0]; again != 2 {
		t.Errorf("a balance of one query is left for the next: %v", again)
	}
}

// Each further candidate of a page counts half of the one before, each further one of
// a section a quarter.
func TestDamping(t *testing.T) {
	p := parsed(t, small)
	for name, c := range map[string]struct {
		groups []Groups
		want   []float64
	}{
		"of their own":         {[]Groups{{1, 1}, {2, 2}, {3, 3}, {4, 4}}, []float64{16, 15, 14, 13}},
		"of a page":            {[]Groups{{1, 1}, {1, 2}, {1, 3}, {2, 4}}, []float64{16, 7.5, 3.5, 13}},
		"of a section":         {[]Groups{{1, 1}, {2, 1}, {3, 1}, {4, 2}}, []float64{16, 3.75, 3.5, 13}},
		"of both":              {[]Groups{{1, 1}, {1, 1}, {1, 1}, {2, 1}}, []float64{16, 15. / 8, 14. / 16, 13. / 4}},
		"a page is no section": {[]Groups{{1, 2}, {2, 1}, {3, 3}, {4, 4}}, []float64{16, 15, 14, 13}},
	} {
		s := p.Scorer(Variant{Kind: Phrase}, 4, false)
		for i, g := range c.groups {
			s.Add([]float64{float64(16 - i), 0, 0, 0}, g)
		}
		got := make([]float64, 4)
		last := math.Inf(1)
		for _, r := range s.Rank(byNumber) {
			got[r.At] = r.Evidence
			if r.Evidence > last {
				t.Errorf("%s: %v after %v", name, r.Evidence, last)
			}
			last = r.Evidence
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	// The best of a group is the best, wherever it was added.
	s := p.Scorer(Variant{Kind: Phrase}, 2, true)
	s.Add([]float64{1, 0, 0, 0}, Groups{1, 1})
	s.Add([]float64{2, 0, 0, 0}, Groups{1, 2})
	r := s.Rank(byNumber)
	if r[0].At != 1 || r[0].Evidence != 2 || r[1].Evidence != .5 {
		t.Errorf("%+v", r)
	}
	if got := fmt.Sprint(r[0].Breakdown, r[1].Breakdown); got != "[{words 2 2}] [{words 1 1} {page 0.5 -0.5}]" {
		t.Errorf("the breakdown is %s", got)
	}
}

func TestOrder(t *testing.T) {
	p := parsed(t, "profile p\nvariants any\nmidpoint 2\nlexical 1 a")
	s := p.Scorer(Variant{}, 0, false)
	for _, v := range []float64{1, 3, 1, -1, 2, 3} {
		s.Add([]float64{v}, Groups{})
	}
	var got []string
	for _, r := range s.Rank(func(a, b int) int { return cmp.Compare(b, a) }) {
		got = append(got, fmt.Sprintf("%d:%.3f", r.At, r.Value))
		if r.Breakdown != nil {
			t.Error("a breakdown that nobody asked for")
		}
	}
	if want := "5:0.600 1:0.600 4:0.500 2:0.333 0:0.333 3:0.000"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %s: equal ones as the caller says", got, want)
	}
}

// A breakdown has each signal that changed the evidence, in order, and adds up to it.
func TestBreakdown(t *testing.T) {
	p := parsed(t, small)
	s := p.Scorer(Variant{Kind: Phrase}, 1, true)
	s.Balance(1, 0)
	s.Add([]float64{4, 3, 1, .5}, Groups{})
	r := s.Rank(byNumber)[0]
	if got := fmt.Sprint(r.Breakdown); got != "[{words 4 4} {place 1 2} {old 0.75 -1.5}]" || r.Evidence != 4.5 {
		t.Errorf("%s comes to %v", got, r.Evidence)
	}
	if got, want := Explanation(r.Breakdown), "    +4.000  words (4.000)\n    +2.000  place (1.000)\n    -1.500  old (0.750)\n"; got != want {
		t.Errorf("Explanation = %q, want %q", got, want)
	}
	if got := Explanation(nil); got != "" {
		t.Errorf("Explanation(nil) = %q", got)
	}
}

// Of signals that exclude each other, the one that adds most counts, beside the others; it
// is the first of a breakdown, and balance does not change it.
func TestEither(t *testing.T) {
	p := parsed(t, "profile p\nvariants any\nscale 1\ncontext 1 near\neither 1 here\neither .5 there\nfactor .5 old\nlexical 1 late")
	for name, c := range map[string]struct {
		row  []float64
		want float64
		says string
	}{
		"none":                    {[]float64{1, 0, 0, 0, 0}, 1, "[{near 1 1}]"},
		"the first":               {[]float64{0, 3, 4, 0, 0}, 3, "[{here 3 3}]"},
		"the second":              {[]float64{0, 1, 4, 0, 0}, 2, "[{there 4 2}]"},
		"of equal ones the first": {[]float64{0, 2, 4, 0, 0}, 2, "[{here 2 2}]"},
		"beside others":           {[]float64{1, 0, 4, 0, 0}, 3, "[{there 4 2} {near 1 1}]"},
		"before a factor":         {[]float64{1, 3, 0, 1, 1}, 3, "[{here 3 3} {near 1 1} {old 0.5 -2} {late 1 1}]"},
	} {
		s := p.Scorer(Variant{}, 1, true)
		s.Balance(1, 3)
		if got := s.Evidence(c.row); got != c.want {
			t.Errorf("%s: evidence %v, want %v", name, got, c.want)
		}
		if got := fmt.Sprint(s.Explain(c.row)); got != c.says {
			t.Errorf("%s: the breakdown is %s, want %s", name, got, c.says)
		}
		s.Add(c.row, Groups{})
		if r := s.Rank(byNumber); len(r) != 1 || r[0].Evidence != c.want || r[0].Value != c.want || fmt.Sprint(r[0].Breakdown) != c.says {
			t.Errorf("%s: ranked %+v, want what was measured before", name, r)
		}
	}
}

func TestRound(t *testing.T) {
	for in, want := range map[float64]float64{0: 0, 1: 1, .12344: .1234, .12346: .1235, .99996: 1} {
		if got := Round(in); got != want {
			t.Errorf("Round(%v) = %v, want %v", in, got, want)
		}
	}
}

// A reason that shows among ranked candidates multiplies their evidence, and what is raised to
// another's score says so: either way the breakdown adds up to the evidence.
func TestLaterReasons(t *testing.T) {
	sum := func(list []Signal) (x float64) {
		for _, s := range list {
			x += s.Adds
		}
		return x
	}
	list := []Signal{{"words", 4, 4}, {"place", 1, 2}}
	half, said := Times(6, .5, "old", list)
	if half != 3 || sum(said) != 3 || fmt.Sprint(said[2:]) != "[{old 0.5 -3}]" {
		t.Errorf("half of 6 is %v: %v", half, said)
	}
	if got, none := Times(6, .5, "old", nil); got != 3 || none != nil {
		t.Errorf("half of 6 is %v, with a breakdown that nobody asked for: %v", got, none)
	}
	if raised := Raise(said, list, "as its neighbour"); sum(raised) != 6 || raised[3].Name != "as its neighbour" || len(said) != 3 {
		t.Errorf("raised: %v", raised)
	}
}

// A chance is even where the score is, and the further from it the more certain the steeper the profile is.
func TestChance(t *testing.T) {
	steep := Tests().Constant("steepness")
	for score, want := range map[float64]float64{0: 0, -1: 0, .5: .5, .8: math.Pow(4, steep) / (1 + math.Pow(4, steep)), .2: 1 / (1 + math.Pow(4, steep))} {
		if got := Tests().Chance(score); math.Abs(got-want) > 1e-9 {
			t.Errorf("Chance(%v) = %v, want %v", score, got, want)
		}
	}
	if got := Tests().Chance(1); got < .999 || got > 1 {
		t.Errorf("Chance(1) = %v", got)
	}
}
