package library

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/text"
)

// A question is what a query asks for.
type question struct {
	words  []string // as written
	terms  []qterm  // of the words that are not stop words
	stops  []qterm  // of those that are
	stems  []string // of each word of the query that is no stop word, in order
	begins prefixes // of terms
	coded  bool     // it is made of names alone
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
		for i, t := range terms {
			q.begins.add(t)
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
	n := 0
	for _, name := range q.names {
		text.Words([]byte(name), func([]byte) { n++ })
	}
	q.coded = n > 0 && n >= len(q.stems)
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

// What a candidate gains by what stands in it and around it, as parts of what its
// words are worth.
const (
	nameInTitle   = .4
	nameInContent = .2
	flagInContent = 4 // of which the words alone say something else
	pairInTitle   = .2
	pairInContent = .03
	titleAll      = .5  // for a title of nothing but the question's words
	pageAll       = .6  // the same for the page's title
	pageWords     = .5  // for a page's title or file name with all words of the question
	samePage      = .15 // for other candidates of its page, by the logarithm of what they are worth
)

// again is what each further candidate of a page counts, and each further one of a
// section once more: an answer has room for a few.
const again = .95

// meant is what a candidate gains that means just what the question does, as a part
// of what the words of the best one are worth.
const meant = 1.5

// A ranked is a candidate, read.
type ranked struct {
	hit
	s      Snippet
	vector []byte
	score  float64
}

// read reads candidates.
func (s *search) read(hits []hit) ([]ranked, error) {
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = s.r.first + int64(h.at)
	}
	out := make([]ranked, len(hits))
	err := s.snippetsOf(ids, func(i int, s Snippet, vector []byte) {
		out[i] = ranked{hits[i], s, vector, 0}
	})
	return out, err
}

// rerank orders candidates by what stands in them.
func (s *search) rerank(x *index, stats []stat, all []ranked) {
	words := s.d.words.take()
	if words == nil {
		words = newVocabulary()
	}
	defer s.d.words.put(words)
	for i := range all {
		all[i].unread(x, stats, words)
	}
	s.score(all, stats, words)
	best := func(a, b ranked) int { return cmp.Compare(b.score, a.score) }
	slices.SortStableFunc(all, best)
	seen := map[string]int{}
	for i := range all {
		c := &all[i]
		section := c.s.Path + "\x00" + c.s.Breadcrumb
		c.score *= math.Pow(again, float64(seen[c.s.Path]+seen[section]))
		seen[c.s.Path]++
		seen[section]++
	}
	slices.SortStableFunc(all, best)
}

// unread adds what the terms are worth whose postings were not read.
func (c *ranked) unread(x *index, stats []stat, words *vocabulary) {
	var begins prefixes
	skipped := false
	for _, t := range stats {
		if t.skipped {
			begins.add(t.term)
			skipped = true
		}
	}
	if !skipped {
		return
	}
	var counts [maxTerms]byte // by the number of a term
	fieldsOf(&c.s, func(in string, unit, bits byte) {
		text.Words(bytesIn(in), func(w []byte) {
			if !begins.may(w) && !compound(w) {
				return
			}
			for _, t := range words.of(w) {
				for i := range stats {
					if stats[i].skipped && stats[i].term == t && counts[i]&bits != bits {
						counts[i] += unit
					}
				}
			}
		})
	})
	norm := x.norms[x.codes[c.at]]
	for i, n := range counts {
		if n != 0 {
			f := weightOf(n)
			c.hit.score += float32(stats[i].worth()*(params().K1+1)) * f / (f + norm)
		}
	}
}

// score says what each candidate is worth.
func (s *search) score(all []ranked, stats []stat, words *vocabulary) {
	var best, asked float64
	worth := map[string]float64{}
	for _, t := range stats {
		worth[t.term] = t.worth()
		asked += t.worth()
	}
	pages := map[string]float64{}
	type named struct{ path, title string }
	type titled struct{ in, part float64 }
	titles := map[named]titled{}
	for i := range all {
		best = max(best, float64(all[i].hit.score))
		pages[all[i].s.Path] += float64(all[i].hit.score)
	}
	if best == 0 {
		best = 1
	}
	for i := range all {
		c := &all[i]
		gain := 1 + s.q.gain(&c.s, words)
		title, _, _ := strings.Cut(c.s.Breadcrumb, " > ")
		name := named{c.s.Path, title}
		of, ok := titles[name]
		if !ok {
			of.in, of.part = s.q.pageTitle(title, c.s.Path, worth, words)
			titles[name] = of
		}
		gain += pageAll*of.part + pageWords*of.in/asked
		gain += samePage * math.Log1p((pages[c.s.Path]-float64(c.hit.score))/best)
		c.score = float64(c.hit.score) * gain
	}
	if s.ranking == Hybrid {
		for i := range all {
			all[i].score += meant * best * alike(all[i].vector, s.asked)
		}
	}
}

// pageTitle returns what the words of the question are worth that are in the title
// of a page or the name of its file, and which part of the title they are.
func (q *question) pageTitle(title, path string, worth map[string]float64, words *vocabulary) (in, part float64) {
	part = q.part(title, words, func(t string) bool { return worth[t] > 0 })
	var seen []string
	text.Words([]byte(title+" "+nameOf(path)), func(w []byte) {
		if !q.begins.may(w) && !compound(w) {
			return
		}
		for _, t := range words.of(w) {
			if w := worth[t]; w > 0 && !slices.Contains(seen, t) {
				seen = append(seen, t)
				in += w
			}
		}
	})
	return in, part
}

// part returns which part of the words of a title, stop words left out, are of the
// question, as of says of their first terms.
func (q *question) part(title string, words *vocabulary, of func(term string) bool) float64 {
	in, n := 0, 0
	text.Words(bytesIn(title), func(w []byte) {
		if stop(w) {
			return
		}
		n++
		if q.begins.may(w) && of(words.of(w)[0]) {
			in++
		}
	})
	return float64(in) / float64(max(n, 1))
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
	gain += titleAll * q.part(s.Title, words, func(t string) bool { return slices.Contains(q.stems, t) })
	if len(q.stems) < 2 {
		return gain
	}
	return gain + pairInTitle*float64(q.pairs(s.Title, words)) + pairInContent*float64(q.pairs(s.Content, words))
}

// pairs counts which neighbours of the question are neighbours in s too, stop
// words left out.
func (q *question) pairs(s string, words *vocabulary) (n int) {
	var seen [2 * maxTerms]bool
	last := "" // the term before, if it is one of the question
	text.Words(bytesIn(s), func(w []byte) {
		if !q.begins.may(w) {
			if last != "" && !stop(w) {
				last = ""
			}
			return
		}
		if stop(w) {
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
