package docs

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/text"
)

// A question is what a query asks for.
type question struct {
	words  []string // as written
	terms  []qterm  // of the words that are not stop words
	stops  []qterm  // of those that are
	stems  []string // of each word of the query that is no stop word, in order
	begins [26]bool // the letters that stems begin with
	names  []string // identifiers, as written: "res.sendFile", "useEffect", "--watch"
}

type qterm struct {
	term   string
	weight float32
}

// readQuestion takes a query apart. Of a word of several parts the whole counts
// fully, and its parts together as much.
func readQuestion(query string) (q question) {
	if len(query) > maxQuery {
		query = query[:maxQuery]
	}
	query = strings.ToValidUTF8(query, " ")
	at := map[string]int{} // of a term in q.terms, from 1
	text.Words([]byte(query), func(w []byte) {
		word := string(w)
		if len(q.words) >= 2*maxTerms {
			return
		}
		q.words = append(q.words, word)
		terms := termsOf(word)
		if stop(w) {
			q.stops = append(q.stops, qterm{terms[0], 1})
			return
		}
		q.stems = append(q.stems, terms[0])
		if c := terms[0][0]; c >= 'a' && c <= 'z' {
			q.begins[c-'a'] = true
		}
		for i, t := range terms {
			weight := float32(1)
			if i > 0 {
				weight = 1 / float32(len(terms)-1)
			}
			if at[t] == 0 {
				q.terms = append(q.terms, qterm{t, 0})
				at[t] = len(q.terms)
			}
			have := &q.terms[at[t]-1].weight
			*have = max(*have, weight)
		}
	})
	q.names = identifiers(query)
	return q
}

// identifiers returns the words of a query that are spelt as only code spells
// them: with a dot, an underscore, a colon or a capital inside, as a flag, or
// between backquotes.
func identifiers(query string) (names []string) {
	for _, w := range strings.FieldsFunc(query, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("`'\"(){}[],;?!<>=|*", r)
	}) {
		name := strings.TrimRight(w, ".:/")
		quotedHere := strings.Contains(query, "`"+w+"`")
		if len(name) > 2 && len(names) < 8 && (quotedHere || codeLike(name)) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func codeLike(name string) bool {
	if strings.HasPrefix(name, "--") || len(name) > 2 && (name[0] == '@' || name[0] == '$') {
		return true
	}
	inside := name[1:]
	if strings.ContainsAny(inside, "._") || strings.Contains(inside, "::") {
		return strings.ContainsFunc(name, unicode.IsLetter)
	}
	lower, upper := strings.ContainsFunc(name, unicode.IsLower), strings.ContainsFunc(inside, unicode.IsUpper)
	return lower && upper
}

// What a candidate gains by what stands in it, as parts of what its words are
// worth.
const (
	nameInTitle   = .4
	nameInContent = .2
	flagInContent = 2 // of which the words alone say something else
	pairInTitle   = .2
	pairInContent = .03
	coverage      = .2 // for all terms of the question instead of none
	titleAll      = .5 // for a title of nothing but the question's words
)

// rerank reads the candidates and orders them by what stands in them.
func (d *DB) rerank(ctx context.Context, tx *sql.Tx, r row, q question, hits []hit) ([]Snippet, error) {
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = r.first + int64(h.at)
	}
	found, err := snippetsOf(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	type ranked struct {
		s     Snippet
		score float64
	}
	var all uint32
	for _, h := range hits {
		all |= h.terms
	}
	words, _ := d.words.Get().(*vocabulary)
	if words == nil {
		words = newVocabulary()
	}
	defer d.words.Put(words)
	out := make([]ranked, len(hits))
	for i, h := range hits {
		gain := 1 + q.gain(&found[i], words)
		if all != 0 {
			gain += coverage * float64(ones(h.terms)) / float64(ones(all))
		}
		out[i] = ranked{found[i], float64(h.score) * gain}
	}
	slices.SortStableFunc(out, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	for i := range out {
		found[i] = out[i].s
	}
	return found, nil
}

func ones(x uint32) (n int) {
	for ; x != 0; x &= x - 1 {
		n++
	}
	return n
}

// gain returns by which part the worth of a candidate grows.
func (q *question) gain(s *Snippet, words *vocabulary) (gain float64) {
	for _, name := range q.names {
		switch {
		case holds(s.Title, name):
			gain += nameInTitle
		case holds(s.Content, name) && strings.HasPrefix(name, "--"):
			gain += flagInContent
		case holds(s.Content, name):
			gain += nameInContent
		}
	}
	title := stems(s.Title, words)
	if len(q.stems) > 0 && len(title) > 0 {
		in := 0
		for _, t := range title {
			if slices.Contains(q.stems, t) {
				in++
			}
		}
		gain += titleAll * float64(in) / float64(len(title))
	}
	if len(q.stems) < 2 {
		return gain
	}
	return gain + pairInTitle*float64(q.pairs(s.Title, words)) + pairInContent*float64(q.pairs(s.Content, words))
}

// stems returns the first term of each word that is no stop word.
func stems(s string, words *vocabulary) (out []string) {
	text.Words([]byte(s), func(w []byte) {
		if !stop(w) {
			out = append(out, words.of(w)[0])
		}
	})
	return out
}

// pairs counts which neighbours of the question are neighbours in s too, stop
// words left out.
func (q *question) pairs(s string, words *vocabulary) (n int) {
	var seen [2 * maxTerms]bool
	last := "" // the term before, if it is one of the question
	text.Words([]byte(s), func(w []byte) {
		if stop(w) {
			return
		}
		// A stem begins as its word does: most words need not be stemmed.
		if c := w[0] | 0x20; c >= 'a' && c <= 'z' && !q.begins[c-'a'] {
			last = ""
			return
		}
		now := words.of(w)[0]
		if last != "" {
			for i := range min(len(q.stems)-1, len(seen)) {
				if !seen[i] && q.stems[i] == last && q.stems[i+1] == now {
					seen[i] = true
					n++
				}
			}
		}
		if last = ""; slices.Contains(q.stems, now) {
			last = now
		}
	})
	return n
}

// holds reports whether s has name, spelt so, and not as part of a longer one.
func holds(s, name string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], name)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(name):])
		if !inName(before) && !inName(after) {
			return true
		}
		from = i + 1
	}
}

func inName(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
