package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/brief"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/graph"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// An answer is what a method showed: the files that it names, and the lines of them.
type answer struct {
	lines map[string][]corpus.Range
	spent int
}

func (a *answer) add(file string, first, last int) {
	if a.lines == nil {
		a.lines = map[string][]corpus.Range{}
	}
	a.lines[file] = append(a.lines[file], corpus.Range{First: first, Last: max(first, last)})
}

func (a *answer) score(t *truth) (r row) {
	found := 0
	for _, f := range t.files {
		if _, ok := a.lines[f]; ok {
			found++
		}
	}
	r.any, r.all = yes(found > 0), yes(found == len(t.files))
	if r.hasDecls = len(t.decls) > 0; r.hasDecls {
		n := 0
		for i := range t.decls {
			if a.has(&t.decls[i]) {
				n++
			}
		}
		r.decls = float64(n) / float64(len(t.decls))
	}
	if r.hasTest = len(t.tests) > 0; r.hasTest {
		n := 0
		for _, f := range t.tests {
			if _, ok := a.lines[f]; ok {
				n++
			}
		}
		r.tests = float64(n) / float64(len(t.tests))
	}
	r.spent = a.spent
	return r
}

// has reports whether a line of a declaration was shown, but for those of what is in it.
func (a *answer) has(d *decl) bool {
	return slices.ContainsFunc(a.lines[d.file], func(r corpus.Range) bool {
		return r.First <= d.line && d.line <= r.Last || r.First >= d.first && r.Last <= d.last && r.First > 0
	})
}

