package engine

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/chunk"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Query is an understood question to a View.
type Query struct {
	rank.Plan
	Filter  index.Filter // nil: every document
	Most    int          // hits wanted at most
	Explain bool
	Exact   bool // what the query is the path of, or names with its scope, comes first
	NoTests bool // no tests that stand beside the code; Filter is for files of tests
}

// A Hit is a chunk that answers, with what the index knows of it.
type Hit struct {
	index.Found
	Score float64 // 0..1
	Exact bool    // the query is its path, or names what it declares with its scope: it has the score of the best
	Words float64 // the share of the query's words that its file has
	Terms uint32  // the terms of the plan that the chunk has
	// Encoding is the file's, as text.Decode has it, once Quote has read it.
	Encoding  string
	Breakdown []rank.Signal
}

// An Answer is the hits of a Query, best first.
type Answer struct {
	Hits     []Hit
	Meant    []Meant // the places of the query that are in the tree
	Stats    rank.Stats
	Degraded string // what kind of evidence could not be had, and why; empty normally
}

// HasNoWord reports whether the index has none of the words of a plan, in no form and no place of the
// tree that it names: all hits are then of meaning alone, which always finds some. Whoever asks by
// meaning alone expects that, and is not told.
func (a *Answer) HasNoWord(p rank.Plan) bool {
	return len(p.Terms) > 0 && len(a.Meant) == 0 &&
		!slices.ContainsFunc(a.Stats.DF, func(n int) bool { return n > 0 }) &&
		!slices.ContainsFunc(a.Hits, func(h Hit) bool { return h.Words > 0 })
}

// candidates is how many chunks are ranked for so many hits wanted. It grows late, because more
// candidates change the evidence of their files: the first ten must not depend on how many follow.
func candidates(most int) int { return max(256, most) }

// perDoc is how many chunks of one document are ranked.
const perDoc = 8

// Search answers a query.
func (v *View) Search(ctx context.Context, q Query) (*Answer, error) {
	a := &Answer{}
	ranked, err := v.ranked(ctx, q, a)
	if err != nil {
		return nil, err
	}
	if q.Together != nil {
		whole := q
		whole.Plan = *q.Together
		asked, err := v.ranked(ctx, whole, &Answer{})
		if err != nil {
			return nil, err
		}
		ranked = rank.Together(ranked, asked)
	}
	if err := v.describe(a, ranked, q.Most); err != nil {
		return a, err
	}
	if q.Exact {
		if err = v.exactly(q, a); err == nil {
			err = v.printed(ctx, q, a, ranked)
		}
	}
	return a, err
}

// ranked returns the candidates of a query with their scores, best first, and says in a by which
// statistics.
func (v *View) ranked(ctx context.Context, q Query, a *Answer) ([]rank.Ranked, error) {
	st, cands, vec, err := v.propose(ctx, q, a)
	if err != nil {
		return nil, err
	}
	a.Stats = st
	r, cands, err := v.ranking(ctx, q, st, cands, vec)
	if err != nil {
		return nil, err
	}
	at := r.Best()
	seen, err := v.look(cands, at, r.Declares)
	if err != nil {
		return nil, err
	}
	r.Look(at, seen)
	return r.Hits(), nil
}

// Candidates returns what Search ranks, by which statistics, and what a closer look at
// every candidate shows, for those who fit the weights.
func (v *View) Candidates(ctx context.Context, q Query) (st rank.Stats, cands []corpus.Candidate, seen []rank.Seen, err error) {
	if st, cands, _, err = v.propose(ctx, q, &Answer{}); err != nil {
		return st, nil, nil, err
	}
	at := make([]int, len(cands))
	for i := range at {
		at[i] = i
	}
	seen, err = v.look(cands, at, func(i int) bool { return cands[i].Named != 0 })
	return st, cands, seen, err
}

