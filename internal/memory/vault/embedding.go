package vault

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"strconv"

	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/index"
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
		work.FromContext(ctx).Progress("vectors", int64(at+len(ids)), int64(len(missing)))
	}
	return s.h.write(ctx, func(tx *sql.Tx, _ int64) error {
		if err := s.h.index.KeepVectors(ctx, tx, name); err != nil {
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
		var id int64
		var title, heading, text, asked string
		return store.Each(ctx, tx, []any{&id, &title, &heading, &text, &asked}, func() error {
			if _, ok := p.(embed.Local); !ok && asked != "" {
				text += "\n" + asked // a local model compares each question by itself: see sharpenAsked
			}
			texts[id] = vectorText(title, heading, text)
			return nil
		}, `SELECT c.id, f.title, c.heading, c.text,
			CASE WHEN EXISTS (SELECT 1 FROM chunks o WHERE o.file = c.file AND o.id < c.id) THEN '' ELSE f.asked END
			FROM chunks c JOIN files f ON f.id = c.file WHERE c.id IN (`+numbers64(ids)+")")
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
	data, err := embedAll(ctx, cmp.Or(s.live, s.h), p, ask)
	if err != nil {
		return err
	}
	// A chunk may have gone while its vector was made.
	return s.h.file(ctx, p.Name(), func(w *filer) error {
		var numbers [2][]uint32
		var vectors [2][][]byte
		for i, id := range have {
			kind, number := partOf(id)
			numbers[kind], vectors[kind] = append(numbers[kind], number), append(vectors[kind], data[i])
		}
		for kind := range numbers {
			if err := w.index.PutVectors(int64(kind), numbers[kind], vectors[kind]); err != nil {
				return err
			}
		}
		return nil
	})
}

// vectorText is what is embedded for a chunk: the text with what is
// above it.
func vectorText(title, heading, text string) string {
	return title + "\n" + heading + "\n" + text
}

// embedAll returns the vectors of texts in the form in which they are kept. What a
// provider that is no Local gave once is kept, so that it is not asked again.
func embedAll(ctx context.Context, h *handle, p embed.Provider, texts []string) ([][]byte, error) {
	out := make([][]byte, len(texts))
	if local, ok := p.(embed.Local); ok {
		v := make([]float32, local.Dims())
		for i, s := range texts {
			local.Vector(v, []byte(s))
			out[i] = index.Quantise(make([]byte, 0, 4+len(v)), v)
		}
		return out, nil
	}
	var missing []int
	for i, s := range texts {
		sum := sha256.Sum256([]byte(s))
		err := h.QueryRowContext(ctx, "SELECT data FROM cache WHERE embedder = ? AND hash = ?", p.Name(), sum[:]).Scan(&out[i])
		if errors.Is(err, sql.ErrNoRows) {
			missing = append(missing, i)
		} else if err != nil {
			return nil, store.Classify(err)
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	ask := slice.Map(missing, func(at int) string { return texts[at] })
	vectors, err := p.Embed(ctx, ask)
	if err != nil {
		return nil, err
	}
	err = h.write(ctx, func(tx *sql.Tx, _ int64) error {
		for i, at := range missing {
			sum := sha256.Sum256([]byte(texts[at]))
			out[at] = index.Quantise(nil, vectors[i])
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO cache VALUES (?, ?, ?)", p.Name(), sum[:], out[at]); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// unembedded returns the chunks without a vector by an embedder, in order.
func unembedded(ctx context.Context, tx *sql.Tx, embedder string) (out []int64, err error) {
	for kind := range 2 {
		missing, err := index.Missing(ctx, tx, int64(kind), embedder)
		if err != nil {
			return nil, err
		}
		for _, number := range missing {
			out = append(out, chunkID(kind, number))
		}
	}
	return out, nil
}

func numbers64(ids []int64) string {
	b := make([]byte, 0, 8*len(ids))
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, id, 10)
	}
	return string(b)
}
