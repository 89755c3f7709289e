package library

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/core/rank"
)

const (
	maxTerms = 32
	// candidates are read in full and ranked by what stands in them. What a large
	// budget asks for follows as it is.
	candidates = 48
	// byMeaning is how many more there are by meaning.
	byMeaning = 12
	// enough postings are read of common terms; of rare ones, in one snippet of
	// fifty, all. What the others count is added for the candidates alone.
	enough = 200_000
)

// params are BM25's.
var params = sync.OnceValue(func() bm25.Params {
	p := rank.Docs()
	return bm25.Params{K1: p.Constant("k1"), B: p.Constant("b")}
})

// weights returns how often a term counts by where it is, for every byte of counts.
var weights = sync.OnceValue(func() *[256]float32 {
	of := new([256]float32)
	p := rank.Docs()
	title, headings, content := float32(p.Constant("title")), float32(p.Constant("headings")), float32(p.Constant("content"))
	for c := range of {
		counts := byte(c)
		of[c] = content*float32(counts&bodyBits) + title*float32(counts&titleBits/titleUnit) + headings*float32(counts&crumbBits/crumbUnit)
	}
	return of
})

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

	asked []int8 // the vector of the question, of Hybrid
}

// run returns candidates, best first.
func (s *search) run() ([]Snippet, error) {
	for _, terms := range [][]qterm{s.q.terms, s.q.stops} {
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
		return snippets(s.ctx, s.tx, " WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?", s.r.first, s.r.last, s.n)
	}
	out := make([]Snippet, len(ids))
	return out, s.snippetsOf(ids, func(i int, s Snippet, _ []byte) { out[i] = s })
}

func (s *search) byTerms(terms []qterm) ([]Snippet, error) {
	x, err := s.d.index(s.ctx, s.tx, s.r, s.ranking == Hybrid)
	if err != nil {
		return nil, err
	}
	stats, err := s.stats(terms, len(x.codes))
	if err != nil || len(stats) == 0 {
		return nil, err
	}
	sum := s.d.scratch.take()
	if sum == nil {
		sum = &scores{}
	}
	defer func() {
		if cap(sum.arena) <= maxArena {
			s.d.scratch.put(sum)
		}
	}()
	near, err := s.near(x, &sum.far)
	if err != nil {
		return nil, err
	}
	hits, err := s.lexical(sum, x, stats, near)
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	found, err := s.read(hits)
	if err != nil {
		return nil, err
	}
	// Those that are there for their meaning come last.
	first := min(candidates, len(hits))
	tail := min(s.n, len(hits))
	top := append(found[:first:first], found[tail:]...)
	out := append(make([]Snippet, 0, len(found)), s.rerank(x, stats, top)...)
	for _, c := range found[first:tail] {
		out = append(out, c.s)
	}
	return out, nil
}

// near returns the snippets that may mean what the question does, in the order of
// the version. Where nothing can be said of that, what follows goes by words.
func (s *search) near(x *index, room *[]uint16) ([]int, error) {
	// A name means itself.
	if x.signs == nil || s.q.coded {
		s.ranking = Lexical
	}
	if s.ranking != Hybrid {
		return nil, nil
	}
	m, err := newMeaning()
	if err != nil {
		return nil, err
	}
	s.asked = m.embed([]byte(strings.Join(s.q.words, " ")))
	at := nearest(x.signs, s.asked, byMeaning, room)
	slices.Sort(at)
	return at, nil
}

// stat is how common a term is in a version, and what it counts in a question.
type stat struct {
	qterm
	df  int
	idf float64
	// skipped says that its postings are not read, since there are enough.
	skipped bool
}

// worth is what the term is worth in a question, at most.
func (t *stat) worth() float64 { return t.idf * float64(t.weight) }

// stats returns the terms that are there, rarest first.
func (s *search) stats(terms []qterm, n int) ([]stat, error) {
	var all []stat
	for _, t := range terms {
		var df int
		if err := s.tx.Stmt(s.stmts.count).QueryRow(s.r.first, t.term).Scan(&df); err != nil { //nolint:sqlclosecheck // it ends with the transaction
			return nil, err
		}
		twice := slices.ContainsFunc(all, func(o stat) bool { return o.term == t.term }) // a stop word may be
		if df > 0 && df <= n && !twice {
			all = append(all, stat{qterm: t, df: df, idf: bm25.IDF(n, df)})
		}
	}
	slices.SortFunc(all, func(a, b stat) int { return cmp.Or(cmp.Compare(a.df, b.df), cmp.Compare(a.term, b.term)) })
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
func (s *search) lexical(sum *scores, x *index, stats []stat, also []int) ([]hit, error) {
	if err := sum.read(s.asking, s.r, x, stats); err != nil {
		return nil, err
	}
	sum.top, sum.k, sum.also, sum.others, sum.weights = nil, s.n, also, nil, weights()
	for b := range x.starts {
		if err := sum.block(x, b, stats); err != nil {
			return nil, fmt.Errorf("%w of %s", err, s.r.ID)
		}
	}
	if len(sum.top) == 0 {
		return nil, nil
	}
	slices.SortFunc(sum.top, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at))
	})
	for _, h := range sum.others {
		if !slices.ContainsFunc(sum.top, func(t hit) bool { return t.at == h.at }) {
			sum.top = append(sum.top, h)
		}
	}
	return sum.top, nil
}

