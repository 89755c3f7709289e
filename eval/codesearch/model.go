package main

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/chunk"
	"github.com/assay-dev/assay/internal/code/embed/static"
	"github.com/assay-dev/assay/internal/lang/syntax"
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
	embed := m.Embed
	if o.float != "" {
		if embed, err = exactly(m, o.float); err != nil {
			return err
		}
	}
	projects, queriesOf, err := o.asked()
	if err != nil {
		return err
	}
	var rows []row
	for _, p := range projects {
		queries, err := queriesOf(p.Name)
		if err != nil {
			return err
		}
		pieces, err := pieces(embed, m.Dims, float32(o.share), filepath.Join(o.data, filepath.FromSlash(p.IndexDir)))
		if err != nil {
			return err
		}
		for _, q := range queries {
			hits := nearest(embed, m.Dims, q.Text, pieces)
			rows = append(rows, row{Repo: p.Name, Language: p.Language, Category: q.Category, Query: q.Text, NDCG: ndcg(hits, q.Targets, o.level)})
		}
	}
	b := bench{o: o, w: w, rows: rows}
	b.report(summarize(rows))
	return nil
}

// asked returns the projects, and what returns the questions of one.
func (o options) asked() ([]project, func(name string) ([]query, error), error) {
	if o.read != "" {
		return loadRead(o.read, o.repos)
	}
	projects, err := loadProjects(o.data, o.repos)
	return projects, func(name string) ([]query, error) { return loadQueries(o.data, name) }, err
}

// An embedder writes the vector of a text.
type embedder func(dst []float32, text []byte)

// exactly returns what embeds as a model does, with the table it was rounded from.
func exactly(m *static.Model, name string) (embedder, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if len(raw) != 4*m.Dims*(m.Size+m.Buckets) {
		return nil, fmt.Errorf("%s is not the table of that model", name)
	}
	table := make([]float32, len(raw)/4)
	for i := range table {
		table[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return func(dst []float32, text []byte) {
		counts := map[int]int{}
		m.IDs(text, func(id int) bool { counts[id]++; return true })
		clear(dst)
		for _, id := range slices.Sorted(maps.Keys(counts)) {
			vec.Axpy(dst, table[id*m.Dims:(id+1)*m.Dims], float32(static.Weight(counts[id])))
		}
		if n := float32(math.Sqrt(float64(vec.Dot(dst, dst)))); n > 0 {
			for i := range dst {
				dst[i] /= n
			}
		}
	}, nil
}

// pieces embeds the chunks of a tree's source files. With a share, the path and the names
// of a chunk of code each have a vector of their own, which counts so much of the code's.
func pieces(embed embedder, dims int, share float32, root string) (out []piece, err error) {
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
			v := make([]float32, dims)
			if share == 0 || syntax.Prose(doc.Language) {
				embed(v, []byte(doc.Path+" "+c.Scope+"\n"+string(text[c.Start:c.End])))
			} else {
				embed(v, text[c.Start:c.End])
				beside(embed, v, share, doc.Path, names(c))
			}
			out = append(out, piece{hit{doc.Path, c.Lines.First, c.Lines.Last}, v})
		}
		return nil
	})
	return out, err
}

// names returns the scope of a chunk, and what it declares.
func names(c corpus.Chunk) string {
	out := c.Scope
	for _, s := range c.Symbols {
		out += " " + s.Name
	}
	return out
}

// beside adds to v the unit vectors of texts, each times share, and brings the sum to unit
// length.
func beside(embed embedder, v []float32, share float32, texts ...string) {
	part := make([]float32, len(v))
	for _, t := range texts {
		embed(part, []byte(t))
		vec.Axpy(v, part, share)
	}
	if n := float32(math.Sqrt(float64(vec.Dot(v, v)))); n > 0 {
		for i := range v {
			v[i] /= n
		}
	}
}

func nearest(embed embedder, dims int, query string, pieces []piece) (hits []hit) {
	q := make([]float32, dims)
	embed(q, []byte(query))
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
