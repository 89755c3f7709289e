package vault

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/text"
)

// A Forgetting says what is to be forgotten: one of its fields.
type Forgetting struct {
	Path    string // a note
	Session string // a session: ID, AGENT/ID or session:AGENT/ID; its digest goes with it
	Query   string // every note that has all these words
	DryRun  bool   // only say what would be forgotten
}

// Forgotten is what Forget took away, or would.
type Forgotten struct {
	Notes    []string // paths: their files were removed
	Sessions []string // paths: they are not indexed again; the agent's own files stay
}

// maxForget keeps a query of one common word from emptying a vault.
const maxForget = 100

// Forget removes notes, and keeps sessions out of the index for good. What is
// forgotten is not left in the file of the index.
func (m *Memory) Forget(ctx context.Context, what Forgetting) (gone Forgotten, err error) {
	root, err := m.root()
	if err != nil {
		return gone, err
	}
	defer root.Close()
	// Nobody writes a digest of what is being forgotten, nor the list of it.
	unlock, err := m.lockStore(ctx)
	if err != nil {
		return gone, err
	}
	defer unlock()
	switch {
	case what.Path != "" && !strings.HasPrefix(what.Path, sessionPrefix):
		rel, err := m.existing(root, what.Path)
		if err != nil {
			return gone, err
		}
		gone.Notes = []string{rel}
	case what.Path != "" || what.Session != "":
		if err := m.forgetSession(ctx, root, cmp.Or(what.Path, what.Session), &gone); err != nil {
			return gone, err
		}
	case strings.TrimSpace(what.Query) != "":
		if gone.Notes, err = m.holding(ctx, root, what.Query); err != nil {
			return gone, err
		}
		if len(gone.Notes) == 0 {
			return gone, fault.New(fault.NotFound, "no note has all words of %q", what.Query).Try("memory search", fault.Arg{Name: "query", Value: what.Query})
		}
		if len(gone.Notes) > maxForget {
			return gone, fault.New(fault.Usage, "%d notes have all words of %q, at most %d are forgotten at once", len(gone.Notes), what.Query, maxForget).Or("use more words")
		}
	default:
		return gone, fault.New(fault.Usage, "nothing to forget is named").Or("give a path, --session or --query")
	}
	if what.DryRun {
		return gone, nil
	}
	return gone, m.erase(ctx, root, gone)
}

// forgetSession finds what belongs to a session: in the index, among the agents'
// sessions and in the notes themselves, for the index may be behind or gone.
func (m *Memory) forgetSession(ctx context.Context, root *safe.Root, name string, gone *Forgotten) error {
	name = strings.TrimPrefix(name, sessionPrefix)
	named := func(session string) bool { return session == name || strings.HasSuffix(session, "/"+name) }
	found, digests := map[string]bool{}, map[string]bool{}
	if strings.Contains(name, "/") {
		found[name] = true
	}
	for _, src := range m.cfg.Sources {
		refs, _, err := src.List(ctx)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			if ref.ID == name {
				found[ref.Agent+"/"+ref.ID] = true
			}
		}
	}
	if err := m.eachNote(ctx, root, func(rel string, raw []byte) {
		if head, _, _ := cutFront(raw); bytes.Contains(head, []byte(name)) {
			if session := readFront(head).session; named(session) {
				found[session], digests[rel] = true, true
			}
		}
	}); err != nil {
		return err
	}
	err := m.readIndex(ctx, func(tx *sql.Tx) error {
		var kind int
		var path, session string
		return store.Each(ctx, tx, []any{&kind, &path, &session}, func() error {
			if kind == sessions {
				session = strings.TrimPrefix(path, sessionPrefix)
			}
			if !named(session) {
				return nil
			}
			found[session] = true
			if kind == notes {
				digests[path] = true
			}
			return nil
		}, "SELECT kind, path, session FROM files WHERE session <> '' OR kind = ?", sessions)
	})
	if err != nil {
		return err
	}
	for s := range found {
		gone.Sessions = append(gone.Sessions, sessionPrefix+s)
	}
	slices.Sort(gone.Sessions)
	gone.Notes = slices.Sorted(maps.Keys(digests))
	if len(gone.Sessions) == 0 {
		return fault.New(fault.NotFound, "there is no session %s", name).Try("memory list")
	}
	return nil
}

