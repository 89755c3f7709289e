package vault

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/index"
)

// SyncOptions say how far to go. The zero value brings everything up to date.
type SyncOptions struct {
	NotesOnly bool
	Budget    time.Duration // when to stop; 0: when all is done
	Full      bool          // read every file again
	Try       bool          // do nothing where another process is at it
	Quick     bool          // ask no provider over a network: what it is to embed stays pending
	Reading   bool          // somebody wants to read: that the index cannot be written is only told
}

// A SyncReport says what Sync did.
type SyncReport struct {
	Notes    int            // in the vault
	Sessions int            // of the agents
	Changed  int            // files and sessions that were read and differed
	Removed  int            // that are gone
	Chunks   int            // of those that changed
	Embedded int            // vectors made
	Stale    int            // what changed and is not indexed yet
	Pending  int            // chunks whose vectors are missing
	Skipped  map[string]int // by reason
	Missing  string         // why the vault was not read; empty: it was
	Frozen   string         // why the index cannot be brought up to date; empty: it can
	Degraded string         // why there are no vectors
	Busy     bool           // another process is at it
	Moved    string         // where a damaged index was put
}

// batch bounds what one transaction writes, so that others get their turn.
const (
	batchFiles = 500
	batchBytes = 2 << 20
)

// Sync brings the index up to date with the vault and the agents' sessions.
func (m *Memory) Sync(ctx context.Context, opt SyncOptions) (r SyncReport, err error) {
	// All counts are those of the last try.
	err = m.with(ctx, func(h *handle) error {
		s := &syncer{m: m, h: h, opt: opt, r: SyncReport{Skipped: map[string]int{}}}
		if opt.Budget > 0 {
			s.until = time.Now().Add(opt.Budget)
		}
		err := s.run(ctx)
		r = s.r
		return err
	})
	r.Moved = m.pool.told()
	return r, err
}

// A syncer is one call of Sync.
type syncer struct {
	m     *Memory
	h     *handle
	opt   SyncOptions
	r     SyncReport
	until time.Time
	queue []*filed // read and not yet written
	bytes int
	live  *handle // nil, or the index in whose place the one of h will be: it has what a provider gave
}

func (s *syncer) late() bool { return !s.until.IsZero() && time.Now().After(s.until) }

// identity is what the chunks were cut by.
func (m *Memory) identity() string {
	return fmt.Sprintf("6 %d %d", m.cfg.ChunkTokens, m.cfg.OverlapTokens)
}

func (m *Memory) embedder() string {
	if m.cfg.Embedder == nil {
		return ""
	}
	return m.cfg.Embedder.Name()
}

