package vault

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/memory/transcript"
)

// What there is to be indexed.
type found struct {
	vault   *listing // nil: it cannot be read
	digest  string
	large   []string // notes that are too large to be indexed
	refs    []transcript.Ref
	blind   map[string]bool // agents of which not all sessions were seen
	forgot  map[string]bool // sessions that are never to be indexed, by agent/id
	refsSum string
	seen    transcript.Seen // files of the agents
}

// look lists the vault and the sessions.
func (s *syncer) look(ctx context.Context) *found {
	f := &found{blind: map[string]bool{}}
	var group sync.WaitGroup
	group.Go(func() {
		l, err := list(s.m.cfg.Vault, s.m.cfg.Now())
		switch {
		case err == nil:
			f.vault, f.digest = l, l.digest(s.m.cfg.Vault)
			s.r.Notes = len(l.entries)
			for _, e := range l.entries {
				if e.size > maxNote {
					f.large = append(f.large, e.path)
				}
			}
		case errors.Is(err, fs.ErrNotExist) && s.m.cfg.Create:
			f.vault = &listing{} // nothing was ever stored
			f.digest = f.vault.digest(s.m.cfg.Vault)
		default:
			s.r.Missing = err.Error()
		}
	})
	if !s.opt.NotesOnly {
		s.listSessions(ctx, f)
	}
	group.Wait()
	if f.vault != nil {
		for why, n := range map[string]int{"symlink": len(f.vault.linked), "unreadable folder": len(f.vault.unread), "larger than 32 MB": len(f.large)} {
			if n > 0 {
				s.r.Skipped[why] += n
			}
		}
	}
	return f
}

// unchanged reports whether the index matches what was found: the usual case, which a
// comparison of a few words decides.
func (s *syncer) unchanged(ctx context.Context, f *found) (bool, error) {
	if s.opt.Full || f.vault != nil && f.digest == "" || !s.opt.NotesOnly && f.refsSum == "" {
		return false, nil
	}
	same := false
	err := s.h.read(ctx, func(tx *sql.Tx) error {
		for _, want := range [...]struct {
			key, value string
			asked      bool
		}{
			{"identity", s.m.identity(), true}, {"notes", f.digest, f.vault != nil}, {"sessions", f.refsSum, !s.opt.NotesOnly},
			{"embedded", s.m.embedder(), s.m.cfg.Embedder != nil},
		} {
			have, err := meta(ctx, tx, want.key)
			if err != nil || want.asked && have != want.value {
				return err
			}
		}
		same = true
		return nil
	})
	return same, err
}

// A manifest is what the index knows of a file.
type manifest struct {
	id, size, mtime int64
	stamp           string
	hash            []byte
}

func (h *handle) manifest(ctx context.Context, kind int) (map[string]manifest, error) {
	out := map[string]manifest{}
	err := h.read(ctx, func(tx *sql.Tx) error {
		var path string
		var x manifest
		return store.Each(ctx, tx, []any{&path, &x.id, &x.size, &x.mtime, &x.stamp, &x.hash}, func() error {
			out[path] = x
			return nil
		}, "SELECT path, id, size, mtime, stamp, hash FROM files WHERE kind = ?", kind)
	})
	return out, err
}

// changed returns the notes that differ from the index, or may, and those that are
// gone.
func (s *syncer) changed(ctx context.Context, f *found, may bool) (differ []entry, gone []string, have map[string]manifest, err error) {
	have, err = s.h.manifest(ctx, notes)
	if err != nil {
		return nil, nil, nil, err
	}
	here := make(map[string]bool, len(f.vault.entries))
	edge := s.m.cfg.Now().Add(-2 * time.Second).UnixNano()
	for _, e := range f.vault.entries {
		if e.size > maxNote {
			continue // what was indexed of it before it grew is not its text
		}
		here[e.path] = true
		x, ok := have[e.path]
		if !ok || x.size != e.size || x.mtime != e.mtime || may && e.mtime > edge {
			differ = append(differ, e)
		}
	}
	for path := range have {
		if !here[path] && f.vault.covers(path) {
			gone = append(gone, path)
		}
	}
	return differ, gone, have, nil
}
