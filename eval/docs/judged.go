package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/core/rank"
	"github.com/assay-dev/assay/internal/domain/library"
)

// judgeAll writes what is found for the questions of all chosen sets, for eval/fit.
func judgeAll(ctx context.Context, o options, w io.Writer) error {
	temp, err := os.MkdirTemp("", "assay-eval-docs-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	for _, s := range o.chosen() {
		c, err := load(ctx, o.dir, s)
		if err == nil {
			err = c.judge(ctx, filepath.Join(temp, s.name), w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *corpus) judge(ctx context.Context, path string, w io.Writer) (err error) {
	s, err := newSearcher(ctx, path+".docs", c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.db.Close()) }()
	for _, q := range c.questions() {
		a, err := s.db.QueryWith(ctx, s.id, q.ask, library.Options{Tokens: depth, Explain: true})
		if err != nil {
			return err
		}
		out := judged.Question{Project: c.set.name, Query: q.ask, Kind: rank.Question, Meaning: a.Ranking == library.Hybrid}
		for _, sn := range a.Snippets {
			at := place{sn.Path, s.places[placeKey(sn)]}
			if q.without[at] || sn.Breakdown == nil {
				continue
			}
			right := q.pages[sn.Path]
			if q.sections != nil {
				right = q.sections[at]
			}
			out.Candidates = append(out.Candidates, judged.Candidate{Groups: []string{sn.Path, sn.Path + "\n" + sn.Breadcrumb}, Relevant: right, Explain: sn.Breakdown})
		}
		if err := judged.Write(w, &out); err != nil {
			return err
		}
	}
	return nil
}
