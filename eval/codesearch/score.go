package main

import (
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
)

const depth = 10 // ranks that count: the 10 of NDCG@10

// A level says what one result is. At chunk level the list counts as it is, so
// a second chunk of a file uses up a rank and gains nothing. At file level later
// chunks of a file are dropped first, and lines are ignored.
type level string

const (
	chunkLevel level = "chunk"
	fileLevel  level = "file"
)

// A hit is one result: a path below the folder searched, and its lines.
type hit struct {
	Path       string
	Start, End int // 1-based and inclusive; 0 when not known
}

// samePath reports whether one path is the other or ends in it, by whole
// elements.
func samePath(a, b string) bool {
	a, b = strings.ReplaceAll(a, `\`, "/"), strings.ReplaceAll(b, `\`, "/")
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// matches reports whether h answers t. A target or a hit without lines covers
// its file.
func (h hit) matches(t target, l level) bool {
	if !samePath(h.Path, t.Path) {
		return false
	}
	if l == fileLevel || t.Start == 0 || t.End == 0 || h.Start == 0 {
		return true
	}
	end := h.End
	if end == 0 {
		end = h.Start
	}
	return end >= t.Start && h.Start <= t.End
}

// answers reports whether the first hit is an answer.
func answers(hits []hit, targets []target, l level) bool {
	return len(hits) > 0 && slices.ContainsFunc(targets, func(t target) bool { return hits[0].matches(t, l) })
}

// ndcg returns the normalised discounted cumulative gain of the first ten hits,
// in 0..1, with binary relevance: gain 1/log2(rank+1) at the rank of the first
// hit that matches each target. Two targets matched first by the same hit count
// once, though the ideal counts both, as in the benchmark.
func ndcg(hits []hit, targets []target, l level) float64 {
	if len(targets) == 0 {
		return 0
	}
	var found [depth]bool
	hits = ranked(hits, l)
	for _, t := range targets {
		if i := slices.IndexFunc(hits, func(h hit) bool { return h.matches(t, l) }); i >= 0 {
			found[i] = true
		}
	}
	var got, ideal float64
	for i, ok := range found {
		gain := 1 / math.Log2(float64(i)+2)
		if ok {
			got += gain
		}
		if i < len(targets) {
			ideal += gain
		}
	}
	return got / ideal
}

// ranked returns the hits that count at level l, at most ten.
func ranked(hits []hit, l level) []hit {
	if l == fileLevel {
		seen := map[string]bool{}
		var files []hit
		for _, h := range hits {
			if !seen[h.Path] {
				seen[h.Path] = true
				files = append(files, hit{Path: h.Path})
			}
		}
		hits = files
	}
	return hits[:min(depth, len(hits))]
}

// relative returns path below dir, also where dir is reached through a link,
// and path itself where it is not below.
func relative(path, dir string) string {
	abs := filepath.IsAbs(path)
	path = strings.ReplaceAll(path, `\`, "/")
	if !abs {
		return strings.TrimPrefix(path, "./")
	}
	bases := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		bases = append(bases, real)
	}
	for _, base := range bases {
		if rest, ok := strings.CutPrefix(path, strings.TrimRight(filepath.ToSlash(base), "/")+"/"); ok {
			return rest
		}
	}
	return path
}

// A row is the score of one query.
type row struct {
	Repo     string  `json:"repo"`
	Language string  `json:"language"`
	Category string  `json:"category"`
	Query    string  `json:"query"`
	NDCG     float64 `json:"ndcg"`
	First    bool    `json:"first"` // its first hit answers
	Millis   float64 `json:"ms"`    // wall time of the process that answered
}

// A summary is what a run comes to. Overall is the mean over projects of the
// mean over a project's queries; a language is the mean over its projects, a
// category the mean over projects of their means in it.
type summary struct {
	Overall  float64              `json:"ndcg10_macro_repo"`
	ByQuery  float64              `json:"ndcg10_micro_query"` // the plain mean over queries
	Queries  int                  `json:"queries"`
	Repo     map[string]float64   `json:"by_repo"`
	Language map[string]float64   `json:"by_language"`
	Category map[string]catFigure `json:"by_category"`
}

type catFigure struct {
	Macro   float64 `json:"macro_repo"`
	Micro   float64 `json:"micro_query"`
	Queries int     `json:"queries"`
}

func summarize(rows []row) summary {
	var all []float64
	repos, langOf := map[string][]float64{}, map[string]string{}
	cats := map[string]map[string][]float64{}
	for _, r := range rows {
		all = append(all, r.NDCG)
		repos[r.Repo] = append(repos[r.Repo], r.NDCG)
		langOf[r.Repo] = r.Language
		if cats[r.Category] == nil {
			cats[r.Category] = map[string][]float64{}
		}
		cats[r.Category][r.Repo] = append(cats[r.Category][r.Repo], r.NDCG)
	}
	s := summary{
		ByQuery: mean(all), Queries: len(rows), Repo: map[string]float64{},
		Language: map[string]float64{}, Category: map[string]catFigure{},
	}
	langs := map[string][]float64{}
	var means []float64
	for _, name := range slices.Sorted(maps.Keys(repos)) {
		m := mean(repos[name])
		s.Repo[name] = m
		means = append(means, m)
		langs[langOf[name]] = append(langs[langOf[name]], m)
	}
	s.Overall = mean(means)
	for lang, xs := range langs {
		s.Language[lang] = mean(xs)
	}
	for cat, byRepo := range cats {
		var micro, macro []float64
		for _, name := range slices.Sorted(maps.Keys(byRepo)) {
			micro = append(micro, byRepo[name]...)
			macro = append(macro, mean(byRepo[name]))
		}
		s.Category[cat] = catFigure{mean(macro), mean(micro), len(micro)}
	}
	return s
}

func mean(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// percentile returns the p-th percentile of xs, linear between neighbours.
func percentile(xs []float64, p float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	xs = slices.Sorted(slices.Values(xs))
	at := float64(len(xs)-1) * p / 100
	lo := int(at)
	return xs[lo] + (xs[min(lo+1, len(xs)-1)]-xs[lo])*(at-float64(lo))
}
