package main

import (
	"context"
	"io"
	"slices"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// judgedDepth is how many candidates of a question are judged.
const judgedDepth = 50

// judge writes what is found for the questions, for eval/fit. A kind of question is a
// project: what helps one kind is to help those that it was not fitted on.
func judge(ctx context.Context, w io.Writer, mirrors string) error {
	loads := []func() (corpus, error){own, talks, halfOfOthers}
	if mirrors != "" {
		loads = append(loads, func() (corpus, error) { return handbooks(ctx, mirrors, "train") })
	}
	for _, load := range loads {
		c, err := load()
		if err != nil {
			return err
		}
		if err := judgeCorpus(ctx, w, c); err != nil {
			return err
		}
	}
	return nil
}

// fittedKinds are the notes asked for in other words whose questions the profile is fitted to;
// those about all other kinds judge it.
var fittedKinds = []string{"meeting", "howto", "gotcha", "preference", "config"}

func halfOfOthers() (corpus, error) {
	c, err := others()
	c.questions = slices.DeleteFunc(c.questions, func(q question) bool { return !slices.Contains(fittedKinds, q.Kind) })
	return c, err
}

func judgeCorpus(ctx context.Context, w io.Writer, c corpus) error {
	m, remove, err := openTemporary(ctx, c)
	if err != nil {
		return err
	}
	defer remove()
	for _, q := range c.questions {
		a, err := m.Search(ctx, vault.Query{Text: q.Ask, Max: judgedDepth, Explain: true})
		if err != nil {
			return err
		}
		out := judged.Question{Project: c.name + ", " + q.Kind, Query: q.Ask, Kind: rank.Question, Meaning: true, Foreign: len(q.In) == 0}
		for _, h := range a.Hits {
			out.Candidates = append(out.Candidates, judged.Candidate{Groups: []string{h.Path}, Relevant: slices.Contains(q.In, h.Path), Explain: h.Explain})
		}
		if err := judged.Write(w, &out); err != nil {
			return err
		}
	}
	return nil
}
