package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// An asked is a question to notes; without gold nothing answers it.
type asked struct {
	ID   string   `json:"id"`
	Ask  string   `json:"q"`
	Gold []string `json:"gold"`
	Kind string   `json:"kind"`
}

// runNotes asks the notes of a folder: questions.jsonl, words.jsonl (id, words) and vault/.
func runNotes(ctx context.Context, dir string, w io.Writer) error {
	var questions []asked
	if err := eachLine(filepath.Join(dir, "questions.jsonl"), func(raw []byte) error {
		var q asked
		err := json.Unmarshal(raw, &q)
		questions = append(questions, q)
		return err
	}); err != nil {
		return err
	}
	words := map[string]string{}
	if err := eachLine(filepath.Join(dir, "words.jsonl"), func(raw []byte) error {
		var g struct{ ID, Words string }
		err := json.Unmarshal(raw, &g)
		words[g.ID] = g.Words
		return err
	}); err != nil {
		return err
	}
	m, end, err := openNotes(ctx, filepath.Join(dir, "vault"))
	if err != nil {
		return err
	}
	defer end()
	conditions := []struct {
		name    string
		guesses func(i int) []string
	}{
		{"question alone", func(int) []string { return nil }},
		{"guessed words", func(i int) []string { return []string{words[questions[i].ID]} }},
		{"wrong words, another question", func(i int) []string { return []string{words[questions[(i+7)%len(questions)].ID]} }},
		{"3 right and 5 wrong", func(i int) []string {
			right, wrong := strings.Fields(words[questions[i].ID]), strings.Fields(words[questions[(i+7)%len(questions)].ID])
			return append(slices.Clone(right[:min(3, len(right))]), wrong[:min(5, len(wrong))]...)
		}},
	}
	for _, c := range conditions {
		type figure struct{ n, first, five, sure int }
		by := map[string]*figure{}
		for i, q := range questions {
			a, err := m.Search(ctx, vault.Query{Text: q.Ask, Words: c.guesses(i), Max: 10})
			if err != nil {
				return err
			}
			f := by[q.Kind]
			if f == nil {
				f = &figure{}
				by[q.Kind] = f
			}
			f.n++
			at := slices.IndexFunc(a.Hits, func(h vault.Piece) bool { return slices.Contains(q.Gold, h.Path) })
			if at == 0 {
				f.first++
			}
			if at >= 0 && at < 5 {
				f.five++
			}
			if len(a.Hits) > 0 && a.Hits[0].Score >= rank.Sure {
				f.sure++
			}
		}
		fmt.Fprintf(w, "%-32s", c.name)
		for _, kind := range slices.Sorted(maps.Keys(by)) {
			f := by[kind]
			fmt.Fprintf(w, "  %s %d: %.2f %.2f, %d sure", kind, f.n, float64(f.first)/float64(f.n), float64(f.five)/float64(f.n), f.sure)
		}
		fmt.Fprintln(w)
	}
	return nil
}

// openNotes indexes a copy of the notes.
func openNotes(ctx context.Context, from string) (*vault.Memory, func(), error) {
	dir, err := os.MkdirTemp("", "assay-words-")
	if err != nil {
		return nil, nil, err
	}
	if err := os.CopyFS(filepath.Join(dir, "vault"), os.DirFS(from)); err != nil {
		return nil, nil, err
	}
	p, err := embed.Open(embed.Config{Provider: "static", Text: true})
	if err != nil {
		return nil, nil, err
	}
	m := vault.Open(vault.Config{Vault: filepath.Join(dir, "vault"), DB: filepath.Join(dir, "memory.db"), Embedder: p})
	end := func() { m.Close(); os.RemoveAll(dir) }
	if _, err := m.Sync(ctx, vault.SyncOptions{}); err != nil {
		end()
		return nil, nil, err
	}
	return m, end, nil
}