// eachNote calls f with each note of the vault that can be read.
func (m *Memory) eachNote(ctx context.Context, root *safe.Root, f func(rel string, raw []byte)) error {
	l, err := list(m.cfg.Vault, m.cfg.Now())
	if err != nil {
		return fault.New(fault.Unavailable, "the vault %s cannot be read", m.cfg.Vault).Because(err)
	}
	for _, e := range l.entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if raw, err := readFile(root, e.path); err == nil {
			f(e.path, noteText(e.path, raw))
		}
	}
	return nil
}

// holding returns the notes that have all words of a query, as they are written: it must not remove a note for a word that
// is only alike.
func (m *Memory) holding(ctx context.Context, root *safe.Root, query string) (out []string, err error) {
	words := formsIn([]byte(query))
	if len(words) == 0 {
		return nil, nil
	}
	err = m.eachNote(ctx, root, func(rel string, raw []byte) {
		has := formsIn(raw)
		for w := range words {
			if !has[w] {
				return
			}
		}
		out = append(out, rel)
	})
	return out, err
}

// formsIn returns the folded words of a text, and the parts of those that are made of several.
func formsIn(raw []byte) map[string]bool {
	out := map[string]bool{}
	text.Words(raw, func(w []byte) {
		for _, form := range text.Forms().Terms(nil, w) {
			out[form] = true
		}
	})
	return out
}

// erase removes files and what the index has of them.
func (m *Memory) erase(ctx context.Context, root *safe.Root, gone Forgotten) error {
	never := gone.Sessions
	for _, rel := range gone.Notes {
		raw, err := readFile(root, rel)
		if err != nil {
			continue
		}
		// The next import would bring it back.
		if head, _, _ := cutFront(raw); bytes.Contains(head, []byte(importedKey)) {
			if key := readFront(head).imported; key != "" {
				never = append(slices.Clip(never), forgottenImport+key)
			}
		}
	}
	if len(never) > 0 {
		if err := m.remember(root, never); err != nil {
			return fault.New(fault.Unavailable, "cannot write %s", path.Join(m.cfg.Vault, forgottenFile)).Because(err)
		}
	}
	for _, rel := range gone.Notes {
		if err := root.Remove(rel); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fault.New(fault.Unavailable, "cannot remove %s", rel).Because(err)
		}
	}
	err := m.with(ctx, func(h *handle) error {
		err := h.file(ctx, m.embedder(), func(w *filer) error {
			for _, rel := range gone.Notes {
				if err := w.drop(rel, notes); err != nil {
					return err
				}
			}
			for _, s := range gone.Sessions {
				if err := w.drop(s, sessions); err != nil {
					return err
				}
			}
			for kind := range 2 {
				if err := w.index.Purge(int64(kind)); err != nil {
					return err
				}
			}
			// What was embedded for them is known by its hash alone: all of it goes.
			return w.Exec("DELETE FROM cache")
		})
		if err != nil {
			return err
		}
		return h.scrub(ctx)
	})
	if err == nil { // they have all that is forgotten, and nothing that cannot be read again
		if e := m.pool.collect(0); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = fault.New(fault.Unavailable, "a copy of the index that was moved aside cannot be removed").Because(e)
		}
	}
	if fault.KindOf(err) == fault.Unavailable {
		return fault.New(fault.Unavailable, "the notes are removed, but traces of them may still be in the index").Because(err).Or("when its disk takes writes and nobody else reads it, delete %s and the files beside it, and run assay memory rebuild", m.cfg.DB)
	}
	return err
}

