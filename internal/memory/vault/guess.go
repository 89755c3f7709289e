package vault

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/rank"
)

// askGuesses takes the caller's guesses apart, as a question of their own; nil if there is no word in
// them. A guess names nothing: a capital in it says no more than a small letter.
func askGuesses(words []string, now time.Time, stems *stemmer) *question {
	text := strings.TrimSpace(strings.Join(words, " "))
	if text == "" {
		return nil
	}
	g := ask(text, now, stems)
	for i := range g.terms {
		t := &g.terms[i]
		t.name, t.proper, t.code = false, false, false
		t.weight = min(t.weight, 1)
	}
	if g.when = (when{}); len(g.terms) == 0 {
		return nil
	}
	return g
}

// gatherGuessed adds what has words of the guesses to the candidates, and compares the guesses with
// the question.
func (s *searcher) gatherGuessed(ctx context.Context, x *indexed, vector []float32, found map[int64]bool) error {
	if s.guess == nil {
		return nil
	}
	if err := s.guess.weigh(x); err != nil {
		return err
	}
	if local, ok := s.m.cfg.Embedder.(embed.Local); ok && len(vector) == local.Dims() {
		of := make([]float32, local.Dims())
		local.Vector(of, []byte(s.guess.forVector(x.chunks())))
		for i, v := range of {
			s.near += float64(v) * float64(vector[i])
		}
		s.meant = true
	}
	for _, kind := range s.kinds() {
		ids, err := s.guess.lexical(ctx, x, kind, s.depth(), s.filter(kind))
		if err != nil {
			return err
		}
		for _, id := range ids {
			found[id] = true
		}
	}
	return nil
}

// weighGuesses measures what the guesses add to each candidate. They are compared with copies,
// because ranking notes on a candidate what it has of the question.
func (s *searcher) weighGuesses(cs []*candidate, r ranking) {
	if s.guess == nil {
		return
	}
	r.explain = false
	copies := func() (out []*candidate, at map[int64]*candidate) {
		at = make(map[int64]*candidate, len(cs))
		for _, c := range cs {
			n := *c
			out = append(out, &n)
			at[c.id] = &n
		}
		return out, at
	}
	list, own := copies()
	s.q.rank(list, r, math.Inf(-1))
	best := 0.0
	for _, c := range own {
		best = max(best, c.evidence)
	}
	b := rank.NewBeside(rank.Memory(), s.near, s.meant, best)
	list, guessed := copies()
	average := 0.0
	for _, c := range list {
		s.guess.look(c, s.stems)
		average += float64(c.words) / float64(len(list))
	}
	for _, c := range cs {
		g := guessed[c.id]
		if g.matched != 0 {
			c.guessed = b.Adds(own[c.id].evidence, s.guess.bm25(g, average, g.askedWords)+s.guess.share(g.above)/2)
		}
	}
}

// discount lowers the scores where guesses add to them: a note that has words that somebody expected
// answers less surely than one that has those of the question.
func (s *searcher) discount(cs []*candidate) {
	if s.guess == nil {
		return
	}
	share := rank.Memory().Constant("guesses: share of the evidence")
	for _, c := range cs {
		c.score = rank.Memory().Score(s.variant(), share*c.evidence)
	}
}
