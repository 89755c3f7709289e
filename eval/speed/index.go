package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-dev/assay/eval/timed"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/rank"
)

// index measures the first index of the tree.
func (b *bench) index(ctx context.Context) error {
	if err := b.indexHere(ctx); err != nil || b.o.assay == "" {
		return err
	}
	dir := filepath.Join(b.work, "cold")
	var wall, cpu, anon, peak, first []float64
	for range b.o.runs {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		u, err := timed.Program{Dir: b.tree, Out: io.Discard, Watch: true}.Run(ctx, b.o.assay, append([]string{"index", "--quiet"}, at(b.tree, dir)...)...)
		if err != nil {
			return err
		}
		wall, cpu = append(wall, seconds(u.Wall)), append(cpu, seconds(u.CPU))
		anon, peak = append(anon, megabytes(u.Anon)), append(peak, megabytes(u.Peak))
	}
	st, err := b.status(ctx, dir)
	if err != nil {
		return err
	}
	for range b.o.runs {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		var out bytes.Buffer
		u, err := b.assay(ctx, b.tree, &out, append([]string{"search", "--jsonl", "open read close"}, at(b.tree, dir)...)...)
		if err != nil {
			return err
		}
		if out.Len() == 0 {
			return errors.New("the first search of a fresh tree found nothing")
		}
		first = append(first, ms(u.Wall))
	}
	mloc := float64(st.Lines) / 1e6
	b.table.note("index: %d files, %d of them documents with %d lines and %d chunks", st.Files, st.Documents, st.Lines, st.Chunks)
	b.table.add("cold index, process: wall", "s", wall...)
	b.table.add("cold index, process: CPU", "s", cpu...)
	b.table.add("  wall per million lines", "s/MLOC", scaled(wall, 1/mloc)...)
	b.table.add("  CPU per million lines", "s/MLOC", scaled(cpu, 1/mloc)...)
	if anon[0] > 0 {
		b.table.add("  peak anonymous memory (RssAnon)", "MB", anon...)
		b.table.add("  peak memory with mapped files (ru_maxrss)", "MB", peak...)
	}
	b.table.add("index size", "MB", megabytes(st.IndexBytes))
	b.table.add("  as a part of the sources", "", float64(st.IndexBytes)/float64(st.SourceBytes))
	b.table.add("first search of a fresh tree, process", "ms", first...)
	return nil
}

// indexHere measures the first index made by this process.
func (b *bench) indexHere(ctx context.Context) error {
	var wall []float64
	for i := range b.o.runs {
		e, err := b.open(ctx, b.tree, fmt.Sprintf("here%d", i))
		if err != nil {
			return err
		}
		start := time.Now()
		_, err = e.Sync(ctx, engine.Options{})
		wall = append(wall, seconds(time.Since(start)))
		e.Close()
		if err := errors.Join(err, os.RemoveAll(e.IndexDir())); err != nil {
			return err
		}
	}
	b.table.add("cold index, in this process: wall", "s", wall...)
	return nil
}

// A status is what assay status says of a tree.
type status struct {
	Files, Documents, Lines, Chunks int
	IndexBytes                      int64 `json:"index_bytes"`
	SourceBytes                     int64 `json:"source_bytes"`
}

func (b *bench) status(ctx context.Context, index string) (st status, err error) {
	var out bytes.Buffer
	if _, err := b.assay(ctx, b.tree, &out, append([]string{"status", "--json"}, at(b.tree, index)...)...); err != nil {
		return st, err
	}
	if err := json.Unmarshal(out.Bytes(), &st); err != nil {
		return st, fmt.Errorf("assay status --json: %v", err)
	}
	if st.Lines == 0 || st.SourceBytes == 0 {
		return st, fmt.Errorf("assay status --json knows no lines: %s", out.String())
	}
	return st, nil
}

func scaled(xs []float64, by float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = x * by
	}
	return out
}

// refresh measures a refresh of the tree that finds nothing to do.
func (b *bench) refresh(ctx context.Context) error {
	return b.refreshOf(ctx, b.tree, "refresh", "")
}

