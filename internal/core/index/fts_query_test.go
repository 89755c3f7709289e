package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"slices"
	"unicode/utf8"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
)

// ftsBudget is how many occurrences of terms a query reads, at about a microsecond
// each. Terms in no more than one chunk of fifty are read whatever they cost.
const ftsBudget = 20_000

// Lexical returns up to n candidates for the terms of a query, as
// Snapshot.Lexical does. In a large corpus the commonest terms are left out where
// there are others.
func (x *FTS) Lexical(ctx context.Context, terms []corpus.Term, n, perDoc int, f Filter) ([]corpus.Candidate, error) {
	if n <= 0 || perDoc <= 0 {
		return nil, ctx.Err()
	}
	if len(terms) > corpus.MaxTerms {
		terms = terms[:corpus.MaxTerms]
	}
	tx, err := x.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, store.Classify(err)
	}
	defer tx.Rollback()
	q := ftsQuery{ctx: ctx, tx: tx, at: map[int64]int{}}
	if q.meta, err = readMeta(ctx, tx); err != nil {
		return nil, err
	}
	df, cost, err := ftsDF(ctx, tx, terms)
	if err != nil {
		return nil, err
	}
	for _, i := range affordable(df, cost, int(q.meta.chunks), x.budget) {
		weight := terms[i].Weight * float32(bm25.IDF(max(int(q.meta.chunks), df[i]), df[i]))
		if err := q.read(terms[i].Text, weight, 1<<i); err != nil {
			return nil, store.Classify(err)
		}
	}
	out, err := q.collect(n, perDoc, f)
	return out, store.Classify(err)
}

// affordable returns which terms to read, in the order of the query: all that are
// rare, and then, rarest first, those that fit the budget; at least one.
func affordable(df, cost []int, chunks, budget int) (terms []int) {
	var order []int
	for i := range df {
		if df[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(df[a], df[b]) })
	spent := 0
	for _, i := range order {
		if spent += cost[i]; df[i] <= chunks/50 || spent <= budget || len(terms) == 0 {
			terms = append(terms, i)
		}
	}
	slices.Sort(terms)
	return terms
}

// An ftsQuery is one query in its transaction.
type ftsQuery struct {
	ctx  context.Context
	tx   *sql.Tx
	meta ftsMeta
	hits []ftsHit
	at   map[int64]int // by chunk: its place in hits
}

// An ftsHit is a chunk that has some of the terms.
type ftsHit struct {
	chunk int64
	doc   uint32
	words uint16
	acc
}

// read adds the occurrences of one term to hits. They come by chunk.
func (q *ftsQuery) read(term string, weight float32, bit uint32) error {
	rows, err := q.tx.QueryContext(q.ctx, `SELECT p.doc, p.col, c.doc, c.words FROM ix_places p JOIN ix_chunks c ON c.id = p.doc WHERE p.term = ?`, term)
	if err != nil {
		return err
	}
	defer rows.Close()
	pr := params()
	avg := max(1, float64(q.meta.words)/max(1, float64(q.meta.chunks)))
	var h ftsHit
	var tf, def, path int
	flush := func() {
		b := uint8(min(tf, tfMask) | def<<defShift | path<<pathHave)
		if b == 0 {
			return
		}
		i, ok := q.at[h.chunk]
		if !ok {
			i = len(q.hits)
			q.at[h.chunk] = i
			q.hits = append(q.hits, h)
		}
		a := &q.hits[i].acc
		a.score += weight * float32(pr.Weight(float64(tfTable[b]), pr.Norm(float64(h.words), avg)))
		a.terms |= bit
		a.place(b, bit)
		tf, def, path = 0, 0, 0
	}
	var column sql.RawBytes
	for rows.Next() {
		next := ftsHit{}
		if err := rows.Scan(&next.chunk, &column, &next.doc, &next.words); err != nil {
			return err
		}
		if next.chunk != h.chunk {
			flush()
			h = next
		}
		switch string(column) {
		case "body":
			tf++
		case "scope":
			def = max(def, 1)
		case "part":
			def = max(def, 2)
		case "name":
			def = 3
		case "folder":
			path = max(path, 1)
		case "stem":
			path = max(path, 2)
		case "file":
			path = 3
		}
	}
	flush()
	return rows.Err()
}

// collect offers the chunks of those documents that pass the filter; compare
// Snapshot.collect.
func (q *ftsQuery) collect(n, perDoc int, f Filter) ([]corpus.Candidate, error) {
	slices.SortFunc(q.hits, func(a, b ftsHit) int { return cmp.Compare(a.chunk, b.chunk) })
	h := top{n: n}
	for len(q.hits) > 0 {
		end := 1
		for end < len(q.hits) && q.hits[end].doc == q.hits[0].doc {
			end++
		}
		hits := q.hits[:end]
		q.hits = q.hits[end:]
		d := rollUp(hits)
		if d.DocScore == 0 || !h.wants(max(d.DocBest, d.DocScore/3), &d) {
			continue
		}
		info, err := scanDoc(q.tx.QueryRowContext(q.ctx, selectDoc+" WHERE id = ?", d.Doc))
		if err != nil {
			return nil, err
		}
		if f != nil && !f(info) {
			continue
		}
		if len(hits) > perDoc {
			slices.SortStableFunc(hits, func(a, b ftsHit) int { return cmp.Compare(b.score, a.score) })
			hits = hits[:perDoc]
		}
		d.Flags, d.Chunks = info.Flags, uint16(min(info.Chunks, 0xffff))
		boosted := false
		for i := range hits {
			c, key := hits[i].candidate(d), hits[i].score
			c.First = hits[i].chunk == int64(info.First)
			if key == d.DocBest && !boosted {
				key, boosted = max(key, d.DocScore/3), true
			}
			h.offer(key, c)
		}
	}
	return h.sorted(), q.ctx.Err()
}