func (s *syncer) run(ctx context.Context) error {
	found := s.look(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	same, err := s.unchanged(ctx, found)
	if err != nil || same {
		s.tidy(found)
		return err
	}
	if s.h.ReadOnly {
		return s.frozen(ctx, found, s.h.why)
	}
	if s.opt.Full && !s.h.memory {
		return s.rebuild(ctx, found)
	}
	err = s.update(ctx, found)
	switch {
	case s.opt.Reading && store.Unwritable(err):
		return s.frozen(ctx, found, err.Error())
	case s.opt.Reading && errors.Is(err, store.ErrBusy):
		s.r.Stale = 0
		return s.busy(ctx, found, err)
	}
	return err
}

// busy counts what another process keeps from being indexed. For those who need not read it is an error.
func (s *syncer) busy(ctx context.Context, found *found, why error) error {
	if !s.opt.Reading && !s.opt.Try {
		return why
	}
	s.r.Busy = true
	return s.countStale(ctx, found)
}

// frozen counts what the index does not know, and says why it stays so.
func (s *syncer) frozen(ctx context.Context, found *found, why string) error {
	s.r.Stale = 0
	err := s.countStale(ctx, found)
	if s.r.Stale > 0 {
		s.r.Frozen = why
	}
	return err
}

// update writes what was found into the index.
func (s *syncer) update(ctx context.Context, found *found) error {
	s.m.removeAside()
	unlock, err := s.lock(ctx, ".sync", s.opt.Try)
	if errors.Is(err, file.ErrLocked) {
		return s.busy(ctx, found, s.m.locked(".sync"))
	}
	if err != nil {
		return err
	}
	if err = s.turn(ctx, s.h.Idle); errors.Is(err, file.ErrLocked) {
		unlock()
		return s.busy(ctx, found, s.m.locked(".write"))
	}
	if err == nil {
		err = s.texts(ctx, found)
	}
	unlock()
	if err != nil {
		return err
	}
	return s.embedMissing(ctx)
}

// embedMissing makes the vectors that are missing.
func (s *syncer) embedMissing(ctx context.Context) error {
	if s.m.cfg.Embedder == nil {
		return nil
	}
	// A provider may take its time: nobody waits for that who only wants to be sure of
	// the texts.
	unlock, err := s.lock(ctx, ".embed", s.remote())
	if errors.Is(err, file.ErrLocked) {
		return s.countPending(ctx)
	}
	if err != nil {
		return err
	}
	defer unlock()
	return s.vectors(ctx)
}

// lock is Memory.lock; a database in memory is nobody else's.
func (s *syncer) lock(ctx context.Context, name string, try bool) (unlock func(), err error) {
	if s.h.memory {
		return func() {}, nil
	}
	if try {
		return s.m.lock(ctx, name, true)
	}
	err = s.turn(ctx, func(ctx context.Context) (err error) {
		unlock, err = s.m.lock(ctx, name, false)
		return err
	})
	return unlock, err
}

// turn waits for others. Who only wants to read waits for a while: another process may be at it
// for long, or be stopped, and the index answers as it is. A writer waits as long as the index
// changes under the others: one that is stopped changes nothing.
func (s *syncer) turn(ctx context.Context, wait func(context.Context) error) error {
	for {
		limit, was := s.m.cfg.Turn, ""
		if !s.opt.Reading {
			limit, was = s.m.writerTurn(), s.epoch(ctx)
		}
		err := waitAtMost(ctx, limit, wait)
		if !errors.Is(err, file.ErrLocked) || s.opt.Reading || s.epoch(ctx) == was {
			return err
		}
	}
}

// waitAtMost returns file.ErrLocked where a wait takes longer than it may.
func waitAtMost(ctx context.Context, most time.Duration, wait func(context.Context) error) error {
	limit, stop := context.WithTimeout(ctx, most)
	defer stop()
	err := wait(limit)
	if err != nil && ctx.Err() == nil && (limit.Err() != nil || errors.Is(err, store.ErrBusy)) {
		return file.ErrLocked
	}
	return err
}

// epoch is the number of the state of the index; it is the same where it cannot be read.
func (s *syncer) epoch(ctx context.Context) string {
	epoch, _ := meta(ctx, s.h, "epoch")
	return epoch
}

// texts brings notes and sessions up to date.
func (s *syncer) texts(ctx context.Context, f *found) error {
	if err := s.recut(ctx); err != nil {
		return err
	}
	if err := s.notes(ctx, f); err != nil {
		return err
	}
	if err := s.sessions(ctx, f); err != nil || s.opt.NotesOnly {
		return err
	}
	return s.built(ctx)
}

// recut forgets what the files looked like where they are to be cut otherwise.
func (s *syncer) recut(ctx context.Context) error {
	return s.h.write(ctx, func(tx *sql.Tx, _ int64) error {
		have, err := meta(ctx, tx, "identity")
		if err != nil || have == s.m.identity() && !s.opt.Full {
			return err
		}
		// The files stay, so that what is stored meanwhile is compared with what there was, and
		// searches say how much is to come.
		if _, err := tx.ExecContext(ctx, forgetText); err != nil {
			return err
		}
		if err := s.h.index.Clear(ctx, tx); err != nil {
			return err
		}
		if err := setMeta(ctx, tx, "building", "1"); err != nil {
			return err
		}
		return setMeta(ctx, tx, "identity", s.m.identity())
	})
}

// built says that what recut threw away is all back.
func (s *syncer) built(ctx context.Context) error {
	if s.r.Stale > 0 || s.r.Missing != "" {
		return nil
	}
	have, err := meta(ctx, s.h, "building")
	if err != nil || have == "" {
		return err
	}
	return s.h.write(ctx, func(tx *sql.Tx, _ int64) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM meta WHERE key = 'building'")
		return err
	})
}

