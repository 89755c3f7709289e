package main

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/script/catalog"
	"github.com/assay-dev/assay/internal/script/stdlib"
)

//go:embed testdata/queries.txt
var queryFile string

//go:embed testdata/said.txt
var saidFile string

//go:embed testdata/held.txt
var heldFile string

//go:embed testdata/blind.txt
var blindFile string

//go:embed testdata/foreign.txt
var foreignFile string

// A query is a question, and the modules of which one has to come first.
type query struct {
	ask  string
	want []string
}

// sets are the questions by name: those that were there first, and those in words that no product
// has, of which the held ones are for a look when all is done. Of the blind ones some are about tables
// that scripts have without require.
func sets() map[string]string {
	return map[string]string{"first": queryFile, "said": saidFile, "held": heldFile, "blind": blindFile}
}

// queries returns the questions of a set.
func queries(set string) (out []query, err error) {
	for s := bufio.NewScanner(strings.NewReader(sets()[set])); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		ask, want, ok := strings.Cut(s.Text(), "\t")
		if !ok {
			return nil, fmt.Errorf("%q has no answer", s.Text())
		}
		q := query{ask: ask}
		for name := range strings.SplitSeq(want, "|") {
			_, isModule := stdlib.Source(name)
			switch {
			case isModule:
				q.want = append(q.want, "assay."+name)
			case isBuiltin(name):
				q.want = append(q.want, name)
			default:
				return nil, fmt.Errorf("%q: there is no module %s", ask, name)
			}
		}
		out = append(out, q)
	}
	return out, nil
}

// isBuiltin reports whether scripts have a table of that name without require.
func isBuiltin(name string) bool {
	for _, b := range catalog.Builtins() {
		if b.Name == name {
			return true
		}
	}
	return false
}

// foreign returns questions that no module answers.
func foreign() (out []query) {
	for line := range strings.Lines(foreignFile) {
		if !strings.HasPrefix(line, "#") {
			out = append(out, query{ask: strings.TrimSpace(line)})
		}
	}
	return out
}

// engines are those that the questions are put to.
func engines() map[string]func() (catalog.SearchEngine, error) {
	out := map[string]func() (catalog.SearchEngine, error){
		"bm25": func() (catalog.SearchEngine, error) { return catalog.NewBM25(), nil },
	}
	if catalog.HasFTS5 {
		out["fts5"] = func() (catalog.SearchEngine, error) { return catalog.NewFTS5() }
	}
	return out
}

// builtin returns the modules that come with the program.
func builtin(ctx context.Context) (*catalog.Catalog, error) {
	return catalog.Places{Embedded: stdlib.Names(), Source: stdlib.Source}.Discover(ctx)
}

// An answer is what came of a query.
type answer struct {
	query
	first string // what came first
	rank  int    // of the right one, from 1; 0: it is not among the first ten
}

// ask puts all questions to an engine. What scripts have without require counts as
// any other answer.
func ask(ctx context.Context, c *catalog.Catalog, engine func() (catalog.SearchEngine, error), qs []query) ([]answer, error) {
	var out []answer
	for _, q := range qs {
		e, err := engine()
		if err != nil {
			return nil, err
		}
		a, err := c.AskWith(ctx, e, q.ask, 10)
		if closed := e.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return nil, err
		}
		r := answer{query: q, first: "nothing"}
		for i, entry := range a.Entries {
			if i == 0 {
				r.first = entry.Name
			}
			if r.rank == 0 && slices.Contains(q.want, entry.Name) {
				r.rank = i + 1
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// recall returns the share of answers with the right module among the first n.
func recall(as []answer, n int) float64 {
	hits := 0
	for _, a := range as {
		if a.rank > 0 && a.rank <= n {
			hits++
		}
	}
	return float64(hits) / float64(len(as))
}
