package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/code/rank"
)

// judge writes what is found for the questions, for eval/fit. Where there is but one
// catalogue, every sixth question is a project.
func judge(ctx context.Context, w io.Writer) error {
	qs, err := queries("first")
	if err != nil {
		return err
	}
	said, err := queries("said")
	if err != nil {
		return err
	}
	qs = append(qs, said...)
	c, err := builtin(ctx)
	if err != nil {
		return err
	}
	for i, q := range append(qs, foreign()...) {
		a, err := c.Ask(ctx, q.ask, 20)
		if err != nil {
			return err
		}
		out := judged.Question{Project: fmt.Sprint("fold ", i%6), Query: q.ask, Kind: rank.Question, Foreign: len(q.want) == 0}
		for _, e := range a.Entries {
			out.Candidates = append(out.Candidates, judged.Candidate{Relevant: slices.Contains(q.want, e.Name), Explain: e.Explain})
		}
		if err := judged.Write(w, &out); err != nil {
			return err
		}
	}
	return nil
}
