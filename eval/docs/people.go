package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/docs/library"
)

// Questions that people asked of libraries, as the titles of their issues have them. The answers
// are headings and declarations, found by reading the documentation before anything was asked.
//
//go:embed testdata/people.jsonl
var peopleQuestions []byte

// asked is what people asked of one library.
type asked struct {
	Repo    string     `json:"repo"`
	Issues  []int      `json:"issues"`
	Ask     []string   `json:"ask"`
	Answers [][]string `json:"answers"` // how a heading or the name of a declaration begins
}

func readAsked() (all []asked, err error) {
	for dec := json.NewDecoder(bytes.NewReader(peopleQuestions)); dec.More(); {
		var a asked
		if err := dec.Decode(&a); err != nil {
			return nil, err
		}
		if len(a.Ask) != len(a.Answers) || len(a.Ask) != len(a.Issues) {
			return nil, fmt.Errorf("%s: %d questions, %d answers, %d issues", a.Repo, len(a.Ask), len(a.Answers), len(a.Issues))
		}
		all = append(all, a)
	}
	return all, nil
}

// people asks what people asked.
func people(ctx context.Context, o options, w io.Writer) (err error) {
	all, err := readAsked()
	if err != nil {
		return err
	}
	f, temp, remove, err := emptyDocs("people")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	t := &tallies{}
	for _, a := range all {
		if o.sets != "" && !slices.Contains(strings.Split(o.sets, ","), path.Base(a.Repo)) {
			continue
		}
		dir, err := checkout(ctx, o.dir, temp, a.Repo)
		if err != nil {
			return err
		}
		if err := a.run(ctx, f, dir, temp, t, w); err != nil {
			return fmt.Errorf("%s: %w", a.Repo, err)
		}
	}
	t.print(w, "people", "first answer")
	return nil
}

func (a *asked) run(ctx context.Context, f *docs.Feature, dir, temp string, t *tallies, w io.Writer) error {
	id, file := "/"+a.Repo, filepath.Join(temp, strings.ReplaceAll(a.Repo, "/", "+")+".db")
	if _, err := f.Ingest(ctx, docs.IngestInput{Where: docs.Where{Source: dir, ID: id}, Quiet: true, File: docs.File{DB: file}}); err != nil {
		return err
	}
	db, err := library.OpenReadOnly(ctx, file)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it was only read
	for i, q := range a.Ask {
		got, err := db.QueryWith(ctx, id, q, library.Options{Tokens: depth})
		if err != nil {
			return err
		}
		at := 1 + slices.IndexFunc(got.Snippets, func(s library.Snippet) bool { return under(&s, a.Answers[i]) })
		t.n++
		if at > 0 {
			t.mrr += 1 / float64(at)
		}
		if at == 1 {
			t.first++
		}
		if at > 0 && at <= 5 {
			t.five++
		}
		first := ""
		if len(got.Snippets) > 0 {
			first = got.Snippets[0].Path + ": " + got.Snippets[0].Title
		}
		fmt.Fprintf(w, "%-24s #%-5d %3d  %s\n%42s%s\n", a.Repo, a.Issues[i], at, q, "", first)
	}
	return nil
}

var unquoted = strings.NewReplacer("`", "", "\\", "")

// under reports whether a snippet has one of headings, or is below it.
func under(s *library.Snippet, headings []string) bool {
	names := append(strings.Split(s.Breadcrumb, " > "), s.Title)
	for line := range strings.SplitSeq(s.Content, "\n") {
		if strings.HasPrefix(line, "####") {
			names = append(names, strings.TrimLeft(line, "# "))
		}
	}
	return slices.ContainsFunc(headings, func(h string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return begins(n, h) })
	})
}

// begins reports whether a heading begins with words, and not within one.
func begins(heading, words string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(unquoted.Replace(heading)), strings.ToLower(words))
	return ok && (rest == "" || !('a' <= rest[0] && rest[0] <= 'z' || '0' <= rest[0] && rest[0] <= '9'))
}
