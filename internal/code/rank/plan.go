// Package rank is where candidates get their scores, of whatever corpus: by named
// signals, with the weights of a profile. For source code it also understands the query
// and measures the signals. It has no I/O and keeps no state: the same query,
// candidates and statistics give the same answer, and a score breakdown adds up to its
// score.
package rank

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/paste"
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

	// Of a pasted text: the fields that each term is from, what is looked for by meaning
	// (otherwise the query), the places that it names, and the bytes that were not read.
	From     [][]paste.Field
	Meanings []Meaning
	Places   []paste.Place
	Omitted  int

	Guesses *Guesses // of the caller; nil without any
	// Together is the same query with the guesses among its words; nil without any, and of a pasted text.
	Together *Plan

	full  uint32 // the terms that are a word of the query, or a full identifier
	extra uint32 // the terms that only add to others: subwords and pairs
	exact uint32 // the terms that are a declared name in its exact form
	cut   bool   // there are more terms
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

// longest is how much of a query is read here, in bytes. What is longer is a text of
// another sort: Pasted.
const longest = 8 << 10

// Parse understands a query. A query without any word has no Terms.
func Parse(query string, mode Mode) Plan {
	p := Plan{Query: query, Mode: mode}
	if len(query) > longest {
		query, p.cut = prefix(query, longest), true
	}
	profile := Code()
	subword, pair, exact := float32(profile.Constant("subword")), float32(profile.Constant("pair")), float32(profile.Constant("exact form"))
	q := Read(query, Reading{Analyser: text.Code()})
	content := q.Content()
	p.Kind = kindOf(query, len(q.Words), len(q.Words)-len(content))
	p.Wants = wants(q.Words)
	b := Terms{Max: corpus.MaxTerms}
	full := false // some terms had no room
	add := func(t string, weight float32) uint32 {
		if i := b.Add(t, weight); i >= 0 {
			return 1 << i
		}
		full = full || t != ""
		return 0
	}
	for i, w := range content {
		for j, t := range w.Terms {
			if j == 0 {
				p.full |= add(t, 1)
			} else {
				p.extra |= add(t, subword)
			}
		}
		if named := p.Kind == Symbol && i == len(content)-1; named || !plain(w) {
			p.exact |= add(text.Exact(w.Text), exact)
		}
	}
	for i := 1; i < len(content) && p.Kind != Symbol; i++ {
		if plain(content[i-1]) && plain(content[i]) {
			p.extra |= add(strings.ToLower(content[i-1].Text+content[i].Text), pair)
		}
	}
	p.extra = (p.extra | p.exact) &^ p.full
	p.Terms, p.cut = b.List, p.cut || full
	return p
}

// Missing returns the words of the query, as written and up to most, none of whose terms
// occurs: df is in how many chunks each term does.
func (p *Plan) Missing(df []int, most int) (out []string) {
	n := map[string]int{}
	for i, t := range p.Terms {
		n[t.Text] = df[i]
	}
	q := Read(p.Query, Reading{Analyser: text.Code(), Bytes: longest})
	for _, w := range q.Content() {
		asked := false
		found := slices.ContainsFunc(w.Terms, func(t string) bool { df, ok := n[t]; asked = asked || ok; return df > 0 })
		if asked && !found && len(out) < most && !slices.Contains(out, w.Text) {
			out = append(out, w.Text)
		}
	}
	return out
}

// OnlyStops reports whether a query is of several words, all of them stop words. One may be asked for by itself.
func OnlyStops(query string) bool {
	q := Read(query, Reading{Analyser: text.Code(), Bytes: longest})
	return len(q.Words) > 1 && !slices.ContainsFunc(q.Words, func(w Word) bool { return !w.Stop })
}

// Has returns how many words of the query terms are.
func (p *Plan) Has(terms uint32) int { return bits.OnesCount32(terms & p.full) }

// plain reports whether a word is of one part, as prose is.
func plain(w Word) bool { return len(w.Text) > 1 && len(w.Terms) == 1 }

func kindOf(query string, words, stops int) Kind {
	fields := strings.Fields(query)
	if len(fields) == 1 {
		return Symbol
	}
	if stops > 0 && words > 3 || words > 6 || strings.HasSuffix(strings.TrimSpace(query), "?") {
		return Question
	}
	return Phrase
}

// wants finds the words that ask for a sort of document.
func wants(words []Word) (f corpus.Flags) {
	for _, w := range words {
		switch strings.ToLower(w.Text) {
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
// plan: the declared name that shares most with the query, of equal ones that whose
// scope does, else the declaration around it, else the first declared. qualified are the
// names of the chunk's symbols with their scopes, where those are known.
func (p Plan) Symbol(c corpus.Chunk, qualified ...string) string {
	want := set.By(p.Terms, func(t *corpus.Term) string { return t.Text })
	if p.Guesses != nil {
		for _, t := range p.Guesses.Terms {
			want[t.Text] = true
		}
	}
	shares := func(name string) (n int) {
		text.EachWord(name, func(w []byte) {
			for i, t := range text.Code().Terms(nil, w) {
				if want[t] {
					n++
					if i == 0 {
						n += 2
					}
				}
			}
		})
		return n
	}
	known := len(qualified) == len(c.Symbols)
	best, most, scope := "", 0, 0
	for i, s := range c.Symbols {
		n, around := shares(s.Name), 0
		if known {
			around = shares(strings.TrimSuffix(qualified[i], s.Name))
			if s.Name = qualified[i]; n > 0 && p.Kind == Symbol {
				n += around // all of the word is one name
			}
		}
		if n > most || n == most && n > 0 && around > scope {
			best, most, scope = s.Name, n, around
		}
	}
	switch {
	case best != "":
	case c.Scope != "":
		return c.Scope
	case len(c.Symbols) > 0:
		if best = c.Symbols[0].Name; known {
			best = qualified[0]
		}
	}
	if known {
		return best
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
	if p.Guesses != nil {
		for _, t := range p.Guesses.Terms {
			want[t.Text] = t.Weight / 2 // a guess says less than a word of the query
		}
	}
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
