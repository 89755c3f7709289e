package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/docs/library"
)

// strangers is how many questions of another set each set is asked.
const strangers = 60

// judgeAll writes what is found for the questions of all chosen sets, for eval/fit: each is
// asked its own, and some of another set, which nothing in it is taken to answer.
func judgeAll(ctx context.Context, o options, w io.Writer) error {
	temp, err := os.MkdirTemp("", "assay-eval-docs-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	sets := o.chosen()
	var before []question
	if len(sets) > 1 {
		last, err := load(ctx, o.dir, sets[len(sets)-1])
		if err != nil {
			return err
		}
		before = last.questions()
	}
	for _, s := range sets {
		c, err := load(ctx, o.dir, s)
		if err != nil {
			return err
		}
		own := c.questions()
		if err := c.judge(ctx, filepath.Join(temp, s.name), own, before, w); err != nil {
			return err
		}
		before = own
	}
	return nil
}

func (c *corpus) judge(ctx context.Context, path string, own, foreign []question, w io.Writer) (err error) {
	s, err := newSearcher(ctx, path+".docs", c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.db.Close()) }()
	n := min(len(foreign), strangers)
	for i := range len(own) + n {
		var q question
		stranger := i >= len(own)
		if stranger {
			q = foreign[(i-len(own))*len(foreign)/n]
			q.pages, q.sections, q.without = nil, nil, nil
		} else {
			q = own[i]
		}
		a, err := s.db.QueryWith(ctx, s.id, q.ask, library.Options{Tokens: depth, Explain: true})
		if err != nil {
			return err
		}
		out := judged.Question{Project: c.set.name, Query: q.ask, Kind: rank.Question, Meaning: a.Ranking == library.Hybrid, Foreign: stranger}
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
