package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// A told is what recall tells unasked, over the questions as first prompts.
type told struct {
	none, silent   int // questions without an answer, and of them those that were told nothing
	some, right    int // questions with one, and of them those that were told a right note
	notes, correct int // notes told for questions with an answer, and of them the right ones
	block          int // tokens of the largest block, at most
}

var projectLine = regexp.MustCompile(`(?m)^project: .*\n`)

// recall measures what recall tells of the notes of a corpus, taken as belonging to
// no project.
func recall(ctx context.Context, c corpus) (t told, err error) {
	dir, err := os.MkdirTemp("", "assay-memory-")
	if err != nil {
		return t, err
	}
	defer os.RemoveAll(dir)
	c.sessions = nil
	c.notes = slices.Clone(c.notes)
	for i := range c.notes {
		c.notes[i].text = projectLine.ReplaceAllString(c.notes[i].text, "")
	}
	m, err := open(ctx, c, dir)
	if err != nil {
		return t, err
	}
	defer m.Close()
	for _, q := range c.questions {
		in := slices.DeleteFunc(slices.Clone(q.In), func(p string) bool { return strings.HasPrefix(p, "session:") })
		if len(in) == 0 && len(q.In) > 0 {
			continue // only a session answers it
		}
		r, err := m.Recall(ctx, vault.Recollection{Prompt: q.Ask})
		if err != nil {
			return t, err
		}
		t.block = max(t.block, r.Tokens)
		if len(in) == 0 {
			t.none++
			if r.Block == "" {
				t.silent++
			}
			continue
		}
		t.some++
		hit := false
		for _, p := range r.Places {
			path, _, _ := strings.Cut(p, "#")
			t.notes++
			if slices.Contains(in, path) {
				t.correct++
				hit = true
			}
		}
		if hit {
			t.right++
		}
	}
	return t, nil
}

func (t told) write(w io.Writer) {
	part := func(a, b int) float64 { return float64(a) / float64(max(b, 1)) }
	fmt.Fprintf(w, "recall: of %d questions that nothing answers %.3f are told nothing; of %d others %.3f are told a right note, and %.3f of what is told is right\n",
		t.none, part(t.silent, t.none), t.some, part(t.right, t.some), part(t.correct, t.notes))
}

// sure measures whether an answer that says nothing is surely relevant is right: of questions
// whose first hit answers them, and of those that nothing answers.
func sure(ctx context.Context, w io.Writer, c corpus) error {
	m, remove, err := openTemporary(ctx, c)
	if err != nil {
		return err
	}
	defer remove()
	right, unsure, direct, doubted, none, taken := 0, 0, 0, 0, 0, 0
	for _, q := range c.questions {
		a, err := m.Search(ctx, vault.Query{Text: q.Ask})
		if err != nil {
			return err
		}
		says := !slices.ContainsFunc(a.Hits, func(h vault.Piece) bool { return h.Score >= rank.Sure })
		switch {
		case len(q.In) == 0:
			if none++; !says {
				taken++
			}
		case len(a.Hits) > 0 && slices.Contains(q.In, a.Hits[0].Path):
			if right++; says {
				unsure++
			}
			if a.Hits[0].Matched >= .5 {
				if direct++; says {
					doubted++
				}
			}
		}
	}
	fmt.Fprintf(w, "  search is unsure for %d of %d questions that its first hit answers, for %d of the %d whose words that hit has by half; it is sure for %d of %d without an answer\n",
		unsure, right, doubted, direct, taken, none)
	return nil
}
