package code

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// A moment is the state of an index that an answer was given from.
type moment struct {
	id    [16]byte
	state index.State
	newer bool
}

// everywhere answers a request from several repositories: scores are comparable, so the
// hits are put together by them, and those of a pattern file by file in turn. Each
// repository is asked for as many hits as there may be, and the pages are cut afterwards.
func (f *Feature) everywhere(ctx context.Context, r *request) (*SearchAnswer, error) {
	out := &SearchAnswer{Query: echo(r.in.Query), Mode: r.mode, Hits: []SearchHit{}, Extent: corpus.Extent{Complete: true}, Unmatched: true, files: r.in.Files, full: r.in.FullSection, regex: r.in.Regex}
	now := moment{}
	found := make([][]SearchHit, len(r.parts))
	for i, part := range r.parts {
		one := &request{in: r.in, mode: r.mode, whole: true}
		one.in.Root, one.in.Paths, one.in.Trees, one.in.PageSize = part.Root, part.Paths, workspace.Trees{}, 0
		var err error
		if one.target, err = f.resolve(one.in.Place, one.in.Paths); err != nil {
			return nil, err
		}
		if f.cfg.Gate != nil {
			if err := f.cfg.Gate(part.Root); err != nil {
				return nil, err
			}
		}
		if one.filter, err = newFilter(&one.in, one.target.Within); err != nil {
			return nil, err
		}
		a, err := workspace.Repaired(ctx, f.trees, one.target, func() (*SearchAnswer, error) { return f.search(ctx, one) })
		if err != nil {
			return nil, err
		}
		out.merge(a, &part, &now)
		found[i] = a.Hits
	}
	all := together(found, r.in.Regex, r.in.TopK)
	if r.cursor != nil {
		if err := r.cursor.Check(now.id, now.state, now.newer, "search", fault.Arg{Name: "query", Value: r.in.Query}); err != nil {
			return nil, err
		}
	}
	// The best of one repository are not hits beside better ones of another.
	if !r.in.Regex && r.in.Threshold == nil && len(all) > 0 && all[0].Score >= r.in.Least {
		all = slices.DeleteFunc(all, func(h SearchHit) bool { return h.Score < r.in.Least })
	}
	out.Pagination.Available = len(all)
	next, _ := f.fill(r, out, len(all), func(i int) (SearchHit, bool) { return all[i], true })
	if next < len(all) {
		in := r.question()
		in.Cursor, in.PageSize = "", cmp.Or(r.in.PageSize, max(1, len(out.Hits)))
		c, err := workspace.Cursor{ID: now.id, State: now.state, Offset: next}.Encode(in)
		if err != nil {
			return nil, err
		}
		out.Pagination.Cursor, out.Pagination.HasMore = c, true
		if out.Cut > 0 {
			out.Notes = append(out.Notes, text.Counted("%d more hit{s} omitted by the budget of %d tokens; more with cursor %s", out.Cut, r.budget, c))
		} else {
			out.Notes = append(out.Notes, "more with cursor "+c)
		}
	}
	if len(all) == 0 && out.Complete && !out.below {
		out.Notes = append([]string{fmt.Sprintf("nothing found in %s", strings.Join(out.Roots, " and "))}, out.Notes...)
	}
	return out, nil
}

// together puts the hits of several repositories in one order, at most top where that is
// not 0. Ranked ones are by score, after what the query names exactly, wherever that is; where the score is equal,
// the second of one repository is behind the first of another. Those of a pattern have no score: each repository has its
// share of them, and their files take turns.
func together(found [][]SearchHit, pattern bool, top int) (all []SearchHit) {
	if !pattern {
		for place := 0; ; place++ {
			before := len(all)
			for _, hits := range found {
				if place < len(hits) {
					all = append(all, hits[place])
				}
			}
			if len(all) == before {
				break
			}
		}
		sorting.Stable(all, func(a, b SearchHit) int {
			switch {
			case a.exact == b.exact:
				return cmp.Compare(b.Score, a.Score)
			case a.exact:
				return -1
			}
			return 1
		})
		raise(all)
		if top > 0 {
			all = all[:min(len(all), top)]
		}
		return all
	}
	for i, n := range shares(found, top) {
		found[i] = found[i][:n]
	}
	for more := true; more; {
		more = false
		for i, hits := range found {
			n := 0
			for n < len(hits) && hits[n].Path == hits[0].Path {
				n++
			}
			all, found[i] = append(all, hits[:n]...), hits[n:]
			more = more || len(found[i]) > 0
		}
	}
	return all
}

// raise gives the hits that come first for their names the score of the best: scores descend, and one threshold holds
// for all.
func raise(all []SearchHit) {
	if len(all) == 0 || !all[0].exact {
		return
	}
	best := &all[0]
	for i := range all {
		if all[i].Score > best.Score {
			best = &all[i]
		}
	}
	for i := range all {
		if h := &all[i]; h.exact && h.Score < best.Score {
			if h.Explain != nil {
				h.Explain = rank.Raise(h.Explain, best.Explain, engine.Exactly)
			}
			h.Score = best.Score
		}
	}
}

// shares says how many hits of each repository are taken, at most top in all, or every one
// where that is 0: as many of each, and what one has too few of goes to the others.
func shares(found [][]SearchHit, top int) []int {
	out := make([]int, len(found))
	for left := top; ; {
		grown := false
		for i := range found {
			if out[i] < len(found[i]) && (top == 0 || left > 0) {
				out[i]++
				left--
				grown = true
			}
		}
		if !grown {
			return out
		}
	}
}

// merge adds to an answer what the answer of one repository says, but for its hits, which
// it labels.
func (a *SearchAnswer) merge(one *SearchAnswer, of *workspace.Part, now *moment) {
	for i := range one.Hits {
		one.Hits[i].shown, one.Hits[i].Repo = one.Hits[i].Path, of.Name
	}
	a.Roots, a.Repos = append(a.Roots, one.Root), append(a.Repos, of.Name)
	for i := range now.id {
		now.id[i] = now.id[i]*31 + one.at.id[i]
	}
	now.state.Epoch = now.state.Epoch*31 + one.at.state.Epoch
	now.state.Nonce = now.state.Nonce*31 + one.at.state.Nonce
	now.newer = now.newer || one.at.newer
	a.Root = cmp.Or(a.Root, one.Root)
	a.Stale += one.Stale
	a.below = a.below || one.below
	a.Unmatched = a.Unmatched && one.Unmatched
	if one.judged { // an empty repository speaks for nothing
		if !a.judged {
			a.judged, a.weak, a.Missing = true, true, one.Missing
		}
		a.weak = a.weak && (one.weak || len(one.Hits) == 0)
		a.Missing = slices.DeleteFunc(a.Missing, func(w string) bool { return !slices.Contains(one.Missing, w) })
	}
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
			a.Notes = append(a.Notes, of.Name+": "+n)
		}
	}
}
