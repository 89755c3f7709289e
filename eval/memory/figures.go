package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/memory/transcript"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// A result is what all modes found for the questions of a corpus.
type result struct {
	corpus
	rows [3][]row // by mode
}

// measure asks the questions of a corpus in all modes.
func measure(ctx context.Context, c corpus) (r result, err error) {
	r.corpus = c
	m, remove, err := openTemporary(ctx, c)
	if err != nil {
		return r, err
	}
	defer remove()
	for _, mode := range []vault.Mode{vault.Hybrid, vault.Words, vault.Meaning} {
		for _, q := range c.questions {
			a, err := m.Search(ctx, vault.Query{Text: q.Ask, Max: depth, Mode: mode})
			if err != nil {
				return r, fmt.Errorf("%q: %w", q.Ask, err)
			}
			x := row{question: q}
			for _, h := range a.Hits {
				if !slices.Contains(x.found, h.Path) {
					x.found = append(x.found, h.Path)
				}
			}
			r.rows[mode] = append(r.rows[mode], x)
		}
	}
	return r, nil
}

// open indexes a corpus below dir.
func open(ctx context.Context, c corpus, dir string) (*vault.Memory, error) {
	sources, err := c.sources()
	if err != nil {
		return nil, err
	}
	return openWith(ctx, c, sources, dir)
}

// openTemporary indexes the notes of a corpus in a folder of its own, which remove deletes.
func openTemporary(ctx context.Context, c corpus) (m *vault.Memory, remove func(), err error) {
	dir, err := os.MkdirTemp("", "assay-memory-")
	if err != nil {
		return nil, nil, err
	}
	if m, err = open(ctx, c, dir); err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return m, func() {
		m.Close()
		os.RemoveAll(dir)
	}, nil
}

// openWith indexes the notes of a corpus, and sessions, below dir.
func openWith(ctx context.Context, c corpus, sources []transcript.Source, dir string) (*vault.Memory, error) {
	p, err := embed.Open(embed.Config{Provider: "static", Text: true})
	if err != nil {
		return nil, err
	}
	cfg := vault.Config{Vault: filepath.Join(dir, "vault"), DB: filepath.Join(dir, "memory.db"), Embedder: p, Now: today, Sources: sources}
	if err := c.write(cfg.Vault); err != nil {
		return nil, err
	}
	m := vault.Open(cfg)
	if _, err := m.Sync(ctx, vault.SyncOptions{}); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// write prints the figures of a corpus, by mode and kind of question.
func (r *result) write(w io.Writer) {
	fmt.Fprintf(w, "%s: %d notes, %d sessions, %d questions\n", r.name, len(r.notes), len(r.sessions), len(r.questions))
	fmt.Fprintf(w, "  %-12s %4s  %-35s  %-35s  %s\n", "", "", "words", "meaning", "hybrid")
	fmt.Fprintf(w, "  %-12s %4s", "kind", "n")
	for range 3 {
		fmt.Fprintf(w, "  %6s %6s %6s %6s %6s", "any@1", "any@5", "any@10", "all@10", "mrr")
	}
	fmt.Fprintln(w)
	for _, k := range append(kinds(r.questions), "") {
		var f [3]figure
		for m := range r.rows {
			f[m] = figures(slices.DeleteFunc(slices.Clone(r.rows[m]), func(x row) bool { return k != "" && x.Kind != k }))
		}
		if f[0].n == 0 {
			continue
		}
		name := k
		if k == "" {
			name = "all"
		}
		fmt.Fprintf(w, "  %-12s %4d", name, f[0].n)
		for _, m := range []vault.Mode{vault.Words, vault.Meaning, vault.Hybrid} {
			fmt.Fprintf(w, "  %6.3f %6.3f %6.3f %6.3f %6.3f", f[m].at1, f[m].at5, f[m].at10, f[m].all, f[m].rank)
		}
		fmt.Fprintln(w)
	}
}

// writeBad lists the questions that hybrid search does not answer first.
func (r *result) writeBad(w io.Writer) {
	for i := range r.rows[vault.Hybrid] {
		h, l, v := &r.rows[vault.Hybrid][i], &r.rows[vault.Words][i], &r.rows[vault.Meaning][i]
		if len(h.In) == 0 || h.rank() == 1 && (h.Kind != "multi" || h.all()) {
			continue
		}
		fmt.Fprintf(w, "  %-10s hybrid %2d words %2d meaning %2d  %q -> %v; found %v\n", h.Kind, h.rank(), l.rank(), v.rank(), h.Ask, h.In, h.found[:min(3, len(h.found))])
	}
}
