package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	lexical  = "lexical"
	hybrid   = "hybrid"
	semantic = "semantic"
)

func modes() []string { return []string{lexical, hybrid, semantic} }

// report prints the figures of one set.
func report(w io.Writer, set string, rows []row) {
	fmt.Fprintf(w, "\n%s: %d questions\n", set, len(rows))
	reportShared(w, rows)
	fmt.Fprintf(w, "  %-18s %7s %7s %7s %7s\n", "mode", "r@1", "r@5", "r@10", "mrr")
	by := map[string]figure{}
	for _, m := range modes() {
		f := figures(ranksIn(rows, m))
		by[m] = f
		fmt.Fprintf(w, "  %-18s %7.3f %7.3f %7.3f %7.3f\n", m, f.At1, f.At5, f.At10, f.MRR)
	}
	d := by[hybrid].minus(by[lexical])
	better, worse := compare(rows, hybrid, lexical)
	fmt.Fprintf(w, "  %-18s %+7.3f %+7.3f %+7.3f %+7.3f   better %d, worse %d\n", "hybrid - lexical", d.At1, d.At5, d.At10, d.MRR, better, worse)

	fmt.Fprintf(w, "  %-18s %4s   %-23s   %-23s   %s\n", "", "", "lexical", "hybrid", "hybrid - lexical")
	fmt.Fprintf(w, "  %-18s %4s %s\n", "kind", "n", strings.Repeat("  "+fmt.Sprintf("%7s %7s %7s", "r@1", "r@5", "mrr"), 3))
	for _, k := range kinds(rows) {
		reportPart(w, k, slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.Kind != k }))
	}
	reportPart(w, "sharing no word", slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.Shared > 0 }))
	reportPart(w, "sharing some", slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.Shared == 0 }))
}

// reportPart prints a line with the figures of some of the rows.
func reportPart(w io.Writer, name string, rows []row) {
	l, h := figures(ranksIn(rows, lexical)), figures(ranksIn(rows, hybrid))
	fmt.Fprintf(w, "  %-18s %4d ", name, len(rows))
	for _, f := range []figure{l, h} {
		fmt.Fprintf(w, "  %7.3f %7.3f %7.3f", f.At1, f.At5, f.MRR)
	}
	d := h.minus(l)
	fmt.Fprintf(w, "  %+7.3f %+7.3f %+7.3f\n", d.At1, d.At5, d.MRR)
}

// reportShared prints how large a part of its words a question has in common with
// its answer, over the questions.
func reportShared(w io.Writer, rows []row) {
	var parts []float64
	none, over := 0, 0
	for _, r := range rows {
		parts = append(parts, r.Shared)
		if r.Shared == 0 {
			none++
		}
		if r.Shared > maxShared {
			over++
		}
	}
	fmt.Fprintf(w, "  content words shared with the answer: none in %d questions; median %.2f, p90 %.2f, most %.2f; more than a third in %d\n",
		none, quantile(parts, .5), quantile(parts, .9), quantile(parts, 1), over)
}

// reportBad lists the questions that hybrid search does not answer, or answers
// later than search by words alone.
func reportBad(w io.Writer, rows []row) {
	for _, r := range rows {
		l, h := place(r.Rank[lexical]), place(r.Rank[hybrid])
		what := ""
		switch {
		case h > l:
			what = "worse"
		case h > depth:
			what = "missed"
		}
		if what != "" {
			fmt.Fprintf(w, "  %-6s %-16s lexical %-4s hybrid %-4s semantic %-4s %q -> %s\n",
				what, r.Kind, shown(r.Rank[lexical]), shown(r.Rank[hybrid]), shown(r.Rank[semantic]), r.Ask, strings.Join(r.In, " or "))
		}
	}
}

func shown(rank int) string {
	if rank == 0 {
		return "-"
	}
	return fmt.Sprint(rank)
}