// rollUp returns what the chunks of one document have in common.
func rollUp(hits []ftsHit) (d corpus.Candidate) {
	d.Doc = hits[0].doc
	for i := range hits {
		a := &hits[i].acc
		d.DocTerms |= a.terms
		d.DocScore += a.score
		d.DocBest = max(d.DocBest, a.score)
		d.DocHits++
	}
	return d
}

// candidate returns h as a candidate, with what c says of its document.
func (h *ftsHit) candidate(c corpus.Candidate) corpus.Candidate {
	c.Ref = corpus.Ref{Chunk: uint32(h.chunk)}
	c.Score, c.Terms, c.Named, c.Whole, c.Scoped = h.score, h.terms, h.named, h.whole, h.scoped
	c.Folder, c.Stem, c.File, c.Words = h.folder, h.stem, h.file, h.words
	return c
}

// DF returns in how many chunks each term occurs, and how many there are.
func (x *FTS) DF(ctx context.Context, terms []corpus.Term) (df []int, chunks int, err error) {
	m, err := readMeta(ctx, x.db)
	if err != nil {
		return nil, 0, err
	}
	df, _, err = ftsDF(ctx, x.db, terms)
	return df, int(m.chunks), err
}

// ftsDF returns for each term how many chunks have it, and how often.
func ftsDF(ctx context.Context, q querier, terms []corpus.Term) (df, cost []int, err error) {
	df, cost = make([]int, len(terms)), make([]int, len(terms))
	for i, t := range terms {
		if !isTerm(t.Text) {
			continue
		}
		err := q.QueryRowContext(ctx, "SELECT doc, cnt FROM ix_terms WHERE term = ?", t.Text).Scan(&df[i], &cost[i])
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, nil, store.Classify(err)
		}
	}
	return df, cost, nil
}

// isTerm reports whether package text could have made t. What it could not is in
// no document, though FTS5 might find it there after folding it its own way.
func isTerm(t string) bool {
	if t == "" || !utf8.ValidString(t) {
		return false
	}
	for _, c := range []byte(t) {
		if c < utf8.RuneSelf && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// Describe returns the chunks that refs name. One that is gone by now is an empty
// Found, whose ID is 0.
func (x *FTS) Describe(ctx context.Context, refs []corpus.Ref) ([]Found, error) {
	tx, err := x.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, store.Classify(err)
	}
	defer tx.Rollback()
	out := make([]Found, len(refs))
	for i, r := range refs {
		c, doc, err := scanChunk(tx.QueryRowContext(ctx, selectChunk+" WHERE id = ?", r.Chunk))
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, store.Classify(err)
		}
		out[i] = Found{Chunk: c, ID: uint64(r.Chunk)}
		if out[i].Doc, err = scanDoc(tx.QueryRowContext(ctx, selectDoc+" WHERE id = ?", doc)); err != nil {
			return nil, store.Classify(err)
		}
	}
	return out, nil
}

// Docs calls yield with each document, in the order of their first chunks, until
// it returns false.
func (x *FTS) Docs(ctx context.Context, yield func(DocInfo) bool) error {
	rows, err := x.db.QueryContext(ctx, selectDoc+" ORDER BY first, id")
	if err != nil {
		return store.Classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		d, err := scanDoc(rows)
		if err != nil {
			return store.Classify(err)
		}
		if !yield(d) {
			return nil
		}
	}
	return store.Classify(rows.Err())
}

// Find returns the document at a path, or fs.ErrNotExist.
func (x *FTS) Find(ctx context.Context, path string) (DocInfo, error) {
	d, err := scanDoc(x.db.QueryRowContext(ctx, selectDoc+" WHERE path = ? ORDER BY id DESC", path))
	if errors.Is(err, sql.ErrNoRows) {
		return d, fs.ErrNotExist
	}
	return d, store.Classify(err)
}

// Text returns the text of a document, or fs.ErrNotExist.
func (x *FTS) Text(ctx context.Context, id uint32) ([]byte, error) {
	var t []byte
	err := x.db.QueryRowContext(ctx, "SELECT text FROM ix_docs WHERE id = ?", id).Scan(&t)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fs.ErrNotExist
	}
	return t, store.Classify(err)
}

type scanner interface{ Scan(dest ...any) error }

const (
	selectDoc   = "SELECT id, path, language, flags, length(text), lines, first, chunks, hash FROM ix_docs"
	selectChunk = `SELECT doc, start, "end", line, last, scope, symbols, hash FROM ix_chunks`
)

func scanDoc(row scanner) (d DocInfo, err error) {
	var hash []byte
	err = row.Scan(&d.ID, &d.Path, &d.Language, (*uint16)(&d.Flags), &d.Size, &d.Lines, &d.First, &d.Chunks, &hash)
	copy(d.Hash[:], hash)
	return d, err
}

func scanChunk(row scanner) (c corpus.Chunk, doc uint32, err error) {
	var symbols, hash []byte
	err = row.Scan(&doc, &c.Start, &c.End, &c.Lines.First, &c.Lines.Last, &c.Scope, &symbols, &hash)
	c.Symbols = unpackSymbols(string(symbols))
	copy(c.Hash[:], hash)
	return c, doc, err
}
