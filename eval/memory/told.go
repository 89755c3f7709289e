package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/domain/vault"
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
