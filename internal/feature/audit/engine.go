package audit

import (
	"context"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/progress"
	"github.com/assay-dev/assay/internal/core/engine"
	"github.com/assay-dev/assay/internal/core/index"
	"github.com/assay-dev/assay/internal/core/rank"
	"github.com/assay-dev/assay/internal/domain/claims"
	"github.com/assay-dev/assay/internal/domain/trajectory"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// indexed answers an audit's questions from an index.
type indexed struct {
	v    *engine.View
	tree *claims.Tree
}

// Search asks the index for code; what it says of meaning goes along.
func (x *indexed) Search(ctx context.Context, query string, limit int, threshold float64) ([]claims.Match, error) {
	ans, err := x.v.Search(ctx, engine.Query{Plan: rank.Parse(query, rank.Hybrid), Most: limit, Explain: true, Filter: func(d index.DocInfo) bool {
		return d.Flags&(corpus.Prose|corpus.Test|corpus.Generated|corpus.Vendored) == 0 && !syntax.Prose(d.Language)
	}})
	if err != nil {
		return nil, err
	}
	var out []claims.Match
	for i := range ans.Hits {
		h := &ans.Hits[i]
		hit := claims.Match{Place: claims.Place{Path: h.Doc.Path, Line: h.Lines.First}, Last: h.Lines.Last, Score: h.Score}
		for _, s := range h.Breakdown {
			if s.Name == "meaning" {
				hit.Similarity = s.Value
			}
		}
		if h.Score >= threshold {
			out = append(out, hit)
		}
	}
	return out, nil
}

// Declarations returns what the indexed files export.
func (x *indexed) Declarations(ctx context.Context) ([]claims.Declaration, error) {
	p, release, err := x.v.Project(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	texts := map[string][]byte{}
	for i := range x.tree.Code {
		texts[x.tree.Code[i].Path] = x.tree.Code[i].Text
	}
	var out []claims.Declaration
	for i := range p.Docs {
		d := &p.Docs[i]
		text, ok := texts[d.Path]
		if !ok || !claims.Offers(d.Language, d.Flags) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out = append(out, claims.Exported(d.Path, d.Language, p.File(i).Decls, claims.Lines(text))...)
	}
	return out, nil
}

// Folders returns which folders import which.
func (x *indexed) Folders(ctx context.Context) (claims.Graph, error) {
	p, release, err := x.v.Project(ctx)
	if err != nil {
		return claims.Graph{}, err
	}
	defer release()
	return claims.Folders(p), nil
}

// A Scope says what is audited.
type Scope struct {
	Docs []string `json:"docs,omitempty" flag:"docs" help:"only documents whose paths match (default: READMEs, docs/, requirements, designs)"`
	Project
}

// audited reads a project and lends an auditor of it. What answers is not said but
// in the log: the result is the same.
func (f *Feature) audited(ctx context.Context, in Scope, what string, do func(a *claims.Auditor) (results int, err error)) error {
	root, err := f.root(in.Project)
	if err != nil {
		return err
	}
	progress.Of(ctx).Progress("Analyzing codebase structure…", 0, 0)
	tree, err := claims.Read(ctx, root, in.Docs)
	if err != nil {
		return fault.New(fault.Unavailable, "read %s", root).Because(err).Or("give --root a folder that can be read")
	}
	if len(tree.Docs) == 0 {
		if len(in.Docs) > 0 {
			return fault.New(fault.NotFound, "no document of %s matches", root).Or("--docs takes patterns like 'docs/**/*.md', relative to the project's folder")
		}
		progress.Of(ctx).Note("no document was found: name them with --docs")
	}
	mode, results, done := "scan", 0, false
	if f.cfg.Ask != nil {
		err = f.cfg.Ask(ctx, root, "", "", true, func(_ *engine.Engine, v *engine.View, _ string) error {
			if !v.Extent().Complete {
				return nil // what is not indexed yet is no ghost: the files are asked
			}
			done, mode = true, "index"
			results, err = do(claims.New(tree, &indexed{v: v, tree: tree}, f.cfg.Model()))
			return err
		})
		if done && err != nil {
			return err
		}
	}
	if !done {
		if err := ctx.Err(); err != nil {
			return err
		}
		if results, err = do(claims.New(tree, nil, f.cfg.Model())); err != nil {
			return err
		}
	}
	f.record(ctx, root, trajectory.Record{Phase: "execute", Action: "audit", Mode: mode, Query: what, Path: root, Results: &results})
	return nil
}

// record writes to the log, where one is kept.
func (f *Feature) record(ctx context.Context, root string, r trajectory.Record) {
	l, ok := f.logged(root)
	if !ok {
		return
	}
	r.Time = f.cfg.Now().UTC()
	if r.Agent = f.cfg.Agent; r.Agent == "" {
		r.Agent = "unknown"
	}
	if err := l.Append(r); err != nil {
		progress.Of(ctx).Note("trajectory not written: %v", err)
	}
}
