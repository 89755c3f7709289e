package golden

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
)

var judgedFile = flag.String("judged", "", "write what is found for each query to this file, for eval/fit")

var update = flag.Bool("update", false, "rewrite testdata/rank_stats.txt")

const (
	statsFile = "testdata/rank_stats.txt"
	// own is this project among the corpora. Its queries are in its own tree and
	// would be the best answers to themselves, so this folder is omitted.
	own     = "assay"
	ownPath = "internal/golden/"
	// ownFloor is the least recall@5 of the queries about this project: a few of
	// its queries below what was measured, so that code can move.
	ownFloor = 0.75
)

func TestRanking(t *testing.T) {
	var held []result
	var judged io.Writer
	if *judgedFile != "" {
		f, err := os.Create(*judgedFile)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		judged = f
	}
	for _, c := range readCorpora(t) {
		c.resolve(t)
		results := c.ask(t)
		if judged != nil && c.name != own {
			c.judge(t, results, judged)
		}
		if testing.Verbose() {
			show(t, results)
		}
		if c.name == own {
			floor(t, results)
		} else {
			held = append(held, results...)
		}
	}
	if judged != nil {
		return // more hits were asked for: the ranking is another
	}
	got := stats(held)
	if *update {
		if err := os.WriteFile(statsFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(statsFile)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	lines := changes(string(want), got, held)
	if len(lines) == 0 {
		lines = []string{"  only its form differs"}
	}
	t.Errorf("the ranking is not that of %s (accept it with: go test ./internal/golden -update):\n%s", statsFile, strings.Join(lines, "\n"))
}

// ask indexes a corpus and asks it all its queries.
func (c *corpus) ask(t *testing.T) []result {
	t.Helper()
	ctx := context.Background()
	tmp, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cfg := engine.Config{IndexDir: filepath.Join(tmp, "index")}
	var filter index.Filter
	if c.name == own {
		cfg.Root = c.dir
		filter = func(d index.DocInfo) bool { return !strings.HasPrefix(d.Path, ownPath) }
	} else {
		// A copy: whatever lies around the module cache has no say in what is ignored.
		cfg.Root = filepath.Join(tmp, "tree")
		if err := os.CopyFS(cfg.Root, os.DirFS(c.dir)); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.Open(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Sync(ctx, engine.Options{}); err != nil {
		t.Fatal(err)
	}
	v, err := e.Frozen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	most := depth
	if *judgedFile != "" {
		most = judgedDepth
	}
	var results []result
	for _, q := range c.queries {
		a, err := v.Search(ctx, engine.Query{Plan: rank.Parse(q.text, rank.Hybrid), Filter: filter, Most: most, Explain: *judgedFile != "", Exact: true})
		if err != nil {
			t.Fatalf("%s: %q: %v", c.name, q.text, err)
		}
		r := result{corpus: c, query: q}
		for i, h := range a.Hits {
			right := slices.ContainsFunc(q.places, func(p place) bool { return p.holds(h.Doc.Path, h.Lines.First, h.Lines.Last) })
			if right && r.rank == 0 && i < depth {
				r.rank = i + 1
			}
			r.candidates = append(r.candidates, candidate{[]string{h.Doc.Path}, right, h.Breakdown})
			r.found = append(r.found, fmt.Sprintf("%s:%d-%d %.3f", h.Doc.Path, h.Lines.First, h.Lines.Last, h.Score))
		}
		results = append(results, r)
	}
	return results
}

// judgedDepth is how many candidates of a query are judged.
const judgedDepth = 100

// A candidate is one hit, as eval/judged reads it.
type candidate struct {
	Groups   []string      `json:"groups"`
	Relevant bool          `json:"relevant,omitempty"`
	Explain  []rank.Signal `json:"explain"`
}

// judge writes the candidates of the queries, a query a line.
func (c *corpus) judge(t *testing.T, results []result, w io.Writer) {
	t.Helper()
	for _, r := range results {
		line := map[string]any{"project": c.name, "query": r.query.text, "kind": rank.Parse(r.query.text, rank.Hybrid).Kind, "candidates": r.candidates}
		if err := json.NewEncoder(w).Encode(line); err != nil {
			t.Fatal(err)
		}
	}
}

// show logs what was found instead of the answers that are not first.
func show(t *testing.T, results []result) {
	t.Helper()
	for _, r := range results {
		if r.rank != 1 {
			t.Logf("%s %s %q: rank %s%s", r.corpus.name, r.query.kind, r.query.text, rankText(r.rank), r.best())
		}
	}
}

func floor(t *testing.T, results []result) {
	t.Helper()
	var f figure
	var missed []string
	for _, r := range results {
		f.add(r.rank)
		if r.rank == 0 || r.rank > 5 {
			missed = append(missed, fmt.Sprintf("%q: rank %s", r.query.text, rankText(r.rank)))
		}
	}
	got := f.five / float64(f.n)
	t.Logf("this project: queries, recall@1, recall@5, mrr%s", f)
	if got < ownFloor {
		t.Errorf("recall@5 of this project's queries is %.3f, want %.2f at least; not among the first five:\n  %s", got, ownFloor, strings.Join(missed, "\n  "))
	}
}
