package library

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/core/index"
	"github.com/assay-dev/assay/internal/core/rank"
	"github.com/assay-dev/assay/internal/domain/apidoc"
)

// A question is what a query asks for.
type question struct {
	words  []string      // as written
	terms  rank.Terms    // of the words that are not stop words
	stops  rank.Terms    // of those that are
	stems  []string      // of each word of the query that is no stop word, in order
	begins text.Prefixes // of terms
	coded  bool          // it is made of names alone
	names  []string      // identifiers, as written: "res.sendFile", "useEffect", "--watch"
}

func queries() rank.Reading {
	return rank.Reading{Analyser: text.Prose(), Bytes: maxQuery, Words: 2 * maxTerms}
}

// readQuestion takes a query apart. A full identifier counts 1, and its subwords
// together as much.
func readQuestion(query string) (q question) {
	read := rank.Read(query, queries())
	for _, w := range read.Words {
		q.words = append(q.words, w.Text)
		if w.Stop {
			q.stops.Add(w.Terms[0], 1)
			continue
		}
		q.stems = append(q.stems, w.Terms[0])
		for i, t := range w.Terms {
			q.begins.Add(t)
			weight := float32(1)
			if i > 0 {
				weight = 1 / float32(len(w.Terms)-1)
			}
			q.terms.Add(t, weight)
		}
	}
	q.names = read.Names()
	q.coded = read.OnlyNames(q.names)
	return q
}

// A ranked is a candidate, read.
type ranked struct {
	hit
	s      Snippet
	vector []byte
	marks  string // of its content
	size   int    // of what is shown of it, about
	whole  bool   // s has its content
}

// rerank orders candidates by what is in them.
func (s *search) rerank(x *index.PartReader, stats []stat, all []ranked) []ranked {
	words := s.d.words.take()
	defer s.d.words.put(words)
	for i := range all {
		all[i].unread(x, stats, words)
	}
	scorer := rank.Docs().Scorer(rank.Variant{Kind: rank.Question, Meaning: s.ranking == Hybrid}, len(all), s.explain)
	m := s.newMeasure(all, stats, words)
	for i := range all {
		scorer.Add(m.of(&all[i]), m.groups(&all[i].s))
	}
	out := make([]ranked, len(all))
	for i, r := range scorer.Rank(func(a, b int) int {
		a1, b1 := &all[a].s, &all[b].s
		return cmp.Or(cmp.Compare(a1.Path, b1.Path), cmp.Compare(a1.Line, b1.Line), cmp.Compare(all[a].at, all[b].at))
	}) {
		out[i] = all[r.At]
		out[i].s.Score, out[i].s.Breakdown = r.Value, r.Breakdown
	}
	return out
}

// unread adds what the terms are worth whose postings were not read.
func (c *ranked) unread(x *index.PartReader, stats []stat, words *vocabulary) {
	var begins text.Prefixes
	skipped := false
	for _, t := range stats {
		if t.skipped {
			begins.Add(t.Text)
			skipped = true
		}
	}
	if !skipped {
		return
	}
	var counts [maxTerms]byte // by the number of a term
	fields := layout().Fields
	fieldsOf(&c.s, func(in string, field int) {
		f := fields[field]
		text.Words(bytesIn(in), func(w []byte) {
			if !begins.May(w) && !text.Compound(w) {
				return
			}
			for _, t := range words.Of(w) {
				for i := range stats {
					if stats[i].skipped && stats[i].Text == t && counts[i]&f.Mask != f.Mask {
						counts[i] += f.Unit
					}
				}
			}
		})
	})
	for i, n := range counts {
		if n != 0 {
			c.hit.score += x.Worth(uint32(c.at), stats[i].worth(), n)
		}
	}
}

// A measure says how strong the evidence for a candidate is.
type measure struct {
	*search
	vocabulary *vocabulary
	worth      map[string]float64 // of each term of the question
	total      float64            // of all of them
	ideal      float64            // the most that BM25 gives
	best       float64            // that it gives a candidate
	pages      map[string]float64 // what it gives all candidates of a page, by path
	titles     map[page]titled
	known      map[string]uint64 // groups, by name
	marks      []uint32          // of the stems of the question
	declared   bool              // a candidate is a declaration, and the question names nothing
	values     [rank.NumDocs]float64
}

type page struct{ path, title string }

// A titled is what pageTitle returns.
type titled struct{ in, part float64 }

func (s *search) newMeasure(all []ranked, stats []stat, words *vocabulary) *measure {
	m := &measure{search: s, vocabulary: words, worth: map[string]float64{}, pages: map[string]float64{}, titles: map[page]titled{}, known: map[string]uint64{}}
	for _, t := range stats {
		m.worth[t.Text] = t.worth()
		m.total += t.worth()
	}
	for _, stem := range s.q.stems {
		m.marks = append(m.marks, mark(stem))
	}
	m.ideal = (m.total + m.absent) * (params().K1 + 1)
	for i := range all {
		m.best = max(m.best, float64(all[i].hit.score))
		m.pages[all[i].s.Path] += float64(all[i].hit.score)
		m.declared = m.declared || len(m.q.names) == 0 && declares(&all[i].s)
	}
	if m.best == 0 {
		m.best = 1
	}
	return m
}

