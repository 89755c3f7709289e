package rank

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

func TestReadGuesses(t *testing.T) {
	tests := []struct {
		name string
		list []string
		want []string
	}{
		{"one string of several words", []string{"retry backoff, maxAttempts"}, []string{"retry", "backoff", "maxAttempts"}},
		{"a list", []string{"retry", "`backoff`"}, []string{"retry", "backoff"}},
		{"a file name is its stem", []string{"retry.go"}, []string{"retry"}},
		{"a member is no extension", []string{"time.sleep"}, []string{"time", "sleep"}},
		{"a stop word is no guess", []string{"the retry"}, []string{"retry"}},
		{"twice is once", []string{"retry retry"}, []string{"retry"}},
		{"nothing", []string{" ", ""}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			if g := ReadGuesses(tt.list, isGo); g != nil {
				for _, w := range g.Words {
					got = append(got, w.Text)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("ReadGuesses(%q) = %q, want %q", tt.list, got, tt.want)
			}
		})
	}
}

// statsOf says that each term of guesses is in some of 1,000 chunks.
func statsOf(g *Guesses, df map[string]int) Stats {
	st := Stats{Chunks: 1000}
	for _, t := range g.Terms {
		st.DF = append(st.DF, df[t.Text])
	}
	return st
}

func TestChooseGuesses(t *testing.T) {
	g := ReadGuesses([]string{"retryBudget absent"}, isGo)
	got := g.Choose(statsOf(g, map[string]int{"retrybudget": 1, "retry": 40, "budget": 12}))
	if len(got.Words) != 1 || got.Words[0].Text != "retryBudget" || got.Words[0].Whole == 0 || len(got.Terms) != 3 {
		t.Errorf("Choose = %+v, want retryBudget with three terms and nothing of absent", got)
	}
	if none := g.Choose(statsOf(g, nil)); none != nil {
		t.Errorf("of guesses that the tree has not, Choose = %+v, want nil", none)
	}
	var many []string
	df := map[string]int{}
	for i := range 60 {
		w := "w" + string(rune('a'+i%26)) + string(rune('a'+i/26))
		many = append(many, w)
		df[w] = 1 + i
	}
	g = ReadGuesses(many, isGo)
	if got := g.Choose(statsOf(g, df)); len(got.Terms) != corpus.MaxTerms || got.Terms[0].Text != many[0] {
		t.Errorf("of 60 guesses %d terms are asked for, the first %v; want the %d rarest", len(got.Terms), got.Terms[0], corpus.MaxTerms)
	}
}

// guessing ranks two candidates: the question has half of its words in the first and none in the
// second, and the guesses are in the second alone.
func guessing(t *testing.T, near float64, names bool) (first, second float64) {
	t.Helper()
	p := Parse("retry failed requests", Hybrid)
	cands := []corpus.Candidate{{Ref: corpus.Ref{Chunk: 1}, Doc: 1, Score: 6, Terms: 3, DocTerms: 3, DocScore: 6, DocBest: 6, Chunks: 1}, {Ref: corpus.Ref{Chunk: 2}, Doc: 2, Chunks: 1}}
	g := ReadGuesses([]string{"backoff"}, isGo)
	g = g.Choose(statsOf(g, map[string]int{"backoff": 2})).Compared(near, []float64{near})
	guessed := []corpus.Candidate{{Ref: cands[0].Ref, Doc: 1}, {Ref: cands[1].Ref, Doc: 2, Terms: 1, DocTerms: 1}}
	if names {
		guessed[1].Named, guessed[1].Whole, guessed[1].Stem, guessed[1].File = 1, 1, 1, 1
	}
	r := NewRanking(p, Stats{Chunks: 1000, DF: make([]int, len(p.Terms)), Meaning: true}, cands, false)
	r.Guess(g, guessed)
	values := r.Values()
	return values[0][codeGuessed], values[1][codeGuessed]
}

func TestGuessIsEvidenceOfItsOwn(t *testing.T) {
	first, text := guessing(t, .3, false)
	if first != 0 || text <= 0 {
		t.Errorf("a guess adds %v to what lacks it, and %v to what has it; want 0 and more", first, text)
	}
	if _, name := guessing(t, .3, true); name <= text {
		t.Errorf("a declared name and a file name add %v, the text alone %v: want more", name, text)
	}
	if _, far := guessing(t, -.05, false); far >= text {
		t.Errorf("a guess far from the question adds %v, a near one %v: want less", far, text)
	}
}

// A query without guesses is ranked as before them, and a guess that nothing has changes nothing.
func TestNoGuesses(t *testing.T) {
	if g := ReadGuesses(nil, isGo); g != nil {
		t.Errorf("ReadGuesses(nil, isGo) = %+v, want nil", g)
	}
}

func isGo(name string) bool { return strings.HasSuffix(name, ".go") }
