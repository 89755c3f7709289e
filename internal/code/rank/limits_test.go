package rank

import (
	"math"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// A query without terms gives every signal a number: one that is none would rank a
// candidate anywhere.
func TestNoTerms(t *testing.T) {
	c := candidate(1, 1, 0)
	m := newMeasure(Plan{}, Stats{}, nil)
	for i, v := range m.code(&c, look{}) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("signal %d is %v", i, v)
		}
	}
	if got := m.share(^uint32(0)); got != 0 {
		t.Errorf("share of no terms = %v, want 0", got)
	}
}

// What follows the number of an item begins a sentence, so that its capital letter says
// nothing, though the word before it is of one character.
func TestSentenceAfterOneCharacter(t *testing.T) {
	q := Read("7. Beta and Gamma", readings["memory"])
	var names []string
	for _, w := range q.Words {
		if w.Name {
			names = append(names, w.Text)
		}
	}
	if got := strings.Join(names, " "); got != "Gamma" {
		t.Errorf("names %q, want Gamma alone", got)
	}
}

// A report asks for tests by its title. What else it says of tests is what was tried.
func TestWantsByTitle(t *testing.T) {
	for title, want := range map[string]corpus.Flags{"Unit tests for the valve": corpus.Test, "Valve leaks under pressure": 0} {
		query := strings.Replace(report("I ran the tests, and the unit tests of the valve pass."), "Valve leaks under pressure", title, 1)
		short := Parse(query, Hybrid)
		p := short.Pasted()
		if p == nil {
			t.Fatal("the report is short")
		}
		if got := p.Plan(short, statistics(p)).Wants & corpus.Test; got != want {
			t.Errorf("%s: wants %v, want %v", title, got, want)
		}
	}
}

// A query of 8 KB is read whole; of a longer one is said that it was cut.
func TestLongestQuery(t *testing.T) {
	word := strings.Repeat("valve ", longest)
	for n, want := range map[int]bool{8<<10 - 1: false, 8 << 10: false, 8<<10 + 1: true} {
		if got := Parse(word[:n], Hybrid).cut; got != want {
			t.Errorf("of %d bytes: cut is %v", n, got)
		}
	}
}

// The signal that excludes others is in the breakdown though it is the profile's first.
func TestEitherComesFirst(t *testing.T) {
	p := parsed(t, "profile p\nvariants any\nscale 1\neither 1 here\neither .5 there")
	if got := p.Scorer(Variant{}, 1, true).Explain([]float64{2, 1}); len(got) != 1 || got[0] != (Signal{"here", 2, 2}) {
		t.Errorf("breakdown %v", got)
	}
}
