package rank

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
)

// Guesses are words and identifiers that a caller expects in what answers its query. They are
// asked for apart from the query, because a wrong one must not cost the query's own terms anything.
type Guesses struct {
	Text  string        // all of them, as they are looked for by meaning
	Terms []corpus.Term // distinct; after Choose at most corpus.MaxTerms, each of which the tree has
	Words []Guess
	Near  float64 // the cosine of all of them with the query, if Meant
	Meant bool    // Near is known, of the whole and of each word
}

// A Guess is one word of the guesses, by the bits of its terms.
type Guess struct {
	Text  string
	Whole uint32  // its term, or its full identifier
	Parts uint32  // the parts of an identifier
	Exact uint32  // a declared name in its exact form
	Near  float64 // the cosine of the word with the query

	whole, parts, exact float64 // how much each of these tells, from 0 to 1
	terms               []string
}

const (
	// maxGuessBytes bounds how much of the guesses is read.
	maxGuessBytes = 8 << 10
	// maxGuesses bounds how many distinct words of them are looked up.
	maxGuesses = 256
)

// ReadGuesses takes guesses apart: each string may have several words, separated by spaces or
// commas. isFile says of a word whether it is the name of a source file, whose extension tells
// nothing. nil if there is no word in them.
func ReadGuesses(list []string, isFile func(name string) bool) *Guesses {
	g := &Guesses{}
	var all []string
	for _, s := range list {
		all = append(all, splitGuesses(s)...)
	}
	stops := true
	for _, w := range all {
		stops = stops && text.Code().Stop([]byte(w))
	}
	size := 0
	seen := map[string]bool{}
	for _, w := range all {
		if size += len(w); size > maxGuessBytes || len(g.Words) == maxGuesses {
			break
		}
		w = strings.ToValidUTF8(w, " ")
		text.EachWord(withoutExtension(w, isFile), func(b []byte) {
			word := string(b)
			terms := text.Code().Terms(nil, b)
			if len(terms) == 0 || seen[word] || !stops && text.Code().Stop(b) {
				return
			}
			seen[word] = true
			g.Words = append(g.Words, Guess{Text: word, terms: terms})
		})
	}
	if len(g.Words) == 0 {
		return nil
	}
	g.Text = strings.Join(all, " ")
	g.Text = prefix(g.Text, maxGuessBytes)
	seen = map[string]bool{}
	add := func(t string) {
		if !seen[t] {
			seen[t] = true
			g.Terms = append(g.Terms, corpus.Term{Text: t, Weight: 1})
		}
	}
	for _, w := range g.Words {
		for _, t := range w.terms {
			add(t)
		}
		add(text.Exact(w.Text))
	}
	return g
}

// splitGuesses returns the words of a string as they are written.
func splitGuesses(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;\"'`", r) })
}

// withoutExtension cuts the extension off a word that is the name of a source file.
func withoutExtension(w string, isFile func(name string) bool) string {
	i := strings.LastIndexByte(w, '.')
	if i <= 0 || len(w)-i > 8 || strings.ContainsAny(w[i:], "(:") || !isFile(w) {
		return w
	}
	return w[:i]
}