func (b *bench) refreshOf(ctx context.Context, tree, name, of string) error {
	e, err := b.synced(ctx, tree, name)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := unchanged(ctx, e); err != nil {
		return err
	}
	var here []float64
	for range max(manySamples, b.o.runs) {
		start := time.Now()
		v, err := e.View(ctx, engine.Options{})
		here = append(here, ms(time.Since(start)))
		if err != nil {
			return err
		}
		if v.Stale > 0 || v.Written != "" {
			return fmt.Errorf("the view is not fresh: %d stale files, %s", v.Stale, v.Written)
		}
	}
	b.table.add("no-op refresh"+of+", in this process", "ms", here...)
	if b.o.assay == "" {
		return nil
	}
	var whole []float64
	for range max(manySamples, b.o.runs) {
		u, err := b.assay(ctx, tree, io.Discard, append([]string{"index", "--quiet"}, at(tree, e.IndexDir())...)...)
		if err != nil {
			return err
		}
		whole = append(whole, ms(u.Wall))
	}
	b.table.add("no-op refresh"+of+", process", "ms", whole...)
	return unchanged(ctx, e)
}

// synthetic measures the same on trees made for it.
func (b *bench) synthetic(ctx context.Context) error {
	for _, n := range b.o.files {
		dir := filepath.Join(b.work, fmt.Sprintf("made%d", n))
		if err := makeTree(dir, n); err != nil {
			return err
		}
		time.Sleep(settle)
		if err := b.refreshOf(ctx, dir, fmt.Sprintf("made%d.index", n), fmt.Sprintf(" of %d files", n)); err != nil {
			return err
		}
		if err := errors.Join(os.RemoveAll(dir), os.RemoveAll(dir+".index")); err != nil {
			return err
		}
	}
	return nil
}

// edit measures from a file's change to an answer that has it.
func (b *bench) edit(ctx context.Context) error {
	e, err := b.synced(ctx, b.tree, "edit")
	if err != nil {
		return err
	}
	defer e.Close()
	v, err := e.Frozen(ctx)
	if err != nil {
		return err
	}
	docs, err := documents(v)
	if err != nil || len(docs) == 0 {
		return errors.Join(err, errors.New("the tree has no documents"))
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var found, published []float64
	for i := range max(manySamples, b.o.runs) {
		rel := docs[rng.IntN(len(docs))].Path
		text, err := os.ReadFile(e.Abs(rel))
		if err != nil {
			return err
		}
		mark := "zyxprobe" + strings.Repeat("a", i/26) + string(rune('a'+i%26)) // one word to the program, and in no file
		edited := append(text[:len(text):len(text)], ("\n" + mark + " was here\n")...)
		start := time.Now()
		if err := os.WriteFile(e.Abs(rel), edited, 0o644); err != nil {
			return err
		}
		v, err := e.View(ctx, engine.Options{})
		if err != nil {
			return err
		}
		if err := finds(ctx, e, v, mark, rel); err != nil {
			return err
		}
		answered := time.Now()
		found = append(found, ms(answered.Sub(start)))
		if err := v.Publish(ctx); err != nil {
			return err
		}
		published = append(published, ms(time.Since(answered)))
		if err := os.WriteFile(e.Abs(rel), text, 0o644); err != nil {
			return err
		}
		if _, err := e.Sync(ctx, engine.Options{}); err != nil {
			return err
		}
	}
	b.table.add("one-file edit to found, in this process", "ms", found...)
	b.table.add("  then written to the index", "ms", published...)
	return nil
}

// finds fails unless the best hit for a word is in the file and has the word.
func finds(ctx context.Context, e *engine.Engine, v *engine.View, word, file string) error {
	a, err := v.Search(ctx, engine.Query{Plan: rank.Parse(word, rank.Hybrid), Most: 10})
	if err != nil {
		return err
	}
	if len(a.Hits) == 0 || a.Hits[0].Doc.Path != file {
		return fmt.Errorf("%s was written to %s and is not found there", word, file)
	}
	if quote, ok := e.Quote(&a.Hits[0]); !ok || !strings.Contains(string(quote), word) {
		return fmt.Errorf("the hit for %s in %s does not have it", word, file)
	}
	return nil
}