// declares reports whether a snippet is a declaration: its page is program text.
func declares(s *Snippet) bool { return apidoc.Described(s.Path) }

// called reports whether a declaration is what a name names: the name may say less than the
// title ("get" of "Session.get"), or the module too ("httpx.Client").
func called(title, name string) bool {
	title, name = joints.Replace(title), joints.Replace(strings.Trim(name, "@$`"))
	return title == name || strings.HasSuffix(title, "."+name) || strings.HasSuffix(name, "."+title)
}

// joints are what languages join a type and its member with.
var joints = strings.NewReplacer("::", ".", "#", ".", "->", ".")

// groups returns the page and the section of a snippet.
func (m *measure) groups(s *Snippet) (g rank.Groups) {
	for i, name := range [...]string{s.Path, s.Path + "\x00" + s.Breadcrumb} {
		n, ok := m.known[name]
		if !ok {
			n = uint64(len(m.known))
			m.known[name] = n
		}
		g[i] = n
	}
	return g
}

// of returns the values of the signals of a candidate, which are good until the next
// call. All but the meaning are parts of what its words are worth.
func (m *measure) of(c *ranked) []float64 {
	m.values = [rank.NumDocs]float64{}
	m.q.named(&c.s, &m.values)
	m.values[rank.DocsTitle] = m.q.part(c.s.Title, m.vocabulary, func(t string) bool { return slices.Contains(m.q.stems, t) })
	if len(m.q.stems) > 1 {
		m.values[rank.DocsPairsInTitle] = float64(m.q.pairs(c.s.Title, m.vocabulary))
		m.values[rank.DocsPairsInContent] = float64(pairsOf(c.marks, m.marks))
	}
	title, _, _ := strings.Cut(c.s.Breadcrumb, " > ")
	name := page{c.s.Path, title}
	of, ok := m.titles[name]
	if !ok {
		of.in, of.part = m.q.pageTitle(title, c.s.Path, m.worth, m.vocabulary)
		m.titles[name] = of
	}
	m.values[rank.DocsPageTitle] = of.part
	m.values[rank.DocsPageWords] = of.in / m.total
	if !declares(&c.s) { // a file of program text is about many things
		m.values[rank.DocsSamePage] = math.Log1p((m.pages[c.s.Path] - float64(c.hit.score)) / m.best)
	}
	if m.declared && !declares(&c.s) {
		m.values[rank.DocsProse] = 1
	}
	m.values[rank.DocsWords] = 1
	for i := range m.values {
		m.values[i] *= float64(c.hit.score) / m.ideal
	}
	// What is named is meant however thin its words are.
	if declares(&c.s) && slices.ContainsFunc(m.q.names, func(name string) bool { return called(c.s.Title, name) }) {
		m.values[rank.DocsDeclares] = m.best / m.ideal
	}
	if m.ranking == Hybrid {
		m.values[rank.DocsMeaning] = m.best / m.ideal * index.Alike(c.vector, m.asked)
	}
	return m.values[:]
}

// pageTitle returns what the words of the question are worth that are in the title
// of a page or the name of its file, and which part of the title they are.
func (q *question) pageTitle(title, path string, worth map[string]float64, words *vocabulary) (in, part float64) {
	part = q.part(title, words, func(t string) bool { return worth[t] > 0 })
	var seen []string
	text.Words([]byte(title+" "+nameOf(path)), func(w []byte) {
		if !q.begins.May(w) && !text.Compound(w) {
			return
		}
		for _, t := range words.Of(w) {
			if w := worth[t]; w > 0 && !slices.Contains(seen, t) {
				seen = append(seen, t)
				in += w
			}
		}
	})
	return in, part
}

// part returns which part of the words of a title, stop words omitted, are of the
// question, as of says of their first terms.
func (q *question) part(title string, words *vocabulary, of func(term string) bool) float64 {
	in, n := 0, 0
	text.Words(bytesIn(title), func(w []byte) {
		if text.Prose().Stop(w) {
			return
		}
		n++
		if q.begins.May(w) && of(words.Of(w)[0]) {
			in++
		}
	})
	return float64(in) / float64(max(n, 1))
}

// named counts the names of the question that are in a snippet as they are written.
func (q *question) named(s *Snippet, values *[rank.NumDocs]float64) {
	for _, name := range q.names {
		switch {
		case holds(s.Title, name):
			values[rank.DocsNameInTitle]++
		case holds(s.Content, name) && strings.HasPrefix(name, "--"):
			values[rank.DocsOptionInContent]++
		case holds(s.Content, name):
			values[rank.DocsNameInContent]++
		}
	}
}

// pairs counts which neighbours of the question are neighbours in s too, stop
// words omitted.
func (q *question) pairs(s string, words *vocabulary) (n int) {
	var seen [2 * maxTerms]bool
	last := "" // the term before, if it is one of the question
	text.Words(bytesIn(s), func(w []byte) {
		if !q.begins.May(w) {
			if last != "" && !text.Prose().Stop(w) {
				last = ""
			}
			return
		}
		if text.Prose().Stop(w) {
			return
		}
		now := words.Of(w)[0]
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

// holds reports whether s has name in that exact form, and not as part of a longer one.
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
