package index

import (
	"context"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// A corpus is kept in one of two forms. The folder form (Index) is for trees: immutable
// segments that are mapped into memory, for millions of chunks. The file form (File) is
// for what travels: postings and vectors in tables of a SQLite file that its owner has
// opened and keeps tables of his own in; it may be read-only, and be replaced under a
// process that reads it. Such a file has several parts: a version of a library, the
// notes, the sessions.
//
// What both answer is a Reader's. The tests of this package hold both to it. Builds with
// the tag team have those of backend.go too, in a database that several machines share: it
// proposes candidates and counts; scoring them is package rank's affair.
//
// All change by documents, in batches: Writer.Publish, Edit and Backend.Change. A document
// takes the place of the one at its path; whatever is put or deleted in one batch is seen
// at once, or never. SQLite's commit is the only commit point of the first two.

// A Reader answers questions about one committed state of a corpus, which does not
// change while it is used. Where an error is returned, nothing else is to be used.
//
// A chunk is named by a corpus.Ref that is good for this state alone, and described by
// what Describe or the tables of the owner say of it.
type Reader interface {
	// Lexical returns up to n chunks that have any of the terms, those with the best
	// scores first: BM25 (Robertson & Zaragoza 2009) over weighted fields and the live
	// chunks of the corpus alone. Of one document there are perDoc at most. Equal scores
	// are in the order of paths, and within a document in the order of its text:
	// answers depend on the documents, not on the history of the corpus. Terms past
	// corpus.MaxTerms are not looked for. The folder form gives the best chunk of a
	// document credit for the others: up to a third of what they score together.
	// A Snapshot is asked by LexicalBeside.
	Lexical(ctx context.Context, terms []corpus.Term, n, perDoc int, f Filter) ([]corpus.Candidate, error)
	// Nearest returns up to n chunks whose vectors by an embedder have the largest cosine
	// with a vector of length 1, the nearest first, equals in the order of paths. Chunks
	// without a vector by that embedder, or with one of other dimensions, are not among
	// them. Vectors are compared as int8: a cosine is within .01 of the exact one. Of more than
	// some thousand chunks the folder form compares those alone whose signs are nearest.
	Nearest(ctx context.Context, embedder string, unit []float32, n int, f Filter) ([]corpus.Candidate, error)
	// FillCosine sets the cosine of each candidate that has a vector by an embedder.
	FillCosine(embedder string, unit []float32, cands []corpus.Candidate) error
	// DF returns in how many live chunks each term is, and how many live chunks there are.
	DF(terms []corpus.Term) (df []int, chunks int, err error)
	// Docs calls yield with each live document until it returns false.
	Docs(yield func(DocInfo) bool) error
}

var _ Reader = (*PartReader)(nil)
