package library

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/embed/static"
	"github.com/assay-dev/assay/internal/code/rank"
)

// sentence bounds how many words of a name, and of what is said first, are looked at.
const sentence = 24

// keepSpoken is of how many words vectors are kept, of twice as many at most: .8 kB each.
const keepSpoken = 2500

// spoken keeps the vectors of words that questions share, in two generations as package recent does; what it holds is
// shared, and nobody changes it. It is safe for concurrent use.
type spoken struct {
	mu         sync.Mutex
	young, old map[string][]float32
}

func (s *spoken) get(word string) []float32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.young[word]
	if v == nil {
		if v = s.old[word]; v != nil {
			s.add(word, v)
		}
	}
	return v
}

func (s *spoken) put(word string, v []float32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(word, v)
}

func (s *spoken) add(word string, v []float32) {
	if s.young == nil || len(s.young) >= keepSpoken {
		s.old, s.young = s.young, map[string][]float32{}
	}
	s.young[word] = v
}

// A wording compares a question with names and headings and with what is said first below them, word by word: "pieces" is
// near "chunk", which neither their letters nor the means of whole texts show.
type wording struct {
	marker *marker
	model  *static.Model
	known  map[string][]float32 // the vectors of words, of unit length or zero
	spoken *spoken
	words  []askedWord
	mean   []float32 // of their vectors
}

// An askedWord is a word of a question, or a part of a name in it.
type askedWord struct {
	vector []float32
	stem   uint32  // of the word, as a mark
	share  float64 // of what all of them are worth
}

// worded measures how near the best candidates come to the question word by word. All is said against the mean of them,
// so that there is as much evidence on the whole as without it.
func (s *search) worded(all []ranked, rows [][rank.NumDocs]float64, stats []stat, scorer *rank.Scorer) error {
	evidence := make([]float64, len(all))
	order := make([]int, len(all))
	for i := range all {
		order[i], evidence[i] = i, scorer.Evidence(rows[i][:])
	}
	sorting.Stable(order, func(a, b int) int { return cmp.Compare(evidence[b], evidence[a]) })
	at := order[:min(int(rank.Docs().Constant("compared word by word")), len(order))]
	w, err := s.newWording(stats)
	if err != nil || len(w.words) == 0 {
		return err
	}
	gists, err := s.gists(w, all, at)
	if err != nil {
		return err
	}
	var declared []int
	for n, i := range at {
		w.measure(&all[i], gists[n], &rows[i])
		if all[i].declares {
			declared = append(declared, i)
		}
	}
	centre(rows, at, rank.DocsNameMeans, rank.DocsDeclaration)
	centre(rows, declared, rank.DocsSigned, rank.DocsCurrent)
	return nil
}

// centre takes the means of signals, of some candidates, off them.
func centre(rows [][rank.NumDocs]float64, of []int, from, to int) {
	for signal := from; signal <= to; signal++ {
		mean := 0.0
		for _, i := range of {
			mean += rows[i][signal] / float64(len(of))
		}
		for _, i := range of {
			rows[i][signal] -= mean
		}
	}
}

// among has the best declarations share out the evidence that they have by their order among each other: the file that
// one is in and the words of a title say less of it than of prose, and what its name means says more.
func among(all []ranked, rows [][rank.NumDocs]float64, scorer *rank.Scorer) {
	beside := rank.Docs().Scorer(rank.Variant{Kind: rank.Symbol, Meaning: true}, 0, false)
	evidence, worth := make([]float64, len(all)), make([]float64, len(all))
	var before []int
	for i := range all {
		if all[i].declares {
			before = append(before, i)
			evidence[i], worth[i] = scorer.Evidence(rows[i][:]), beside.Evidence(rows[i][:])
		}
	}
	best := func(of []float64) func(a, b int) int {
		return func(a, b int) int { return cmp.Compare(of[b], of[a]) }
	}
	sorting.Stable(before, best(evidence))
	before = before[:min(len(before), int(rank.Docs().Constant("compared word by word")))]
	now := slices.Clone(before)
	sorting.Stable(now, best(worth))
	for n, at := range now {
		rows[at][rank.DocsAmong] = evidence[before[n]] - evidence[at]
	}
}

