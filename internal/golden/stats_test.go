package golden

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// depth is how many hits are looked through for an answer.
const depth = 20

// A result is what became of a query: the rank of the first hit that answers, 0
// where none does.
type result struct {
	corpus *corpus
	query  query
	rank   int
	found  []string // the hits, best first, as a person reads them

	candidates []candidate
}

// best returns the first hits, a line each.
func (r result) best() string {
	return "\n           " + strings.Join(r.found[:min(3, len(r.found))], "\n           ")
}

// A figure sums up results.
type figure struct {
	n                int
	one, five, recip float64
}

func (f *figure) add(rank int) {
	f.n++
	if rank == 0 {
		return
	}
	if rank == 1 {
		f.one++
	}
	if rank <= 5 {
		f.five++
	}
	f.recip += 1 / float64(rank)
}

func (f figure) String() string {
	n := float64(max(f.n, 1))
	return fmt.Sprintf("%7d  %8.3f  %8.3f  %6.3f", f.n, f.one/n, f.five/n, f.recip/n)
}

// stats returns the golden file: a table of figures, and the rank of each query.
func stats(results []result) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# The rank of the first right answer to each query of testdata/queries, "-" where none of the
# first %d hits is one. Written by: go test ./internal/golden -update

corpus    version  kind      queries  recall@1  recall@5     mrr
`, depth)
	var names []string
	figures := map[[2]string]*figure{}
	at := func(corpus, kind string) *figure {
		k := [2]string{corpus, kind}
		if figures[k] == nil {
			figures[k] = &figure{}
		}
		return figures[k]
	}
	versions := map[string]string{}
	for _, r := range results {
		if !slices.Contains(names, r.corpus.name) {
			names = append(names, r.corpus.name)
			versions[r.corpus.name] = r.corpus.version
		}
		for _, c := range []string{r.corpus.name, "all"} {
			at(c, r.query.kind).add(r.rank)
			at(c, "all").add(r.rank)
		}
	}
	for _, name := range append(names, "all") {
		for _, kind := range append(kinds[:len(kinds):len(kinds)], "all") {
			fmt.Fprintf(&b, "%-9s %-8s %-8s  %s\n", name, versions[name], kind, at(name, kind))
		}
	}
	fmt.Fprintf(&b, "\ncorpus    kind      rank  query\n")
	for _, r := range results {
		fmt.Fprintf(&b, "%-9s %-8s  %4s  %s\n", r.corpus.name, r.query.kind, rankText(r.rank), r.query.text)
	}
	return b.String()
}

func rankText(rank int) string {
	if rank == 0 {
		return "-"
	}
	return fmt.Sprint(rank)
}

// changes returns the lines by which two golden files differ: of each line of
// figures or query, what it was and what it is, and the first hits of the latter.
func changes(was, is string, results []result) (out []string) {
	old, now := rows(was), rows(is)
	best := map[string]string{}
	for _, r := range results {
		best[fmt.Sprintf("%s %s %q", r.corpus.name, r.query.kind, strings.Join(strings.Fields(r.query.text), " "))] = r.best()
	}
	for _, k := range now.keys {
		switch before, ok := old.cells[k]; {
		case !ok:
			out = append(out, fmt.Sprintf("  new      %s: %s", k, now.cells[k]))
		case before != now.cells[k]:
			out = append(out, fmt.Sprintf("  changed  %s: %s, was %s%s", k, now.cells[k], before, best[k]))
		}
	}
	for _, k := range old.keys {
		if _, ok := now.cells[k]; !ok {
			out = append(out, fmt.Sprintf("  gone     %s: was %s", k, old.cells[k]))
		}
	}
	return out
}

type table struct {
	keys  []string
	cells map[string]string
}

// rows reads a golden file: a row of figures by corpus and kind, a query by its
// text too. The version is part of neither key: a new one is a change by itself.
func rows(text string) table {
	t := table{cells: map[string]string{}}
	queries := false
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) < 4 || f[0] == "#":
			continue
		case f[0] == "corpus":
			queries = f[2] == "rank"
			continue
		}
		var key, cell string
		if queries {
			key, cell = f[0]+" "+f[1]+" "+fmt.Sprintf("%q", strings.Join(f[3:], " ")), "rank "+f[2]
		} else {
			n := len(f)
			key, cell = f[0]+" "+f[n-5], fmt.Sprintf("recall@1 %s, recall@5 %s, mrr %s", f[n-3], f[n-2], f[n-1])
			if n == 7 {
				cell += " at " + f[1]
			}
		}
		t.keys = append(t.keys, key)
		t.cells[key] = cell
	}
	return t
}

func TestStats(t *testing.T) {
	c := &corpus{name: "m", version: "v1"}
	ask := func(kind, text string, rank int) result {
		return result{corpus: c, query: query{kind: kind, text: text}, rank: rank}
	}
	was := stats([]result{ask("symbol", "A", 1), ask("symbol", "B", 4), ask("question", "how  so", 0), ask("phrase", "old", 1)})
	for _, want := range []string{
		"m         v1       symbol          2     0.500     1.000   0.625",
		"m         v1       all             4     0.500     0.750   0.562",
		"all                question        1     0.000     0.000   0.000",
		"m         question     -  how  so",
	} {
		if !strings.Contains(was, want+"\n") {
			t.Errorf("no line %q in\n%s", want, was)
		}
	}
	c.version = "v2"
	now := []result{ask("symbol", "A", 1), ask("symbol", "B", 0), ask("question", "how  so", 0), ask("phrase", "new", 1)}
	now[1].found = []string{"a.go:1-2 0.500"}
	got := strings.Join(changes(was, stats(now), now), "\n")
	for _, want := range []string{
		`  changed  m symbol "B": rank -, was rank 4` + "\n           a.go:1-2 0.500",
		`  new      m phrase "new": rank 1`,
		`  gone     m phrase "old": was rank 1`,
		"  changed  m question: recall@1 0.000, recall@5 0.000, mrr 0.000 at v2, was recall@1 0.000, recall@5 0.000, mrr 0.000 at v1",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("changes misses %q:\n%s", want, got)
		}
	}
	if got := changes(was, was, nil); len(got) != 0 {
		t.Errorf("changes(x, x) = %q, want none", got)
	}
}