// notes brings the notes up to date.
func (s *syncer) notes(ctx context.Context, f *found) error {
	if f.vault == nil {
		return nil
	}
	differ, gone, have, err := s.changed(ctx, f, true)
	if err != nil {
		return err
	}
	if len(gone) > 0 {
		if err := s.h.file(ctx, s.m.embedder(), func(w *filer) error {
			for _, path := range gone {
				if err := w.drop(path, notes); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
		s.r.Removed += len(gone)
	}
	s.tidy(f)
	if len(differ) > 0 {
		root, err := safe.OpenRoot(s.m.cfg.Vault)
		if err != nil {
			s.r.Missing = err.Error()
			return nil
		}
		defer root.Close()
		if err := s.each(ctx, "notes", len(differ), func(i int) (*filed, error) {
			return s.readNote(root, differ[i], have[differ[i].path])
		}); err != nil {
			return err
		}
	}
	if s.r.Stale > 0 {
		return nil
	}
	return s.h.write(ctx, func(tx *sql.Tx, _ int64) error { return setMeta(ctx, tx, "notes", f.digest) })
}

// tidy removes what killed writers left in the vault.
func (s *syncer) tidy(f *found) {
	if f.vault == nil || len(f.vault.litter) == 0 {
		return
	}
	root, err := safe.OpenRoot(s.m.cfg.Vault)
	if err != nil {
		return // it was listed a moment ago: next time, then
	}
	defer root.Close()
	for _, rel := range f.vault.litter {
		_ = root.Remove(rel) // next time, then
	}
	f.vault.litter = nil
}

// notText reports whether a file is no text, whatever its name says.
func notText(raw []byte) bool {
	return bytes.IndexByte(raw[:min(len(raw), 8000)], 0) >= 0
}

// readNote returns a note as it goes into the index; nil: it cannot be read.
func (s *syncer) readNote(root *safe.Root, e entry, have manifest) (*filed, error) {
	raw, err := readFile(root, e.path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.skip("unreadable note")
		}
		return nil, nil // one file that cannot be read keeps nobody from the others
	}
	if notText(raw) {
		s.skip("not text")
	}
	return s.m.filed(e, raw, have.hash), nil
}

// filed takes a note apart; only its dates where its text is the one of hash.
func (m *Memory) filed(e entry, raw, hash []byte) *filed {
	clean, _ := Clean(noteText(e.path, raw))
	f := &filed{kind: notes, path: e.path, size: e.size, mtime: e.mtime}
	sum := sha256.Sum256(clean)
	if bytes.Equal(sum[:16], hash) {
		f.page.hash = nil // as it was
		return f
	}
	if notText(raw) {
		// It stays known, so that it is not read each time, and is found by nothing.
		f.page = page{hash: sum[:16]}
		return f
	}
	f.page = readNote(e.path, clean, m.cfg.ChunkTokens, max(m.cfg.OverlapTokens, 0))
	m.embedLocal(f)
	return f
}

// embedLocal makes the vectors of a file where that costs no more than to read it.
func (m *Memory) embedLocal(f *filed) {
	local, ok := m.cfg.Embedder.(embed.Local)
	if !ok {
		return
	}
	v := make([]float32, local.Dims())
	for _, w := range f.page.windows {
		local.Vector(v, []byte(vectorText(f.page.title, w.heading, w.text)))
		f.vectors = append(f.vectors, index.Quantise(make([]byte, 0, 4+len(v)), v))
	}
}

func (s *syncer) skip(why string) { s.r.Skipped[why]++ }

// countStale says how far the index is behind, where it cannot be brought forward.
func (s *syncer) countStale(ctx context.Context, f *found) error {
	if f.vault != nil {
		differ, gone, _, err := s.changed(ctx, f, false)
		if err != nil {
			return err
		}
		s.r.Stale += len(differ) + len(gone)
	}
	if !s.opt.NotesOnly {
		have, err := s.h.manifest(ctx, sessions)
		if err != nil {
			return err
		}
		for _, ref := range f.refs {
			if x, ok := have[sessionPath(ref.Agent, ref.ID)]; !ok || x.stamp != ref.Stamp {
				s.r.Stale++
			}
		}
	}
	return nil
}
