// Package rank is where candidates get their scores, of whatever corpus: by named
// signals, with the weights of a profile. For source code it also understands the query
// and measures the signals. It has no I/O and keeps no state: the same query,
// candidates and statistics give the same answer, and a score breakdown adds up to its
// score.
package rank

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/text"
)

// A Kind of query decides what evidence counts most.
type Kind uint8

// The kinds of query.
const (
	Symbol   Kind = iota // one identifier, perhaps qualified: where is it defined?
	Phrase               // a few words
	Question             // a sentence
)

func (k Kind) String() string { return [...]string{"symbol", "phrase", "question"}[k] }

// A Plan is an understood query.
type Plan struct {
	Query string
	Kind  Kind
	Terms []corpus.Term
	Mode  Mode
	// Wants are the sorts of document that the query asks for by name: they are not
	// held back for being of that sort.
	Wants corpus.Flags

	full  uint32 // the terms that are a word of the query, or a full identifier
	extra uint32 // the terms that only add to others: subwords and pairs
	exact uint32 // the terms that are a declared name in its exact form
}

// A Mode says which evidence is asked for.
type Mode uint8

// The modes of search.
const (
	Hybrid Mode = iota
	Semantic
	Lexical
)

func (m Mode) String() string { return [...]string{"hybrid", "semantic", "lexical"}[m] }

// Parse understands a query. A query without any word has no Terms.
func Parse(query string, mode Mode) Plan {
	p := Plan{Query: query, Mode: mode}
	profile := Code()
	subword, pair, exact := float32(profile.Constant("subword")), float32(profile.Constant("pair")), float32(profile.Constant("exact form"))
	words := queryWords(query)
	content := make([]string, 0, len(words))
	for _, w := range words {
		if len(words) == 1 || !text.Stop(strings.ToLower(w)) {
			content = append(content, w)
		}
	}
	if len(content) == 0 {
		content = words
	}
	p.Kind = kindOf(query, words, len(words)-len(content))
	p.Wants = wants(words)
	b := termSet{at: map[string]int{}}
	for i, w := range content {
		terms := text.Code().Terms(nil, []byte(w))
		for j, t := range terms {
			weight := float32(1)
			if j > 0 {
				weight = subword
			}
			bit := b.add(t, weight)
			if j == 0 {
				p.full |= bit
			} else {
				p.extra |= bit
			}
		}
		if named := p.Kind == Symbol && i == len(content)-1; named || !plain(w) {
			p.exact |= b.add(text.Exact(w), exact)
		}
	}
	for i := 1; i < len(content) && p.Kind != Symbol; i++ {
		if plain(content[i-1]) && plain(content[i]) {
			p.extra |= b.add(strings.ToLower(content[i-1]+content[i]), pair)
		}
	}
	p.extra = (p.extra | p.exact) &^ p.full
	p.Terms = b.terms
	return p
}

type termSet struct {
	terms []corpus.Term
	at    map[string]int
}

// add adds a term, or raises its weight, and returns its bit; 0 when full.
func (b *termSet) add(t string, weight float32) uint32 {
	if i, ok := b.at[t]; ok {
		b.terms[i].Weight = max(b.terms[i].Weight, weight)
		return 1 << i
	}
	if len(b.terms) == corpus.MaxTerms || t == "" {
		return 0
	}
	b.at[t] = len(b.terms)
	b.terms = append(b.terms, corpus.Term{Text: t, Weight: weight})
	return 1 << (len(b.terms) - 1)
}

func queryWords(q string) (words []string) {
	text.Words([]byte(q), func(w []byte) { words = append(words, string(w)) })
	return words
}

// plain reports whether a word is of one part, as prose is.
func plain(w string) bool {
	return len(w) > 1 && len(text.Code().Terms(nil, []byte(w))) == 1
}

func kindOf(query string, words []string, stops int) Kind {
	fields := strings.Fields(query)
	if len(fields) == 1 {
		return Symbol
	}
	if stops > 0 && len(words) > 3 || len(words) > 6 || strings.HasSuffix(strings.TrimSpace(query), "?") {
		return Question
	}
	return Phrase
}

// wants finds the words that ask for a sort of document.
func wants(words []string) (f corpus.Flags) {
	for _, w := range words {
		switch strings.ToLower(w) {
		case "test", "tests", "testing", "spec", "specs", "fixture", "fixtures", "mock", "mocks", "tested":
			f |= corpus.Test
		case "example", "examples", "demo", "sample", "samples", "benchmark", "benchmarks":
			f |= corpus.Example
		case "legacy", "compat", "compatibility", "deprecated", "shim", "polyfill":
			f |= corpus.Compat
		case "windows", "win32", "win64", "winapi", "plan9", "solaris", "sunos", "aix", "illumos", "zos", "cygwin", "haiku":
			f |= corpus.Platform
		case "vendor", "vendored":
			f |= corpus.Vendored
		case "generated":
			f |= corpus.Generated
		case "readme", "docs", "documentation", "guide", "tutorial", "changelog", "license":
			f |= corpus.Prose
		}
	}
	return f
}

// Symbol returns the name that a chunk is best called by in an answer to the
// plan: the declared name that shares most with the query, else the first
// declared, else the declaration around it.
func (p Plan) Symbol(c corpus.Chunk) string {
	want := map[string]bool{}
	for _, t := range p.Terms {
		want[t.Text] = true
	}
	best, most := "", 0
	for _, s := range c.Symbols {
		n := 0
		for _, w := range queryWords(s.Name) {
			for i, t := range text.Code().Terms(nil, []byte(w)) {
				if want[t] {
					n++
					if i == 0 {
						n += 2
					}
				}
			}
		}
		if n > most {
			best, most = s.Name, n
		}
	}
	switch {
	case best != "":
	case c.Scope != "":
		return c.Scope
	case len(c.Symbols) > 0:
		best = c.Symbols[0].Name
	}
	if c.Scope != "" && best != "" {
		return c.Scope + "." + best
	}
	return best
}

// Focus returns the line of a text, from 0, around which most of the query's
// words are.
func (p Plan) Focus(quote []byte) int {
	want := map[string]float32{}
	for _, t := range p.Terms {
		want[t.Text] = t.Weight
	}
	const window = 6
	var recent [window]float32
	var sum, most float32
	best, line := 0, 0
	for l := range strings.Lines(string(quote)) {
		var here float32
		text.Words([]byte(l), func(w []byte) {
			for _, t := range text.Code().Terms(nil, w) {
				here += want[t]
			}
		})
		sum += here - recent[line%window]
		recent[line%window] = here
		if sum > most+.01 {
			most, best = sum, max(0, line-window+1)
		}
		line++
	}
	return best
}
