//go:build team

package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assay-dev/assay/internal/base/corpus"
)

var (
	_ Backend = (*Remote)(nil)
	_ distant = (*remoteState)(nil)
)

// errSwept says that segments which a snapshot names were merged and removed since.
var errSwept = errors.New("the index was merged while it was read: ask again")

// questionPatience is how long one question to the database may take.
const questionPatience = 30 * time.Second

// Current is the Backend's.
func (x *Remote) Current(ctx context.Context) (*Snapshot, error) {
	tx, err := x.pool.BeginTx(ctx, remoteTx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	s, err := x.state(ctx, tx)
	if err != nil {
		return nil, err
	}
	return &s.Snapshot, nil
}

// within gives f a reader of p, which is s or that with an overlay, in a transaction that
// sees all of its segments.
func (s *remoteState) within(ctx context.Context, p *Snapshot, f func(*remoteReader) error) error {
	ctx, stop := context.WithTimeout(ctx, questionPatience)
	defer stop()
	tx, err := s.x.pool.BeginTx(ctx, remoteTx)
	if err != nil {
		return err
	}
	r := &remoteReader{ctx: ctx, x: s.x, tx: tx, state: s}
	defer r.Close()
	var ids []int64
	for _, seg := range p.segs {
		var id int64
		if seg.Name == "" {
			continue
		}
		if _, err := fmt.Sscanf(seg.Name, "segment %d", &id); err != nil {
			return err
		}
		ids = append(ids, id)
	}
	var have int
	if err := tx.QueryRow(ctx, "SELECT count(*) FROM remote_sections WHERE section = $1 AND segment = ANY($2)", secDocs, ids).Scan(&have); err != nil {
		return err
	}
	if have != len(ids) {
		return errSwept
	}
	r.snap.State, r.snap.id, r.snap.segs, r.snap.chunks, r.snap.words, r.snap.own, r.snap.vecs = p.State, p.id, p.segs, p.chunks, p.words, p.own, p.vecs
	return f(r)
}

func (s *remoteState) postings(ctx context.Context, p *Snapshot, terms []string) (out map[string][]postings, err error) {
	out = map[string][]postings{}
	err = s.within(ctx, p, func(r *remoteReader) error {
		var ask []corpus.Term
		for _, t := range terms {
			ask = append(ask, corpus.Term{Text: t})
		}
		for part := range slices.Chunk(ask, corpus.MaxTerms) {
			if err := r.look(ctx, part); err != nil {
				return err
			}
			for _, t := range part {
				out[t.Text] = r.snap.terms.m[t.Text].found
			}
		}
		return nil
	})
	return out, err
}

func (s *remoteState) nearest(ctx context.Context, p *Snapshot, embedder string, unit []float32, n int, f Filter) (out []corpus.Candidate, err error) {
	err = s.within(ctx, p, func(r *remoteReader) error {
		out, err = r.Nearest(ctx, embedder, unit, n, f)
		return err
	})
	return out, err
}

func (s *remoteState) fillCosine(ctx context.Context, p *Snapshot, embedder string, unit []float32, cands []corpus.Candidate) error {
	return s.within(ctx, p, func(r *remoteReader) error { return r.FillCosine(embedder, unit, cands) })
}

func (s *remoteState) embedded(embedder string) bool { return slices.Contains(s.models, embedder) }
