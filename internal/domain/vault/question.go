package vault

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/core/rank"
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
	text    string
	terms   []term
	content []string // the stems of its content words in order
	quoted  []string // what stood in quotation marks, folded
	phrase  string   // all of it, folded and without punctuation at its ends
	when    when
	at      map[string]int // of a stem, in terms
	first   [128]bool      // the bytes that stems begin with
	ideal   float64        // the sum of idf
	lang    int
}

var quotes = lazy.Regexp("\"([^\"]{2,200})\"|“([^”]{2,200})”|„([^“”]{2,200})[“”]|«([^»]{2,200})»|「([^」]{2,200})」|`([^`]{2,200})`")

// ask takes a query apart. One without any word has no terms.
func ask(query string, today time.Time, stems *stemmer) *question {
	if len(query) > maxQuestion {
		query = query[:maxQuestion]
	}
	query = strings.ToValidUTF8(query, " ")
	q := &question{text: query, when: asked(query[:min(len(query), 400)], today), at: map[string]int{}}
	for _, m := range quotes.FindAllStringSubmatch(query, 8) {
		for _, s := range m[1:] {
			if s != "" {
				q.quoted = append(q.quoted, strings.TrimSpace(text.Fold(s)))
			}
		}
	}
	q.phrase = strings.TrimSpace(strings.TrimRight(text.Fold(query), "?!.。？ "))
	type word struct {
		raw  string
		form string
		name bool
	}
	var words []word
	var folded []string
	start := true // of a sentence
	end := 0
	text.Words([]byte(query), func(w []byte) {
		at := end + strings.Index(query[end:], string(w)) // pieces come in order
		if end > 0 && strings.ContainsAny(query[min(end, at):at], ".!?:\n") {
			start = true
		}
		end = max(end, at+1)
		raw := string(w)
		f := text.Fold(strings.ReplaceAll(raw, "_", ""))
		r, _ := utf8.DecodeRuneInString(raw)
		words = append(words, word{raw, f, len(text.Parts(raw)) > 1 || unicode.IsUpper(r) && !start})
		folded = append(folded, f)
		start = false
	})
	q.lang = text.Language(folded)
	all := !slices.ContainsFunc(words, func(w word) bool { return !text.Grammar(q.lang, w.form) })
	for _, w := range words {
		if !all && !w.name && text.Grammar(q.lang, w.form) {
			continue
		}
		q.add(w.raw, w.name && q.lang != text.German, stems)
	}
	return q
}

// add adds the terms of a word.
func (q *question) add(raw string, name bool, stems *stemmer) {
	profile := rank.Memory()
	for i, f := range text.Forms().Terms(nil, []byte(raw)) {
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
		q.terms = append(q.terms, term{form: f, stem: s, weight: weight, name: name, code: i == 0 && len(text.Forms().Terms(nil, []byte(raw))) > 1, proper: name && !text.Compound([]byte(raw))})
	}
}

// forVector returns what the vector of the question is made of where that costs
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
