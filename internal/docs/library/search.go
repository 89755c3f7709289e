package library

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
)

const (
	maxTerms = 32
	// candidates are read in full and ranked by what is in them. What a large
	// budget asks for follows as it is.
	candidates = 48
	// beside is how many are where some of the first are declarations and the question names
	// nothing: a declaration has few words but those of the question, and the prose that
	// explains it comes after dozens of them.
	beside = 120
	// byMeaning is how many more there are by meaning: those whose signs are nearest, among which
	// are half of the dozen with the nearest vectors in 24,000 snippets, a quarter in a million.
	byMeaning = 16
	// enough postings are read of common terms; of rare ones, in one snippet of
	// fifty, all. What the others count is added for the candidates alone.
	enough = 200_000
)

// params are BM25's.
var params = sync.OnceValue(func() bm25.Params {
	p := rank.Docs()
	return bm25.Params{K1: p.Constant("k1"), B: p.Constant("b")}
})

// The fields of a snippet.
const (
	inContent = iota
	inTitle
	inCrumb // the headings around it, and the path
)

// layout is how snippets are found. Each version has postings of its own, since FTS5
// weighs a word by the whole file, in which "component" is rare and in one library
// everywhere, and counts the file to know.
func layout() index.Layout {
	weight := func(name string) float32 { return float32(rank.Docs().Constant(name)) }
	return index.Layout{
		Params: params(),
		Fields: []index.Field{
			inContent: {Unit: 0x01, Mask: 0x0f, Weight: weight("content")},
			inTitle:   {Unit: 0x10, Mask: 0x30, Weight: weight("title")},
			inCrumb:   {Unit: 0x40, Mask: 0xc0, Weight: weight("headings")},
		},
		Terms: func(word string) []string { return text.Prose().Terms(nil, []byte(word)) },
	}
}

// fieldsOf yields the texts of a snippet with a summary, each with the field that it is of.
func fieldsOf(s *Snippet, said string, yield func(in string, field int)) {
	yield(s.Title, inTitle)
	yield(strings.TrimSuffix(s.Breadcrumb, s.Title), inCrumb)
	yield(s.Path, inCrumb)
	yield(said, inCrumb)
	for rest := s.Content; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if strings.HasPrefix(line, "####") {
			yield(line, inCrumb) // the heading of a section that was joined
		}
		yield(line, inContent)
	}
}

// part returns what is found by words of a version, and with signs by meaning.
func (d *DB) part(ctx context.Context, tx *sql.Tx, r row, signs bool) (*index.PartReader, error) {
	p := index.Part{Number: r.first, Chunks: int(r.last - r.first + 1), Stamp: r.Checksum, Name: r.ID}
	if p.Chunks <= 0 || p.Chunks > maxSnippets {
		return nil, fmt.Errorf("%w: %s has %d snippets", store.ErrDamaged, r.ID, p.Chunks)
	}
	if signs {
		m, err := newMeaning()
		if err != nil {
			return nil, err
		}
		p.Model, p.Dims = m.model.Sum, m.model.Dims
	}
	return d.index.Part(ctx, tx, p)
}

// A search answers one question.
type search struct {
	d   *DB
	ctx context.Context
	asking
	r       row
	q       question
	n       int // candidates
	ranking Ranking
	explain bool
	absent  float64 // what the terms that the version does not have would be worth

	asked []int8 // the vector of the question, of Hybrid
}

// run returns candidates, best first.
func (s *search) run() ([]ranked, error) {
	for _, terms := range [][]corpus.Term{s.q.terms.List, s.q.stops.List} {
		if len(terms) == 0 {
			continue
		}
		found, err := s.byTerms(terms)
		if err != nil || len(found) > 0 {
			return found, err
		}
	}
	s.ranking = Lexical
	ids, err := matching(s.ctx, s.tx, s.r, s.q)
	if err != nil || len(ids) == 0 && len(s.q.words) > 0 {
		return nil, err
	}
	if len(ids) == 0 {
		// Nothing was asked: how the documentation begins.
		begin, err := snippets(s.ctx, s.tx, " WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?", s.r.first, s.r.last, s.n)
		out := slice.Map(begin, func(x Snippet) ranked { return ranked{s: x, whole: true} })
		return out, err
	}
	out := make([]ranked, len(ids))
	return out, s.snippetsOf(ids, func(i int, s Snippet, _ []byte) { out[i] = ranked{s: s, whole: true} })
}

