package vault

import (
	"context"
	"database/sql"

	"github.com/assay-dev/assay/internal/base/progress"
	"github.com/assay-dev/assay/internal/core/embed"
)

// remote reports whether the provider is asked over a network, or is as slow.
func (s *syncer) remote() bool {
	_, local := s.m.cfg.Embedder.(embed.Local)
	return s.m.cfg.Embedder != nil && !local
}

// countPending says how many vectors are missing.
func (s *syncer) countPending(ctx context.Context) error {
	return s.h.read(ctx, func(tx *sql.Tx) error {
		missing, err := unembedded(ctx, tx, s.m.embedder())
		s.r.Pending = len(missing)
		return err
	})
}

// vectors makes the vectors that are missing: all of them where the provider is
// another one.
func (s *syncer) vectors(ctx context.Context) error {
	p := s.m.cfg.Embedder
	if p == nil {
		return nil
	}
	name := p.Name()
	var missing []int64
	err := s.h.read(ctx, func(tx *sql.Tx) (err error) {
		missing, err = unembedded(ctx, tx, name)
		return err
	})
	if err != nil {
		return err
	}
	if s.opt.Quick && s.remote() && len(missing) > 0 {
		s.r.Pending = len(missing)
		return nil
	}
	const batch = 64
	for at := 0; at < len(missing); at += batch {
		if s.late() || ctx.Err() != nil {
			s.r.Pending = len(missing) - at
			return ctx.Err()
		}
		ids := missing[at:min(at+batch, len(missing))]
		if err := s.embed(ctx, p, ids); err != nil {
			if ctx.Err() != nil || damaged(err) {
				return err
			}
			s.r.Pending, s.r.Degraded = len(missing)-at, err.Error()
			return nil
		}
		s.r.Embedded += len(ids)
		progress.Of(ctx).Progress("vectors", int64(at+len(ids)), int64(len(missing)))
	}
	return s.h.write(ctx, func(tx *sql.Tx, _ int64) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM vectors WHERE embedder <> ?", name); err != nil {
			return err
		}
		if s.r.Stale > 0 {
			return nil
		}
		return setMeta(ctx, tx, "embedded", name)
	})
}

// embed makes and writes the vectors of chunks.
func (s *syncer) embed(ctx context.Context, p embed.Provider, ids []int64) error {
	texts := map[int64]string{}
	if err := s.h.read(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT c.id, f.title, c.heading, c.text FROM chunks c JOIN files f ON f.id = c.file WHERE c.id IN ("+numbers64(ids)+")")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id int64
			var title, heading, text string
			if err := rows.Scan(&id, &title, &heading, &text); err != nil {
				return err
			}
			texts[id] = vectorText(title, heading, text)
		}
		return rows.Err()
	}); err != nil {
		return err
	}
	var have []int64
	var ask []string
	for _, id := range ids {
		if t, ok := texts[id]; ok {
			have, ask = append(have, id), append(ask, t)
		}
	}
	data, err := embedAll(ctx, s.h, p, ask)
	if err != nil {
		return err
	}
	return s.h.file(ctx, p.Name(), func(w *filer) error {
		for i, id := range have {
			// The chunk may have gone while its vector was made.
			var here int
			if err := w.tx.QueryRowContext(ctx, "SELECT count(*) FROM chunks WHERE id = ?", id).Scan(&here); err != nil {
				return err
			}
			if here == 0 {
				continue
			}
			kind := notes
			if id >= firstSession {
				kind = sessions
			}
			w.fresh[kind] = append(w.fresh[kind], embedding{id, data[i]})
		}
		return nil
	})
}
