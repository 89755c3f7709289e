package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/text"
)

// FTSSteps is the history of the tables of an FTS. Whoever keeps tables of its own
// in the same file puts these steps into its list; one that is added here later
// goes to the end of that list.
func FTSSteps() []string {
	return []string{`
CREATE TABLE ix_meta(one INTEGER PRIMARY KEY CHECK (one = 1), epoch INTEGER NOT NULL, nonce INTEGER NOT NULL, next_chunk INTEGER NOT NULL, next_doc INTEGER NOT NULL, chunks INTEGER NOT NULL, words INTEGER NOT NULL);
INSERT INTO ix_meta VALUES (1, 0, 0, 1, 1, 0, 0);
CREATE TABLE ix_docs(id INTEGER PRIMARY KEY, path TEXT NOT NULL, language TEXT NOT NULL, flags INTEGER NOT NULL, lines INTEGER NOT NULL, hash BLOB NOT NULL, first INTEGER NOT NULL, chunks INTEGER NOT NULL, text BLOB NOT NULL);
CREATE INDEX ix_docs_path ON ix_docs(path);
CREATE TABLE ix_chunks(id INTEGER PRIMARY KEY, doc INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, line INTEGER NOT NULL, last INTEGER NOT NULL, scope TEXT NOT NULL, symbols BLOB NOT NULL, hash BLOB NOT NULL, words INTEGER NOT NULL);
CREATE VIRTUAL TABLE ix_fts USING fts5(body, scope, part, name, folder, stem, file, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE VIRTUAL TABLE ix_terms USING fts5vocab(ix_fts, 'row');
CREATE VIRTUAL TABLE ix_places USING fts5vocab(ix_fts, 'instance');
`}
}

// The columns of ix_fts after body, each the level that a term has in it: see the
// byte of a posting.
const (
	ftsBody = iota
	ftsScope
	ftsPart
	ftsName
	ftsFolder
	ftsStem
	ftsFile
	ftsColumns
)

// An FTS is a corpus whose documents, chunks and text lie in one SQLite file, where
// FTS5 finds them: for what must travel as one file and is not large. It answers
// as an Index does. What FTS5 is given are the terms of package text, not the text,
// each in the column that says where it stands: so both agree on what a word is and
// on what it is worth.
//
// It is safe for concurrent use, by several processes too.
type FTS struct {
	db     *store.DB
	budget int // see ftsBudget
}

// OpenFTS returns the corpus in db, which was opened with FTSSteps among its steps.
func OpenFTS(ctx context.Context, db *store.DB) (*FTS, error) {
	x := &FTS{db, ftsBudget}
	if _, err := x.State(ctx); err != nil {
		return nil, err
	}
	return x, nil
}

// State returns the last committed state.
func (x *FTS) State(ctx context.Context) (State, error) {
	m, err := readMeta(ctx, x.db)
	return m.State, err
}

// ftsMeta is the row of ix_meta.
type ftsMeta struct {
	State
	chunks, words int64
}

func readMeta(ctx context.Context, q querier) (m ftsMeta, err error) {
	err = q.QueryRowContext(ctx, "SELECT epoch, nonce, next_chunk, next_doc, chunks, words FROM ix_meta").
		Scan(&m.Epoch, &m.Nonce, &m.next, &m.NextDoc, &m.chunks, &m.words)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: its state is missing", store.ErrDamaged)
	}
	return m, store.Classify(err)
}

// change runs f in a transaction that ends with a new epoch.
func (x *FTS) change(ctx context.Context, f func(*ftsChange) error) error {
	return x.db.Write(ctx, func(tx *sql.Tx) (err error) {
		c := &ftsChange{ctx: ctx, tx: tx}
		if c.meta, err = readMeta(ctx, tx); err != nil {
			return err
		}
		if err := f(c); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE ix_meta SET epoch = ?, nonce = ?, next_chunk = ?, next_doc = ?, chunks = ?, words = ?",
			c.meta.Epoch+1, nonce(), c.meta.next, c.meta.NextDoc, c.meta.chunks, c.meta.words)
		return err
	})
}

// Put adds documents; one that has the ID of another takes its place. All of them
// are seen at once, or none.
func (x *FTS) Put(ctx context.Context, docs ...*Doc) error {
	return x.change(ctx, func(c *ftsChange) error { return c.put(docs) })
}

// Delete removes documents; those that are not there are no error.
func (x *FTS) Delete(ctx context.Context, ids ...uint32) error {
	return x.change(ctx, func(c *ftsChange) error {
		for _, id := range ids {
			if err := c.remove(id); err != nil {
				return err
			}
		}
		return nil
	})
}

// Optimize merges what many changes have left in pieces. It takes a while; it is
// for the end of an import.
func (x *FTS) Optimize(ctx context.Context) error {
	_, err := x.db.ExecContext(ctx, "INSERT INTO ix_fts(ix_fts) VALUES ('optimize')")
	return store.Classify(err)
}

