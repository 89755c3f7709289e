package vault

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// A filed is a file as it goes into the database.
type filed struct {
	kind        int
	path        string
	size, mtime int64  // of a note
	stamp       string // of a session
	page        page
	vectors     [][]byte // one a window, or none
}

// A filer writes files in one transaction. What goes into FTS5 waits for the end: in
// the order of its numbers, and with nothing between, it is written in one go.
type filer struct {
	ctx      context.Context
	tx       *sql.Tx
	epoch    int64
	embedder string
	stmts    map[string]*sql.Stmt
	gone     [2]map[int64]bool
	words    []indexed
	fresh    [2][]embedding
	chunks   int64 // more than before
	bare     bool  // some came without a vector
}

// An indexed is a chunk as FTS5 is given it.
type indexed struct {
	id                         int64
	title, heading, body, gram string
}

// file runs f with a filer and writes what it gathered.
func (h *handle) file(ctx context.Context, embedder string, f func(*filer) error) error {
	return h.write(ctx, func(tx *sql.Tx, epoch int64) error {
		w := &filer{ctx: ctx, tx: tx, epoch: epoch, embedder: embedder, stmts: map[string]*sql.Stmt{}, gone: [2]map[int64]bool{{}, {}}}
		defer w.close()
		if err := f(w); err != nil {
			return err
		}
		if err := w.index(); err != nil {
			return err
		}
		for kind := range w.gone {
			if err := dropVectors(ctx, tx, kind, epoch, w.gone[kind]); err != nil {
				return err
			}
			if err := addVectors(ctx, tx, kind, embedder, epoch, w.fresh[kind]); err != nil {
				return err
			}
		}
		if w.bare {
			if err := setMeta(ctx, tx, "embedded", ""); err != nil {
				return err
			}
		}
		_, err := add(ctx, tx, "chunks", w.chunks)
		return err
	})
}

func (w *filer) close() {
	for _, s := range w.stmts {
		s.Close()
	}
}

// with runs f with a statement, which is prepared once and closed at the end.
func (w *filer) with(query string, f func(*sql.Stmt) error) error {
	s, ok := w.stmts[query]
	if !ok {
		var err error
		if s, err = w.tx.PrepareContext(w.ctx, query); err != nil {
			return err
		}
		w.stmts[query] = s
	}
	return f(s)
}

func (w *filer) exec(query string, args ...any) error {
	return w.with(query, func(s *sql.Stmt) error {
		_, err := s.ExecContext(w.ctx, args...)
		return err
	})
}

// put makes f what is known under its path.
func (w *filer) put(f *filed) error {
	id, err := w.id(f.path)
	if err != nil {
		return err
	}
	if id != 0 {
		if err := w.dropChunks(id, f.kind); err != nil {
			return err
		}
	}
	p := &f.page
	var number any
	if id != 0 {
		number = id
	}
	var created int64
	if !p.created.IsZero() {
		created = p.created.Unix()
	}
	err = w.with(`INSERT OR REPLACE INTO files (id, kind, path, size, mtime, stamp, hash, body, title, category, project, day, created, evergreen, session, supersedes)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`, func(s *sql.Stmt) error {
		return s.QueryRowContext(w.ctx, number, f.kind, f.path, f.size, f.mtime, f.stamp, p.hash, p.body, p.title, p.category, p.project, p.day, created,
			p.evergreen, p.session, p.supersedes).Scan(&id)
	})
	if err != nil {
		return err
	}
	return w.putChunks(id, f)
}

func (w *filer) putChunks(file int64, f *filed) error {
	p := &f.page
	n := int64(len(p.windows))
	if n == 0 {
		return nil
	}
	counter, base := "note chunks", int64(0)
	if f.kind == sessions {
		counter, base = "session chunks", firstSession
	}
	last, err := add(w.ctx, w.tx, counter, n)
	if err != nil {
		return err
	}
	title, place := spell(p.title+" "+p.tags), ""
	if f.kind == notes {
		place = strings.TrimSuffix(f.path, path.Ext(f.path))
	}
	for i, win := range p.windows {
		id := base + last - n + 1 + int64(i)
		d := win.day
		if d == 0 {
			d = p.day
		}
		if err := w.exec("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)", id, file, win.first, win.last, win.heading, d, win.text); err != nil {
			return err
		}
		w.words = append(w.words, indexed{id, title, spell(win.heading + " " + place + " " + dateWords(d)), spell(win.text), text.Fold(p.title + "\n" + win.text)})
		if i < len(f.vectors) && f.vectors[i] != nil {
			w.fresh[f.kind] = append(w.fresh[f.kind], embedding{id, f.vectors[i]})
		} else {
			w.bare = true
		}
	}
	w.chunks += n
	return nil
}

func (w *filer) id(path string) (id int64, err error) {
	err = w.with("SELECT id FROM files WHERE path = ?", func(s *sql.Stmt) error { return s.QueryRowContext(w.ctx, path).Scan(&id) })
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// drop takes a file out.
func (w *filer) drop(path string, kind int) error {
	id, err := w.id(path)
	if err != nil || id == 0 {
		return err
	}
	if err := w.dropChunks(id, kind); err != nil {
		return err
	}
	return w.exec("DELETE FROM files WHERE id = ?", id)
}

func (w *filer) dropChunks(file int64, kind int) error {
	gone, err := w.chunksOf(file)
	if err != nil {
		return err
	}
	for _, id := range gone {
		w.gone[kind][id] = true
	}
	w.chunks -= int64(len(gone))
	return w.exec("DELETE FROM chunks WHERE file = ?", file)
}

// index brings FTS5 up to date with what was dropped and put.
func (w *filer) index() error {
	var gone []int64
	for _, g := range w.gone {
		gone = slices.AppendSeq(gone, maps.Keys(g))
	}
	slices.Sort(gone)
	slices.SortFunc(w.words, func(a, b indexed) int { return cmp.Compare(a.id, b.id) })
	for _, table := range [...]string{"words", "grams"} {
		for _, id := range gone {
			if err := w.exec("DELETE FROM "+table+" WHERE rowid = ?", id); err != nil {
				return err
			}
		}
	}
	for _, x := range w.words {
		if err := w.exec("INSERT INTO words (rowid, title, heading, body) VALUES (?, ?, ?, ?)", x.id, x.title, x.heading, x.body); err != nil {
			return err
		}
	}
	for _, x := range w.words {
		if err := w.exec("INSERT INTO grams (rowid, body) VALUES (?, ?)", x.id, x.gram); err != nil {
			return err
		}
	}
	return nil
}

func (w *filer) chunksOf(file int64) (out []int64, err error) {
	err = w.with("SELECT id FROM chunks WHERE file = ?", func(s *sql.Stmt) error {
		rows, err := s.QueryContext(w.ctx, file)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id int64
			if err := rows.Scan(&id); err != nil {
				return err
			}
			out = append(out, id)
		}
		return rows.Err()
	})
	return out, err
}
