package code

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// Similar finds code like the code at a place.
func (f *Feature) Similar(ctx context.Context, in SimilarInput) (*SearchAnswer, error) {
	path, line, err := place(in.At)
	if err != nil {
		return nil, err
	}
	t, err := f.resolve(in.Place, []string{path})
	if err != nil {
		return nil, err
	}
	if len(t.Within) != 1 {
		return nil, fault.New(fault.Usage, "%s is a folder; similar wants FILE:LINE", path)
	}
	rel := t.Within[0]
	t.Within = nil
	return workspace.Repaired(ctx, f.trees, t, func() (*SearchAnswer, error) {
		a, err := f.similar(ctx, in, t, rel, line, workspace.Current)
		if err == nil && a.lacking() {
			return f.similar(ctx, in, t, rel, line, workspace.Whole)
		}
		return a, err
	})
}

func (f *Feature) similar(ctx context.Context, in SimilarInput, t workspace.Target, rel string, line int, d workspace.Depth) (*SearchAnswer, error) {
	e, v, err := f.trees.View(ctx, t, d)
	if err != nil {
		return nil, err
	}
	defer f.publish(ctx, v)
	top := cmp.Or(in.TopK, DefaultTop)
	ans, plan, err := v.Similar(ctx, rel, line, top, in.Explain)
	gone := errors.Is(err, engine.ErrNoChunk)
	if gone && !v.Extent().Complete {
		gone, err, ans = false, nil, &engine.Answer{} // it may only not be there yet
	}
	if gone {
		why, ok := v.Ignored(rel)
		if !ok {
			why = "no code is indexed at that line"
		}
		return nil, fault.New(fault.NotFound, "nothing to compare at %s", in.At).Because(errors.New(why)).
			Or("name a line of a function in a file that search finds")
	}
	if err != nil {
		return nil, err
	}
	r := &request{in: SearchInput{Query: in.At, TopK: top, Threshold: in.Threshold, Budget: in.Budget, Explain: in.Explain}, mode: "similar", target: t}
	f.bound(r)
	a := &SearchAnswer{Query: filepath.ToSlash(in.At), Mode: r.mode, Root: e.Root(), Hits: []SearchHit{}, Stale: v.Stale, Unwritten: v.Written, Extent: v.Extent(), Degraded: ans.Degraded}
	hits := ans.Hits
	for len(hits) > 0 && in.Threshold != nil && hits[len(hits)-1].Score < *in.Threshold {
		hits = hits[:len(hits)-1]
	}
	a.Pagination.Available = len(hits)
	err = f.page(ctx, v, r, a, len(hits), func(i int) (SearchHit, bool) {
		h, ok := f.hit(e, v, &hits[i], plan, r)
		h.Epoch = v.Snap.Epoch
		return h, ok
	})
	a.Pagination.Cursor, a.Pagination.HasMore = "", false // there is one page
	if left := a.Cut; left > 0 {
		a.Cut = 0
		a.Notes = append(a.Notes, text.Counted("%d more hit{s} omitted by the budget of %d tokens; a larger one shows them", left, r.budget))
	}
	if err != nil {
		return nil, err
	}
	return a, f.remark(ctx, e, v, r, a)
}

// place splits FILE:LINE.
func place(at string) (path string, line int, err error) {
	i := strings.LastIndexByte(at, ':')
	if i > 0 {
		line, err = strconv.Atoi(at[i+1:])
	}
	if i <= 0 || err != nil || line < 1 {
		return "", 0, fault.New(fault.Usage, "%q is not FILE:LINE", at).Or("for example main.go:42")
	}
	return at[:i], line, nil
}