// missed says what of a change was not shown.
func (a *answer) missed(w io.Writer, project, commit, task string, t *truth) {
	first, _, _ := strings.Cut(task, "\n")
	fmt.Fprintf(w, "%s %s %q\n", project, commit[:10], first)
	for _, f := range t.files {
		if _, ok := a.lines[f]; !ok {
			fmt.Fprintf(w, "  no file %s\n", f)
		}
	}
	for i := range t.decls {
		if d := &t.decls[i]; !a.has(d) {
			fmt.Fprintf(w, "  no declaration %s:%d %s\n", d.file, d.line, d.name)
		}
	}
	for _, f := range t.tests {
		if _, ok := a.lines[f]; !ok {
			fmt.Fprintf(w, "  no test %s\n", f)
		}
	}
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// A method answers a task within a number of tokens.
type method struct {
	name string
	ask  func(ctx context.Context, task string, tokens int) (answer, error)
}

type methods struct {
	brief *brief.Feature
	code  *code.Feature
	graph *graph.Feature
	trees *workspace.Workspace
	dir   string
}

func (m *methods) all(alone bool) []method {
	list := []method{{"brief", m.ofBrief}}
	if !alone {
		list = append(list, method{"bm25", m.ofBM25}, method{"search", m.ofSearch}, method{"map", m.ofMap})
	}
	return list
}

// commanded is the context of a caller that is told commands, as on a terminal: they count.
func commanded(ctx context.Context) context.Context {
	return work.With(ctx, work.Report{Command: func(fix fault.Fix) string {
		if fix.Op == "" {
			return ""
		}
		line := "assay " + fix.Op
		for _, a := range fix.Args {
			line += fmt.Sprintf(" %v", a.Value)
		}
		return line
	}})
}

func (m *methods) ofBrief(ctx context.Context, task string, tokens int) (a answer, err error) {
	b, err := m.brief.Brief(commanded(ctx), brief.Input{Task: task, Tokens: tokens, Root: m.dir, Focus: []string{"code"}})
	if err != nil {
		return a, err
	}
	for _, f := range b.Where {
		a.add(f.File, 0, 0)
		for _, d := range f.Declarations {
			a.add(f.File, d.Line, d.Line)
		}
	}
	for _, list := range [][]brief.Line{b.Hangs, b.Breaks, b.Done} {
		for _, l := range list {
			a.add(l.File, l.Line, max(l.Line, l.Last))
		}
	}
	a.spent = b.Tokens
	return a, nil
}

// take shows pieces of files in their order, as many as fit.
func (m *methods) take(hits []engine.Hit, tokens int) (a answer) {
	for i := range hits {
		h := &hits[i]
		err := m.trees.Ask(context.Background(), m.dir, "", "", false, func(e *engine.Engine, _ *engine.View, _ string) error {
			quote, ok := e.Quote(h)
			if !ok {
				return nil
			}
			cost := vault.Tokens(fmt.Sprintf("%s:%d-%d\n%s\n", h.Doc.Path, h.Lines.First, h.Lines.Last, quote))
			if a.spent+cost > tokens {
				return io.EOF
			}
			a.spent += cost
			a.add(h.Doc.Path, h.Lines.First, h.Lines.Last)
			return nil
		})
		if err != nil {
			break
		}
	}
	return a
}

// ofBM25 shows the chunks with the best BM25.
func (m *methods) ofBM25(ctx context.Context, task string, tokens int) (a answer, err error) {
	var hits []engine.Hit
	err = m.trees.Ask(ctx, m.dir, "", "", false, func(_ *engine.Engine, v *engine.View, _ string) error {
		plan, err := v.Plan(task, rank.Lexical)
		if err != nil {
			return err
		}
		_, cands, _, err := v.Candidates(ctx, engine.Query{Plan: plan, Most: 100})
		if err != nil {
			return err
		}
		slices.SortStableFunc(cands, func(a, b corpus.Candidate) int { return cmp.Compare(b.Score, a.Score) })
		refs := make([]corpus.Ref, len(cands))
		for i := range cands {
			refs[i] = cands[i].Ref
		}
		found, err := v.Snap.Describe(refs)
		for _, f := range found {
			hits = append(hits, engine.Hit{Found: f})
		}
		return err
	})
	return m.take(hits, tokens), err
}

// ofSearch is as many hits of search as its text has room for.
func (m *methods) ofSearch(ctx context.Context, task string, tokens int) (a answer, err error) {
	none, most := 0, 200
	got, err := m.code.Search(ctx, code.SearchInput{Query: task, TopK: most, Budget: &none, NoRefresh: true, Place: code.Place{Root: m.dir}})
	if err != nil {
		return a, err
	}
	hits, size := got.Hits, 0
	sort.Search(len(hits), func(n int) bool {
		var t strings.Builder
		if got.Hits = hits[:n+1]; got.WriteText(&t, false) != nil {
			return true
		}
		cost := vault.Tokens(t.String())
		if cost <= tokens && n+1 > size {
			size, a.spent = n+1, cost
		}
		return cost > tokens
	})
	for i := range hits[:size] {
		h := &hits[i]
		rel, err := filepath.Rel(m.dir, h.Path)
		if err != nil {
			return a, err
		}
		a.add(filepath.ToSlash(rel), h.Span.LineStart, h.Span.LineEnd)
	}
	return a, nil
}

// ofMap is the map of the project for the task.
func (m *methods) ofMap(ctx context.Context, task string, tokens int) (a answer, err error) {
	got, err := m.graph.Map(ctx, graph.MapInput{Focus: []string{task}, Tokens: tokens, Root: m.dir, NoRefresh: true})
	if err != nil {
		return a, nil //nolint:nilerr // it says that no name has a word of the task
	}
	for _, f := range got.Files {
		for _, s := range f.Symbols {
			a.add(f.File, s.Line, s.Line)
		}
	}
	a.spent = got.Tokens
	return a, nil
}

// A pooled is what a brief was chosen from for one task.
type pooled struct {
	Project string
	Files   []labelled
	Places  []labelled
	Tests   []labelled
}

// A labelled is a candidate, and whether the change touched it.
type labelled struct {
	Values []float64
	Right  bool
	Score  float64
}

func (m *methods) pool(ctx context.Context, to *json.Encoder, project, task string, t *truth) error {
	files, places, tests, err := m.brief.Judge(ctx, brief.Input{Task: task, Root: m.dir})
	if err != nil {
		return err
	}
	p := pooled{Project: project}
	for _, f := range files {
		p.Files = append(p.Files, labelled{f.Values, slices.Contains(t.files, f.Path), f.Score})
	}
	for _, x := range places {
		right := slices.ContainsFunc(t.decls, func(d decl) bool { return d.file == x.Path && d.line == x.Line && d.name == x.Name })
		p.Places = append(p.Places, labelled{x.Values, right, x.Score})
	}
	for _, x := range tests {
		p.Tests = append(p.Tests, labelled{x.Values, slices.Contains(t.tests, x.Path), x.Score})
	}
	return to.Encode(p)
}