func (s *search) newWording(stats []stat) (*wording, error) {
	m, err := newMeaning()
	if err != nil {
		return nil, err
	}
	w := &wording{marker: &s.d.marker, model: m.model, known: map[string][]float32{}, spoken: &s.d.spoken}
	total := 0.0
	for i, word := range s.q.plain {
		worth := stats[0].idf // a word that is nowhere is as rare as the rarest
		if n := slices.IndexFunc(stats, func(t stat) bool { return t.Text == s.q.stems[i] }); n >= 0 {
			worth = stats[n].idf
		}
		w.each(word, false, func(v []float32) {
			w.words = append(w.words, askedWord{v, mark(s.q.stems[i]), worth})
			total += worth
		})
	}
	w.mean = make([]float32, m.model.Dims)
	for i := range w.words {
		w.words[i].share /= total
		vec.Axpy(w.mean, w.words[i].vector, 1)
	}
	return w, nil
}

// each calls yield with the vectors of the words of a text, or of the parts of a name: with those that are no stop
// words, where plain is set.
func (w *wording) each(in string, plain bool, yield func(v []float32)) {
	n := 0
	static.Words(bytesIn(in), func(word []byte) bool {
		if plain && text.Prose().Stop(word) {
			return true
		}
		v := w.known[string(word)]
		if v == nil {
			key := string(word)
			if v = w.spoken.get(key); v == nil {
				v = make([]float32, w.model.Dims)
				w.model.Embed(v, word)
				w.spoken.put(key, v)
			}
			w.known[key] = v
		}
		yield(v)
		n++
		return n < sentence
	})
}

// measure sets the signals of a candidate.
func (w *wording) measure(c *ranked, g *gist, values *[rank.NumDocs]float64) {
	near := make([]float64, len(w.words)) // of each word of the question, the nearest of the name
	parts := 0.
	w.each(g.name, false, func(v []float32) {
		parts++
		for i := range w.words {
			near[i] = max(near[i], float64(vec.Dot(w.words[i].vector, v)))
		}
	})
	for i, q := range w.words {
		values[rank.DocsNameMeans] += q.share * near[i]
	}
	if length := math.Sqrt(float64(vec.Dot(g.mean, g.mean)) * float64(vec.Dot(w.mean, w.mean))); length > 0 {
		values[rank.DocsMeans] = float64(vec.Dot(g.mean, w.mean)) / length
	}
	if !c.declares {
		return
	}
	alike := rank.Docs().Constant("alike")
	for i, q := range w.words {
		if near[i] < alike && !marked(g.said, q.stem) && (marked(c.marks.content, q.stem) || marked(c.marks.title, q.stem)) {
			values[rank.DocsSaidLater] += q.share
		}
	}
	values[rank.DocsNameShort], values[rank.DocsDeclaration] = -parts, 1
	copy(values[rank.DocsSigned:], g.own[:])
}

// said returns the first paragraph of a snippet: of a declaration, below its signature.
func said(s *Snippet) string {
	if declares(s) {
		return summary(s)
	}
	for rest := s.Content; rest != ""; {
		var paragraph string
		paragraph, rest, _ = strings.Cut(rest, "\n\n")
		paragraph = strings.TrimSpace(paragraph)
		if line, _, _ := strings.Cut(paragraph, "\n"); line != "" && line[0] != '#' && fenceOf(line) == "" {
			return paragraph
		}
	}
	return ""
}

// firstSentence returns what stands before the first full stop, colon or mark that ends a sentence.
func firstSentence(s string) string {
	for i := range len(s) {
		if strings.IndexByte(".:!?", s[i]) >= 0 && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n') {
			return s[:i]
		}
	}
	return s
}
