package audit

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/audit/named"
	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/heap"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// indexed answers an audit's questions from an index.
type indexed struct {
	v    *engine.View
	tree *claims.Tree
	has  func(path string) bool // whether a file is asked about
}

// Search asks the index for code; what it says of meaning goes along.
func (x *indexed) Search(ctx context.Context, query string, limit int, threshold float64) ([]claims.Match, error) {
	ans, err := x.v.Search(ctx, engine.Query{Plan: rank.Parse(query, rank.Hybrid), Most: limit, Explain: true, Filter: func(d index.DocInfo) bool {
		return x.has(d.Path) && d.Flags&(corpus.Prose|corpus.Test|corpus.Generated|corpus.Vendored) == 0 && !syntax.Prose(d.Language)
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
		out = append(out, claims.Exported(d.Path, d.Language, p.Declared(i), claims.Lines(text))...)
	}
	return out, nil
}

// Imports returns which files import which.
func (x *indexed) Imports(ctx context.Context) (claims.Graph, error) {
	p, release, err := x.v.Project(ctx)
	if err != nil {
		return claims.Graph{}, err
	}
	defer release()
	return claims.Imports(p), nil
}

// A Why says in the log why an audit is made.
type Why struct {
	Intent    string `json:"intent,omitempty" flag:"intent" help:"trajectory: the goal of the search (default: the purpose of the audit)"`
	Rationale string `json:"rationale,omitempty" flag:"rationale" help:"trajectory: the reason for it"`
	Expect    string `json:"expect,omitempty" flag:"expect" help:"trajectory: the expected result"`
	Agent     string `json:"agent,omitempty" flag:"agent" help:"trajectory: the agent that asks"`
}

func (w *Why) said() bool { return w.Intent+w.Rationale+w.Expect != "" }

// A Scope says what is audited.
type Scope struct {
	Why
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
	if _, err := discover.NewGlobs(in.Docs); err != nil {
		return fault.New(fault.Usage, "--docs: %v", err).Or("--docs takes patterns like 'docs/**/*.md', relative to the project's folder")
	}
	defer heap.Tight()() // what is kept are texts and postings: flat, and cheap to collect
	work.FromContext(ctx).Progress("Analyzing codebase structure…", 0, 0)
	tree, err := claims.Read(ctx, root, in.Docs)
	if err != nil {
		return fault.New(fault.Unavailable, "read %s", root).Because(err).Or("give --root a folder that can be read")
	}
	has := func(string) bool { return true }
	if f.cfg.Has != nil {
		has = func(path string) bool { return f.cfg.Has(root, path) }
		tree.Keep(has)
	}
	if len(tree.Docs) == 0 {
		if len(in.Docs) > 0 {
			return fault.New(fault.NotFound, "no document of %s matches", root).Or("--docs takes patterns like 'docs/**/*.md', relative to the project's folder")
		}
		work.FromContext(ctx).Note("no document was found: name them with --docs")
	}
	if err := f.intend(ctx, root, in.Why, what); err != nil {
		return err
	}
	mode, quality, results, done := "scan", trajectory.Scanned(), 0, false
	if f.cfg.Ask != nil {
		err = f.cfg.Ask(ctx, root, "", "", true, func(_ *engine.Engine, v *engine.View, _ string) error {
			if !v.Extent().Complete {
				return nil // what is not indexed yet is no ghost: the files are asked
			}
			done, mode, quality = true, "index", trajectory.Indexed(true, v.Hit())
			results, err = do(f.auditor(ctx, tree, &indexed{v: v, tree: tree, has: has}))
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
		if results, err = do(f.auditor(ctx, tree, nil)); err != nil {
			return err
		}
	}
	f.recordFor(ctx, root, in.Why, trajectory.Record{Phase: "execute", Action: "audit", Agent: in.Agent, Mode: mode, Query: what, Path: root, Results: &results, Quality: quality})
	return nil
}

// At most maxHistory bytes of patches are searched, for historyTime, for names that commits removed.
const (
	maxHistory  = 48 << 20
	historyTime = 5 * time.Second
)

// auditor returns an auditor of a tree that knows what commits took out of it.
func (f *Feature) auditor(ctx context.Context, tree *claims.Tree, code claims.Code) *claims.Auditor {
	a := claims.New(tree, code)
	if _, inside := git.TopLevel(tree.Root); !inside {
		return a
	}
	tree.Repository = git.Origin(ctx, tree.Root)
	a.Removed = func(names map[string]bool) map[string]bool {
		endings, documents := endingsOf(tree.Code), endingsOf(tree.Docs)
		own := func(path string, line []byte, name string) bool {
			return discover.PathFlags(path)&(corpus.Vendored|corpus.Generated|corpus.Example|corpus.Test) == 0 && named.Declares(string(line), name)
		}
		removed, _, err := git.FindRemoved(ctx, tree.Root, names, endings, documents, maxHistory, historyTime, own)
		if err != nil {
			return nil // without a history nothing is known to be removed
		}
		return removed
	}
	return a
}

// endingsOf returns the endings of files; a README without one is its own.
func endingsOf(files []claims.Source) (out []string) {
	for i := range files {
		if end := cmp.Or(path.Ext(files[i].Path), path.Base(files[i].Path)); !strings.ContainsAny(end, `*?[\`) && !slices.Contains(out, end) {
			out = append(out, end)
		}
	}
	return out
}

// purposes are what each audit looks for and expects, where the caller does not say: an
// audit is a question that is known before it is asked.
var purposes = map[string][2]string{
	"ghosts":  {"find what documents promise and no code has", "code for every claim"},
	"shadows": {"find what code exports and no document names", "a document for every declaration"},
	"drift":   {"compare all documents with all code", "a report without ghosts and shadows"},
	"ci":      {"list what a change gets wrong about documents and code", "no finding that is new"},
	"fix":     {"correct what documents name wrongly", "a correction for each finding"},
	"ride":    {"survey the code, and compare it with its documents", "entry points, abstractions and a drift report"},
	"ghost":   {"see whether the code has one feature", "code, or two queries without results"},
}

// intend logs why an audit is made, before it is made.
func (f *Feature) intend(ctx context.Context, root string, why Why, what string) error {
	kind, _, _ := strings.Cut(what, ":")
	purpose := purposes[kind]
	r := trajectory.Record{Phase: "intent", Action: "audit", Agent: why.Agent, Query: what, Path: root, Intent: cmp.Or(why.Intent, purpose[0]), Rationale: why.Rationale, Expected: cmp.Or(why.Expect, purpose[1])}
	l, kept := f.logged(root)
	if !kept && !why.said() {
		return nil
	}
	if err := l.Append(f.stamped(ctx, r)); err != nil {
		if f.cfg.Mode == "strict" {
			return fault.New(fault.Unavailable, "the trajectory cannot be written").Because(err).Or("check the permissions of %s", l.Dir())
		}
		work.FromContext(ctx).Note("trajectory not written: %v", err)
	}
	return nil
}

// stamped completes a record with who and when.
func (f *Feature) stamped(ctx context.Context, r trajectory.Record) trajectory.Record {
	r.Time, r.Agent = f.cfg.Now().UTC(), cmp.Or(r.Agent, f.cfg.Agent, work.FromContext(ctx).Client, "unknown")
	return r
}

// record writes to the log, where one is kept.
func (f *Feature) record(ctx context.Context, root string, r trajectory.Record) {
	f.recordFor(ctx, root, Why{}, r)
}

// recordFor writes to the log, where one is kept or the caller said why.
func (f *Feature) recordFor(ctx context.Context, root string, why Why, r trajectory.Record) {
	l, ok := f.logged(root)
	if !ok && !why.said() {
		return
	}
	if err := l.Append(f.stamped(ctx, r)); err != nil {
		work.FromContext(ctx).Note("trajectory not written: %v", err)
	}
}
