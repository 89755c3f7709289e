package code

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/core/index"
	"github.com/assay-dev/assay/internal/core/workspace"
)

// several reports whether a call is about all the folders that are served, and these
// are more than one: it names neither a path nor a root.
func (f *Feature) several(p Place, paths []string) bool {
	return len(f.around.Roots) > 1 && p.Root == "" && len(paths) == 0
}

// A moment is the state of an index that an answer was given from.
type moment struct {
	id    [16]byte
	state index.State
	newer bool
}

// everywhere answers a request from every folder that is served: scores are
// comparable, so the hits are put together by them, and those of a pattern in the order
// of the folders. Each root is asked for as many hits as there may be, and the pages are
// cut afterwards.
func (f *Feature) everywhere(ctx context.Context, r *request) (*SearchAnswer, error) {
	out := &SearchAnswer{Query: echo(r.in.Query), Mode: r.mode, Roots: f.around.Roots, Hits: []SearchHit{}, Extent: corpus.Extent{Complete: true}, files: r.in.Files, explain: r.in.Explain, full: r.in.FullSection, regex: r.in.Regex}
	now := moment{}
	var all []SearchHit
	for _, root := range f.around.Roots {
		one := &request{in: r.in, mode: r.mode, whole: true}
		one.in.Root, one.in.PageSize = root, 0
		var err error
		if one.target, err = f.resolve(one.in.Place, nil); err != nil {
			return nil, err
		}
		if one.filter, err = newFilter(&one.in, nil); err != nil {
			return nil, err
		}
		a, err := workspace.Repaired(ctx, f.trees, one.target, func() (*SearchAnswer, error) { return f.search(ctx, one) })
		if err != nil {
			return nil, err
		}
		out.merge(a, root, &now)
		all = append(all, a.Hits...)
	}
	if r.cursor != nil {
		if err := r.cursor.Check(now.id, now.state, now.newer, "search", fault.Arg{Name: "query", Value: r.in.Query}); err != nil {
			return nil, err
		}
	}
	if !r.in.Regex {
		slices.SortStableFunc(all, func(a, b SearchHit) int { return cmp.Compare(b.Score, a.Score) })
		// The best of one folder are not hits beside better ones of another.
		if r.in.Threshold == nil && len(all) > 0 && all[0].Score >= r.in.Least {
			all = slices.DeleteFunc(all, func(h SearchHit) bool { return h.Score < r.in.Least })
		}
	}
	if r.in.TopK > 0 {
		all = all[:min(len(all), r.in.TopK)]
	}
	out.Pagination.Available = len(all)
	next, _ := f.fill(r, out, len(all), func(i int) (SearchHit, bool) { return all[i], true })
	if next < len(all) {
		in := r.in
		in.Cursor, in.PageSize = "", cmp.Or(r.in.PageSize, max(1, len(out.Hits)))
		c, err := workspace.Cursor{ID: now.id, State: now.state, Offset: next}.Encode(in)
		if err != nil {
			return nil, err
		}
		out.Pagination.Cursor, out.Pagination.HasMore = c, true
		if out.Cut > 0 {
			out.Notes = append(out.Notes, fmt.Sprintf("%d more hits omitted by the budget of %d tokens; more with cursor %s", out.Cut, r.budget, c))
		} else {
			out.Notes = append(out.Notes, "more with cursor "+c)
		}
	}
	if len(all) == 0 && out.Complete && !out.below {
		out.Notes = append([]string{fmt.Sprintf("nothing found in %s", strings.Join(f.around.Roots, " and "))}, out.Notes...)
	}
	return out, nil
}

// merge adds to an answer what the answer of one root says, but for its hits.
func (a *SearchAnswer) merge(one *SearchAnswer, root string, now *moment) {
	for i := range one.Hits {
		one.Hits[i].shown = one.Hits[i].Path
	}
	for i := range now.id {
		now.id[i] = now.id[i]*31 + one.at.id[i]
	}
	now.state.Epoch = now.state.Epoch*31 + one.at.state.Epoch
	now.state.Nonce = now.state.Nonce*31 + one.at.state.Nonce
	now.newer = now.newer || one.at.newer
	a.Root = cmp.Or(a.Root, one.Root)
	a.Stale += one.Stale
	a.below = a.below || one.below
	a.Complete = a.Complete && one.Complete
	if one.Indexing != nil {
		if a.Indexing == nil {
			a.Indexing = &corpus.Indexing{}
		}
		a.Indexing.Done += one.Indexing.Done
		a.Indexing.Total += one.Indexing.Total
	}
	a.Degraded = cmp.Or(a.Degraded, one.Degraded)
	a.Unwritten = cmp.Or(a.Unwritten, one.Unwritten)
	for _, n := range one.Notes {
		if n != "nothing found" || len(one.Notes) > 1 {
			a.Notes = append(a.Notes, root+": "+n)
		}
	}
}