// An ftsChange is a transaction of an FTS.
type ftsChange struct {
	ctx  context.Context
	tx   *sql.Tx
	meta ftsMeta
	buf  [ftsColumns]strings.Builder

	putChunk, putWords *sql.Stmt
}

func (c *ftsChange) exec(query string, args ...any) error {
	_, err := c.tx.ExecContext(c.ctx, query, args...)
	return err
}

func (c *ftsChange) remove(id uint32) error {
	var first, chunks, words int64
	err := c.tx.QueryRowContext(c.ctx, "SELECT first, chunks FROM ix_docs WHERE id = ?", id).Scan(&first, &chunks)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := c.tx.QueryRowContext(c.ctx, "SELECT coalesce(sum(words), 0) FROM ix_chunks WHERE id >= ? AND id < ?", first, first+chunks).Scan(&words); err != nil {
		return err
	}
	c.meta.chunks -= chunks
	c.meta.words -= words
	for _, query := range []string{
		"DELETE FROM ix_fts WHERE rowid >= ?1 AND rowid < ?2",
		"DELETE FROM ix_chunks WHERE id >= ?1 AND id < ?2",
	} {
		if err := c.exec(query, first, first+chunks); err != nil {
			return err
		}
	}
	return c.exec("DELETE FROM ix_docs WHERE id = ?", id)
}

func (c *ftsChange) put(docs []*Doc) (err error) {
	if c.putChunk, err = c.tx.PrepareContext(c.ctx, "INSERT INTO ix_chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"); err != nil {
		return err
	}
	defer c.putChunk.Close()
	if c.putWords, err = c.tx.PrepareContext(c.ctx, "INSERT INTO ix_fts(rowid, body, scope, part, name, folder, stem, file) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"); err != nil {
		return err
	}
	defer c.putWords.Close()
	for _, d := range docs {
		if err := c.remove(d.ID); err != nil {
			return err
		}
		if err := c.add(d); err != nil {
			return fmt.Errorf("index %s: %w", d.Path, err)
		}
	}
	return nil
}

// add writes a document whose ID is free.
func (c *ftsChange) add(d *Doc) error {
	first := c.meta.next
	err := c.exec("INSERT INTO ix_docs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		d.ID, d.Path, d.Language, uint16(d.Flags), d.Lines, d.Hash[:], first, len(d.Chunks), notNil(d.Text))
	if err != nil {
		return err
	}
	c.meta.NextDoc = max(c.meta.NextDoc, d.ID+1)
	for i := range d.Chunks {
		ch := &d.Chunks[i]
		if ch.Start < 0 || ch.Start > ch.End || ch.End > len(d.Text) {
			return fmt.Errorf("chunk %d leaves the text", i)
		}
		words := c.terms(d, ch)
		if _, err := c.putChunk.ExecContext(c.ctx, c.meta.next, d.ID, ch.Start, ch.End, ch.Lines.First, ch.Lines.Last, ch.Scope, notNil(packSymbols(ch.Symbols)), ch.Hash[:], words); err != nil {
			return err
		}
		columns := []any{c.meta.next}
		for i := range c.buf {
			columns = append(columns, c.buf[i].String())
		}
		if _, err := c.putWords.ExecContext(c.ctx, columns...); err != nil {
			return err
		}
		c.meta.next++
		c.meta.chunks++
		c.meta.words += int64(words)
	}
	return nil
}

// terms fills buf with what FTS5 is given for a chunk, and returns its length in
// words.
func (c *ftsChange) terms(d *Doc, ch *corpus.Chunk) (words int) {
	for i := range c.buf {
		c.buf[i].Reset()
	}
	each := func(t string, f func(whole, only, all bool) (column int)) (words int) {
		text.Words([]byte(t), func([]byte) { words++ })
		text.Words([]byte(t), func(w []byte) {
			for i, term := range text.Code().Terms(nil, w) {
				b := &c.buf[f(i == 0, words == 1, len(w) == len(t))]
				b.WriteString(term)
				b.WriteByte(' ')
			}
		})
		return words
	}
	in := func(column int) func(_, _, _ bool) int { return func(_, _, _ bool) int { return column } }
	words = each(string(d.Text[ch.Start:ch.End]), in(ftsBody))
	each(ch.Scope, in(ftsScope))
	for _, s := range ch.Symbols {
		each(s.Name, func(whole, only, _ bool) int {
			if whole && only {
				return ftsName
			}
			return ftsPart
		})
	}
	each(d.Path[:max(0, lastSlash(d.Path))], in(ftsFolder))
	each(Stem(d.Path), func(whole, _, all bool) int {
		if whole && all {
			return ftsFile
		}
		return ftsStem
	})
	return min(words, 0xffff)
}

// notNil keeps an empty value from becoming NULL.
func notNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
