package vault

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
)

const (
	maxQuestion = 8 << 10 // bytes: what is longer says the same again
	maxTerms    = 32
)

// A term is what a question asks for, by its stem.
type term struct {
	form   string // as the index is asked for it
	stem   string
	weight float64
	name   bool    // in the form of a name: with a capital inside a sentence, or as code
	code   bool    // in a form that only code has
	proper bool    // a capital and small letters inside a sentence
	within string  // searched for inside words, because no text has it as a word
	prefix string  // searched for where words begin, because no text has more of it
	df     int     // chunks that have it
	idf    float64 // times weight
}

// A question is a query as it is understood.
type question struct {
	text     string
	terms    []term
	content  []string // the stems of its content words in order
	versions []string // numbers with dots, because their parts are in other versions too
	quoted   []string // what stood in quotation marks, folded
	when     when
	at       map[string]int // of a stem, in terms
	first    [128]bool      // the bytes that stems begin with
	ideal    float64        // the sum of idf
}

var version = lazy.Regexp(`\d+(?:\.\d+)+`)

// ask takes a query apart. One without any word has no terms.
func ask(query string, today time.Time, stems *stemmer) *question {
	read := rank.Read(query, rank.Reading{Analyser: text.Forms(), Bytes: maxQuestion, Languages: true})
	q := &question{text: read.Text, when: asked(read.Text[:min(len(read.Text), 400)], today), quoted: read.Quoted(), at: map[string]int{}}
	q.versions = version.FindAllString(read.Text, 5)
	for _, w := range read.Content() {
		q.add(w, w.Name && read.Language != text.German, stems)
	}
	return q
}

// add adds the terms of a word.
func (q *question) add(w rank.Word, name bool, stems *stemmer) {
	profile := rank.Memory()
	for i, f := range w.Terms {
		weight := 1.0
		switch r, _ := utf8.DecodeRuneInString(f); {
		case i > 0:
			weight = profile.Constant("subword")
		case text.Pairs(r):
			weight = profile.Constant("pair of ideographs")
		case name:
			weight = profile.Constant("name")
		}
		s := stems.OfString(f)
		if i == 0 {
			q.content = append(q.content, s)
		}
		if k, ok := q.at[s]; ok {
			q.terms[k].weight = max(q.terms[k].weight, weight)
			continue
		}
		if len(q.terms) == maxTerms {
			return
		}
		q.at[s] = len(q.terms)
		if s[0] < utf8.RuneSelf {
			q.first[s[0]] = true
		}
		q.terms = append(q.terms, term{form: f, stem: s, weight: weight, name: name, code: i == 0 && len(w.Terms) > 1, proper: name && !text.Compound([]byte(w.Text))})
	}
}

// forVector returns what is embedded for the question where that costs
// nothing: its words without grammar, and without the names of people that every
// fifth chunk has, which say nothing of the meaning.
func (q *question) forVector(chunks int) string {
	var words []string
	subword := rank.Memory().Constant("subword")
	for _, t := range q.terms {
		if t.weight > subword && (!t.proper || t.df <= chunks/5) {
			words = append(words, t.form)
		}
	}
	return strings.Join(words, " ")
}
