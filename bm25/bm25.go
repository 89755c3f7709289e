// Package bm25 ranks documents by the words they share with a query: Okapi BM25
// over weighted fields (BM25F). It has no dependencies.
//
// An Index is built in memory with Add and asked with Search. Scores are never
// negative, grow with each further occurrence of a word and with a word's rarity,
// and do not depend on the order in which documents were added.
package bm25

import (
	"math"
	"sort"
)

// Params are the two free parameters of BM25.
type Params struct {
	K1 float64 // saturation of further occurrences of a word; ≥ 0
	B  float64 // normalisation by the length of documents; 0..1
}

// Default returns the parameters that most of the literature uses.
func Default() Params { return Params{K1: 1.2, B: 0.75} }

// IDF returns the weight of a word that occurs in df of n documents
// (Robertson & Zaragoza 2009, eq. 3.15, made positive as in Lucene):
// ln(1 + (n-df+.5)/(df+.5)). It is never negative.
func IDF(n, df int) float64 {
	return math.Log1p((float64(n) - float64(df) + .5) / (float64(df) + .5))
}

// Norm returns the part of BM25's denominator that depends on a document alone:
// K1·(1-B+B·length/average).
func (p Params) Norm(length, average float64) float64 {
	if average <= 0 {
		average = 1
	}
	return p.K1 * (1 - p.B + p.B*length/average)
}

// Weight returns the factor of a word that occurs tf times (weighted by field)
// in a document of that Norm: tf·(K1+1)/(tf+norm), in 0..K1+1.
func (p Params) Weight(tf, norm float64) float64 {
	if tf <= 0 {
		return 0
	}
	return tf * (p.K1 + 1) / (tf + norm)
}

// A Field is one part of a document: its words and how much each counts.
type Field struct {
	Words  []string
	Weight float64
}

// A Term is one word of a query and how much it counts.
type Term struct {
	Word   string
	Weight float64
}

// A Hit is one answer.
type Hit struct {
	Doc   int // the order of Add, from 0
	Score float64
}

// An Index is a set of documents. Its zero value is empty and ready with no
// parameters; use New.
type Index struct {
	params   Params
	lengths  []float64
	total    float64
	postings map[string][]posting
}

type posting struct {
	doc int
	tf  float64
}

// New returns an empty index.
func New(p Params) *Index {
	return &Index{params: p, postings: map[string][]posting{}}
}

// Add adds a document of the given length (in words, or any unit that compares)
// and returns its number.
func (x *Index) Add(length float64, fields ...Field) int {
	doc := len(x.lengths)
	x.lengths = append(x.lengths, length)
	x.total += length
	tf := map[string]float64{}
	for _, f := range fields {
		for _, w := range f.Words {
			tf[w] += f.Weight
		}
	}
	for w, n := range tf {
		x.postings[w] = append(x.postings[w], posting{doc, n})
	}
	return doc
}

// Len returns the number of documents.
func (x *Index) Len() int { return len(x.lengths) }

// Search returns the k best documents for the words of a query, any of which may
// match: best first, equal scores in the order of Add.
func (x *Index) Search(query []Term, k int) []Hit {
	if k <= 0 || len(x.lengths) == 0 {
		return nil
	}
	average := x.total / float64(len(x.lengths))
	scores := map[int]float64{}
	for _, t := range query {
		ps := x.postings[t.Word]
		idf := IDF(len(x.lengths), len(ps))
		for _, p := range ps {
			norm := x.params.Norm(x.lengths[p.doc], average)
			scores[p.doc] += t.Weight * idf * x.params.Weight(p.tf, norm)
		}
	}
	hits := make([]Hit, 0, len(scores))
	for doc, s := range scores {
		hits = append(hits, Hit{doc, s})
	}
	sort.Slice(hits, func(i, k int) bool { // in far less code than slices.SortFunc is for one more type
		a, b := hits[i], hits[k]
		return a.Score > b.Score || a.Score == b.Score && a.Doc < b.Doc
	})
	return hits[:min(k, len(hits))]
}
