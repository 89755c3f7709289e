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
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-dev/assay/eval/timed"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/graph"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A question is one about structure: the command and what it is about.
type question struct{ op, pattern string }

// structureOps are the questions that are asked of each place, in turns.
var structureOps = []string{"imports", "importers", "functions", "callers", "callees", "inventory", "impact", "overview"}

// structure measures questions about structure, a refresh before them, and the
// reading of facts.
func (b *bench) structure(ctx context.Context) error {
	e, err := b.synced(ctx, b.tree, "structure")
	if err != nil {
		return err
	}
	defer e.Close()
	v, err := e.Frozen(ctx)
	if err != nil {
		return err
	}
	if err := b.readFacts(e, v); err != nil {
		return err
	}
	f := b.feature(e)
	defer func() { _ = f.Close() }()
	rounds, err := places(ctx, f, max(manySamples, b.o.runs))
	if err != nil {
		return err
	}
	for _, fresh := range []bool{true, false} {
		if err := b.warm(ctx, f, rounds, fresh); err != nil {
			return err
		}
	}
	if b.o.assay != "" {
		for _, fresh := range []bool{true, false} {
			if err := b.coldStructure(ctx, e.IndexDir(), rounds, fresh); err != nil {
				return err
			}
		}
	}
	return b.editStructure(ctx, e, f)
}

// feature returns what a server asks, over the index of an engine.
func (b *bench) feature(e *engine.Engine) *code.Feature {
	return code.New(workspace.New(workspace.Config{WorkDir: b.tree, IndexDir: e.IndexDir(), CacheDir: filepath.Join(b.work, "cache"), Server: true}), code.Config{})
}

