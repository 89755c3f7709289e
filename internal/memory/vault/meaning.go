package vault

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/index"
)

// embed has the vector of the question made, beside what else goes on where that
// takes a network.
func (s *searcher) embed(ctx context.Context, to chan<- vectored) {
	p := s.m.cfg.Embedder
	switch {
	case p == nil:
		to <- vectored{why: s.m.cfg.Trouble}
		return
	case strings.TrimSpace(s.qu.Text) == "":
		to <- vectored{}
		return
	}
	if _, ok := p.(embed.Local); ok {
		to <- vectored{} // it costs nothing, and is done when more is known of the words
		return
	}
	if why := s.m.backingOff(); why != "" {
		to <- vectored{why: why}
		return
	}
	go func() {
		wait, stop := context.WithTimeout(ctx, s.m.cfg.Patience)
		defer stop()
		clean, _ := Clean([]byte(s.q.text))
		vs, err := p.Embed(wait, []string{string(clean)})
		switch {
		case err == nil && len(vs) == 1:
			to <- vectored{vector: vs[0]}
			return
		case err == nil:
			err = fmt.Errorf("the embedding provider made %d vectors of one text", len(vs))
		case errors.Is(err, context.DeadlineExceeded):
			err = fmt.Errorf("the embedding provider did not answer within %d ms", s.m.cfg.Patience.Milliseconds())
		}
		if ctx.Err() == nil { // that a question was given up says nothing of the provider
			s.m.backOff()
		}
		to <- vectored{why: err.Error()}
	}()
}

// backoff is for how long a provider that failed is not queried: many questions in
// a row must not wait for it each time.
const backoff = 30 * time.Second

func (m *Memory) backOff() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.backedOff = time.Now().Add(backoff)
}

func (m *Memory) backingOff() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Now().Before(m.backedOff) {
		return "the embedding provider failed a moment ago"
	}
	return ""
}

// vector returns the vector of the question; nil: nothing is compared with one.
func (s *searcher) vector(ctx context.Context, tx *sql.Tx, x *indexed, asked <-chan vectored, a *MemoryAnswer) ([]float32, error) {
	var v vectored
	select {
	case v = <-asked:
	case <-time.After(s.m.cfg.Patience + 20*time.Millisecond):
		v.why = "the embedding provider does not answer"
	}
	if v.why != "" {
		a.Degraded = v.why
	}
	if local, ok := s.m.cfg.Embedder.(embed.Local); ok && v.why == "" {
		v.vector = make([]float32, local.Dims())
		local.Vector(v.vector, []byte(s.q.forVector(x.chunks())))
	}
	if len(v.vector) == 0 {
		return nil, nil
	}
	have, err := index.CountVectors(ctx, tx, s.m.embedder())
	if err != nil {
		return nil, err
	}
	if have < x.chunks() {
		a.Pending = x.chunks() - have
		a.Degraded = fmt.Sprintf("%d of %d chunks have no vectors yet", a.Pending, x.chunks())
	}
	if have == 0 {
		return nil, nil
	}
	return v.vector, nil
}

// fillCosines compares candidates with the vector of the question.
func (s *searcher) fillCosines(x *indexed, cs []*candidate, vector []float32) error {
	for kind, r := range x {
		var of []*candidate
		var at []corpus.Candidate
		for _, c := range cs {
			if k, number := partOf(c.id); k == kind {
				of, at = append(of, c), append(at, corpus.Candidate{Ref: corpus.Ref{Chunk: number}, Cosine: c.cosine})
			}
		}
		if len(of) == 0 {
			continue
		}
		if err := r.FillCosine(s.m.embedder(), vector, at); err != nil {
			return err
		}
		for i, c := range of {
			c.cosine = at[i].Cosine
		}
	}
	return nil
}
