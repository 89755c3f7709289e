package graph_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/graph"
	"github.com/assay-dev/assay/internal/lang/langtest"
)

var update = flag.Bool("update", false, "rewrite the answers of testdata")

// asks returns a function that reads an input and asks with it.
func asks[In any, Out graph.StructureAnswer](ask func(context.Context, In) (Out, error)) func(context.Context, string) (graph.StructureAnswer, error) {
	return func(ctx context.Context, raw string) (graph.StructureAnswer, error) {
		var in In
		if err := json.Unmarshal([]byte(raw), &in); err != nil {
			return nil, err
		}
		return ask(ctx, in)
	}
}

// commanded is the context of a caller that says how it runs an operation.
func commanded(t *testing.T) context.Context {
	return work.With(t.Context(), work.Report{Command: func(fix fault.Fix) string {
		line := fix.Op
		for _, a := range fix.Args {
			line += fmt.Sprintf(" %s=%v", a.Name, a.Value)
		}
		return line
	}})
}

// TestArchives asks the questions of each archive of its files: as a table and as JSON.
func TestArchives(t *testing.T) {
	langtest.Archives(t, *update, func(files map[string]string) string {
		questions := files["questions"]
		delete(files, "questions")
		var a txtar.Archive
		for name, text := range files {
			a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
		}
		root, f := project(t, string(txtar.Format(&a)))
		written := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
		for name := range files {
			if err := os.Chtimes(filepath.Join(root, name), written, written); err != nil {
				t.Fatal(err)
			}
		}
		op := map[string]func(context.Context, string) (graph.StructureAnswer, error){
			"structure": asks(f.Structure), "inventory": asks(f.Inventory), "imports": asks(f.Imports), "importers": asks(f.Importers), "functions": asks(f.Functions),
			"callers": asks(f.Callers), "callees": asks(f.Callees), "refs": asks(f.Refs), "define": asks(f.Define), "implementers": asks(f.Implementers), "hierarchy": asks(f.Hierarchy),
			"path": asks(f.Path), "dead": asks(f.Dead), "map": asks(f.Map), "impact": asks(f.Affects),
		}
		var b strings.Builder
		for question := range strings.Lines(questions) {
			question = strings.TrimSpace(question)
			name, raw, _ := strings.Cut(question, " ")
			var said strings.Builder
			answer, err := op[name](commanded(t), raw)
			if err != nil {
				fmt.Fprintf(&said, "%v (%d) %s %v\n", err, fault.KindOf(err), fault.HintOf(err), fault.FixOf(err))
			} else {
				if err := answer.WriteText(&said, false); err != nil {
					t.Fatal(err)
				}
				whole, err := codec.Marshal(answer)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&said, "json %s\n", whole)
			}
			for line := range strings.Lines(strings.ReplaceAll(said.String(), root, "ROOT")) {
				b.WriteString(question + " | " + line)
			}
		}
		return b.String()
	})
}
