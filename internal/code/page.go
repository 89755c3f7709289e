package code

import (
	"cmp"
	"context"
	"sort"
	"strings"

	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// page fills a.Hits with the hits of one page, and says how to go on after it.
func (f *Feature) page(ctx context.Context, v *engine.View, r *request, a *SearchAnswer, total int, get func(i int) (SearchHit, bool)) error {
	i, size := f.fill(r, a, total, get)
	if err := f.synthesise(ctx, v, r, a, size, total, get); err != nil {
		return err
	}
	if i >= total {
		return nil
	}
	next := cmp.Or(r.in.PageSize, max(1, i-r.offset))
	cur, err := f.cursorAt(ctx, v, r, i, next)
	a.Pagination.Cursor, a.Pagination.HasMore = cur, true
	return err
}

// fill fills a.Hits with the hits of one page: from the request's offset, as many as a
// page holds and the budget pays for. get returns hit i, or not ok where it is not in its
// file any more. It returns where the next page begins and how many hits one holds.
func (f *Feature) fill(r *request, a *SearchAnswer, total int, get func(i int) (SearchHit, bool)) (next, size int) {
	size = total
	if r.in.PageSize > 0 {
		size = r.in.PageSize
	}
	i, gone, spent, full := r.offset, 0, 0, false
	for ; i < total && len(a.Hits) < size; i++ {
		h, ok := get(i)
		if !ok {
			gone++
			continue
		}
		if r.budget > 0 && !r.deep {
			cost := a.cost(&h)
			if full = spent+cost > r.budget && len(a.Hits) > 0; full {
				break
			}
			if cost > r.budget {
				a.cut(&h, r.budget)
			}
			spent += cost
		}
		a.Hits = append(a.Hits, h)
	}
	if gone > 0 {
		a.Notes = append(a.Notes, text.Counted("%d hit{ was|s were} gone from {its file|their files} when {it was|they were} read", gone))
	}
	if full {
		a.Cut = min(total, r.offset+size) - i
	}
	return i, size
}

// cursorAt returns the cursor of the page of so many hits that begins with hit i.
func (f *Feature) cursorAt(ctx context.Context, v *engine.View, r *request, i, size int) (string, error) {
	// The cursor names a state of the index; what the view holds in memory has to
	// become part of it first.
	if err := v.Publish(ctx); err != nil {
		work.FromContext(ctx).Note("index not written: %v", err)
	}
	st, err := v.State(ctx)
	if err != nil {
		return "", err
	}
	in := r.question()
	in.Cursor, in.PageSize = "", size
	return workspace.Cursor{ID: v.ID(), State: st, Offset: i}.Encode(in)
}

// cost is what a hit costs whoever reads the text of the answer, in tokens.
func (a *SearchAnswer) cost(h *SearchHit) int {
	var b render.Answer
	a.writeHit(&b, h, len(a.Hits), false)
	return text.Tokens(b.Len())
}

// unasked says how to do without a budget that nobody asked for.
func (r *request) unasked() string {
	if r.asked {
		return ""
	}
	return " that holds where the output is not a terminal (--budget 0: no limit)"
}

// cut shortens a hit that alone is dearer than the budget to as many of its whole
// lines as that pays for.
func (a *SearchAnswer) cut(h *SearchHit, budget int) {
	lines := strings.SplitAfter(strings.TrimSuffix(h.Snippet, "\n"), "\n")
	short := func(n int) SearchHit {
		s := *h
		s.Snippet = strings.Join(lines[:n], "")
		s.CutLines = len(lines) - n
		s.Span.ByteEnd = s.Span.ByteStart + len(s.Snippet)
		s.Span.LineEnd = s.Span.LineStart + max(0, n-1)
		s.focus = 0
		return s
	}
	most := sort.Search(len(lines), func(n int) bool {
		s := short(n)
		return a.cost(&s) > budget
	})
	*h = short(max(0, most-1))
	a.Notes = append(a.Notes, text.Counted("%d line{s} of a hit omitted by the budget of %d tokens; a larger one shows them", h.CutLines, budget))
}
