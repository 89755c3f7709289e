package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/memory"
)

func paraphrase() (c corpus, err error) {
	c.name = "paraphrase"
	dir := "../paraphrase/testdata/"
	fs, _ := filepath.Glob(dir + "notes/*.md")
	for _, f := range fs {
		b, _ := os.ReadFile(f)
		c.notes = append(c.notes, file{filepath.Base(f), string(b)})
	}
	b, _ := os.ReadFile(dir + "notes.jsonl")
	c.questions, err = parseQuestions(b)
	for i := range c.questions {
		for k, p := range c.questions[i].In {
			c.questions[i].In[k], _, _ = strings.Cut(p, "#")
		}
		c.questions[i].Kind = "p"
	}
	return
}

func TestTune(t *testing.T) {
	conf := os.Getenv("TUNE")
	if conf == "" {
		t.Skip()
	}
	ctx := context.Background()
	type open2 struct {
		c corpus
		m *memory.Memory
	}
	var os2 []open2
	for _, load := range []func() (corpus, error){own, talks, paraphrase} {
		c, err := load()
		if err != nil {
			t.Fatal(err)
		}
		m, err := open(ctx, c, t.TempDir(), nil)
		if err != nil {
			t.Fatal(err)
		}
		os2 = append(os2, open2{c, m})
	}
	var trials []map[string]float64
	if err := json.Unmarshal([]byte(conf), &trials); err != nil {
		t.Fatal(err)
	}
	cur := map[string]float64{}
	for _, tr := range trials {
		for k, v := range tr {
			cur[k] = v
		}

		fmt.Printf("%v\n", tr)
		for _, o := range os2 {
			for _, mode := range []memory.Mode{memory.Words, memory.Hybrid} {
				if mode == memory.Words && os.Getenv("W") == "" {
					continue
				}

				var rows []row
				for _, q := range o.c.questions {
					a, err := o.m.Search(ctx, memory.Query{Text: q.Ask, Max: depth, Mode: mode})
					if err != nil {
						t.Fatal(err)
					}
					x := row{question: q}
					for _, h := range a.Hits {
						if !slices.Contains(x.found, h.Path) {
							x.found = append(x.found, h.Path)
						}
					}
					rows = append(rows, x)
				}
				f := figures(rows)
				fmt.Printf("   %-8s %d %.3f %.3f %.3f mrr %.4f all %.3f |", o.c.name[:5], mode, f.at1, f.at5, f.at10, f.rank, f.all)
				for _, k := range kinds(o.c.questions) {
					g := figures(slices.DeleteFunc(slices.Clone(rows), func(x row) bool { return x.Kind != k }))
					if g.n > 0 {
						fmt.Printf(" %s %.3f", k[:4-min(3, 4-len(k))*b2i(len(k) < 4)], g.rank)
					}
				}
				fmt.Println()
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
