package catalog

import (
	"context"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/text"
)

// A BM25 is the engine that needs nothing but package bm25. It reads all documents
// for each question, but counts only the words that the question has: for a question
// or two that is less work than an index of all words.
type BM25 struct {
	ids  []string
	docs []Fields
	// counted are documents that were read for the one question of Search.
	counted []*tally
}

// NewBM25 returns an empty engine.
func NewBM25() *BM25 { return &BM25{} }

// Name returns "bm25".
func (*BM25) Name() string { return "bm25" }

// Close does nothing.
func (*BM25) Close() error { return nil }

// Add adds a document.
func (e *BM25) Add(id string, f Fields) error {
	e.ids, e.docs, e.counted = append(e.ids, id), append(e.docs, f), append(e.counted, nil)
	return nil
}

func (e *BM25) addCounted(id string, t *tally) {
	e.ids, e.docs, e.counted = append(e.ids, id), append(e.docs, Fields{}), append(e.counted, t)
}

// Search returns the best documents.
func (e *BM25) Search(ctx context.Context, query string, limit int) ([]Result, error) {
	q := newQuestion(query)
	counts := e.count(ctx, q)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	index := bm25.New(params())
	for _, c := range counts {
		index.Add(float64(c.length), c.fields[:]...)
	}
	if limit <= 0 {
		limit = len(e.ids)
	}
	var out []Result
	for _, h := range index.Search(q.terms, limit) {
		out = append(out, Result{e.ids[h.Doc], h.Score})
	}
	return out, nil
}

// A question is a query by its stems.
type question struct {
	terms []bm25.Term
	begin wordStarts // of the stems: most words need not be stemmed
	stems map[string]bool
}

func newQuestion(query string) *question {
	q := &question{stems: map[string]bool{}}
	for _, word := range terms(query) {
		s := text.Porter(word)
		if !q.stems[s] {
			q.terms = append(q.terms, bm25.Term{Word: s, Weight: 1})
		}
		q.stems[s] = true
		q.begin.add(s)
	}
	return q
}

// A tally is a document as far as a question is concerned.
type tally struct {
	length int // in words
	fields [numFields]bm25.Field
}

// count reads all documents, several at a time.
func (e *BM25) count(ctx context.Context, q *question) []tally {
	out := make([]tally, len(e.docs))
	if len(q.terms) == 0 {
		return nil
	}
	concurrently(ctx, len(out), func() func(i int) {
		known := map[string]string{}
		return func(i int) {
			if t := e.counted[i]; t != nil {
				out[i] = *t
				return
			}
			out[i] = q.tally(&e.docs[i], known)
		}
	})
	return out
}

// tally counts the words of a document. known has the stems of words that were seen,
// "" where the question lacks it.
func (q *question) tally(f *Fields, known map[string]string) (t tally) {
	w := weights()
	for i, said := range f.each() {
		field := &t.fields[i]
		field.Weight = w[i]
		t.length += eachWord(said, &q.begin, func(word []byte) {
			stem, ok := known[string(word)]
			if !ok {
				if stem = text.Porter(string(word)); !q.stems[stem] {
					stem = ""
				}
				known[string(word)] = stem
			}
			if stem != "" {
				field.Words = append(field.Words, stem)
			}
		})
	}
	return t
}
