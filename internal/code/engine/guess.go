package engine

import (
	"context"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// addGuessed proposes by the caller's guesses, and says of every candidate which of them it has: the
// second slice is parallel to the first. The query's own evidence for the candidates that only
// guesses propose is measured as if the query had proposed them.
func (v *View) addGuessed(ctx context.Context, q Query, vec []float32, own []corpus.Candidate) (cands, guessed []corpus.Candidate, err error) {
	n := candidates(q.Most)
	by, err := v.Snap.LexicalBeside(ctx, q.Guesses.Terms, n, perDoc, q.Filter, foreign)
	if err != nil {
		return nil, nil, err
	}
	ownPaths, err := v.pathsOf(own)
	if err != nil {
		return nil, nil, err
	}
	byPaths, err := v.pathsOf(by)
	if err != nil {
		return nil, nil, err
	}
	// Documents that one side alone proposes are measured by the other's terms.
	moreOwn, err := v.Snap.LexicalBeside(ctx, q.Terms, perDoc*len(byPaths), perDoc, onlyIn(byPaths, ownPaths, q.Filter), 0)
	if err != nil {
		return nil, nil, err
	}
	moreBy, err := v.Snap.LexicalBeside(ctx, q.Guesses.Terms, perDoc*len(ownPaths), perDoc, onlyIn(ownPaths, byPaths, q.Filter), 0)
	if err != nil {
		return nil, nil, err
	}
	cands = fill(own, moreOwn, by)
	guessed = fill(by, moreBy, cands)
	at := make(map[corpus.Ref]int, len(guessed))
	for i, c := range guessed {
		at[c.Ref] = i
	}
	if vec != nil {
		if err := v.Snap.FillCosine(v.e.cfg.Embedder.Name(), vec, cands[len(own):]); err != nil {
			return nil, nil, err
		}
	}
	parallel := slice.Map(cands, func(c corpus.Candidate) corpus.Candidate { return guessed[at[c.Ref]] })
	return cands, parallel, nil
}

// fill returns candidates and, of others that are not among them, those of wanted: with what more
// measures of them, or at least what it measures of their documents.
func fill(cands, more, wanted []corpus.Candidate) []corpus.Candidate {
	have := make(map[corpus.Ref]bool, len(cands))
	known := make(map[corpus.Ref]corpus.Candidate, len(more))
	sibling := map[index.DocRef]corpus.Candidate{}
	for _, c := range cands {
		have[c.Ref] = true
		sibling[index.DocRef{Segment: c.Segment, Doc: c.Doc}] = c
	}
	for _, c := range more {
		known[c.Ref] = c
		sibling[index.DocRef{Segment: c.Segment, Doc: c.Doc}] = c
	}
	for _, w := range wanted {
		if have[w.Ref] {
			continue
		}
		have[w.Ref] = true
		c, ok := known[w.Ref]
		if !ok {
			c = corpus.Candidate{Ref: w.Ref, Doc: w.Doc, Flags: w.Flags, Words: w.Words, Chunks: w.Chunks, First: w.First}
			if s, ok := sibling[index.DocRef{Segment: w.Segment, Doc: w.Doc}]; ok {
				c = related(c, s)
			}
		}
		cands = append(cands, c)
	}
	return cands
}

func (v *View) pathsOf(cands []corpus.Candidate) (map[string]bool, error) {
	refs := make([]corpus.Ref, 0, len(cands))
	docs := map[index.DocRef]bool{}
	for _, c := range cands {
		if d := (index.DocRef{Segment: c.Segment, Doc: c.Doc}); !docs[d] {
			docs[d] = true
			refs = append(refs, c.Ref)
		}
	}
	found, err := v.Snap.Describe(refs)
	return set.By(found, func(f *index.Found) string { return f.Doc.Path }), err
}

// onlyIn returns a filter of the documents in one set and not in another.
func onlyIn(in, out map[string]bool, f index.Filter) index.Filter {
	return func(d index.DocInfo) bool { return in[d.Path] && !out[d.Path] && (f == nil || f(d)) }
}

// ranking measures candidates, and those that the caller's guesses add to them.
func (v *View) ranking(ctx context.Context, q Query, st rank.Stats, cands []corpus.Candidate, vec []float32) (*rank.Ranking, []corpus.Candidate, error) {
	if q.Guesses == nil {
		if q.NoTests {
			cands = slices.DeleteFunc(cands, isTest)
		}
		return rank.NewRanking(q.Plan, st, cands, q.Explain), cands, nil
	}
	cands, guessed, err := v.addGuessed(ctx, q, vec, cands)
	if err != nil {
		return nil, nil, err
	}
	if q.NoTests {
		cands, guessed = slices.DeleteFunc(cands, isTest), slices.DeleteFunc(guessed, isTest)
	}
	r := rank.NewRanking(q.Plan, st, cands, q.Explain)
	r.Guess(v.compared(ctx, q.Guesses, vec), guessed)
	return r, cands, nil
}

func isTest(c corpus.Candidate) bool { return c.Flags&corpus.Test != 0 }

// compared returns guesses with how near in meaning they are to a query, if its vector is known.
func (v *View) compared(ctx context.Context, g *rank.Guesses, vec []float32) *rank.Guesses {
	if vec == nil {
		return g
	}
	wait, stop := context.WithTimeout(ctx, queryPatience)
	defer stop()
	texts := []string{g.Text}
	for _, w := range g.Words {
		texts = append(texts, w.Text)
	}
	vecs, err := v.e.cfg.Embedder.Embed(wait, texts)
	if err != nil || len(vecs) != len(texts) {
		return g // by words alone, as if there were no vectors
	}
	cosines := make([]float64, len(vecs))
	for i, x := range vecs {
		for j := range min(len(x), len(vec)) {
			cosines[i] += float64(x[j]) * float64(vec[j])
		}
	}
	return g.Compared(cosines[0], cosines[1:])
}

// guesses reads the caller's guesses, and chooses the terms that say most in this tree; nil if it
// has none of them.
func (v *View) guesses(list []string) (*rank.Guesses, error) {
	g := rank.ReadGuesses(list, func(name string) bool { return syntax.Language(name, nil) != "" })
	if g == nil {
		return nil, nil
	}
	df, n, err := v.Snap.DF(g.Terms)
	if err != nil {
		return nil, err
	}
	return g.Choose(rank.Stats{Chunks: n, DF: df}), nil
}
