package index

import (
	"context"
	"database/sql"
	_ "embed" // parts.sql, edits.sql
	"errors"
	"sync"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/cache"
	"github.com/assay-dev/assay/internal/base/store"
)

// PartTables makes the tables of the postings of a file. Whoever keeps a File puts them
// into a step of its schema.
//
// A row of postings holds, for one term and a block of chunks, for each chunk that has
// it, a varint: the distance from the one before (the first from the block's own first,
// less one), twice, and 1 more where the term occurs once, in the first field; else a
// byte follows of how often it occurs where, see Layout. A row of lengths holds the words
// of each chunk of a block, as length codes, and the signs of its vector. The column that
// says whose rows they are has the name of what the first such files held.
//
//go:embed parts.sql
var PartTables string

// EditTables makes what parts need in addition that change by documents.
//
// Such a part is a list of segments, each a part of its own for the tables above, in the
// order of the numbers of their chunks. A number is never given twice; a chunk that is
// gone leaves its number unused, and its length code says so until its segment is merged
// with others.
//
//go:embed edits.sql
var EditTables string

// A Layout says what the byte of a posting counts, and what a chunk is worth by it.
type Layout struct {
	bm25.Params
	Fields []Field
	// Terms returns the terms of a word as text.Words yields it, the first for all of it.
	Terms func(word string) []string
}

// A Field is one of the texts of a chunk. The bits of Mask count how often a term is in
// it, Unit is one occurrence of them, and Weight what that counts. The Unit of the first
// field is 1.
type Field struct {
	Unit, Mask byte
	Weight     float32
}

// weights returns what each byte of a posting counts.
func (l *Layout) weights() (of [256]float32) {
	for c := range of {
		for _, f := range l.Fields {
			of[c] += f.Weight * float32(byte(c)&f.Mask/f.Unit)
		}
	}
	return of
}

// A File is a corpus in tables of an open SQLite file that somebody else owns: PartTables,
// and EditTables where parts change by documents. It is safe for concurrent use, by
// several processes too: it writes in transactions of the owner, and reads in those.
// Close ends it before the file is closed.
type File struct {
	db      *store.DB
	layout  Layout
	weights [256]float32
	kept    residents
	lists   *cache.Map[listKey, *keptList]
	scratch shelf[*partScan]
	vectors matrices

	edited bool

	mu    sync.Mutex
	stmts map[string]*sql.Stmt
}

// NewFile returns the corpus in db; edited says that it has EditTables.
func NewFile(db *store.DB, l Layout, edited bool) *File {
	return &File{db: db, layout: l, weights: l.weights(), lists: cache.New[listKey, *keptList](keptLists), edited: edited}
}

// Close gives up what is held of the file.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, s := range f.stmts {
		errs = append(errs, s.Close())
	}
	f.stmts = nil
	return errors.Join(errs...)
}

// Prepare reads the statements that every question needs, once for a file: to read them
// takes as long as to answer it. It is called before the transaction of the question,
// since it may need a connection.
func (f *File) Prepare(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stmts != nil {
		return nil
	}
	queries := []string{countTerm, readTerm}
	if f.edited {
		queries = []string{readSegments, readTermOfPart, readTermsOfPart}
	}
	stmts := map[string]*sql.Stmt{}
	for _, q := range queries {
		s, err := f.db.PrepareContext(ctx, q) //nolint:sqlclosecheck // Close does
		if err != nil {
			return err
		}
		stmts[q] = s
	}
	f.stmts = stmts
	return nil
}

// query runs one of those statements. It takes no context: none of them is long, each
// would be watched over by a goroutine of its own, and the transaction ends with the
// context that it was begun with.
func (f *File) query(ctx context.Context, tx *sql.Tx, query string, args ...any) (*sql.Rows, error) {
	f.mu.Lock()
	s := f.stmts[query]
	f.mu.Unlock()
	if s == nil {
		return tx.QueryContext(ctx, query, args...)
	}
	return tx.Stmt(s).Query(args...) //nolint:sqlclosecheck // it ends with the transaction
}
