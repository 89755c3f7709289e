package main

import (
	"math"
)

// cutoff is how many pages or sections are looked at.
const cutoff = 10

// A figure is what one question comes to, or the mean of several.
type figure struct {
	Recall5, MRR, NDCG float64
}

// judge returns the figure of a list of results, each relevant or not, of which
// there are total relevant ones.
func judge(relevant []bool, total int) (f figure) {
	if total == 0 {
		return f
	}
	var dcg, ideal float64
	found := 0
	for i, r := range relevant[:min(len(relevant), cutoff)] {
		if !r {
			continue
		}
		if found++; found == 1 {
			f.MRR = 1 / float64(i+1)
		}
		if i < 5 {
			f.Recall5++
		}
		dcg += 1 / math.Log2(float64(i+2))
	}
	for i := range min(total, cutoff) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	f.Recall5 /= float64(min(total, 5))
	f.NDCG = dcg / ideal
	return f
}

// byPage returns which of the pages, in the order in which their first snippets
// come, answer the question.
func (q *question) byPage(found []place) (relevant []bool) {
	seen := map[string]bool{}
	for _, p := range found {
		if !q.without[p] && !seen[p.path] {
			seen[p.path] = true
			relevant = append(relevant, q.pages[p.path])
		}
	}
	return relevant
}

// bySection is byPage for sections, and how many answer.
func (q *question) bySection(found []place, name func(place) string) (relevant []bool, total int) {
	answers, seen := map[string]bool{}, map[string]bool{}
	for p := range q.sections {
		answers[name(p)] = true
	}
	for _, p := range found {
		if n := name(p); !q.without[p] && !seen[n] {
			seen[n] = true
			relevant = append(relevant, answers[n])
		}
	}
	return relevant, len(answers)
}

// sectionOf returns the section that a snippet is of.
func (c *corpus) sectionOf(pages map[string]int) func(place) string {
	return func(p place) string {
		s := c.pages[pages[p.path]].Snippets[p.at]
		return s.Path + "\n" + s.Breadcrumb + "\n" + anchorOf(s.URL)
	}
}

// A result is what a system makes of one question.
type result struct {
	question
	page, section figure
	tokens        int  // of the answer of the default budget
	answered      bool // it holds a page that answers
	empty         bool
}

// A tally adds up figures.
type tally struct {
	page, section figure
	n, sections   int
	tokens        int
	answered      int
	empty         int
}

func (t *tally) add(r result) {
	t.n++
	t.page.plus(r.page, 1)
	if r.sections != nil {
		t.sections++
		t.section.plus(r.section, 1)
	}
	t.tokens += r.tokens
	if r.answered {
		t.answered++
	}
	if r.empty {
		t.empty++
	}
}

func (f *figure) plus(g figure, by float64) {
	f.Recall5 += by * g.Recall5
	f.MRR += by * g.MRR
	f.NDCG += by * g.NDCG
}

func (f figure) over(n int) figure {
	var out figure
	if n > 0 {
		out.plus(f, 1/float64(n))
	}
	return out
}

// spread returns the mean of the differences of NDCG by page, and its standard
// error.
func spread(a, b []result) (mean, deviation float64) {
	n := float64(len(a))
	var square float64
	for i := range a {
		d := a[i].page.NDCG - b[i].page.NDCG
		mean += d / n
		square += d * d / n
	}
	return mean, math.Sqrt(max(0, square-mean*mean) / n)
}
