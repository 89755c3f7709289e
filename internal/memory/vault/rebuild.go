package vault

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/code/index"
)

// asideSuffix names, after the name of the index, the one that is being built to take its place. Whoever has
// the lock .rebuild may make it and remove it.
const asideSuffix = ".new"

// spareNumbers is how many chunks others may write while an index is rebuilt, before that has to begin again.
const spareNumbers = 1 << 16

// rebuild reads every file again into an index beside the one that answers meanwhile, and puts all of it in
// its place with one commit. Whoever is stopped or killed before that leaves the old one as it was.
func (s *syncer) rebuild(ctx context.Context, found *found) error {
	if found.vault == nil {
		return nil // nothing is known that could replace what is there; Missing says why
	}
	unlock, err := s.m.lock(ctx, ".rebuild", false)
	if err != nil {
		return err
	}
	defer unlock()
	for spare := int64(spareNumbers); ; spare *= 16 {
		err = s.rebuildOnce(ctx, spare)
		if !errors.Is(err, index.ErrNumbers) || spare > spareNumbers<<8 {
			break
		}
	}
	if err != nil {
		return err
	}
	return s.embedMissing(ctx)
}

func (s *syncer) rebuildOnce(ctx context.Context, spare int64) error {
	path := s.m.asidePath()
	if err := removeDatabase(path); err != nil {
		return err
	}
	defer func() { _ = removeDatabase(path) }() // else the next writer does
	db, err := store.Open(ctx, path, s.m.pool.schema())
	if err != nil {
		return err
	}
	aside := &handle{DB: db, index: index.NewFile(db, layout(), true), opened: s.h.opened}
	defer aside.Close()
	if err := s.reserve(ctx, aside, spare); err != nil {
		return err
	}
	b := s.beside(aside)
	if err := b.texts(ctx, b.look(ctx)); err != nil {
		return err
	}
	if err := b.vectors(ctx); err != nil {
		return err
	}
	return s.swap(ctx, b, path)
}

// beside returns a syncer that fills an index which nobody else has.
func (s *syncer) beside(aside *handle) *syncer {
	b := &syncer{m: s.m, h: aside, live: s.h, opt: s.opt, r: SyncReport{Skipped: map[string]int{}}}
	b.opt.Full = false // it is empty
	return b
}

// reserve prepares an empty index to take the place of the one that answers.
func (s *syncer) reserve(ctx context.Context, aside *handle, spare int64) error {
	next, err := index.Next(ctx, s.h)
	if err != nil {
		return store.Classify(err)
	}
	seen, err := meta(ctx, s.h, seenFiles)
	if err != nil {
		return store.Classify(err)
	}
	return aside.write(ctx, func(tx *sql.Tx, _ int64) error {
		if err := setMeta(ctx, tx, seenFiles, seen); err != nil {
			return err
		}
		return index.Reserve(ctx, tx, next, spare)
	})
}

// swap puts what b has built into the place of the index. Nobody writes from then on, so that what was
// written while it was built is read once more and nothing of it is missing.
func (s *syncer) swap(ctx context.Context, b *syncer, path string) error {
	unlock, err := s.lock(ctx, ".sync", false)
	if errors.Is(err, file.ErrLocked) {
		return s.m.locked(".sync")
	}
	if err != nil {
		return err
	}
	defer unlock()
	// The index has its copy of what is forgotten now: in the turn below nobody could write it.
	if _, err := s.m.forgotten(ctx); err != nil {
		return err
	}
	var gone int
	err = s.h.WriteFrom(ctx, path, "aside", func(*sql.Tx) error {
		if err := s.catchUp(ctx, b); err != nil {
			return err
		}
		b.h.Close() // its log is in its file then
		return nil
	}, func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM main.files WHERE path NOT IN (SELECT path FROM aside.files)").Scan(&gone); err != nil {
			return err
		}
		return adopt(ctx, tx)
	})
	b.r.Removed = gone
	s.r = b.r
	return err
}

// catchUp brings what was built up to date, and leaves nothing in it of what was removed meanwhile.
func (s *syncer) catchUp(ctx context.Context, b *syncer) error {
	last := s.beside(b.h)
	found := last.look(ctx)
	if found.vault == nil {
		return errors.New(last.r.Missing)
	}
	if err := last.texts(ctx, found); err != nil {
		return err
	}
	if last.r.Removed > 0 {
		if err := b.h.file(ctx, s.m.embedder(), func(w *filer) error {
			return errors.Join(w.index.Purge(notes), w.index.Purge(sessions))
		}); err != nil {
			return err
		}
	}
	last.r.Changed += b.r.Changed
	last.r.Chunks += b.r.Chunks
	last.r.Embedded += b.r.Embedded
	for why, n := range b.r.Skipped {
		last.r.Skipped[why] = max(n, last.r.Skipped[why])
	}
	b.r = last.r
	return nil
}

// adopt copies what is made of the notes and the sessions from the index aside. What a provider gave stays,
// and so does the list of what is forgotten, which has a truth of its own.
func adopt(ctx context.Context, tx *sql.Tx) error {
	if _, err := add(ctx, tx, "epoch", 1); err != nil {
		return err
	}
	if err := index.Adopt(ctx, tx, "aside"); err != nil {
		return err
	}
	for _, q := range [...]string{
		"DELETE FROM main.chunks", "INSERT INTO main.chunks SELECT * FROM aside.chunks",
		"DELETE FROM main.links", "INSERT INTO main.links SELECT * FROM aside.links",
		"DELETE FROM main.files", "INSERT INTO main.files SELECT * FROM aside.files",
		"DELETE FROM main.meta WHERE key <> 'epoch'", "INSERT INTO main.meta SELECT * FROM aside.meta WHERE key <> 'epoch'",
	} {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

func (m *Memory) asidePath() string { return store.Named(m.cfg.DB) + asideSuffix }

// removeAside removes the files of a rebuild that was killed. Any of them may be left alone: the lock is made
// before the database, and the database is removed before its locks.
func (m *Memory) removeAside() {
	path := m.asidePath()
	if !slices.ContainsFunc(store.Files(path), isThere) {
		return
	}
	if unlock, err := m.lock(context.Background(), ".rebuild", true); err == nil {
		defer unlock()
		_ = removeDatabase(path) // else the next writer does
	}
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// removeDatabase removes a database that nobody has open, and what is beside it. A link is removed, never
// what it leads to.
func removeDatabase(path string) error {
	dir, name := filepath.Split(path)
	root, err := safe.OpenRoot(filepath.Clean(dir))
	if err != nil {
		return err
	}
	defer root.Close()
	var errs []error
	for _, left := range store.Files(name) {
		if err := root.Remove(left); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
