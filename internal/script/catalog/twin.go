package catalog

import (
	"context"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/work"
)

// A BM25 is the engine that needs nothing but package bm25. It reads all documents for each question, but counts only the words that
// the question has: for a question or two that is less work than an index of all words.
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
	out := slice.Map(index.Search(q.terms, limit), func(h bm25.Hit) Result { return Result{e.ids[h.Doc], h.Score} })
	return out, nil
}

// count reads all documents, several at a time.
func (e *BM25) count(ctx context.Context, q *question) []tally {
	out := make([]tally, len(e.docs))
	if len(q.terms) == 0 {
		return nil
	}
	work.Each(ctx, len(out), 64, func() func(i int) {
		words := q.words()
		return func(i int) {
			if t := e.counted[i]; t != nil {
				out[i] = *t
				return
			}
			out[i] = q.tally(&e.docs[i], words)
		}
	})
	return out
}