// scrub leaves nothing in the file of the index of what was deleted: SQLite keeps pages
// that are free.
func (h *handle) scrub(ctx context.Context) error {
	if _, err := h.ExecContext(ctx, "VACUUM"); err != nil {
		return err
	}
	var busy, pages, moved int
	if err := h.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved); err != nil {
		return err
	}
	if busy != 0 {
		return fault.New(fault.Unavailable, "another process reads the index, whose file keeps what was removed until it is done")
	}
	return nil
}

// forgottenFile names the sessions that are never to be indexed again, one a line
// as agent/id, and as imported:KEY the notes that are never to be imported again. It is
// in the vault, for the index may be deleted.
const forgottenFile = ".assay-forgotten"

// forgotten reads forgottenFile. An error says that there is one that cannot be read:
// then nobody knows what must not be indexed. Where there is none, as where the vault is
// not mounted, what it said last still holds: the index has a copy.
func (m *Memory) forgotten(ctx context.Context) (map[string]bool, error) {
	root, err := safe.OpenRoot(m.cfg.Vault)
	if errors.Is(err, fs.ErrNotExist) {
		return m.copied(ctx, nil)
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	b, err := readFile(root, forgottenFile)
	if errors.Is(err, fs.ErrNotExist) {
		return m.copied(ctx, nil)
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "%s, which names the sessions to exclude, cannot be read", filepath.Join(m.cfg.Vault, forgottenFile)).Because(err)
	}
	return m.copied(ctx, forgottenOf(b))
}

// copied returns the copy of what is forgotten, made to be that of the file where there is
// one; nil: there is none.
func (m *Memory) copied(ctx context.Context, file map[string]bool) (map[string]bool, error) {
	have := map[string]bool{}
	err := m.with(ctx, func(h *handle) error {
		clear(have)
		if err := h.read(ctx, func(tx *sql.Tx) error {
			var session string
			return store.Each(ctx, tx, []any{&session}, func() error {
				have[session] = true
				return nil
			}, "SELECT session FROM forgotten")
		}); err != nil || file == nil || maps.Equal(file, have) || h.ReadOnly {
			return err
		}
		return h.write(ctx, func(tx *sql.Tx, _ int64) error {
			if _, err := tx.ExecContext(ctx, "DELETE FROM forgotten"); err != nil {
				return err
			}
			for s := range file {
				if _, err := tx.ExecContext(ctx, "INSERT INTO forgotten VALUES (?)", s); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if file != nil {
		return file, nil // the file is the truth, whether or not it could be copied
	}
	if fault.KindOf(err) == fault.Unavailable {
		return nil, nil // without an index there is nothing that could come back
	}
	return have, err
}

func forgottenOf(b []byte) map[string]bool {
	out := map[string]bool{}
	for l := range strings.Lines(string(b)) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			out[l] = true
		}
	}
	return out
}

// remember adds sessions to forgottenFile. Whoever calls it holds the lock of what
// is stored.
func (m *Memory) remember(root *safe.Root, paths []string) error {
	for {
		old, err := readFile(root, forgottenFile)
		now := slices.Clone(old)
		if errors.Is(err, fs.ErrNotExist) {
			old, now, err = nil, []byte("# Sessions that are not to be indexed, and notes that are not to be imported, again.\n"), nil
		}
		if err != nil {
			return err
		}
		if n := len(now); n > 0 && now[n-1] != '\n' { // somebody edited it
			now = append(now, '\n')
		}
		have := forgottenOf(now)
		for _, p := range paths {
			if name := strings.TrimPrefix(p, sessionPrefix); !have[name] && !strings.ContainsAny(name, "\n\r") {
				now = append(now, name+"\n"...)
			}
		}
		// Another index of the same vault has another lock, and its list is added to.
		if err := replace(root, forgottenFile, old, now); !errors.Is(err, errMeanwhile) {
			return err
		}
	}
}
