package main

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-dev/assay/internal/chunk"
	"github.com/assay-dev/assay/internal/corpus"
	"github.com/assay-dev/assay/internal/embed/static"
	"github.com/assay-dev/assay/internal/syntax"
	"github.com/assay-dev/assay/internal/vec"
)

// A piece is a chunk with its vector.
type piece struct {
	hit
	vec []float32
}

// runModel prints what an embedding model alone ranks: the chunks of each project
// by the product of their vectors with the query's, nothing else.
func runModel(o options, name string, w io.Writer) error {
	raw, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	m, err := static.Open(string(raw))
	if err == nil {
		err = m.Check()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	projects, err := loadProjects(o.data, o.repos)
	if err != nil {
		return err
	}
	var rows []row
	for _, p := range projects {
		queries, err := loadQueries(o.data, p.Name)
		if err != nil {
			return err
		}
		pieces, err := pieces(m, filepath.Join(o.data, filepath.FromSlash(p.IndexDir)))
		if err != nil {
			return err
		}
		for _, q := range queries {
			hits := nearest(m, q.Text, pieces)
			rows = append(rows, row{Repo: p.Name, Language: p.Language, Category: q.Category, Query: q.Text, NDCG: ndcg(hits, q.Targets, o.level)})
		}
	}
	b := bench{o: o, w: w, rows: rows}
	b.report(summarize(rows))
	return nil
}

// pieces embeds the chunks of a tree's source files.
func pieces(m *static.Model, root string) (out []piece, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		doc := corpus.Document{Path: filepath.ToSlash(rel), Text: text}
		doc.Language = syntax.Language(doc.Path, text[:min(len(text), 4096)])
		if doc.Language == "" || len(text) > 1<<20 {
			return nil
		}
		for _, c := range chunk.Split(doc, syntax.Facts(doc.Path, doc.Language, text).Decls, chunk.Size) {
			v := make([]float32, m.Dims)
			m.Embed(v, []byte(doc.Path+" "+c.Scope+"\n"+string(text[c.Start:c.End])))
			out = append(out, piece{hit{doc.Path, c.Lines.First, c.Lines.Last}, v})
		}
		return nil
	})
	return out, err
}

func nearest(m *static.Model, query string, pieces []piece) (hits []hit) {
	q := make([]float32, m.Dims)
	m.Embed(q, []byte(query))
	type scored struct {
		at  int
		cos float32
	}
	all := make([]scored, len(pieces))
	for i := range pieces {
		all[i] = scored{i, vec.Dot(q, pieces[i].vec)}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.cos, a.cos) })
	for _, s := range all[:min(len(all), 10*depth)] {
		hits = append(hits, pieces[s.at].hit)
	}
	return hits
}
