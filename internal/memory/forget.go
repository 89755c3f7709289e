package memory

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/fault"
)

// A Forgetting says what is to be forgotten: one of its fields.
type Forgetting struct {
	Path    string // a note
	Session string // a session: ID, AGENT/ID or session:AGENT/ID; its digest goes with it
	Query   string // every note that has all these words
	DryRun  bool   // only say what it would be
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
	switch {
	case what.Path != "" && !strings.HasPrefix(what.Path, sessionPrefix):
		rel, err := m.existing(root, what.Path)
		if err != nil {
			return gone, err
		}
		gone.Notes = []string{rel}
	case what.Path != "" || what.Session != "":
		if err := m.forgetSession(ctx, cmpOr(what.Path, what.Session), &gone); err != nil {
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

// forgetSession finds what belongs to a session.
func (m *Memory) forgetSession(ctx context.Context, name string, gone *Forgotten) error {
	name = strings.TrimPrefix(name, sessionPrefix)
	found := map[string]bool{}
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
	err := m.with(ctx, func(h *handle) error {
		gone.Notes = nil
		return h.read(ctx, func(tx *sql.Tx) error {
			rows, err := tx.QueryContext(ctx, "SELECT kind, path, session FROM files WHERE session <> '' OR kind = ?", sessions)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				var kind int
				var path, session string
				if err := rows.Scan(&kind, &path, &session); err != nil {
					return err
				}
				if kind == sessions {
					session = strings.TrimPrefix(path, sessionPrefix)
				}
				if session != name && !strings.HasSuffix(session, "/"+name) {
					continue
				}
				found[session] = true
				if kind == notes {
					gone.Notes = append(gone.Notes, path)
				}
			}
			return rows.Err()
		})
	})
	if err != nil {
		return err
	}
	for s := range found {
		gone.Sessions = append(gone.Sessions, sessionPrefix+s)
	}
	slices.Sort(gone.Sessions)
	if len(gone.Sessions) == 0 {
		return fault.New(fault.NotFound, "there is no session %s", name).Try("memory list")
	}
	return nil
}

// holding returns the notes that have all words of a query.
func (m *Memory) holding(ctx context.Context, root *os.Root, query string) ([]string, error) {
	stems, _ := m.stems.Get().(stemmer)
	defer m.stems.Put(stems)
	q := ask(query, m.cfg.Now(), stems)
	if len(q.terms) == 0 {
		return nil, nil
	}
	l, err := list(m.cfg.Vault, m.cfg.Now())
	if err != nil {
		return nil, fault.New(fault.Unavailable, "the vault %s cannot be read", m.cfg.Vault).Because(err)
	}
	var out []string
	for _, e := range l.entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		raw, err := readFile(root, e.path)
		if err != nil {
			continue
		}
		var seen uint64
		q.find(string(raw), stems, func(_, term int) { seen |= 1 << term })
		if seen == 1<<len(q.terms)-1 {
			out = append(out, e.path)
		}
	}
	return out, nil
}

// erase removes files and what the index has of them.
func (m *Memory) erase(ctx context.Context, root *os.Root, gone Forgotten) error {
	if len(gone.Sessions) > 0 {
		if err := m.remember(root, gone.Sessions); err != nil {
			return fault.New(fault.Unavailable, "cannot write %s", path.Join(m.cfg.Vault, forgottenFile)).Because(err)
		}
	}
	for _, rel := range gone.Notes {
		if err := root.Remove(filepath.FromSlash(rel)); err != nil && !errors.Is(err, fs.ErrNotExist) {
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
			// What was embedded for them is known by its hash alone: all of it goes.
			return w.exec("DELETE FROM cache")
		})
		if err != nil {
			return err
		}
		return h.scrub(ctx)
	})
	return err
}

// scrub leaves nothing in the file of the index of what was deleted: FTS5 marks it
// as gone until its parts are merged, and SQLite keeps pages that are free.
func (h *handle) scrub(ctx context.Context) error {
	for _, q := range [...]string{"INSERT INTO words (words) VALUES ('optimize')", "INSERT INTO grams (grams) VALUES ('optimize')", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := h.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// forgottenFile names the sessions that are never to be indexed again, one a line
// as agent/id. It lies in the vault, for the index may be deleted.
const forgottenFile = ".assay-forgotten"

// forgotten reads forgottenFile.
func (m *Memory) forgotten() map[string]bool {
	b, err := os.ReadFile(filepath.Join(m.cfg.Vault, forgottenFile))
	if err != nil {
		return nil
	}
	out := map[string]bool{}
	for l := range strings.Lines(string(b[:min(len(b), 1<<20)])) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			out[l] = true
		}
	}
	return out
}

// remember adds sessions to forgottenFile.
func (m *Memory) remember(root *os.Root, paths []string) error {
	have := m.forgotten()
	var b strings.Builder
	if old, err := root.ReadFile(forgottenFile); err == nil {
		b.Write(old)
	} else {
		b.WriteString("# Sessions that are not to be indexed again.\n")
	}
	for _, p := range paths {
		if name := strings.TrimPrefix(p, sessionPrefix); !have[name] && !strings.ContainsAny(name, "\n\r") {
			b.WriteString(name + "\n")
		}
	}
	return replace(root, forgottenFile, []byte(b.String()))
}