// maxArena is how many bytes of postings are kept room for.
const maxArena = 8 << 20

// A scores adds up what snippets are worth, a block at a time: what it writes to
// stays in the processor's cache, and does not grow with the library.
type scores struct {
	arena []byte   // postings of all terms
	lists [][]span // where they are in arena, by block and then by term
	worth []float32
	found []int32 // snippets of the block that have a term
	top   []hit   // the worst of those kept stands at 0
	k     int

	weights *[256]float32
	also    []int // snippets that are wanted too, of this block and those after it
	others  []hit // those of the blocks before
	far     []uint16
}

type span struct{ start, end int }

// read reads the postings of the terms.
func (s *scores) read(of asking, r row, x *index, stats []stat) error {
	s.arena, s.lists = s.arena[:0], s.lists[:0]
	for range x.starts {
		s.lists = append(s.lists, make([]span, len(stats)))
	}
	for i := range stats {
		if stats[i].skipped {
			continue
		}
		rows, err := of.query(of.stmts.postings, r.first, stats[i].term)
		if err != nil {
			return err
		}
		err = s.readRows(rows, x, i)
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *scores) readRows(rows *sql.Rows, x *index, term int) error {
	defer rows.Close()
	for rows.Next() {
		var block int
		var data sql.RawBytes
		if err := rows.Scan(&block, &data); err != nil {
			return err
		}
		b, ok := slices.BinarySearch(x.starts, block)
		if !ok {
			return fmt.Errorf("%w: postings without a block", store.ErrDamaged)
		}
		start := len(s.arena)
		s.arena = append(s.arena, data...)
		s.lists[b][term] = span{start, len(s.arena)}
	}
	return rows.Err()
}

// block offers the snippets of a block.
func (s *scores) block(x *index, b int, stats []stat) error {
	codes := x.block(b)
	if len(s.worth) < len(codes) {
		s.worth = make([]float32, len(codes))
	}
	for i, l := range s.lists[b] {
		if l.start == l.end {
			continue
		}
		if !s.add(s.arena[l.start:l.end], codes, x, &stats[i]) {
			s.clear()
			return fmt.Errorf("%w: postings", store.ErrDamaged)
		}
	}
	base := x.starts[b]
	for _, at := range s.found {
		s.offer(hit{base + int(at), s.worth[at]})
	}
	for ; len(s.also) > 0 && s.also[0] < base+len(codes); s.also = s.also[1:] {
		at := s.also[0] - base
		s.others = append(s.others, hit{s.also[0], s.worth[at]})
	}
	s.clear()
	return nil
}

func (s *scores) clear() {
	for _, at := range s.found {
		s.worth[at] = 0
	}
	s.found = s.found[:0]
}

// add adds what a term is worth in the snippets of a block, and reports whether
// its postings are sound.
func (s *scores) add(data, codes []byte, x *index, t *stat) bool {
	weight := float32(t.worth() * (params().K1 + 1))
	var plain [256]float32 // where it occurs once
	for c, norm := range x.norms {
		plain[c] = weight / (1 + norm)
	}
	at := -1
	for i := 0; i < len(data); {
		d := uint64(data[i])
		i++
		if d >= 0x80 {
			u, n := binary.Uvarint(data[i-1:])
			if n <= 0 {
				return false
			}
			d = u
			i += n - 1
		}
		if d < 2 || d/2 > uint64(len(codes)-1-at) {
			return false
		}
		at += int(d / 2)
		worth := plain[codes[at]]
		if d&1 == 0 {
			if i == len(data) {
				return false
			}
			f := s.weights[data[i]]
			if f == 0 {
				return false
			}
			i++
			worth = weight * f / (f + x.norms[codes[at]])
		}
		if s.worth[at] == 0 {
			s.found = append(s.found, int32(at))
		}
		s.worth[at] += worth
	}
	return true
}

// offer keeps h if it is among the best.
func (s *scores) offer(h hit) {
	if len(s.top) < s.k {
		s.top = append(s.top, h)
		for i := len(s.top) - 1; i > 0 && s.top[i].less(s.top[(i-1)/2]); i = (i - 1) / 2 {
			s.top[i], s.top[(i-1)/2] = s.top[(i-1)/2], s.top[i]
		}
		return
	}
	if h.score < s.top[0].score || !s.top[0].less(h) {
		return
	}
	s.top[0] = h
	for i := 0; ; {
		c := 2*i + 1
		if c+1 < s.k && s.top[c+1].less(s.top[c]) {
			c++
		}
		if c >= s.k || !s.top[c].less(s.top[i]) {
			return
		}
		s.top[i], s.top[c] = s.top[c], s.top[i]
		i = c
	}
}

// less orders by score; of equals, those that come first are worth more.
func (h hit) less(o hit) bool { return h.score < o.score || h.score == o.score && h.at > o.at }
