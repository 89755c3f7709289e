package vault

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/index"
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

// A filer writes files in one transaction.
type filer struct {
	*store.Statements
	index *index.Edit
	bare  bool // some chunks came without a vector
}

// file runs f with a filer and writes what it gathered.
func (h *handle) file(ctx context.Context, embedder string, f func(*filer) error) error {
	return h.write(ctx, func(tx *sql.Tx, _ int64) error {
		w := &filer{Statements: store.Prepared(ctx, tx), index: h.index.Edit(ctx, tx, embedder)}
		if err := f(w); err != nil {
			return err
		}
		if w.bare {
			if err := setMeta(ctx, tx, "embedded", ""); err != nil {
				return err
			}
		}
		return w.index.Close()
	})
}

// put makes f what is known under its path.
func (w *filer) put(f *filed) error {
	id, err := w.id(f.path)
	if err != nil {
		return err
	}
	if id != 0 {
		if err := w.empty(id); err != nil {
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
	err = w.Scan([]any{&id}, `INSERT OR REPLACE INTO files (id, kind, path, size, mtime, stamp, hash, body, title, category, project,
		day, created, evergreen, session, name, valid_from, valid_until, pinned, importance, asked)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		number, f.kind, f.path, f.size, f.mtime, f.stamp, p.hash, p.body, p.title, p.category, p.project, p.day, created, p.evergreen, p.session, nameOf(f.path), p.standing.from, p.standing.until, p.standing.pinned, p.standing.importance, p.asked)
	if err != nil {
		return err
	}
	for _, l := range p.links {
		if err := w.Exec("INSERT INTO links VALUES (?, ?, ?, ?)", id, l.line, l.kind, l.target); err != nil {
			return err
		}
	}
	return w.putChunks(id, f)
}

// empty removes what hangs on a file.
func (w *filer) empty(id int64) error {
	if err := w.Exec("DELETE FROM chunks WHERE file = ?", id); err != nil {
		return err
	}
	return w.Exec("DELETE FROM links WHERE file = ?", id)
}

func (w *filer) putChunks(file int64, f *filed) error {
	p := &f.page
	place := ""
	if f.kind == notes {
		place = strings.TrimSuffix(f.path, path.Ext(f.path))
	}
	day := func(win *window) day { return cmp.Or(win.day, p.day) }
	found := make([]index.Findable, len(p.windows))
	for i := range p.windows {
		win := &p.windows[i]
		found[i].Texts = []string{inBody: win.text, inTitle: p.title + " " + p.keywords, inHeading: win.heading + " " + place + " " + dateWords(day(win))}
		if i == 0 {
			found[i].Texts[inTitle] += " " + p.asked
		}
		found[i].Inside = text.Fold(p.title + "\n" + win.text)
		if i < len(f.vectors) {
			found[i].Vector = f.vectors[i]
		}
		w.bare = w.bare || found[i].Vector == nil
	}
	first, err := w.index.Put(int64(f.kind), f.path, found)
	if err != nil {
		return err
	}
	for i := range p.windows {
		win := &p.windows[i]
		if err := w.Exec("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?)", chunkID(f.kind, first+uint32(i)), file, win.first, win.last, win.heading, day(win), win.text,
			win.speaker); err != nil {
			return err
		}
	}
	return nil
}

func (w *filer) id(path string) (id int64, err error) {
	err = w.Scan([]any{&id}, "SELECT id FROM files WHERE path = ?", path)
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
	if err := w.index.Delete(int64(kind), path); err != nil {
		return err
	}
	if err := w.empty(id); err != nil {
		return err
	}
	return w.Exec("DELETE FROM files WHERE id = ?", id)
}
