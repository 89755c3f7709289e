package main

import (
	"fmt"
	"maps"
	"slices"
)

// A query that scores less is shown with what it found.
const worthALook = .9

func (b *bench) printf(format string, args ...any) { fmt.Fprintf(b.w, format, args...) }

func (b *bench) head() {
	b.printf("%-14s %-11s %8s %10s %7s %9s %8s %8s\n", "project", "language", "ndcg@10", "published", "diff", "index ms", "p50 ms", "p95 ms")
}

// line prints one project.
func (b *bench) line(p project, rows []row) {
	var scores, millis []float64
	for _, r := range rows {
		scores, millis = append(scores, r.NDCG), append(millis, r.Millis)
	}
	published, diff := "-", "-"
	if v, ok := b.pub[b.o.beside][p.Name]; ok {
		published, diff = fmt.Sprintf("%.4f", v), fmt.Sprintf("%+.4f", mean(scores)-v)
	}
	b.printf("%-14s %-11s %8.4f %10s %7s %9.0f %8.1f %8.1f\n", p.Name, p.Language, mean(scores), published, diff,
		b.indexMS[p.Name], percentile(millis, 50), percentile(millis, 95))
}

// query prints one query and, where it scored low, what was found and what was
// not: a star marks the hits that answer.
func (b *bench) query(r row, q query, hits []hit) {
	b.printf("  %.3f %-12s %s  %q\n", r.NDCG, r.Category, r.Repo, r.Query)
	if r.NDCG >= worthALook {
		return
	}
	hits = ranked(hits, b.o.level)
	for i, h := range hits {
		mark := ' '
		if slices.ContainsFunc(q.Targets, func(t target) bool { return h.matches(t, b.o.level) }) {
			mark = '*'
		}
		b.printf("      %2d %c %s:%d-%d\n", i+1, mark, h.Path, h.Start, h.End)
	}
	for _, t := range q.Targets {
		if !slices.ContainsFunc(hits, func(h hit) bool { return h.matches(t, b.o.level) }) {
			b.printf("       missing %s\n", t)
		}
	}
}

// report prints the summary.
func (b *bench) report(s summary) {
	b.printf("\nNDCG@10  %.4f  (%s level; mean over %d projects)   %.4f  (mean over %d queries)\n",
		s.Overall, b.o.level, len(s.Repo), s.ByQuery, s.Queries)
	for _, c := range slices.Sorted(maps.Keys(s.Category)) {
		f := s.Category[c]
		first := 0
		for _, r := range b.rows {
			if r.Category == c && r.First {
				first++
			}
		}
		b.printf("  category %-13s %.4f   over queries %.4f   n=%d   first hit answers %d\n", c, f.Macro, f.Micro, f.Queries, first)
	}
	for _, l := range slices.Sorted(maps.Keys(s.Language)) {
		b.printf("  language %-13s %.4f\n", l, s.Language[l])
	}
	b.published(s)
	millis := b.millis()
	var index float64
	for _, v := range b.indexMS {
		index += v
	}
	b.printf("latency, process start to end, %d queries: p50 %.1f ms, p95 %.1f ms; index %.0f ms in all\n",
		len(millis), percentile(millis, 50), percentile(millis, 95), index)
	if b.bad > 0 {
		b.printf("%d output lines were no hit\n", b.bad)
	}
	if b.strays > 0 {
		b.printf("%d hits name no file of their tree\n", b.strays)
	}
}

// published prints the other tools' figures over the projects that both have.
func (b *bench) published(s summary) {
	type line struct {
		name         string
		theirs, ours []float64
	}
	var lines []line
	for _, name := range slices.Sorted(maps.Keys(b.pub)) {
		l := line{name: name}
		for _, repo := range slices.Sorted(maps.Keys(s.Repo)) {
			if v, ok := b.pub[name][repo]; ok {
				l.theirs, l.ours = append(l.theirs, v), append(l.ours, s.Repo[repo])
			}
		}
		if len(l.ours) > 0 {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		return
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		switch x, y := mean(a.theirs), mean(b.theirs); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	b.printf("published, over the projects that both have:\n")
	for _, l := range lines {
		b.printf("  %-24s %.4f   here %.4f   %+.4f   (%d projects)\n", l.name, mean(l.theirs), mean(l.ours),
			mean(l.ours)-mean(l.theirs), len(l.ours))
	}
}

func (b *bench) millis() []float64 {
	xs := make([]float64, len(b.rows))
	for i, r := range b.rows {
		xs[i] = r.Millis
	}
	return xs
}
