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
