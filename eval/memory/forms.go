package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// A formLine is a line of a set of testdata/forms: a note, or a question.
type formLine struct {
	Note, Title, Text, Category, On, Topic string

	Ask, Kind, Half string
	In              []string
	Old             string // the note that the right one is in the place of
	Lookalike       string // a later note about another thing
}

// formSets are the sets of testdata/forms.
var formSets = []string{"services", "components", "records", "changes", "forms", "blind"}

// forms measures notes of like form, old and new: what plain BM25 and the search put first, how
// often a sure answer is right, and which notes are taken to be replaced.
func forms(ctx context.Context, w io.Writer, half string, verbose bool) error {
	for _, name := range formSets {
		b, err := data.ReadFile("testdata/forms/" + name + ".jsonl")
		if err != nil {
			return err
		}
		c := corpus{name: name}
		var asked []formLine
		for line := range bytes.Lines(b) {
			var l formLine
			if err := json.Unmarshal(line, &l); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			switch {
			case l.Note != "":
				at, err := time.Parse(time.DateOnly, l.On)
				if err != nil {
					return err
				}
				n := storedNote(l.Note, l.Category, "", strings.TrimPrefix(l.Title+" :: "+l.Text, " :: "), at)
				if l.Topic != "" {
					n.text = strings.Replace(n.text, "---\n", "---\ntopic: "+l.Topic+"\n", 1)
				}
				c.notes = append(c.notes, n)
			case half == "" || l.Half == half:
				asked = append(asked, l)
				c.questions = append(c.questions, question{l.Ask, l.Kind, l.In})
			}
		}
		if err := measureForms(ctx, w, c, asked, nil, verbose); err != nil {
			return err
		}
	}
	return nil
}

// measureForms prints the figures of one set. words are those that the asker guesses, one string a
// question, or nil.
func measureForms(ctx context.Context, w io.Writer, c corpus, asked []formLine, words []string, verbose bool) error {
	m, remove, err := openTemporary(ctx, c)
	if err != nil {
		return err
	}
	defer remove()
	by, all := map[string]*formFigures{}, &formFigures{}
	plain, replaced := plainly(c), map[string]bool{}
	for _, q := range asked {
		replaced[q.Old] = q.Old != ""
	}
	for i, q := range asked {
		r := formResult{plain: placeOf(plain[i].found, q.In)}
		query := vault.Query{Text: q.Ask, Max: depth}
		if words != nil {
			query.Words = []string{words[i]}
		}
		if err := r.ask(ctx, m, q, query, replaced); err != nil {
			return err
		}
		if by[q.Kind] == nil {
			by[q.Kind] = &formFigures{}
		}
		by[q.Kind].add(r)
		all.add(r)
		if verbose {
			r.list(w, q)
		}
	}
	fmt.Fprintf(w, "%s: %d notes, %d questions\n  %-16s %4s  %-9s  %-9s  %-11s  %-8s  %s\n", c.name, len(c.notes), len(asked),
		"kind", "n", "BM25 1, 5", "search", "sure, right", "replaced", "recall tells: notes, right, for")
	for _, kind := range slices.Sorted(maps.Keys(by)) {
		by[kind].write(w, kind)
	}
	all.write(w, "all")
	return nil
}

// A formResult is what a search and recall make of one question.
type formResult struct {
	found       []string
	plain, rank int // places of the first right note, from 0; -1: not found
	score       float64
	isSure      bool
	replaced    bool // a note that nothing replaces is marked as replaced
	told, right int  // notes that recall tells
}

// placeOf returns where the first of the right notes is, or -1.
func placeOf(found, right []string) int {
	return slices.IndexFunc(found, func(p string) bool { return slices.Contains(right, p) })
}

// ask asks one question. replaced are the notes that another one of the set is in the place of.
func (r *formResult) ask(ctx context.Context, m *vault.Memory, q formLine, query vault.Query, replaced map[string]bool) error {
	a, err := m.Search(ctx, query)
	if err != nil {
		return err
	}
	recalled, err := m.Recall(ctx, vault.Recollection{Prompt: q.Ask})
	if err != nil {
		return err
	}
	for _, h := range a.Hits {
		r.found = append(r.found, h.Path)
		r.replaced = r.replaced || h.Superseded != "" && !replaced[h.Path]
	}
	r.rank = placeOf(r.found, q.In)
	if len(a.Hits) > 0 {
		r.score = a.Hits[0].Score
		r.isSure = r.score >= rank.Sure
	}
	r.told = len(recalled.Places)
	for _, p := range recalled.Places {
		path, _, _ := strings.Cut(p, "#")
		count(&r.right, slices.Contains(q.In, path))
	}
	return nil
}