// Choose keeps the terms that the tree has and that say most; nil if it has none. A guess that
// nothing has is nothing.
func (g *Guesses) Choose(st Stats) *Guesses {
	at := map[string]int{}
	tell := make([]float64, len(g.Terms))
	for i, t := range g.Terms {
		at[t.Text] = i
		tell[i] = idfShare(st, st.DF[i])
	}
	value := make([]float64, len(g.Terms))
	for _, w := range g.Words {
		for j, t := range w.terms {
			v := tell[at[t]]
			if j > 0 {
				v *= Code().Constant("subword")
			}
			value[at[t]] = max(value[at[t]], v)
		}
		value[at[text.Exact(w.Text)]] = tell[at[text.Exact(w.Text)]] * Code().Constant("guess: exact form kept")
	}
	var order []int
	for i := range g.Terms {
		if st.DF[i] > 0 {
			order = append(order, i)
		}
	}
	sorting.Stable(order, func(a, b int) int { return cmp.Compare(value[b], value[a]) })
	order = order[:min(len(order), corpus.MaxTerms)]
	slices.Sort(order)
	out := &Guesses{Text: g.Text}
	bit := map[string]uint32{}
	for _, i := range order {
		bit[g.Terms[i].Text] = 1 << len(out.Terms)
		out.Terms = append(out.Terms, g.Terms[i])
	}
	for _, w := range g.Words {
		exact := text.Exact(w.Text)
		n := Guess{Text: w.Text, Whole: bit[w.terms[0]], Exact: bit[exact], whole: tell[at[w.terms[0]]], exact: tell[at[exact]], terms: w.terms}
		for _, t := range w.terms[1:] {
			if bit[t] != 0 {
				n.Parts, n.parts = n.Parts|bit[t], max(n.parts, tell[at[t]])
			}
		}
		if n.Whole|n.Parts|n.Exact != 0 {
			out.Words = append(out.Words, n)
		}
	}
	if len(out.Words) == 0 {
		return nil
	}
	return out
}

// Compared returns the guesses with the cosines of the query with all of them, and with each.
func (g *Guesses) Compared(all float64, each []float64) *Guesses {
	out := *g
	out.Near, out.Meant, out.Words = all, true, slices.Clone(g.Words)
	for i := range out.Words {
		out.Words[i].Near = each[i]
	}
	return &out
}

// idfShare returns how much a term tells, from 0 of one that everything has to 1 of the rarest.
func idfShare(st Stats, df int) float64 {
	n := max(st.Chunks, df, 2)
	return bm25.IDF(n, df) / bm25.IDF(n, 1)
}

// guessLevels are the places in which a candidate has a guess, with the constants of the profile
// that say what each adds.
var guessLevels = [...]struct {
	constant string
	strength func(w *Guess, c *corpus.Candidate) float64
}{
	{"guess: in the text", func(w *Guess, c *corpus.Candidate) float64 { return w.whole * of(c.Terms&w.Whole != 0) }},
	{"guess: in the file", func(w *Guess, c *corpus.Candidate) float64 { return w.whole * of(c.DocTerms&w.Whole != 0) }},
	{"guess: in a declared name", func(w *Guess, c *corpus.Candidate) float64 { return w.whole * of(c.Named&w.Whole != 0) }},
	{"guess: a declared name", func(w *Guess, c *corpus.Candidate) float64 { return w.whole * of(c.Whole&w.Whole != 0) }},
	{"guess: in the exact form", func(w *Guess, c *corpus.Candidate) float64 { return w.exact * of(c.Terms&w.Exact != 0) }},
	{"guess: in a declaration of the name", func(w *Guess, c *corpus.Candidate) float64 { return w.whole * of(c.Scoped&w.Whole != 0) }},
	{"guess: in the folder's name", func(w *Guess, c *corpus.Candidate) float64 { return w.whole * of(c.Folder&w.Whole != 0) }},
	{"guess: in the file's name", func(w *Guess, c *corpus.Candidate) float64 { return w.whole * of(c.Stem&w.Whole != 0) }},
	{"guess: the file's name", func(w *Guess, c *corpus.Candidate) float64 { return w.whole * of(c.File&w.Whole != 0) }},
	{"guess: its parts in the text", func(w *Guess, c *corpus.Candidate) float64 { return w.parts * of(has(c.Terms, w.Parts)) }},
	{"guess: its parts in a declared name", func(w *Guess, c *corpus.Candidate) float64 { return w.parts * of(has(c.Named, w.Parts)) }},
	{"guess: its parts in the file's name", func(w *Guess, c *corpus.Candidate) float64 { return w.parts * of(has(c.Stem, w.Parts)) }},
	{"guess: its parts in the file", func(w *Guess, c *corpus.Candidate) float64 { return w.parts * of(has(c.DocTerms, w.Parts)) }},
}

// has reports whether a mask has all of some terms, of which there are any.
func has(mask, terms uint32) bool { return terms != 0 && mask&terms == terms }
