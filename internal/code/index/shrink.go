package index

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/store"
)

// An index must not grow with its history: after any number of checkouts and edits it takes at
// most 1.5 times what it takes when it is made anew. Segments are merged once a fifth of one is
// dead (see mergeable), what is kept for texts that no document has is bounded here, and the pages
// that this leaves free are given back.

// goneShare is which part of the bytes kept for live texts may be kept in addition for others:
// those of a branch that was left a moment ago, which may come back.
const goneShare = 8

// fewGone is how many more texts than documents are kept before anybody looks which are gone.
const fewGone = 8

// Shrink drops what is kept for texts that are gone, and gives free pages of the database back to
// the disk. With thorough it also looks through the vectors that were paid for, which may be most
// of the database. It is for after Merge: what it takes to be live is what the last state names.
func (w *Writer) Shrink(ctx context.Context, thorough bool) error {
	p, err := w.x.Snapshot(ctx)
	if err != nil {
		return err
	}
	if p.Damaged() {
		return nil // what is live is not known before it is repaired
	}
	if err := w.pruneContents(ctx, p); err != nil {
		return err
	}
	if thorough {
		if err := w.pruneVectors(ctx, p); err != nil {
			return err
		}
	}
	err = w.x.db.Shrink(ctx)
	if ctx.Err() == nil && store.Environmental(err) {
		return nil // a full disk has no room for it now, and the index is whole without it
	}
	return store.Classify(err)
}

// A keptRow is a row that is kept for a text.
type keptRow struct {
	key   []any // of the row
	epoch int64 // when it was last written
	bytes int64
}

// pruneContents drops the cuts of texts that no document has, the oldest first.
func (w *Writer) pruneContents(ctx context.Context, p *Snapshot) error {
	var count, docs int
	if err := w.x.db.QueryRowContext(ctx, "SELECT count(*) FROM contents").Scan(&count); err != nil {
		return store.Classify(err)
	}
	if err := p.eachLive(func(_ *segment, _ uint32, info *liveDoc) {
		if info.chunks > 0 {
			docs++
		}
	}); err != nil {
		return err
	}
	if count <= docs+docs/goneShare+fewGone {
		return nil
	}
	live := make(map[corpus.Hash]bool, docs)
	if err := p.eachLive(func(_ *segment, _ uint32, info *liveDoc) { live[info.hash] = true }); err != nil {
		return err
	}
	var hash []byte
	var row, epoch, size, used int64
	var gone []keptRow
	err := store.Each(ctx, w.x.db, []any{&row, &hash, &epoch, &size}, func() error {
		if len(hash) == len(corpus.Hash{}) && live[corpus.Hash(hash)] {
			used += size
		} else {
			gone = append(gone, keptRow{[]any{row}, epoch, size})
		}
		return nil
	}, "SELECT rowid, hash, epoch, length(chunks) FROM contents")
	if err != nil {
		return store.Classify(err)
	}
	return w.dropOldest(ctx, "DELETE FROM contents WHERE rowid = ?", gone, used/goneShare)
}

// pruneVectors drops the vectors of chunks that no document has, the oldest first, and those of
// other embedders than the one in use.
func (w *Writer) pruneVectors(ctx context.Context, p *Snapshot) error {
	var some int
	if err := w.x.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM vectors)").Scan(&some); err != nil || some == 0 {
		return store.Classify(err)
	}
	live := map[corpus.Hash]bool{}
	if err := p.eachLive(func(s *segment, d uint32, _ *liveDoc) {
		lo, hi := s.docChunks(d)
		for c := lo; c < hi; c++ {
			live[corpus.Hash(s.at(secChunks, int(c)*chunkSize+32, len(corpus.Hash{})))] = true
		}
	}); err != nil {
		return err
	}
	var hash []byte
	var embedder string
	var epoch, size, used int64
	var gone []keptRow
	err := store.Each(ctx, w.x.db, []any{&hash, &embedder, &epoch, &size}, func() error {
		current := p.Embedder == "" || embedder == p.Embedder
		if current && len(hash) == len(corpus.Hash{}) && live[corpus.Hash(hash)] {
			used += size
		} else {
			gone = append(gone, keptRow{[]any{slices.Clone(hash), embedder}, epoch, size})
		}
		return nil
	}, "SELECT hash, embedder, epoch, length(vec) FROM vectors")
	if err != nil {
		return store.Classify(err)
	}
	return w.dropOldest(ctx, "DELETE FROM vectors WHERE hash = ? AND embedder = ?", gone, used/goneShare)
}

// dropOldest deletes rows until the others take at most so many bytes.
func (w *Writer) dropOldest(ctx context.Context, query string, rows []keptRow, most int64) error {
	slices.SortFunc(rows, func(a, b keptRow) int { return cmp.Compare(b.epoch, a.epoch) })
	for len(rows) > 0 && rows[0].bytes <= most {
		most -= rows[0].bytes
		rows = rows[1:]
	}
	if len(rows) == 0 {
		return nil
	}
	tx, err := w.x.db.BeginTx(ctx, nil)
	if err != nil {
		return store.Classify(err)
	}
	defer tx.Rollback()
	if err := deleteRows(ctx, tx, query, rows); err != nil {
		return store.Classify(err)
	}
	return store.Classify(tx.Commit())
}

func deleteRows(ctx context.Context, tx *sql.Tx, query string, rows []keptRow) error {
	st, err := tx.PrepareContext(ctx, query)
	if err != nil {
		return err
	}
	defer st.Close()
	for _, r := range rows {
		if _, err := st.ExecContext(ctx, r.key...); err != nil {
			return err
		}
	}
	return nil
}

// A liveDoc is what of a document's record tells what is kept for it.
type liveDoc struct {
	hash   corpus.Hash
	size   int64
	chunks int64
}

func (s *segment) record(d uint32) liveDoc {
	r := s.at(secDocs, int(d)*docSize, docSize)
	return liveDoc{corpus.Hash(r[36:52]), int64(le.Uint32(r[12:])), int64(le.Uint32(r[20:]))}
}

// eachLive calls f with every live document.
func (p *Snapshot) eachLive(f func(s *segment, d uint32, info *liveDoc)) error {
	return p.safely(func() {
		for _, s := range p.segs {
			for d := range s.Docs {
				if !s.dead.has(d) {
					info := s.record(d)
					f(s, d, &info)
				}
			}
		}
	})
}

// deadBytes estimates how much of a segment's file is of dead documents: of all that its
// documents weigh, their part.
func (s *segment) deadBytes() int64 {
	if s.dead.count() == 0 {
		return 0
	}
	var all, dead int64
	for d := range s.Docs {
		n := s.weight(d)
		all += n
		if s.dead.has(d) {
			dead += n
		}
	}
	return int64(float64(s.size) * float64(dead) / float64(max(all, 1)))
}

// weight estimates what a document takes in its segment: its record and facts, a fifth of its text
// for trigrams and, where it is cut into chunks, two fifths for words, and its chunks with their
// vectors.
func (s *segment) weight(d uint32) int64 {
	info := s.record(d)
	n := docSize + info.size/5
	if len(s.sec[secFactAt]) > 0 { // of an index that machines share, they may be elsewhere
		facts := s.at(secFactAt, int(d)*factSize+4, 8)
		n += factSize + int64(le.Uint32(facts)) + int64(le.Uint32(facts[4:]))
	}
	if info.chunks > 0 {
		rows := int64(len(s.sec[secVecs])+len(s.sec[secSigns])) / int64(max(s.Chunks, 1))
		n += info.size*2/5 + info.chunks*(chunkSize+2+rows)
	}
	return n
}