// propose returns the candidates that the query's words and its meaning find, and the vector of the
// query; nil where there is none.
func (v *View) propose(ctx context.Context, q Query, a *Answer) (st rank.Stats, cands []corpus.Candidate, vec []float32, err error) {
	n := candidates(q.Most)
	vec = v.embedQuery(ctx, q, a)
	st.Meaning = vec != nil
	// The two proposals read other parts of the index and take about as long.
	var near []corpus.Candidate
	var nearErr error
	var second sync.WaitGroup
	if vec != nil {
		second.Go(func() { near, nearErr = v.Snap.NearestBeside(ctx, v.e.cfg.Embedder.Name(), vec, n, q.Filter, foreign) })
	}
	defer second.Wait()
	if st.DF, st.Chunks, err = v.Snap.DF(q.Terms); err != nil {
		return st, nil, nil, err
	}
	cands, err = v.Snap.LexicalBeside(ctx, q.Terms, n, perDoc, q.Filter, foreign)
	if err == nil {
		cands, err = v.addPlaces(q, a, cands)
	}
	second.Wait()
	err = cmp.Or(err, nearErr)
	if err == nil && vec != nil {
		cands, err = v.addNearest(vec, near, cands)
	}
	if err == nil {
		err = v.addHistory(ctx, q, cands)
	}
	return st, cands, vec, err
}

// foreign is what a project does not write itself. It may be most of a tree: ranking is to see
// the project's own beside it.
const foreign = corpus.Vendored | corpus.Generated

// queryPatience is how long an answer waits for a service that embeds the query:
// by words alone it would long be there.
const queryPatience = 2 * time.Second

// embedQuery returns the query's vector, or nil and a reason in a.Degraded where
// meaning was asked for and cannot be had.
func (v *View) embedQuery(ctx context.Context, q Query, a *Answer) []float32 {
	if q.Mode == rank.Lexical {
		return nil
	}
	p := v.e.cfg.Embedder
	if p == nil {
		if q.Mode == rank.Semantic {
			a.Degraded = "no embedding provider is set: answered by words alone"
		}
		return nil
	}
	wait, stop := context.WithTimeout(ctx, queryPatience)
	defer stop()
	texts := []string{q.Query}
	if len(q.Meanings) > 0 {
		texts = texts[:0]
		for _, m := range q.Meanings {
			texts = append(texts, m.Text)
		}
	}
	vecs, err := p.Embed(wait, texts)
	if err != nil || len(vecs) != len(texts) {
		a.Degraded = fmt.Sprintf("answered by words alone: %v", err)
		return nil
	}
	if _, missing := v.Snap.Unembedded(p.Name()); missing > 0 {
		a.Degraded = fmt.Sprintf("%d chunks have no vectors yet; indexing makes them", missing)
	}
	return blend(vecs, q.Meanings)
}

// look describes some candidates, and of those that declare what was asked for, how
// often that is called.
func (v *View) look(cands []corpus.Candidate, at []int, declares func(int) bool) ([]rank.Seen, error) {
	refs := slice.Map(at, func(i int) corpus.Ref { return cands[i].Ref })
	found, err := v.Snap.Describe(refs)
	if err != nil {
		return nil, err
	}
	seen := make([]rank.Seen, len(at))
	counts := map[string]int{}
	for k, f := range found {
		seen[k] = rank.Seen{Scope: f.Scope, Symbols: f.Symbols}
		if !declares(at[k]) {
			continue
		}
		for _, sym := range f.Symbols {
			n, ok := counts[sym.Name]
			if !ok {
				if n, err = v.Snap.CountKeyed(facts.Key(facts.Called, sym.Name)); err != nil {
					return nil, err
				}
				counts[sym.Name] = n
			}
			seen[k].Called = max(seen[k].Called, uint16(min(n, 1000)))
		}
	}
	return seen, nil
}

// addNearest adds what was proposed by meaning to what was proposed by words.
func (v *View) addNearest(vec []float32, near, cands []corpus.Candidate) ([]corpus.Candidate, error) {
	if err := v.Snap.FillCosine(v.e.cfg.Embedder.Name(), vec, cands); err != nil {
		return nil, err
	}
	have := set.By(cands, func(c *corpus.Candidate) corpus.Ref { return c.Ref })
	for _, c := range near {
		if !have[c.Ref] {
			cands = append(cands, c)
		}
	}
	return cands, nil
}

