package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/keptaside"
	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/docs/library"
)

// How-to questions in a user's words and questions by name, of libraries whose guides stand beside an API reference. They and
// their answers were written from tables of contents, before anything was asked.
//
//go:embed testdata/guides.jsonl
var guideQuestions []byte

// A guideQuestion is one of them.
type guideQuestion struct {
	Repo    string   `json:"repo"`
	Split   string   `json:"split"` // dev: looked at while ranking is worked on; aside: asked before and after
	Kind    string   `json:"kind"`  // how or name
	Ask     string   `json:"ask"`
	Words   string   `json:"words"`   // guesses that somebody makes who does not know the library
	Answers []string `json:"answers"` // how a heading or a declaration begins; "page.md#heading" is one on that page, "page.md#" all of it
}

func readGuideQuestions() (all []guideQuestion, err error) {
	for dec := json.NewDecoder(bytes.NewReader(guideQuestions)); dec.More(); {
		var q guideQuestion
		if err := dec.Decode(&q); err != nil {
			return nil, err
		}
		all = append(all, q)
	}
	return all, nil
}

// isAnswer reports whether a snippet answers.
func (q *guideQuestion) isAnswer(s *library.Snippet) bool {
	return slices.ContainsFunc(q.Answers, func(answer string) bool {
		answer = unquoted.Replace(answer)
		page, heading, ok := strings.Cut(answer, "#")
		if !ok || path.Ext(page) == "" { // "AxiosHeaders#concat" is a name
			return under(s, []string{answer})
		}
		return strings.HasSuffix(s.Path, page) && (heading == "" || under(s, []string{heading}))
	})
}

// A guideTally counts where the first right answers are.
type guideTally struct {
	n, first, five int
	unsure         int // answers that say that nothing surely answers
	unsureFive     int // of those that have a right answer among five
}

func (t *guideTally) add(at int, unsure bool) {
	t.n++
	if at == 1 {
		t.first++
	}
	inFive := at > 0 && at <= 5
	if inFive {
		t.five++
	}
	if unsure {
		t.unsure++
	}
	if unsure && inFive {
		t.unsureFive++
	}
}

// askGuides asks the questions of guides.jsonl, with and without guessed words, and each of the next library too, which
// has no answer for it.
func askGuides(ctx context.Context, o options, w io.Writer) (err error) {
	all, err := readGuideQuestions()
	if err != nil {
		return err
	}
	if err := o.makeKeep(); err != nil {
		return err
	}
	f, temp, remove, err := emptyDocs("guides")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	g := &guideRun{options: o, temp: temp, f: f, out: w, tallies: map[string]*guideTally{}}
	byRepo := map[string][]guideQuestion{}
	var repos []string
	for _, q := range all {
		inSplit := o.split == "all" || q.Split == o.split
		if !inSplit || o.sets != "" && !slices.Contains(strings.Split(o.sets, ","), path.Base(q.Repo)) {
			continue
		}
		if byRepo[q.Repo] == nil {
			repos = append(repos, q.Repo)
		}
		byRepo[q.Repo] = append(byRepo[q.Repo], q)
	}
	for i, repo := range repos {
		if err := g.ask(ctx, repo, byRepo[repo], byRepo[repos[(i+1)%len(repos)]]); err != nil {
			return fmt.Errorf("%s: %w", repo, err)
		}
	}
	g.print()
	return nil
}

// A guideRun is one run over the libraries.
type guideRun struct {
	options
	temp    string
	f       *docs.Feature
	out     io.Writer
	tallies map[string]*guideTally
}

// ask asks a library its questions, and those of a foreign one.
func (g *guideRun) ask(ctx context.Context, repo string, own, foreign []guideQuestion) error {
	if err := keptaside.Check(repo); err != nil {
		return err
	}
	file := filepath.Join(cmp.Or(g.keep, g.temp), strings.ReplaceAll(repo, "/", "+")+".db")
	if _, err := os.Stat(file); err != nil {
		dir, err := checkout(ctx, g.dir, g.temp, repo)
		if err != nil {
			return err
		}
		if _, err := g.f.Ingest(ctx, docs.IngestInput{Where: docs.Where{Source: dir, ID: "/" + repo}, Quiet: true, File: docs.File{DB: file}}); err != nil {
			return err
		}
	}
	db, err := library.OpenReadOnly(ctx, file)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it was only read
	for i := range own {
		for _, words := range slices.Compact([]string{"", own[i].Words}) {
			if err := g.askOne(ctx, db, &own[i], words, repo); err != nil {
				return err
			}
		}
	}
	for i := range foreign {
		a, err := db.QueryWith(ctx, "/"+repo, foreign[i].Ask, library.Options{Tokens: depth})
		if err != nil {
			return err
		}
		g.tally(foreign[i].Split+" foreign "+foreign[i].Kind).add(0, a.Unsure() || len(a.Snippets) == 0)
	}
	return nil
}

func (g *guideRun) tally(name string) *guideTally {
	if g.tallies[name] == nil {
		g.tallies[name] = &guideTally{}
	}
	return g.tallies[name]
}

func (g *guideRun) askOne(ctx context.Context, db *library.DB, q *guideQuestion, words, repo string) error {
	a, err := db.QueryWith(ctx, "/"+repo, q.Ask, library.Options{Tokens: depth, Words: words})
	if err != nil {
		return err
	}
	at := 1 + slices.IndexFunc(a.Snippets, func(s library.Snippet) bool { return q.isAnswer(&s) })
	name := q.Split + " " + q.Kind
	if words != "" {
		name += " with words"
	}
	g.tally(name).add(at, a.Unsure())
	if !g.verbose || at == 1 {
		return nil
	}
	fmt.Fprintf(g.out, "%s %4d  %s | %s  %q\n", repo, at, q.Ask, words, q.Answers)
	for i := range a.Snippets[:min(len(a.Snippets), max(3, min(at, 7)))] {
		s := &a.Snippets[i]
		fmt.Fprintf(g.out, "      %d %.3f %s  (%s:%d)\n", i+1, s.Score, s.Breadcrumb, s.Path, s.Line)
	}
	return nil
}

func (g *guideRun) print() {
	names := make([]string, 0, len(g.tallies))
	for name := range g.tallies {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t := g.tallies[name]
		n := float64(t.n)
		fmt.Fprintf(g.out, "%-22s %3d questions  first %3d (%.2f)  among five %3d (%.2f)  unsure %3d (%.2f), %d of those among five\n",
			name, t.n, t.first, float64(t.first)/n, t.five, float64(t.five)/n, t.unsure, float64(t.unsure)/n, t.unsureFive)
	}
}
