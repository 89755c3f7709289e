package main

import (
	"context"
	"path/filepath"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/eval/keptaside"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A tree is a source tree that is asked questions as it changes.
type tree struct {
	project, dir string
	e            *engine.Engine
}

// openTree opens the tree of a project, unless that is kept aside.
func openTree(ctx context.Context, project, dir string) (*tree, error) {
	if err := keptaside.Check(project); err != nil {
		return nil, err
	}
	p, err := embed.Open(embed.Config{Provider: "static"})
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	e, err := engine.Open(ctx, engine.Config{Root: dir, IndexDir: filepath.Join(filepath.Dir(dir), filepath.Base(dir)+".index"), Embedder: p})
	return &tree{project, dir, e}, err
}

// refresh makes the index agree with the tree.
func (t *tree) refresh(ctx context.Context) (*engine.View, error) {
	if _, err := t.e.Sync(ctx, engine.Options{}); err != nil {
		return nil, err
	}
	return t.e.Frozen(ctx)
}

// ask returns the pool of a question. right says whether lines of a file answer.
func (t *tree) ask(ctx context.Context, v *engine.View, set, query string, right func(path string, first, last int) bool) (judged.Pool, error) {
	q := engine.Query{Plan: rank.Parse(query, rank.Hybrid), Most: 10}
	p := judged.Pool{Project: t.project, Set: set, Query: query, Terms: q.Terms}
	var err error
	var seen []rank.Seen
	if p.Stats, p.Cands, seen, err = v.Candidates(ctx, q); err != nil {
		return p, err
	}
	refs := make([]corpus.Ref, len(p.Cands))
	for i := range p.Cands {
		refs[i] = p.Cands[i].Ref
	}
	found, err := v.Snap.Describe(refs)
	if err != nil {
		return p, err
	}
	at := map[string]int{}
	for i, f := range found {
		d, ok := at[f.Doc.Path]
		if !ok {
			d = len(p.Docs)
			at[f.Doc.Path] = d
			p.Docs = append(p.Docs, judged.Doc{Path: f.Doc.Path, Chunks: int(f.Doc.Chunks), Lines: f.Doc.Lines})
		}
		c := judged.Chunk{Doc: d, First: f.Lines.First, Last: f.Lines.Last, Scope: f.Scope, Symbols: f.Symbols, Called: seen[i].Called}
		c.Right = right(f.Doc.Path, c.First, c.Last)
		p.Docs[d].Right = p.Docs[d].Right || c.Right
		p.Chunks = append(p.Chunks, c)
	}
	return p, nil
}
