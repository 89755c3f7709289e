package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/memory"
)

func long(seed uint64, pad int) corpus {
	c, _ := talks()
	o, _ := own()
	var filler []string
	for _, f := range o.notes {
		for _, s := range strings.Split(strings.ReplaceAll(f.text, "\n", " "), ". ") {
			if len(s) > 30 && s[0] < 128 {
				filler = append(filler, s)
			}
		}
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	names := []string{"Nadia", "Per"}
	for i := range c.notes {
		if strings.HasPrefix(c.notes[i].name, "omar") {
			names = []string{"Omar", "Lise"}
		}
		turns := strings.Split(c.notes[i].text, "\n\n")
		out := []string{turns[0]}
		for k, tn := range turns[1:] {
			out = append(out, tn)
			for range pad {
				out = append(out, names[(k+1)%2]+": "+filler[rng.IntN(len(filler))]+".")
			}
		}
		c.notes[i].text = strings.Join(out, "\n\n")
	}
	c.name = fmt.Sprint("long", pad)
	return c
}

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

func TestScratch(t *testing.T) {
	o, _ := own()
	ta, _ := talks()
	p, _ := paraphrase()
	for _, c := range []corpus{o, ta, long(1, 1), long(1, 2), long(2, 3), p} {
		r, err := measure(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []memory.Mode{memory.Words, memory.Hybrid} {
			f := figures(r.rows[m])
			fmt.Printf("%-10.10s %d  %.3f %.3f %.3f all %.3f mrr %.4f |", c.name, m, f.at1, f.at5, f.at10, f.all, f.rank)
			for _, k := range kinds(c.questions) {
				g := figures(slices.DeleteFunc(slices.Clone(r.rows[m]), func(x row) bool { return x.Kind != k }))
				if g.n > 0 {
					fmt.Printf(" %.4s %.3f", k, g.rank)
				}
			}
			fmt.Println()
		}
	}
}