// describe fills a.Hits with the best of the ranked hits. Equal scores are put in
// the order of paths: the order of the index depends on who indexed what first.
func (v *View) describe(a *Answer, ranked []rank.Ranked, most int) error {
	take := min(most, len(ranked))
	for take < len(ranked) && take > 0 && ranked[take].Value == ranked[take-1].Value {
		take++
	}
	refs := make([]corpus.Ref, take)
	for i := range refs {
		refs[i] = ranked[i].Ref
	}
	found, err := v.Snap.Describe(refs)
	if err != nil {
		return err
	}
	for i, f := range found {
		a.Hits = append(a.Hits, Hit{Found: f, Score: ranked[i].Value, Words: ranked[i].Words, Terms: ranked[i].Terms, Breakdown: ranked[i].Breakdown})
	}
	sorting.Stable(a.Hits, func(x, y Hit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Doc.Path, y.Doc.Path), cmp.Compare(x.Start, y.Start))
	})
	a.Hits = a.Hits[:min(most, len(a.Hits))]
	return nil
}

// Quote reads a hit's text from its file. Where the file has changed since, the
// chunk is looked for in it and h moved; not ok where it is gone.
func (e *Engine) Quote(h *Hit) (quote []byte, ok bool) {
	text, encoding, err := readText(e.root, h.Doc.Path, discover.MaxFile)
	if err != nil {
		return nil, false
	}
	h.Encoding = encoding
	if h.End <= len(text) && h.End-h.Start > 0 && hashOf(text[h.Start:h.End]) == h.Hash {
		return text[h.Start:h.End], true
	}
	doc := corpus.Document{Path: h.Doc.Path, Language: h.Doc.Language, Text: text}
	for _, c := range chunk.Split(doc, syntax.Facts(doc.Path, doc.Language, text).Decls, chunk.Size) {
		if c.Hash == h.Hash {
			h.Chunk = c
			return text[c.Start:c.End], true
		}
	}
	return nil, false
}

// Section returns the span and lines of the smallest declaration that holds a
// hit whole, and its text; the hit itself where there is none.
func (e *Engine) Section(h *Hit) (corpus.Chunk, []byte, bool) {
	text, _, err := readText(e.root, h.Doc.Path, discover.MaxFile)
	if err != nil || h.End > len(text) {
		return corpus.Chunk{}, nil, false
	}
	best := h.Chunk
	found := false
	for _, d := range syntax.Facts(h.Doc.Path, h.Doc.Language, text).Decls {
		if d.Span.Start <= h.Start && d.Span.End >= trimEnd(text, h.Start, h.End) && (!found || d.Span.Len() <= best.Len()) {
			best.Span, found = corpus.Span{Start: d.Span.Start, End: max(d.Span.End, h.End)}, true
		}
	}
	// Whole lines, as chunks have them.
	best.Start = bytes.LastIndexByte(text[:best.Start], '\n') + 1
	if n := bytes.IndexByte(text[best.End-min(1, best.End):], '\n'); n > 0 {
		best.End += n
	}
	best.Lines.First = 1 + bytes.Count(text[:best.Start], []byte("\n"))
	best.Lines.Last = best.Lines.First + bytes.Count(bytes.TrimSuffix(text[best.Start:best.End], []byte("\n")), []byte("\n"))
	return best, text[best.Start:best.End], true
}

func trimEnd(text []byte, start, end int) int {
	return start + len(bytes.TrimRight(text[start:end], " \t\r\n"))
}

// Lines returns lines [first, last] of a file of the tree, as far as it has them,
// and the number of the first of them.
func (e *Engine) Lines(path string, first, last int) ([]byte, int, error) {
	text, _, err := readText(e.root, path, discover.MaxFile)
	if err != nil {
		return nil, 0, err
	}
	first = max(first, 1)
	at := 0
	for line := 1; line < first; line++ {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return nil, line, nil
		}
		at += n + 1
	}
	end := at
	for line := first; line <= last && end < len(text); line++ {
		n := bytes.IndexByte(text[end:], '\n')
		if n < 0 {
			end = len(text)
			break
		}
		end += n + 1
	}
	return text[at:end], first, nil
}
