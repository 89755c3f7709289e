package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/eval/keptaside"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// handbooks is 350 pages of the handbooks, decisions and how-tos of 14 public projects as notes,
// and questions written by one reader who had not seen this program, eight of a project in other
// words than its pages. The pages stay in the projects' repositories. A project's questions are in
// one half: train is what the profile is fitted to, test what it is judged by.
func handbooks(ctx context.Context, mirrors, half string) (c corpus, err error) {
	c.name = "handbooks"
	switch {
	case mirrors == "":
		return c, errors.New("-mirrors is needed: the folder with the repositories that testdata/handbooks.tsv names, as OWNER+NAME/repo")
	case half != "train" && half != "test":
		return c, fmt.Errorf("-half is train or test, not %q", half)
	}
	list, err := data.ReadFile("testdata/handbooks.tsv")
	if err != nil {
		return c, err
	}
	for line := range strings.Lines(string(list)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t") // name, repository, commit, path
		if len(f) != 4 {
			return c, fmt.Errorf("testdata/handbooks.tsv: %q has not four columns", line)
		}
		if err := keptaside.Check(f[1]); err != nil { // before anything of it is read
			return c, err
		}
		said, err := judged.Git(ctx, filepath.Join(mirrors, f[1], "repo"), "show", f[2]+":"+f[3])
		if err != nil {
			return c, fmt.Errorf("%s: %w (its repository belongs at %s)", f[1], err, filepath.Join(mirrors, f[1], "repo"))
		}
		c.notes = append(c.notes, file{f[0], said})
	}
	asked, err := data.ReadFile("testdata/handbooks.jsonl")
	if err != nil {
		return c, err
	}
	for line := range bytes.Lines(asked) {
		var q struct {
			question
			How  string `json:"how"` // in other words than the page, in its own, or none answers
			Half string `json:"half"`
		}
		if err := json.Unmarshal(line, &q); err != nil {
			return c, err
		}
		if q.Half == half {
			c.questions = append(c.questions, q.question)
			c.how = append(c.how, q.How)
		}
	}
	return c, nil
}

// inHandbooks prints what is found of the questions of a half: those in other words, and those
// in the words of their pages.
func inHandbooks(ctx context.Context, w io.Writer, mirrors, half string, verbose bool) error {
	c, err := handbooks(ctx, mirrors, half)
	if err != nil {
		return err
	}
	r, err := measure(ctx, c)
	if err != nil {
		return err
	}
	words := plainly(c)
	for _, how := range []string{"other", "own"} {
		fmt.Fprintf(w, "%d notes, questions in %s words    any@1  any@5 any@10    MRR\n", len(c.notes), how)
		for _, x := range []struct {
			name string
			rows []row
		}{{"plain BM25", words}, {"words", r.rows[vault.Words]}, {"meaning", r.rows[vault.Meaning]}, {"hybrid", r.rows[vault.Hybrid]}} {
			var some []row
			for i, row := range x.rows {
				if c.how[i] == how {
					some = append(some, row)
				}
			}
			f := figures(some)
			fmt.Fprintf(w, "  %-12s (%d questions)  %.3f  %.3f  %.3f  %.3f\n", x.name, len(some), f.at1, f.at5, f.at10, f.rank)
		}
	}
	if verbose {
		r.writeBad(w)
	}
	return nil
}