// list writes a wrong first answer, and one that is called sure.
func (r *formResult) list(w io.Writer, q formLine) {
	if r.rank == 0 {
		return
	}
	if len(q.In) > 0 {
		fmt.Fprintf(w, "  %-12s plain %d, search %d: %q -> %v; found %v\n", q.Kind, r.plain+1, r.rank+1, q.Ask, q.In, r.found[:min(3, len(r.found))])
	}
	if r.isSure {
		fmt.Fprintf(w, "  %-12s wrongly sure (%.2f): %q -> %s\n", q.Kind, r.score, q.Ask, r.found[0])
	}
}

// formFigures count results of one kind.
type formFigures struct{ n, plain1, plain5, first, five, sure, sureRight, replaced, told, toldRight, toldAny int }

func (f *formFigures) add(r formResult) {
	f.n++
	count(&f.plain1, r.plain == 0)
	count(&f.plain5, r.plain >= 0 && r.plain < 5)
	count(&f.first, r.rank == 0)
	count(&f.five, r.rank >= 0 && r.rank < 5)
	count(&f.sure, r.isSure)
	count(&f.sureRight, r.isSure && r.rank == 0)
	count(&f.replaced, r.replaced)
	count(&f.toldAny, r.told > 0)
	f.told += r.told
	f.toldRight += r.right
}

func (f *formFigures) write(w io.Writer, name string) {
	fmt.Fprintf(w, "  %-16s %4d  %4d %4d  %4d %4d  %5d %5d  %8d  %5d %5d %5d\n", name, f.n, f.plain1, f.plain5, f.first, f.five,
		f.sure, f.sureRight, f.replaced, f.told, f.toldRight, f.toldAny)
}

func count(n *int, counts bool) {
	if counts {
		*n++
	}
}

// formsElsewhere measures a folder with vault/, questions.jsonl (id, q, gold, kind), words.jsonl (id,
// words) and asked.jsonl (path, asked, keywords): the question alone, with the asker's words, with the
// writer's questions, and with both.
func formsElsewhere(ctx context.Context, w io.Writer, dir string, verbose bool) error {
	var c corpus
	root := filepath.Join(dir, "vault")
	if err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(root, p)
		c.notes = append(c.notes, file{filepath.ToSlash(rel), string(b)})
		return err
	}); err != nil {
		return err
	}
	var asked []formLine
	var ids []string
	guesses, fields := map[string]string{}, map[string]string{}
	for name, read := range map[string]func(line []byte) error{
		"questions.jsonl": func(line []byte) error {
			var q struct {
				ID, Q, Kind, Stale string
				Gold               []string
			}
			err := json.Unmarshal(line, &q)
			asked, ids = append(asked, formLine{Ask: q.Q, Kind: q.Kind, In: q.Gold, Old: q.Stale}), append(ids, q.ID)
			c.questions = append(c.questions, question{q.Q, q.Kind, q.Gold})
			return err
		},
		"words.jsonl": func(line []byte) error {
			var g struct{ ID, Words string }
			err := json.Unmarshal(line, &g)
			guesses[g.ID] = g.Words
			return err
		},
		"asked.jsonl": func(line []byte) error {
			var a struct {
				Path            string
				Asked, Keywords json.RawMessage
			}
			err := json.Unmarshal(line, &a)
			fields[a.Path] = fmt.Sprintf("asked: %s\nkeywords: %s\n", a.Asked, a.Keywords)
			return err
		},
	} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		for line := range bytes.Lines(b) {
			if err := read(line); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	var words, wrong []string
	for i, id := range ids {
		words, wrong = append(words, guesses[id]), append(wrong, guesses[ids[(i+7)%len(ids)]])
	}
	with := c
	with.notes = slices.Clone(c.notes)
	for i, n := range with.notes {
		if body, ok := strings.CutPrefix(n.text, "---\n"); ok {
			with.notes[i].text = "---\n" + fields[n.name] + body
		} else {
			with.notes[i].text = "---\n" + fields[n.name] + "---\n" + n.text
		}
	}
	for _, x := range []struct {
		name  string
		c     corpus
		words []string
	}{{"the question alone", c, nil}, {"and the asker's words", c, words}, {"the asker's words, of another question", c, wrong}, {"notes with asked", with, nil}, {"notes with asked, and words", with, words}} {
		x.c.name = x.name
		if err := measureForms(ctx, w, x.c, asked, x.words, verbose); err != nil {
			return err
		}
	}
	return nil
}
