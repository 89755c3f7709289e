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
var formSets = []string{"services", "components", "records", "changes", "forms"}

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
	dir, err := os.MkdirTemp("", "assay-memory-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m, err := open(ctx, c, dir)
	if err != nil {
		return err
	}
	defer m.Close()
	type figure struct{ n, plain1, plain5, first, five, sure, right, replaced, told, toldRight, toldAny int }
	by := map[string]*figure{}
	all := &figure{}
	plain := plainly(c)
	at := func(found []string, in []string) int {
		return slices.IndexFunc(found, func(p string) bool { return slices.Contains(in, p) })
	}
	for i, q := range asked {
		query := vault.Query{Text: q.Ask, Max: depth}
		if words != nil {
			query.Words = []string{words[i]}
		}
		a, err := m.Search(ctx, query)
		if err != nil {
			return err
		}
		r, err := m.Recall(ctx, vault.Recollection{Prompt: q.Ask})
		if err != nil {
			return err
		}
		if by[q.Kind] == nil {
			by[q.Kind] = &figure{}
		}
		var found []string
		wrong := false
		for _, h := range a.Hits {
			found = append(found, h.Path)
			wrong = wrong || h.Superseded != "" && (slices.Contains(q.In, h.Path) || h.Path != q.Old && q.Old+q.Lookalike != "")
		}
		for _, f := range []*figure{by[q.Kind], all} {
			f.n++
			p, h := at(plain[i].found, q.In), at(found, q.In)
			count(&f.plain1, p == 0)
			count(&f.plain5, p >= 0 && p < 5)
			count(&f.first, h == 0)
			count(&f.five, h >= 0 && h < 5)
			sure := len(a.Hits) > 0 && a.Hits[0].Score >= rank.Sure
			count(&f.sure, sure)
			count(&f.right, sure && h == 0)
			count(&f.replaced, wrong)
			count(&f.toldAny, len(r.Places) > 0)
			f.told += len(r.Places)
			for _, p := range r.Places {
				path, _, _ := strings.Cut(p, "#")
				count(&f.toldRight, slices.Contains(q.In, path))
			}
		}
		if verbose && len(q.In) > 0 && at(found, q.In) != 0 {
			fmt.Fprintf(w, "  %-12s plain %d, search %d: %q -> %v; found %v\n", q.Kind, at(plain[i].found, q.In)+1, at(found, q.In)+1, q.Ask, q.In, found[:min(3, len(found))])
		}
		if verbose && len(a.Hits) > 0 && a.Hits[0].Score >= rank.Sure && at(found, q.In) != 0 {
			fmt.Fprintf(w, "  %-12s wrongly sure (%.2f): %q -> %s\n", q.Kind, a.Hits[0].Score, q.Ask, found[0])
		}
	}
	fmt.Fprintf(w, "%s: %d notes, %d questions\n  %-16s %4s  %-9s  %-9s  %-11s  %-8s  %s\n", c.name, len(c.notes), len(asked), "kind", "n", "BM25 1, 5", "search", "sure, right", "replaced", "recall tells: notes, right, for")
	show := func(name string, f *figure) {
		fmt.Fprintf(w, "  %-16s %4d  %4d %4d  %4d %4d  %5d %5d  %8d  %5d %5d %5d\n", name, f.n, f.plain1, f.plain5, f.first, f.five, f.sure, f.right, f.replaced, f.told, f.toldRight, f.toldAny)
	}
	for _, kind := range slices.Sorted(maps.Keys(by)) {
		show(kind, by[kind])
	}
	show("all", all)
	return nil
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
