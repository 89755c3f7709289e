package main

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestRank(t *testing.T) {
	lines := target{Path: "a.md", Start: 10, End: 20}
	eleven := make([]hit, 11)
	eleven[10] = hit{"a.md", 10, 20}
	for _, c := range []struct {
		name    string
		hits    []hit
		targets []target
		want    int
	}{
		{"no hits", nil, []target{lines}, 0},
		{"no targets", []hit{{"a.md", 1, 30}}, nil, 0},
		{"first", []hit{{"a.md", 12, 13}}, []target{lines}, 1},
		{"second, after another file", []hit{{"b.md", 12, 13}, {"a.md", 12, 13}}, []target{lines}, 2},
		{"a hit that ends before", []hit{{"a.md", 1, 9}}, []target{lines}, 0},
		{"a hit that starts after", []hit{{"a.md", 21, 30}}, []target{lines}, 0},
		{"one line in common at the top", []hit{{"a.md", 1, 10}}, []target{lines}, 1},
		{"one line in common at the end", []hit{{"a.md", 20, 30}}, []target{lines}, 1},
		{"a hit of one line", []hit{{"a.md", 15, 0}}, []target{lines}, 1},
		{"a hit without lines", []hit{{"a.md", 0, 0}}, []target{lines}, 1},
		{"either target", []hit{{"b.md", 1, 2}}, []target{lines, {Path: "b.md", Start: 1, End: 1}}, 1},
		{"no suffixes", []hit{{"x/a.md", 12, 13}}, []target{lines}, 0},
		{"the eleventh is too late", eleven, []target{lines}, 0},
	} {
		if got := rank(c.hits, c.targets); got != c.want {
			t.Errorf("%s: rank(%v, %v) = %d, want %d", c.name, c.hits, c.targets, got, c.want)
		}
	}
}

func TestFigures(t *testing.T) {
	for _, c := range []struct {
		ranks []int
		want  figure
	}{
		{nil, figure{}},
		{[]int{0}, figure{N: 1}},
		{[]int{1, 5, 6, 0}, figure{.25, .5, .75, (1 + .2 + 1./6) / 4, 4}},
		{[]int{10, 2}, figure{0, .5, 1, .3, 2}},
	} {
		got := figures(c.ranks)
		if !near(got.At1, c.want.At1) || !near(got.At5, c.want.At5) || !near(got.At10, c.want.At10) || !near(got.MRR, c.want.MRR) || got.N != c.want.N {
			t.Errorf("figures(%v) = %v, want %v", c.ranks, got, c.want)
		}
	}
}

func TestRows(t *testing.T) {
	rows := []row{
		{item{question: question{Kind: "b"}}, map[string]int{lexical: 0, hybrid: 10}},
		{item{question: question{Kind: "a"}}, map[string]int{lexical: 1, hybrid: 0}},
		{item{question: question{Kind: "b"}}, map[string]int{lexical: 2, hybrid: 2}},
		{item{question: question{Kind: "b"}}, map[string]int{lexical: 3, hybrid: 1}},
	}
	if better, worse := compare(rows, hybrid, lexical); better != 2 || worse != 1 {
		t.Errorf("compare = %d better, %d worse, want 2, 1", better, worse)
	}
	if got, want := ranksIn(rows, hybrid), []int{10, 0, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("ranksIn(hybrid) = %v, want %v", got, want)
	}
	if got, want := kinds(rows), []string{"a", "b"}; !slices.Equal(got, want) {
		t.Errorf("kinds = %v, want %v", got, want)
	}
}

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		xs      []float64
		p, want float64
	}{
		{nil, .5, 0}, {[]float64{3}, 1, 3}, {[]float64{4, 1, 3, 2}, .5, 3}, {[]float64{4, 1, 3, 2}, 1, 4}, {[]float64{4, 1, 3, 2}, 0, 1},
	} {
		if got := quantile(c.xs, c.p); got != c.want {
			t.Errorf("quantile(%v, %v) = %v, want %v", c.xs, c.p, got, c.want)
		}
	}
}

func TestShared(t *testing.T) {
	for _, c := range []struct {
		question, text string
		want           float64
		words          string
	}{
		{"how is it", "how is it", 0, ""},
		{"who signs contracts", "The contractor's signature", .5, "contr"},
		{"when do certificates expire?", "Certificate, its expiry", 1, "certi expir"},
		{"Money and time", "no timer", 0, ""},
		{"die Rechnung für den Kunden", "Kunde", .5, "kunde"},
		{"文字化けの原因", "文字が壊れる", 1. / 3, "文字"},
		{"データの復元", "エータ", 1. / 3, "ータ"},
	} {
		got, words := shared(c.question, c.text)
		if !near(got, c.want) || strings.Join(words, " ") != c.words {
			t.Errorf("shared(%q, %q) = %.3f %v, want %.3f %s", c.question, c.text, got, words, c.want, c.words)
		}
	}
}

func TestSections(t *testing.T) {
	for _, c := range []struct {
		name, text string
		rst        bool
		want       []section
	}{
		{"none", "text\n", false, nil},
		{"markdown", "front\n# One\ntext\n## `Two` #\n\n", false, []section{{"One", 2, 3}, {"`Two`", 4, 6}}},
		{"no heading in a fence", "# A\n```sh\n# no\n```\n# B", false, []section{{"A", 1, 4}, {"B", 5, 5}}},
		{"a longer fence holds a shorter", "````\n```\n# no\n````\n# B", false, []section{{"B", 5, 5}}},
		{"a tilde does not end backticks", "```\n~~~\n# no\n```\n# B", false, []section{{"B", 5, 5}}},
		{"a hash tag is no heading", "#tag\n####### seven", false, nil},
		{"rst", "One\n===\ntext\nTwo\n~~~\n", true, []section{{"One", 1, 3}, {"Two", 4, 6}}},
		{"rst with a line above", "***\nOne\n***\n", true, []section{{"One", 2, 4}}},
		{"rst underlined too short", "Longer\n===\n", true, nil},
		{"rst indented", " One\n====\n", true, nil},
	} {
		if got := sections(c.text, c.rst); !slices.Equal(got, c.want) {
			t.Errorf("%s: sections(%q) = %v, want %v", c.name, c.text, got, c.want)
		}
	}
}
