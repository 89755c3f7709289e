package catalog

import (
	"math"
	"slices"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
)

// termsOf returns the terms of a word, but for those of one character, which say nothing in a name either.
func termsOf(word []byte) []string {
	return slices.DeleteFunc(text.Modules().Terms(nil, word), func(t string) bool { return len(t) < minTerm })
}

const (
	maxQuery = 4000 // bytes
	minTerm  = 2    // bytes
)

// A question is a query by its terms: of the words that say what it is about; of a query of nothing but little words, of all of them.
type question struct {
	terms  []bm25.Term
	begins text.Prefixes // of terms: most words need not be stemmed
	wanted map[string]bool
	// lengths are those of terms, in bytes.
	lengths [math.MaxUint8 + 1]bool
	none    tally // of a document without words
}

func newQuestion(query string) *question {
	q := &question{wanted: map[string]bool{}}
	for i, w := range weights() {
		q.none.fields[i].Weight = w
	}
	read := rank.Read(query, rank.Reading{Analyser: text.Modules(), Bytes: maxQuery, MinTerm: minTerm})
	for _, w := range read.Content() {
		for _, t := range w.Terms {
			if !q.wanted[t] {
				q.terms = append(q.terms, bm25.Term{Word: t, Weight: 1})
				q.begins.Add(t)
				q.lengths[min(len(t), math.MaxUint8)] = true
			}
			q.wanted[t] = true
		}
	}
	return q
}

// A tally is a document as far as a question is concerned.
type tally struct {
	length int // in words
	fields [numFields]bm25.Field
}

// words returns what a worker remembers of words: the terms of them that are wanted.
func (q *question) words() *text.Vocabulary[[]string] {
	return text.NewVocabulary(func(word []byte) []string {
		return slices.DeleteFunc(termsOf(word), func(t string) bool { return !q.wanted[t] })
	})
}

// tally counts the terms of a document.
func (q *question) tally(f *Fields, words *text.Vocabulary[[]string]) tally {
	t := q.none
	for i, said := range f.each() {
		field := &t.fields[i]
		text.EachWord(said, func(word []byte) {
			if len(word) > 1 {
				t.length++
			}
			if q.begins.MayPart(word) {
				field.Words = append(field.Words, words.ResultFor(word)...)
			}
		})
	}
	return t
}
