package engine

import (
	"context"
	"errors"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
)

// ErrNoChunk says that nothing is indexed at a place.
var ErrNoChunk = errors.New("nothing is indexed there")

// Similar returns the chunks that are most like the one at a line of a file, it
// excepted. Their scores are relative to what the chunk itself would get.
func (v *View) Similar(ctx context.Context, path string, line, most int, explain bool) (*Answer, rank.Plan, error) {
	var plan rank.Plan
	chunks, err := v.Snap.Chunks(path)
	if err != nil {
		return nil, plan, err
	}
	var self *Hit
	for _, c := range chunks {
		if c.Lines.First <= line && line <= c.Lines.Last {
			self = &Hit{Found: c}
		}
	}
	if self == nil {
		return nil, plan, ErrNoChunk
	}
	quote, ok := v.e.Quote(self)
	if !ok {
		return nil, plan, ErrNoChunk
	}
	sample := rank.Take(quote)
	df, n, err := v.Snap.DF(sample.Terms)
	if err != nil {
		return nil, plan, err
	}
	plan = sample.Plan(rank.Stats{Chunks: n, DF: df}, string(quote))
	ans, err := v.Search(ctx, Query{Plan: plan, Most: most + 1, Explain: explain, Filter: func(d index.DocInfo) bool { return true }})
	if err != nil {
		return nil, plan, err
	}
	kept := ans.Hits[:0]
	for _, h := range ans.Hits {
		if h.Doc.Path != path || h.Span != (corpus.Span{Start: self.Start, End: self.End}) {
			kept = append(kept, h)
		}
	}
	ans.Hits = kept[:min(most, len(kept))]
	return ans, plan, nil
}
