// Command nearest says how many of the chunks that are nearest to a question by their vectors
// a search proposes, which compares the vectors of some thousand chunks, chosen by their signs.
//
//	go run ./eval/nearest -data DIR TREE...  # the questions of DIR/annotations, as eval/codesearch has them, to indexed trees
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/index"
)

func main() {
	data := flag.String("data", "", "folder with annotations/ (required)")
	every := flag.Int("every", 1, "ask each so many questions")
	flag.Parse()
	if *data == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	questions, err := read(*data)
	for _, tree := range flag.Args() {
		if err == nil {
			err = compare(context.Background(), tree, questions, max(1, *every))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "nearest:", err)
		os.Exit(1)
	}
}

func read(dir string) (questions []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "annotations", "*.json"))
	for _, f := range files {
		var asked []struct{ Query string }
		text, err := os.ReadFile(f)
		if err == nil {
			err = json.Unmarshal(text, &asked)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		for _, q := range asked {
			questions = append(questions, q.Query)
		}
	}
	return questions, err
}

// compare asks an index for the nearest chunks, and finds them by comparing all.
func compare(ctx context.Context, tree string, questions []string, every int) error {
	embedder, err := embed.Open(embed.Config{Provider: "static"})
	if err != nil {
		return err
	}
	x, err := index.Open(ctx, filepath.Join(tree, ".assay", "index"), true)
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }()
	p, err := x.Snapshot(ctx)
	if err != nil {
		return err
	}
	var all []corpus.Candidate
	for i := range p.Segments() {
		refs, err := p.LiveChunks(i)
		if err != nil {
			return err
		}
		for _, r := range refs {
			all = append(all, corpus.Candidate{Ref: r})
		}
	}
	asked := 0
	firsts := []int{10, 100, 256}
	same, whole := make([]int, len(firsts)), make([]int, len(firsts))
	for i := 0; i < len(questions); i += every {
		vecs, err := embedder.Embed(ctx, questions[i:i+1])
		if err != nil {
			return err
		}
		found, err := p.Nearest(ctx, embedder.Name(), vecs[0], firsts[len(firsts)-1], nil)
		if err == nil {
			err = p.FillCosine(embedder.Name(), vecs[0], all)
		}
		if err != nil {
			return err
		}
		asked++
		slices.SortFunc(all, func(a, b corpus.Candidate) int { return cmp.Compare(b.Cosine, a.Cosine) })
		for k, n := range firsts {
			n = min(n, len(all))
			least := all[n-1].Cosine // of equals any will do
			hits := 0
			for _, c := range found[:min(n, len(found))] {
				if c.Cosine >= least {
					hits++
				}
			}
			same[k] += hits
			if hits == n {
				whole[k]++
			}
		}
	}
	fmt.Printf("%s: %d chunks in %d segments, %d questions\n", tree, len(all), p.Segments(), asked)
	for k, n := range firsts {
		n = min(n, len(all))
		fmt.Printf("  of the first %3d by all vectors, %.4f are proposed; all of them for %d questions\n", n, float64(same[k])/float64(n*asked), whole[k])
	}
	return nil
}