// places draws functions of the tree, and asks of each, with its file and folder,
// every question once.
func places(ctx context.Context, f *code.Feature, n int) (rounds [][]question, err error) {
	all, err := graph.New(f.Workspace()).Functions(ctx, graph.FunctionsInput{})
	if err != nil {
		return nil, err
	}
	if len(all.Functions) == 0 {
		return nil, errors.New("the tree has no functions")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range n {
		fn := all.Functions[rng.IntN(len(all.Functions))]
		folder := path.Dir(fn.File)
		about := map[string]string{"imports": fn.File, "importers": folder, "functions": fn.Name, "callers": fn.Name,
			"callees": fn.File + ":" + fn.Name, "inventory": folder, "impact": fn.File, "overview": ""}
		var round []question
		for _, op := range structureOps {
			round = append(round, question{op, about[op]})
		}
		rounds = append(rounds, round)
	}
	return rounds, nil
}

// warm measures questions to an index that is open, with and without a look at the
// tree, and their answers written as the tool gives them.
func (b *bench) warm(ctx context.Context, f *code.Feature, rounds [][]question, fresh bool) error {
	wall, cpu := map[string][]float64{}, map[string][]float64{}
	for i, round := range append(rounds[:1:1], rounds...) {
		for _, q := range round {
			before, start := timed.CPU(), time.Now()
			if err := answer(ctx, f, q, fresh); err != nil {
				return fmt.Errorf("%s %s: %w", q.op, q.pattern, err)
			}
			if i > 0 { // the first round reads the index into memory
				wall[q.op] = append(wall[q.op], ms(time.Since(start)))
				cpu[q.op] = append(cpu[q.op], ms(timed.CPU()-before))
			}
		}
	}
	how := ", index alone"
	if fresh {
		how = ", tree looked at"
	}
	for _, op := range structureOps {
		b.table.add("warm "+op+how, "ms", wall[op]...)
		b.table.add("  CPU", "ms", cpu[op]...)
	}
	return nil
}

// answer asks a question and writes its answer, as text and as JSON.
func answer(ctx context.Context, f *code.Feature, q question, fresh bool) error {
	g, rest := graph.New(f.Workspace()), graph.Filter{Limit: 50, NoRefresh: !fresh}
	var a graph.StructureAnswer
	var err error
	switch q.op {
	case "imports":
		a, err = g.Imports(ctx, graph.ImportsInput{Module: q.pattern, Filter: rest})
	case "importers":
		a, err = g.Importers(ctx, graph.ImportsInput{Module: q.pattern, Filter: rest})
	case "functions":
		a, err = g.Functions(ctx, graph.FunctionsInput{Pattern: q.pattern, Filter: rest})
	case "callers":
		a, err = g.Callers(ctx, graph.CallsInput{Function: q.pattern, Filter: rest})
	case "callees":
		a, err = g.Callees(ctx, graph.CallsInput{Function: q.pattern, Filter: rest})
	case "impact":
		a, err = g.Impact(ctx, graph.ImpactInput{Target: q.pattern, Filter: rest})
	case "inventory":
		a, err = g.Inventory(ctx, graph.InventoryInput{Pattern: q.pattern, View: "modules", Filter: rest})
	case "overview":
		a, err = g.Inventory(ctx, graph.InventoryInput{View: "summary", Filter: rest})
	}
	if err != nil {
		return err
	}
	if err := a.WriteText(io.Discard, false); err != nil {
		return err
	}
	return json.NewEncoder(io.Discard).Encode(a)
}

// coldStructure measures the same questions by a process each.
func (b *bench) coldStructure(ctx context.Context, index string, rounds [][]question, fresh bool) error {
	wall, cpu := map[string][]float64{}, map[string][]float64{}
	var extra []string
	how := ", process, refreshed"
	if !fresh {
		extra, how = []string{"--no-refresh"}, ", process, --no-refresh"
	}
	for _, round := range rounds {
		for _, q := range round {
			args := []string{q.op}
			if q.op == "overview" {
				args = []string{"inventory", "--view", "summary"}
			}
			args = append(append(args, at(b.tree, index)...), extra...)
			if q.pattern != "" {
				args = append(args, "--", q.pattern)
			}
			var out bytes.Buffer
			u, err := b.assay(ctx, b.tree, &out, args...)
			if err != nil {
				return err
			}
			if out.Len() == 0 {
				return fmt.Errorf("%s %s answers nothing", q.op, q.pattern)
			}
			wall[q.op], cpu[q.op] = append(wall[q.op], ms(u.Wall)), append(cpu[q.op], ms(u.CPU))
		}
	}
	for _, op := range structureOps {
		b.table.add("cold "+op+how, "ms", wall[op]...)
		b.table.add("  CPU", "ms", cpu[op]...)
	}
	return nil
}

// editStructure measures from a file's change to an answer about what was written:
// in this process and by its own, which also writes it to the index.
func (b *bench) editStructure(ctx context.Context, e *engine.Engine, f *code.Feature) error {
	all, err := graph.New(f.Workspace()).Functions(ctx, graph.FunctionsInput{Filter: graph.Filter{Languages: []string{"go"}}})
	if err != nil {
		return err
	}
	if len(all.Functions) == 0 {
		b.table.note("structure: no edits, as the tree has no Go")
		return nil
	}
	var here, hereCPU, process, processCPU []float64
	rng := rand.New(rand.NewPCG(7, 8))
	for i := range max(manySamples, b.o.runs) {
		rel := all.Functions[rng.IntN(len(all.Functions))].File
		text, err := os.ReadFile(e.Abs(rel))
		if err != nil {
			return err
		}
		for _, inside := range []bool{i%2 == 0, i%2 != 0} { // in turns
			mark := fmt.Sprintf("zyxprobe%d%v", i, inside)
			edited := append(text[:len(text):len(text)], "\nfunc "+mark+"() {}\n"...)
			before, start := timed.CPU(), time.Now()
			if err := os.WriteFile(e.Abs(rel), edited, 0o644); err != nil {
				return err
			}
			var found string
			if inside {
				found, err = b.seenHere(ctx, f, mark)
				here, hereCPU = append(here, ms(time.Since(start))), append(hereCPU, ms(timed.CPU()-before))
			} else {
				var out bytes.Buffer
				var u timed.Usage
				u, err = b.assay(ctx, b.tree, &out, append([]string{"functions", mark}, at(b.tree, e.IndexDir())...)...)
				found = out.String()
				process, processCPU = append(process, ms(time.Since(start))), append(processCPU, ms(u.CPU))
			}
			if err != nil {
				return err
			}
			if !strings.Contains(found, mark) || !strings.Contains(found, rel) {
				return fmt.Errorf("%s was written to %s and is not found there: %.200s", mark, rel, found)
			}
			if err := os.WriteFile(e.Abs(rel), text, 0o644); err != nil {
				return err
			}
			if _, err := e.Sync(ctx, engine.Options{}); err != nil {
				return err
			}
			if b.o.assay == "" {
				break
			}
		}
	}
	b.table.add("one-file edit to functions, in this process, written", "ms", here...)
	b.table.add("  CPU", "ms", hereCPU...)
	if b.o.assay != "" {
		b.table.add("one-file edit to functions, process, written", "ms", process...)
		b.table.add("  CPU", "ms", processCPU...)
	}
	return nil
}

// seenHere returns the places of a function.
func (b *bench) seenHere(ctx context.Context, f *code.Feature, name string) (string, error) {
	a, err := graph.New(f.Workspace()).Functions(ctx, graph.FunctionsInput{Pattern: name, Filter: graph.Filter{Limit: 50}})
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(a)
	return string(text), err
}

// readFacts measures how long one core takes to read and pack the facts of all
// documents, whose texts are in memory.
func (b *bench) readFacts(e *engine.Engine, v *engine.View) error {
	docs, err := documents(v)
	if err != nil {
		return err
	}
	texts, lines := make([][]byte, len(docs)), 0
	for i, d := range docs {
		if texts[i], err = os.ReadFile(e.Abs(d.Path)); err != nil {
			return err
		}
		lines += bytes.Count(texts[i], []byte("\n"))
	}
	var wall, cpu []float64
	for range b.o.runs {
		before, start := timed.CPU(), time.Now()
		for i, d := range docs {
			fs := syntax.Facts(d.Path, d.Language, texts[i])
			facts.Encode(&fs, func(decl *corpus.Decl) bool { return facts.Function(d.Language, decl) })
		}
		wall, cpu = append(wall, seconds(time.Since(start))), append(cpu, seconds(timed.CPU()-before))
	}
	b.table.note("structure: facts of %d documents with %d lines", len(docs), lines)
	b.table.add("facts read and packed, one after the other: wall", "s/MLOC", scaled(wall, 1e6/float64(lines))...)
	b.table.add("  CPU, with the collector's", "s/MLOC", scaled(cpu, 1e6/float64(lines))...)
	return nil
}