func (s *search) byTerms(terms []corpus.Term) ([]ranked, error) {
	x, err := s.d.part(s.ctx, s.tx, s.r, s.ranking == Hybrid)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	stats, err := s.stats(x, terms)
	if err != nil || len(stats) == 0 {
		return nil, err
	}
	near, err := s.near(x)
	if err != nil {
		return nil, err
	}
	named, err := s.declaring()
	if err != nil {
		return nil, err
	}
	near = append(near, named...)
	slices.Sort(near)
	near = slices.Compact(near)
	n := s.n
	if len(s.q.names) == 0 {
		n = max(n, beside)
	}
	hits, err := s.lexical(x, stats, near, n)
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	// Those that are there for their meaning or their name alone come last.
	tail := min(n, len(hits))
	first := min(candidates, tail)
	// Names, and terms whose postings were not read, are looked for in contents.
	whole := len(s.q.names) > 0 || slices.ContainsFunc(stats, func(t stat) bool { return t.skipped })
	found := make([]ranked, first, len(hits))
	if err := s.read(found, hits[:first], whole); err != nil {
		return nil, err
	}
	switch least := min(s.n, tail); {
	case len(s.q.names) == 0 && slices.ContainsFunc(found, func(c ranked) bool { return c.declares }):
		first = min(beside, tail)
	case least < tail:
		more := slices.DeleteFunc(slices.Clone(hits[least:tail]), func(h hit) bool { return !slices.Contains(near, uint32(h.at)) })
		hits, tail = slices.Concat(hits[:least], more, hits[tail:]), least
	}
	n = len(found)
	found = found[:len(hits)]
	if err := s.read(found[n:], hits[n:], whole); err != nil {
		return nil, err
	}
	if first == tail {
		return s.rerank(x, stats, found)
	}
	// Those that are there for their meaning or their name come last, or are among what
	// a large budget asks for.
	top := append(found[:first:first], found[tail:]...)
	rest := make([]ranked, 0, tail-first)
	for _, c := range found[first:tail] {
		if slices.Contains(named, uint32(c.at)) {
			top = append(top, c)
		} else {
			rest = append(rest, c)
		}
	}
	top, err = s.rerank(x, stats, top)
	return append(top, rest...), err
}

// declaring returns the snippets whose titles are a name of the question: what says much
// of itself has few of the words for its length.
func (s *search) declaring() (at []uint32, err error) {
	for _, name := range s.q.names[:min(3, len(s.q.names))] {
		var words []string
		text.Words([]byte(joints.Replace(name)), func(w []byte) { words = append(words, string(w)) })
		if len(words) == 0 {
			continue
		}
		ids, err := withTitle(s.ctx, s.tx, s.r, words)
		if err == nil && len(ids) == 0 && len(words) > 1 {
			// The module or the variable is no part of the title: "v.pipe".
			ids, err = withTitle(s.ctx, s.tx, s.r, words[len(words)-1:])
		}
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			at = append(at, uint32(id-s.r.first))
		}
	}
	return at, nil
}

// near returns the snippets that may mean what the question does, in the order of
// the version. Where nothing can be said of that, what follows goes by words.
func (s *search) near(x *index.PartReader) ([]uint32, error) {
	if s.ranking != Hybrid {
		return nil, nil
	}
	m, err := newMeaning()
	if err != nil {
		return nil, err
	}
	// A name means itself.
	if s.q.coded {
		s.ranking = Lexical
		return nil, nil
	}
	s.asked = m.embed([]byte(strings.Join(s.q.words, " ")))
	at, ok := x.Alike(s.asked, byMeaning)
	if !ok {
		s.ranking = Lexical
	}
	return at, nil
}

// stat is how common a term is in a version, and what it counts in a question.
type stat struct {
	corpus.Term
	df  int
	idf float64
	// skipped says that its postings are not read, since there are enough.
	skipped bool
}

// worth is what the term is worth in a question, at most.
func (t *stat) worth() float64 { return t.idf * float64(t.Weight) }

// stats returns the terms that are there, rarest first.
func (s *search) stats(x *index.PartReader, terms []corpus.Term) ([]stat, error) {
	df, n, err := x.DF(terms)
	if err != nil {
		return nil, err
	}
	var all []stat
	for i, t := range terms {
		twice := slices.ContainsFunc(all, func(o stat) bool { return o.Text == t.Text }) // a stop word may be
		if df[i] == 0 {
			s.absent += bm25.IDF(n, 1) * float64(t.Weight)
		}
		if df[i] > 0 && df[i] <= n && !twice {
			all = append(all, stat{Term: t, df: df[i], idf: bm25.IDF(n, df[i])})
		}
	}
	sorting.Stable(all, func(a, b stat) int { return cmp.Or(cmp.Compare(a.df, b.df), cmp.Compare(a.Text, b.Text)) })
	all = all[:min(len(all), maxTerms)]
	skip(all, n)
	return all, nil
}

// skip marks the terms, rarest first, whose postings are not read.
func skip(all []stat, n int) {
	spent := 0
	for i := range all {
		spent += all[i].df
		all[i].skipped = i > 0 && all[i].df > n/50 && spent > enough
	}
}

// lexical returns the n best snippets by BM25 over weighted fields, and those of
// also, which are in order. There is none if no snippet has a term.
func (s *search) lexical(x *index.PartReader, stats []stat, also []uint32, n int) ([]hit, error) {
	var terms []corpus.Term
	for _, t := range stats {
		if !t.skipped {
			terms = append(terms, t.Term)
		}
	}
	found, err := x.LexicalWith(terms, n, also)
	hits := slice.Map(found, func(c corpus.Candidate) hit { return hit{int(c.Chunk), c.Score} })
	return hits, err
}

// A hit is a snippet by its place in the version, and what it is worth.
type hit struct {
	at    int
	score float32
}
