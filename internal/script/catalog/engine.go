package catalog

import (
	"context"
)

// A SearchEngine ranks documents by the terms that they share with a question, any of which may match: Okapi BM25 over weighted fields.
// The profile modules of package rank has the numbers, and text.Modules makes the terms.
type SearchEngine interface {
	// Name is what the engine is called where it explains itself.
	Name() string
	// Add adds a document. Nothing is added after the first Search.
	Add(id string, fields Fields) error
	// Search returns the documents that have a word of the query, best first, those
	// of one score in the order of Add: at most limit, or all where it is 0.
	Search(ctx context.Context, query string, limit int) ([]Result, error)
	Close() error
}

// Fields are the parts of a document.
type Fields struct{ Name, Description, Keywords, Functions, Asked string }

func (f *Fields) each() [numFields]string {
	return [numFields]string{f.Name, f.Description, f.Keywords, f.Functions, f.Asked}
}

const (
	functionsField = 3
	numFields      = 5
)

// A Result is one answer.
type Result struct {
	ID    string
	Score float64 // positive; it compares with others of the same question alone
}

// ftsMost is the number of documents up to which FTS5 is asked: BenchmarkEngine
// says what a first question costs it, and what it costs package bm25.
const ftsMost = 500

// NewEngine returns the engine that suits n documents.
func NewEngine(n int) (SearchEngine, error) {
	if n <= ftsMost && HasFTS5 {
		return NewFTS5()
	}
	return NewBM25(), nil
}
